//! The server's side: one trait and one file a tag, the operation table, the keyed operations, the words of enumerations,
//! the matcher and the arms of the dispatcher.

pub mod arms;
pub mod keyed;
pub mod operations;
pub mod parameters;
pub mod routes;
pub mod traits;
pub mod words;

use proc_macro2::TokenStream;
use quote::quote;

use crate::document::{Document, Operation, SuccessBody};
use crate::{Error, names, render};

/// Returns everything under `server/api/src/generated`, with file names relative to it.
///
/// # Errors
/// Fails when the document doesn't pass the lint, or the tokens aren't Rust.
pub fn emit(document: &Document) -> Result<Vec<(String, String)>, Error> {
    let operations = document.operations()?;
    let groups = traits::groups(&operations);
    let mut files = Vec::new();
    for tag in tags(&operations) {
        let own: Vec<_> = groups.iter().filter(|group| group.tag == tag).collect();
        files.push((
            format!("{}.rs", names::module(tag)),
            traits::emit(document, &own)?,
        ));
    }
    files.push(("operations.rs".to_owned(), operations::emit(&operations)?));
    files.push(("keyed.rs".to_owned(), keyed::emit(&operations)?));
    files.push(("words.rs".to_owned(), words::emit(document)));
    files.push(("routes.rs".to_owned(), routes::emit(&operations)?));
    files.push(("arms.rs".to_owned(), arms::emit(&groups)?));
    files.push(("mod.rs".to_owned(), module(&operations)?));
    Ok(files)
}

/// Returns the tags in the order of their first operation.
pub fn tags(operations: &[Operation]) -> Vec<&str> {
    let mut tags: Vec<&str> = Vec::new();
    for operation in operations {
        if !tags.contains(&operation.tag.as_str()) {
            tags.push(&operation.tag);
        }
    }
    tags
}

/// Returns `ConnectorAccounts`.
pub fn variant_of_tag(tag: &str) -> proc_macro2::Ident {
    names::ident(&names::pascal(tag))
}

/// Returns `Op::PaymentsCreate`.
pub fn op(operation: &Operation) -> TokenStream {
    let variant = names::ident(&names::pascal(&operation.id));
    quote!(Op::#variant)
}

/// Returns the Rust type of the body of a 200 answer.
pub fn answer(success: &SuccessBody) -> TokenStream {
    match success {
        SuccessBody::Component(name) => {
            let name = names::ident(name);
            quote!(types::#name)
        }
        SuccessBody::Array(name) => {
            let name = names::ident(name);
            quote!(Vec<types::#name>)
        }
        SuccessBody::Text => quote!(PlainText),
        SuccessBody::EventStream => quote!(EventStream),
    }
}

fn module(operations: &[Operation]) -> Result<String, Error> {
    let modules = tags(operations).into_iter().map(|tag| {
        let name = names::ident(&names::module(tag));
        quote!(pub mod #name;)
    });
    render::file(quote! {
        pub mod arms;
        pub mod keyed;
        #(#modules)*
        pub mod operations;
        pub mod routes;
        pub mod words;
    })
}
