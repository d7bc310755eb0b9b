//! Setters that make a request read as a sentence. Each struct that a request reaches has `new` with its required members,
//! and a setter of the same name for every member.

use std::collections::BTreeSet;

use quote::quote;
use serde_json::Value;
use syn::{Field, Fields, Item, ItemStruct, Type};

use crate::Error;
use crate::document::{Document, members, resolve};
use crate::schemas::references;
use crate::types::argument;
use crate::{names, render};

/// Returns the file of all setters. `types` is the file of all structs.
///
/// # Errors
/// Fails when `types` isn't Rust.
pub fn emit(document: &Document, types: &str) -> Result<String, Error> {
    let file = syn::parse_file(types).map_err(|error| Error::Emit(error.to_string()))?;
    let sent = sent(&document.value);
    let structs = file.items.iter().filter_map(|item| match item {
        Item::Struct(item) if sent.contains(&item.ident.to_string()) => Some(item),
        _ => None,
    });
    let all: Vec<_> = structs.map(setters).collect();
    render::file(quote! {
        use super::types::*;

        #(#all)*
    })
}

/// Returns the type names of the components that a request's body reaches.
fn sent(root: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, item) in members(&root["paths"]) {
        for (_, operation) in members(item).filter(|(name, _)| *name != "parameters") {
            reach(root, resolve(root, &operation["requestBody"]), &mut found);
        }
    }
    found.iter().map(|name| names::pascal(name)).collect()
}

fn reach(root: &Value, value: &Value, found: &mut BTreeSet<String>) {
    for name in references(value) {
        if found.insert(name.clone()) {
            reach(root, &root["components"]["schemas"][&name], found);
        }
    }
}

fn setters(item: &ItemStruct) -> proc_macro2::TokenStream {
    let Fields::Named(fields) = &item.fields else {
        return quote!();
    };
    let name = &item.ident;
    let own = |field: &Field| field.ident.clone().expect("a named field");
    let needed: Vec<&Field> = fields
        .named
        .iter()
        .filter(|field| inner(field).is_none())
        .collect();
    let (arguments, types): (Vec<_>, Vec<&Type>) =
        needed.iter().map(|field| (own(field), &field.ty)).unzip();
    let optional = fields.named.iter().filter(|field| inner(field).is_some());
    let optional: Vec<_> = optional.map(own).collect();
    let about = match needed.is_empty() {
        true => " With no member set.",
        false => " With what it can't do without.",
    };
    let setters = fields.named.iter().map(|field| {
        let member = own(field);
        let about = format!(" Sets [`{name}::{member}`](field@Self::{member}).");
        let (kind, value) = match inner(field) {
            Some(kind) => (kind, quote!(Some(#member.into()))),
            None => (&field.ty, quote!(#member.into())),
        };
        quote! {
            #[doc = #about]
            #[must_use]
            pub fn #member(mut self, #member: impl Into<#kind>) -> Self {
                self.#member = #value;
                self
            }
        }
    });
    quote! {
        impl #name {
            #[doc = #about]
            pub fn new(#(#arguments: impl Into<#types>),*) -> Self {
                Self { #(#arguments: #arguments.into(),)* #(#optional: None,)* }
            }

            #(#setters)*
        }
    }
}

/// Returns the type inside an optional member.
fn inner(field: &Field) -> Option<&Type> {
    argument(&field.ty, "Option")
}
