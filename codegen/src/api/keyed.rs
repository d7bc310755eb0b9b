//! The operations that take an idempotency key, one enumeration a tag: each variant has the type of its answer.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{answer, tags, variant_of_tag};
use crate::document::Operation;
use crate::{Error, names, render};

/// Returns the file of the enumerations.
///
/// # Errors
/// Fails when the tokens aren't Rust, which is a fault of the generator.
pub fn emit(operations: &[Operation]) -> Result<String, Error> {
    let keyed: Vec<_> = operations
        .iter()
        .filter(|operation| operation.takes_idempotency_key())
        .collect();
    let tags: Vec<_> = tags(operations)
        .into_iter()
        .filter(|tag| keyed.iter().any(|operation| operation.tag == *tag))
        .collect();
    let of_tags = tags.iter().map(|tag| {
        let (variant, group) = (variant_of_tag(tag), enumeration(tag));
        let note = format!(" `{tag}`");
        quote!(#[doc = #note] #variant(#group),)
    });
    let groups = tags.iter().map(|tag| {
        let own = keyed.iter().filter(|operation| operation.tag == *tag);
        group(tag, own)
    });
    render::file(quote! {
        // A document may have no such operation.
        #[allow(unused_imports)]
        use crate::{Answers, PlainText};
        #[allow(unused_imports)]
        use multirail_types as types;

        /// Every operation that takes an idempotency key, by its tag.
        #[derive(Clone, Copy, Debug)]
        pub enum Keyed {
            #(#of_tags)*
        }

        #(#groups)*
    })
}

/// Returns `Some(Keyed::Payments(KeyedPayments::PaymentsCreate(Answers::new())))`, or `None`.
pub fn value(operation: &Operation) -> TokenStream {
    if !operation.takes_idempotency_key() {
        return quote!(None);
    }
    let (tag, group) = (variant_of_tag(&operation.tag), enumeration(&operation.tag));
    let variant = names::ident(&names::pascal(&operation.id));
    quote!(Some(keyed::Keyed::#tag(keyed::#group::#variant(Answers::new()))))
}

fn group<'a>(tag: &str, operations: impl Iterator<Item = &'a &'a Operation>) -> TokenStream {
    let name = enumeration(tag);
    let note = format!(" Operations of `{tag}` that take an idempotency key.");
    let variants = operations.map(|operation| {
        let variant = names::ident(&names::pascal(&operation.id));
        let note = format!(" `{}`", operation.id);
        let answer = answer(&operation.success);
        quote!(#[doc = #note] #variant(Answers<#answer>),)
    });
    quote! {
        #[doc = #note]
        #[derive(Clone, Copy, Debug)]
        pub enum #name {
            #(#variants)*
        }
    }
}

fn enumeration(tag: &str) -> proc_macro2::Ident {
    format_ident!("Keyed{}", names::pascal(tag))
}
