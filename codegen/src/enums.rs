//! Open enumerations: the words of the document, and a variant for any word of a later version.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::Error;
use crate::document::{Document, is_enumeration, items};
use crate::{names, render};

/// Name of the variant that holds an unknown word.
pub const UNKNOWN: &str = "Unknown";

/// Returns the words of an enumeration in the order of the document.
pub fn words(schema: &Value) -> Vec<&str> {
    items(&schema["enum"]).filter_map(Value::as_str).collect()
}

/// Returns the file of all open enumerations.
///
/// # Errors
/// Fails when the tokens aren't Rust, which is a fault of the generator.
pub fn emit(document: &Document) -> Result<String, Error> {
    let items = document
        .schemas()
        .filter(|(_, schema)| is_enumeration(schema))
        .map(|(name, schema)| one(name, schema));
    render::file(quote! { #(#items)* })
}

fn one(name: &str, schema: &Value) -> TokenStream {
    let type_name = names::ident(name);
    let documentation = render::docs(schema["description"].as_str().unwrap_or(name));
    let words = words(schema);
    let variants: Vec<_> = words
        .iter()
        .map(|word| names::ident(&names::pascal(word)))
        .collect();
    let notes = words.iter().map(|word| format!(" `{word}`"));
    quote! {
        #documentation
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum #type_name {
            #(#[doc = #notes] #variants,)*
            /// A word that this version doesn't know. The server refuses such words in requests.
            Unknown(String),
        }

        impl #type_name {
            /// Every known word, in the order of the document.
            pub const ALL: &'static [Self] = &[#(Self::#variants),*];

            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#variants => #words,)*
                    Self::Unknown(word) => word,
                }
            }

            fn known(word: &str) -> Option<Self> {
                match word {
                    #(#words => Some(Self::#variants),)*
                    _ => None,
                }
            }
        }

        crate::open_enum::traits!(#type_name);
    }
}
