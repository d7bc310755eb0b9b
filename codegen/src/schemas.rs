//! `JsonSchema` for every type, quoting the document.
//!
//! A schema that schemars derived from Rust would lack lengths, bounds and one-ofs. A quoted one has every word, so that
//! dropshot's description of the traits can be compared with the document.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::Error;
use crate::document::{Document, reference};
use crate::{names, projection, render};

/// Returns the file of all implementations.
///
/// # Errors
/// Fails when the tokens aren't Rust, which is a fault of the generator.
pub fn emit(document: &Document) -> Result<String, Error> {
    let mut markers = Vec::new();
    let mut implementations = Vec::new();
    for (name, schema) in document.schemas() {
        let ident = names::ident(name);
        if projection::is_inlined(schema) {
            let note = format!(" Stands for the component `{name}`, which is plain in Rust.");
            markers.push(quote! { #[doc = #note] pub struct #ident; });
        }
        let path = path(document, name);
        implementations.push(quote_schema(&path, name, schema, document));
    }
    render::file(quote! {
        use schemars::{JsonSchema, r#gen::SchemaGenerator, schema::Schema};

        /// Names for components that have no Rust type of their own.
        pub mod marker {
            #(#markers)*
        }

        #(#implementations)*
    })
}

/// Returns the path of a component's type inside the crate of wire types.
fn path(document: &Document, name: &str) -> TokenStream {
    let ident = names::ident(name);
    match document.schema(name) {
        Some(schema) if projection::is_inlined(schema) => quote!(marker::#ident),
        _ => quote!(crate::#ident),
    }
}

/// Returns the path of a component's type in other crates.
pub fn foreign_path(document: &Document, name: &str) -> TokenStream {
    let ident = names::ident(name);
    match document.schema(name) {
        Some(schema) if projection::is_inlined(schema) => quote!(types::marker::#ident),
        _ => quote!(types::#ident),
    }
}

fn quote_schema(
    path: &TokenStream,
    name: &str,
    schema: &Value,
    document: &Document,
) -> TokenStream {
    let needed: Vec<_> = references(schema)
        .into_iter()
        .map(|name| self::path(document, &name))
        .collect();
    let generator = if needed.is_empty() {
        quote!(_)
    } else {
        quote!(generator)
    };
    let text = render::raw(&schema.to_string());
    quote! {
        impl JsonSchema for #path {
            fn schema_name() -> String {
                #name.to_owned()
            }

            fn json_schema(#generator: &mut SchemaGenerator) -> Schema {
                #(generator.subschema_for::<#needed>();)*
                crate::quoted(#text)
            }
        }
    }
}

/// Returns the components that a schema refers to, each once, in order.
pub fn references(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(schema, &mut found);
    found
}

fn collect(schema: &Value, found: &mut Vec<String>) {
    if let Some(name) = reference(schema)
        && !found.iter().any(|one| one == name)
    {
        found.push(name.to_owned());
    }
    match schema {
        Value::Object(members) => members.values().for_each(|one| collect(one, found)),
        Value::Array(items) => items.iter().for_each(|one| collect(one, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
