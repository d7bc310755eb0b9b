//! The dispatcher's arms: one boxed future an operation, so that no caller's stack holds all of them.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::api::{parameters, traits::Group};
use crate::document::Operation;
use crate::{Error, names, render};

/// Returns the file of the arms.
///
/// # Errors
/// Fails when the tokens aren't Rust, which is a fault of the generator.
pub fn emit(groups: &[Group<'_>]) -> Result<String, Error> {
    // The traits of a tag follow each other.
    let tags: Vec<&[Group<'_>]> = groups.chunk_by(|one, next| one.tag == next.tag).collect();
    let structs = tags.iter().map(|of_tag| arms_of_tag(of_tag));
    let members = tags.iter().map(|of_tag| {
        let (name, member) = names_of_tag(of_tag);
        quote!(pub #member: &'static #name<C, H>,)
    });
    let finds = groups.iter().flat_map(|group| {
        let member = names::ident(&names::module(group.tag));
        group.operations.iter().map(move |operation| {
            let (op, method) = (super::op(operation), method(operation));
            quote!(#op => arms.#member.#method,)
        })
    });
    let imports = groups.iter().map(|group| {
        let (module, name) = (
            names::ident(&names::module(group.tag)),
            names::ident(&group.name),
        );
        quote!(use super::#module::#name;)
    });
    let takes = || {
        groups.iter().flat_map(|group| {
            let operations = group.operations.iter();
            operations.map(|operation| {
                (
                    super::op(operation),
                    Takes::from_operation(group, operation),
                )
            })
        })
    };
    let addresses = takes().map(|(op, Takes { path, query, .. })| {
        let path = path.map(|path| quote!(given.path::<#path>()?;));
        let query = query.map(|query| quote!(given.query::<#query>()?;));
        quote!(#op => { #path #query })
    });
    let bodies = takes().map(|(op, Takes { body, .. })| {
        let body = body.map(|body| quote!(given.body::<#body>()?;));
        quote!(#op => { #body })
    });
    render::file(quote! {
        use super::operations::Op;
        #(#imports)*
        use crate::{ApiError, Call, hooks::Hooks};
        #[allow(unused_imports)]
        use crate::{Path, Query, TypedBody};
        use dropshot::{Body, ServerContext};
        use futures::future::BoxFuture;
        use http::Response;

        /// Reads an operation's parameters and body, calls its method, and writes the answer.
        pub type Arm<C, H> = fn(Call<C, H>) -> BoxFuture<'static, Result<Response<Body>, ApiError>>;

        /// The arms of every tag. Each crate makes those of its own tags in a `static`, so their code is compiled with that crate.
        pub struct Arms<C: ServerContext, H: Hooks<C>> {
            #(#members)*
        }

        /// Returns the arm of an operation.
        pub(crate) fn of_operation<C: ServerContext, H: Hooks<C>>(op: Op, arms: &Arms<C, H>) -> Arm<C, H> {
            match op {
                #(#finds)*
            }
        }

        #(#structs)*

        /// Reads an operation's path and query into their types, and drops them.
        #[cfg(any(test, fuzzing))]
        pub(crate) fn fits_address(op: Op, given: &crate::fuzz::Given<'_>) -> Result<(), ApiError> {
            match op {
                #(#addresses)*
            }
            Ok(())
        }

        /// Reads an operation's body into its type, and drops it.
        #[cfg(any(test, fuzzing))]
        pub(crate) fn fits_body(op: Op, given: &crate::fuzz::Given<'_>) -> Result<(), ApiError> {
            match op {
                #(#bodies)*
            }
            Ok(())
        }
    })
}

/// The types of an operation's path, query and body, if it has them.
struct Takes {
    path: Option<TokenStream>,
    query: Option<TokenStream>,
    body: Option<TokenStream>,
}

impl Takes {
    fn from_operation(group: &Group<'_>, operation: &Operation) -> Self {
        let module = names::ident(&names::module(group.tag));
        let of_module = |name| quote!(super::#module::#name);
        let has_path = !operation.path_parameters().is_empty();
        let has_query = !operation.query_parameters().is_empty();
        Self {
            path: has_path.then(|| of_module(parameters::path_struct(operation))),
            query: has_query.then(|| of_module(parameters::query_struct(operation))),
            body: operation.request.as_ref().map(|request| {
                let request = names::ident(request);
                quote!(Box<multirail_types::#request>)
            }),
        }
    }
}

/// Returns the name of a tag's struct, and of its member in the list of all.
fn names_of_tag(of_tag: &[Group<'_>]) -> (Ident, Ident) {
    let tag = of_tag[0].tag;
    (
        names::ident(&names::pascal(tag)),
        names::ident(&names::module(tag)),
    )
}

fn method(operation: &Operation) -> Ident {
    names::ident(&names::snake(&operation.id))
}

fn arms_of_tag(of_tag: &[Group<'_>]) -> TokenStream {
    let (name, _) = names_of_tag(of_tag);
    let bounds = of_tag.iter().map(|group| {
        let name = names::ident(&group.name);
        quote!(#name<Context = C>)
    });
    let operations = || of_tag.iter().flat_map(|group| &group.operations);
    let members = operations().map(|operation| {
        let method = method(operation);
        quote!(#method: Arm<C, H>,)
    });
    let arms = of_tag.iter().flat_map(|group| {
        let operations = group.operations.iter();
        operations.map(|operation| arm(group, operation))
    });
    let doc = format!("The arms of the tag `{}`.", of_tag[0].tag);
    quote! {
        #[doc = #doc]
        pub struct #name<C: ServerContext, H: Hooks<C>> {
            #(#members)*
        }

        impl<C: ServerContext, H: Hooks<C>> #name<C, H> {
            /// Returns arms that call the methods of `S`.
            #[allow(unused_mut)]
            pub const fn of<S: #(#bounds)+*>() -> Self {
                Self {
                    #(#arms)*
                }
            }
        }
    }
}

fn arm(group: &Group<'_>, operation: &Operation) -> TokenStream {
    let (api, method) = (names::ident(&group.name), method(operation));
    let Takes { path, query, body } = Takes::from_operation(group, operation);
    let mut reads = Vec::new();
    let mut arguments = Vec::new();
    if let Some(path) = path {
        reads.push(quote!(let path: #path = call.path()?;));
        arguments.push(quote!(Path::from(path)));
    }
    if let Some(query) = query {
        reads.push(quote!(let query: #query = call.query()?;));
        arguments.push(quote!(Query::from(query)));
    }
    if let Some(body) = body {
        reads.push(quote!(let body: #body = call.body().await?;));
        arguments.push(quote!(TypedBody::from(body)));
    }
    if operation.raw_body_bytes.is_some() {
        reads.push(quote!(let body = call.raw_body().await?;));
        arguments.push(quote!(body));
    }
    let answer = if operation.security.is_empty() {
        quote!(call.answer_anyone(|rqctx| <S as #api>::#method(rqctx, #(#arguments),*)))
    } else {
        quote!(call.answer(|rqctx, caller| <S as #api>::#method(rqctx, caller, #(#arguments),*)))
    };
    quote! {
        #method: |mut call| Box::pin(async move {
            #(#reads)*
            #answer.await
        }),
    }
}
