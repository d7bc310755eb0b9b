//! `JsonSchema` for every type, quoting the document.
//!
//! A schema that schemars derived from Rust would lack lengths, bounds and one-ofs. A quoted one has every word, so that
//! dropshot's description of the traits can be compared with the document.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::document::{Document, reference};
use crate::{names, projection, render};

/// Returns the file of all implementations.
pub fn emit(document: &Document) -> String {
    let mut markers = String::new();
    let mut implementations = String::new();
    for (name, schema) in document.schemas() {
        if projection::is_inlined(schema) {
            markers.push_str(&marker(name));
        }
        implementations.push_str(&quote_schema(name, schema));
    }
    format!(
        "{}
#[allow(unused_imports)]
use crate::schema::schema;
#[allow(unused_imports)]
use crate::*;
#[allow(unused_imports)]
use marker::*;

/// Names for components that have no Rust type of their own.
pub mod marker {{
{markers}}}
{implementations}",
        render::HEADER
    )
}

fn marker(name: &str) -> String {
    let ident = names::ident(name);
    format!(
        "    /// Stands for the component `{name}`, which is plain in Rust.\n    pub struct {ident};\n"
    )
}

/// Returns the path of a component's type in other crates.
pub fn foreign_path(document: &Document, name: &str) -> TokenStream {
    let ident = names::ident(name);
    match document.schema(name) {
        Some(schema) if projection::is_inlined(schema) => quote!(types::marker::#ident),
        _ => quote!(types::#ident),
    }
}

fn quote_schema(name: &str, schema: &Value) -> String {
    let ident = names::ident(name);
    let needed = references(schema)
        .into_iter()
        .map(|name| names::ident(&name).to_string());
    let text = render::raw(&schema.to_string());
    format!(
        "\nschema! {{\n    {}\n    {text}\n}}\n",
        render::call(4, &ident.to_string(), needed)
    )
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
