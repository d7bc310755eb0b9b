//! Meanings of a processor's words, from the tables of `means.yaml`.
//!
//! A table has the name of an enumeration. `to` lists the types of the meaning in Rust, and `words` lists, after a name of
//! each type, the words that mean it. Words without a meaning stand after `none`.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::Fault;
use super::read::{Peer, Words};
use crate::document::{items, members};
use crate::enums::UNKNOWN;
use crate::names;

/// The name of no meaning.
const NONE: &str = "none";

/// All tables.
pub struct Meanings(Vec<Table>);

struct Table {
    enumeration: String,
    types: Vec<syn::Path>,
    /// Each meaning with its words; `None` for words without a meaning.
    rows: Vec<(Option<Vec<String>>, Vec<String>)>,
}

impl Meanings {
    /// Reads the tables.
    ///
    /// # Errors
    /// Fails when a table has another form, or other words than its enumeration.
    pub fn read(means: &Value, peer: &Peer) -> Result<Self, Fault> {
        let enumerations = peer.enumerations()?;
        let mut tables = Vec::new();
        for (name, table) in members(means) {
            let words = enumerations.iter().find(|one| one.name == name);
            let words = words.ok_or_else(|| {
                fault(name, "peer.yaml has no such enumeration; remove the table")
            })?;
            tables.push(Table::read(name, table, words)?);
        }
        Ok(Meanings(tables))
    }
}

impl Table {
    fn read(name: &str, table: &Value, words: &Words<'_>) -> Result<Self, Fault> {
        if words.ways.sent {
            return Err(fault(
                name,
                "only words of answers and notices have meanings",
            ));
        }
        let types = items(&table["to"]).chain(table["to"].is_string().then_some(&table["to"]));
        let mut paths = Vec::new();
        for one in types.filter_map(Value::as_str) {
            let path = syn::parse_str(one);
            paths.push(path.map_err(|_| fault(name, &format!("`{one}` is no type")))?);
        }
        let mut rows = Vec::new();
        for (meaning, listed) in members(&table["words"]) {
            let parts: Vec<String> = meaning.split_whitespace().map(str::to_owned).collect();
            let parts = (meaning != NONE).then_some(parts);
            if parts
                .as_ref()
                .is_some_and(|parts| parts.len() != paths.len())
            {
                let why = format!("`{meaning}` doesn't name one value of each type in `to`");
                return Err(fault(name, &why));
            }
            let listed = items(listed).filter_map(Value::as_str);
            let listed: Vec<String> = listed.map(str::to_owned).collect();
            if listed.is_empty() {
                return Err(fault(name, &format!("`{meaning}` has no list of words")));
            }
            rows.push((parts, listed));
        }
        let table = Table {
            enumeration: name.to_owned(),
            types: paths,
            rows,
        };
        table.check(words)?;
        Ok(table)
    }

    /// Checks that each word of the enumeration has one line, and each line a word.
    fn check(&self, words: &Words<'_>) -> Result<(), Fault> {
        let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
        for word in self.rows.iter().flat_map(|(_, listed)| listed) {
            *lines.entry(word).or_default() += 1;
        }
        for word in &words.words {
            match lines.remove(word) {
                Some(1) => {}
                Some(_) => {
                    return Err(fault(&self.enumeration, &format!("`{word}` has two lines")));
                }
                None => {
                    let why = format!(
                        "`{word}` of peer.yaml has no line; if it means nothing, write it after `{NONE}`"
                    );
                    return Err(fault(&self.enumeration, &why));
                }
            }
        }
        match lines.keys().next() {
            Some(word) => {
                let why = format!("`{word}` has a line, but is no word of peer.yaml");
                Err(fault(&self.enumeration, &why))
            }
            None => Ok(()),
        }
    }
}

/// Returns the file of all meanings.
pub fn emit(meanings: &Meanings) -> TokenStream {
    let tables = meanings.0.iter().map(table);
    quote! { #(#tables)* }
}

fn table(table: &Table) -> TokenStream {
    let name = names::ident(&table.enumeration);
    let types = &table.types;
    let short: Vec<_> = types
        .iter()
        .filter_map(|path| path.segments.last())
        .collect();
    let whole = tuple(&types.iter().map(|path| quote!(#path)).collect::<Vec<_>>());
    let unknown = names::ident(UNKNOWN);
    let mut nothing = vec![quote!(Self::#unknown)];
    let mut arms = Vec::new();
    for (meaning, listed) in &table.rows {
        let words = listed.iter().map(|word| {
            let word = names::ident(&names::pascal(word));
            quote!(Self::#word)
        });
        match meaning {
            None => nothing.extend(words),
            Some(parts) => {
                let values = parts.iter().zip(&short).map(|(part, kind)| {
                    let part = names::ident(part);
                    quote!(#kind::#part)
                });
                let value = tuple(&values.collect::<Vec<_>>());
                arms.push(quote!(#(#words)|* => Some(#value)));
            }
        }
    }
    quote! {
        impl super::wire::#name {
            /// Returns the meaning, if there is one.
            pub const fn means(self) -> Option<#whole> {
                #(use #types;)*
                match self {
                    #(#arms,)*
                    #(#nothing)|* => None,
                }
            }
        }
    }
}

/// Returns the only value, or a tuple.
fn tuple(values: &[TokenStream]) -> TokenStream {
    match values {
        [only] => only.clone(),
        several => quote!((#(#several),*)),
    }
}

fn fault(table: &str, why: &str) -> Fault {
    Fault::new(&format!("means.yaml: {table}"), why)
}
