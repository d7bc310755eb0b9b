//! Setters that make a request read as a sentence. Each struct that a request reaches has `new` with its required members,
//! and a setter of the same name for every member.

use std::collections::BTreeSet;

use quote::ToTokens;
use serde_json::Value;
use syn::{Field, Fields, Item, ItemStruct, Type};

use crate::Error;
use crate::document::{Document, members, resolve};
use crate::schemas::references;
use crate::types::{argument, short};
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
    let all: String = structs.map(setters).collect();
    Ok(format!(
        "{}
#[allow(unused_imports)]
use crate::setters::setters;
#[allow(unused_imports)]
use crate::*;
#[allow(unused_imports)]
use chrono::{{DateTime, offset::Utc}};
#[allow(unused_imports)]
use serde_json::{{Map, Value}};
#[allow(unused_imports)]
use std::collections::BTreeMap;
{all}",
        render::HEADER
    ))
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

fn setters(item: &ItemStruct) -> String {
    let Fields::Named(fields) = &item.fields else {
        return String::new();
    };
    let member = |field: &Field, kind: &Type| {
        let name = field.ident.as_ref().expect("a named field");
        format!("{name}: {}", short(kind.to_token_stream()))
    };
    let needed = fields.named.iter().filter(|field| inner(field).is_none());
    let needed = needed.map(|field| member(field, &field.ty));
    let optional = fields.named.iter();
    let optional = optional.filter_map(|field| Some(member(field, inner(field)?)));
    let (head, list) = (
        render::call(4, &item.ident.to_string(), needed),
        render::columns(8, optional),
    );
    if list.is_empty() {
        return format!("\nsetters! {{\n    {head} {{}}\n}}\n");
    }
    format!("\nsetters! {{\n    {head} {{\n{list}    }}\n}}\n")
}

/// Returns the type inside an optional member.
fn inner(field: &Field) -> Option<&Type> {
    argument(&field.ty, "Option")
}
