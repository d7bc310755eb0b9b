//! The operation table, and the enumerations of operations, of tags, and of the operations that change something.

use quote::quote;

use super::{tags, variant_of_tag};
use crate::document::Operation;
use crate::{Error, names, render};

/// Returns the file of the table.
///
/// # Errors
/// Fails when the tokens aren't Rust, which is a fault of the generator.
pub fn emit(operations: &[Operation]) -> Result<String, Error> {
    let variants = operations.iter().map(|operation| {
        let variant = names::ident(&names::pascal(&operation.id));
        let note = format!(
            " `{} {}`: {}",
            operation.method, operation.path, operation.summary
        );
        quote!(#[doc = #note] #variant,)
    });
    let tags = tags(operations).into_iter().map(|tag| {
        let (variant, note) = (variant_of_tag(tag), format!(" `{tag}`"));
        quote!(#[doc = #note] #variant,)
    });
    let mutations = operations.iter().filter(|operation| operation.mutates);
    let mutations = mutations.map(|operation| {
        let variant = names::ident(&names::pascal(&operation.id));
        let note = format!(" `{}`", operation.id);
        quote!(#[doc = #note] #variant,)
    });
    let rows = operations.iter().map(row);
    render::file(quote! {
        // A document without users names no role.
        #[allow(unused_imports)]
        use crate::Answers;
        #[allow(unused_imports)]
        use crate::generated::keyed;
        #[allow(unused_imports)]
        use crate::operation::{OpInfo, Origin, Role, Scheme};
        use http::Method;

        /// Every operation of the document, in its order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Op {
            #(#variants)*
        }

        impl Op {
            /// Returns the document's facts about this operation.
            pub fn info(self) -> &'static OpInfo {
                &OPERATIONS[self as usize]
            }
        }

        /// Every tag of the document, in the order of its first operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Tag {
            #(#tags)*
        }

        /// Every operation that changes something (`x-multirail-mutates`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Mutation {
            #(#mutations)*
        }

        /// The document's facts about every operation, in its order.
        pub static OPERATIONS: &[OpInfo] = &[#(#rows),*];
    })
}

fn row(operation: &Operation) -> proc_macro2::TokenStream {
    let op = super::op(operation);
    let keyed = super::keyed::value(operation);
    let method = names::ident(&operation.method);
    let (id, path) = (&operation.id, &operation.path);
    let tag = variant_of_tag(&operation.tag);
    let mutation = if operation.mutates {
        let variant = names::ident(&names::pascal(&operation.id));
        quote!(Some(Mutation::#variant))
    } else {
        quote!(None)
    };
    let schemes = operation
        .security
        .iter()
        .map(|scheme| names::ident(&names::pascal(scheme)));
    let origin = match &operation.section {
        Some(section) if operation.origin == "specification" => {
            quote!(Origin::Specification { section: #section })
        }
        _ => quote!(Origin::Supporting),
    };
    let client_members = match &operation.client_members {
        Some(members) => quote!(Some(&[#(#members),*])),
        None => quote!(None),
    };
    let secret_with_any_key = operation.secret_with_any_key;
    let for_platforms = operation.for_platforms;
    let roles = operation
        .roles
        .iter()
        .map(|role| names::ident(&names::pascal(role)));
    let request = match &operation.request {
        Some(request) => quote!(Some(#request)),
        None => quote!(None),
    };
    let raw_body_bytes = match operation.raw_body_bytes {
        Some(bytes) => {
            let bytes = proc_macro2::Literal::u64_unsuffixed(bytes);
            quote!(Some(#bytes))
        }
        None => quote!(None),
    };
    quote! {
        OpInfo {
            op: #op,
            id: #id,
            tag: Tag::#tag,
            method: Method::#method,
            path: #path,
            security: &[#(Scheme::#schemes),*],
            mutation: #mutation,
            keyed: #keyed,
            origin: #origin,
            client_members: #client_members,
            secret_with_any_key: #secret_with_any_key,
            roles: &[#(Role::#roles),*],
            for_platforms: #for_platforms,
            request_schema: #request,
            raw_body_bytes: #raw_body_bytes,
        }
    }
}
