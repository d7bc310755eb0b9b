//! Parts of generated items.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{names, render};

/// Returns the name of a field. `type` is a keyword, and a name can't begin with a digit.
pub fn field(wire_name: &str) -> TokenStream {
    let name = match wire_name {
        "type" => "kind".to_owned(),
        name if name.starts_with(|first: char| first.is_ascii_digit()) => {
            format!("x{}", names::snake(name).trim_end_matches('_'))
        }
        name => names::snake(name),
    };
    named(&name)
}

pub fn named(name: &str) -> TokenStream {
    let ident = names::ident(name);
    quote!(#ident)
}

pub fn number(number: u64) -> TokenStream {
    let literal = proc_macro2::Literal::u64_unsuffixed(number);
    quote!(#literal)
}

pub fn documentation(about: Option<&str>) -> TokenStream {
    about.map(render::docs).unwrap_or_default()
}

pub fn renamed(wire_name: &str, name: &str) -> TokenStream {
    match wire_name == name {
        true => quote!(),
        false => quote!(rename = #wire_name),
    }
}

/// Returns a `serde` attribute of the parts that aren't empty.
pub fn attribute(parts: &[TokenStream]) -> TokenStream {
    let parts: Vec<_> = parts.iter().filter(|part| !part.is_empty()).collect();
    match parts.is_empty() {
        true => quote!(),
        false => quote!(#[serde(#(#parts),*)]),
    }
}
