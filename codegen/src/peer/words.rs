//! Enumerations of a connector's words.

use proc_macro2::TokenStream;
use quote::quote;

use super::read::Words;
use super::tokens::{attribute, documentation, named, renamed};
use crate::enums::UNKNOWN;
use crate::names;

/// Returns an enumeration, with its words.
pub fn enumeration(words: &Words<'_>) -> TokenStream {
    let (ident, about) = (named(&words.name), documentation(words.about));
    let variant = |word: &&str| named(&names::pascal(word));
    let variants = words.words.iter().map(|word| {
        let variant = variant(word);
        match words.is_open {
            true => quote!(#variant),
            false => {
                let serde = attribute(&[renamed(word, &variant.to_string())]);
                quote!(#serde #variant)
            }
        }
    });
    if words.ways.sent {
        let chosen = words.is_by_text.then(|| {
            let arms = words.words.iter().map(|word| {
                let variant = variant(word);
                quote!(#word => Some(Self::#variant))
            });
            quote! {
                impl #ident {
                    /// Returns the word with this text.
                    pub fn of_text(text: &str) -> Option<Self> {
                        match text { #(#arms,)* _ => None }
                    }
                }
            }
        });
        return quote! {
            #about
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
            pub enum #ident { #(#variants,)* }
            #chosen
        };
    }
    let unknown = named(UNKNOWN);
    let (derived, other) = match words.is_open {
        true => (quote!(), quote!()),
        false => (quote!(, Deserialize), quote!(#[serde(other)])),
    };
    let read = words.is_open.then(|| {
        let arms = words.words.iter().map(|word| {
            let variant = variant(word);
            quote!(#word => Self::#variant)
        });
        let texts = words.words.iter().map(|word| {
            let variant = variant(word);
            quote!(Self::#variant => #word)
        });
        quote! {
            impl #ident {
                /// Reads a word.
                pub fn read(word: &str) -> Self {
                    match word { #(#arms,)* _ => Self::#unknown }
                }

                /// Returns the word.
                #[allow(dead_code, reason = "not every word is written")]
                pub const fn as_str(self) -> &'static str {
                    match self { #(#texts,)* Self::#unknown => "unknown" }
                }
            }
        }
    });
    quote! {
        #about
        #[derive(Clone, Copy, Debug, PartialEq, Eq #derived)]
        pub enum #ident {
            #(#variants,)*
            /// A word that the document doesn't have.
            #other
            #unknown,
        }
        #read
    }
}
