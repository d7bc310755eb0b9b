//! Boxes for large optional members.
//!
//! A struct is as large as all its members, and is moved whole from the body to the handler. An instrument has a place for
//! every wallet, but most payments have a card. So large optional members are boxed.

use std::collections::HashMap;

use syn::{Fields, Item, Type, parse_quote};

use crate::types::argument;

/// Bytes from which an optional member is boxed, by the estimate below.
const LARGE: usize = 512;

/// Bytes of a text, a list, a date, and every other type that the generated types name, on a machine of 64 bits.
const ORDINARY: usize = 24;

/// Boxes large members. The estimate uses the types as typify wrote them, so that their order has no effect.
pub fn box_large(items: &mut [Item]) {
    let sizes = Sizes::from_items(items);
    for item in items {
        let Item::Struct(item) = item else { continue };
        for field in &mut item.fields {
            if let Some(inner) = argument(&field.ty, "Option")
                && sizes.of_type(inner) >= LARGE
            {
                field.ty = parse_quote!(::std::option::Option<::std::boxed::Box<#inner>>);
            }
        }
    }
}

/// The types of each struct's members, by its name.
struct Sizes {
    members: HashMap<String, Vec<Type>>,
}

impl Sizes {
    fn from_items(items: &[Item]) -> Self {
        let structs = items.iter().filter_map(|item| match item {
            Item::Struct(item) => Some(item),
            _ => None,
        });
        let named = structs.filter(|item| matches!(item.fields, Fields::Named(_)));
        let members = named.map(|item| {
            let types = item.fields.iter().map(|field| field.ty.clone());
            (item.ident.to_string(), types.collect())
        });
        Self {
            members: members.collect(),
        }
    }

    fn of_type(&self, given: &Type) -> usize {
        if let Some(inner) = argument(given, "Option") {
            return self.of_type(inner);
        }
        if argument(given, "Box").is_some() {
            return size_of::<usize>();
        }
        let name = match given {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        match name.as_deref() {
            Some("bool") => 1,
            Some("i32" | "u32") => 4,
            Some("i64" | "u64" | "f64") => 8,
            // A hash table with the order of its entries.
            Some("Map" | "Value") => 72,
            Some(name) => match self.members.get(name) {
                Some(members) => members.iter().map(|member| self.of_type(member)).sum(),
                None => ORDINARY,
            },
            None => ORDINARY,
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    #[test]
    fn an_optional_member_that_is_large_has_a_box_and_no_other_has() {
        let file: syn::File = parse_quote! {
            pub struct Request {
                pub instrument: ::std::option::Option<Instrument>,
                pub needed: Instrument,
                pub address: ::std::option::Option<Address>,
                pub again: ::std::option::Option<::std::boxed::Box<Instrument>>,
            }
            pub struct Instrument {
                pub notes: ::std::option::Option<::serde_json::Map<::std::string::String, ::serde_json::Value>>,
                pub wallets: [u8; 1],
                pub first: Address, pub second: Address, pub third: Address, pub fourth: Address, pub fifth: Address,
            }
            pub struct Address {
                pub line1: ::std::string::String, pub line2: ::std::string::String, pub city: ::std::string::String,
                pub zip: ::std::string::String,
            }
        };
        let mut items = file.items;
        box_large(&mut items);
        let Item::Struct(request) = &items[0] else {
            panic!("the first one is the request")
        };
        let boxed = request.fields.iter().map(|field| {
            let text = field.ty.to_token_stream().to_string();
            (text.matches("Box").count(), text.contains("Option"))
        });
        assert_eq!(
            boxed.collect::<Vec<_>>(),
            [(1, true), (0, false), (0, true), (1, true)]
        );
    }
}
