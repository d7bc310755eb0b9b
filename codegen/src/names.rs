//! Rust names for the document's names.

use heck::{ToSnakeCase, ToUpperCamelCase};
use proc_macro2::{Ident, Span};

/// Returns a type, variant or trait name.
pub fn pascal(text: &str) -> String {
    let name = text.to_upper_camel_case();
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("X{name}")
    } else if name == "Self" {
        "Self_".to_owned()
    } else {
        name
    }
}

/// Returns a field, function or module name. Keywords get a trailing underscore.
pub fn snake(text: &str) -> String {
    let name = text.to_snake_case();
    if syn::parse_str::<Ident>(&name).is_ok() {
        name
    } else {
        format!("{name}_")
    }
}

/// Returns an identifier for generated code.
pub fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Returns the module of a tag, such as `connector_accounts`.
pub fn module(tag: &str) -> String {
    snake(tag)
}
