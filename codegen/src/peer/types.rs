//! Wire types of one connector: requests on borrowed texts within their limits, answers that ignore what nobody reads, and
//! enumerations of words.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;

use super::Fault;
use super::read::{Kind, Member, Peer, Ways, is_object};
use super::tokens::{attribute, documentation, field, named, number, renamed};
use super::words::enumeration;
use crate::document::{items, members, reference};
use crate::names;

/// Returns the file of all types, in the order of the document.
///
/// # Errors
/// Fails when a type can't be generated.
pub fn emit(peer: &Peer) -> Result<TokenStream, Fault> {
    let writer = Writer { peer };
    let mut output = imports();
    for (id, parameters) in peer.queries() {
        output.extend(writer.query(id, &parameters)?);
    }
    for (name, schema, ways) in peer.components() {
        output.extend(writer.component(name, schema, ways)?);
    }
    for words in peer.enumerations()? {
        output.extend(enumeration(&words));
    }
    Ok(output)
}

fn imports() -> TokenStream {
    quote! {
        #[allow(unused_imports)]
        use std::collections::BTreeMap;

        #[allow(unused_imports)]
        use serde::{Deserialize, Serialize};
        #[allow(unused_imports)]
        use serde_json::{Map, Value};

        #[allow(unused_imports)]
        use crate::text::{Secret, Text};
    }
}

struct Writer<'a> {
    peer: &'a Peer,
}

impl Writer<'_> {
    fn component(&self, name: &str, schema: &Value, ways: Ways) -> Result<TokenStream, Fault> {
        let about = documentation(schema["description"].as_str());
        if schema["oneOf"].is_array() {
            return self.one_of(name, schema, ways);
        }
        if schema["enum"].is_array() || !has_type(schema) {
            return Ok(TokenStream::new());
        }
        let type_name = names::pascal(name);
        if !is_object(schema) {
            // Answers have their own types of values.
            if !ways.sent {
                return Ok(TokenStream::new());
            }
            let kind = self.peer.kind(name, "its value", schema)?;
            let name = format_ident!("{type_name}");
            let (value, life) = (self.sent(&kind), self.life(&kind));
            return Ok(quote! { #about pub type #name #life = #value; });
        }
        let all = self.peer.members(name, schema)?;
        let mut output = TokenStream::new();
        if ways.sent {
            if !self.peer.parts(schema).is_empty() {
                return Err(Fault::new(
                    name,
                    "a request can't have the members of another object",
                ));
            }
            output.extend(self.request(&type_name, &about, &all));
        }
        if ways.read {
            // Both have the same members, but only the answer owns its texts.
            let read = match ways.sent {
                true => format!("{type_name}Answer"),
                false => type_name,
            };
            output.extend(self.answer(&read, &about, schema, &all));
        }
        Ok(output)
    }

    /// Returns the structure of a query.
    fn query(&self, id: &str, parameters: &[&Value]) -> Result<TokenStream, Fault> {
        let name = names::pascal(id) + "Query";
        let mut all = Vec::new();
        for parameter in parameters {
            let wire_name = parameter["name"].as_str().unwrap_or_default();
            all.push(Member {
                wire_name,
                about: parameter["description"].as_str(),
                is_required: parameter["required"] == true,
                kind: self.peer.kind(&name, wire_name, &parameter["schema"])?,
            });
        }
        let about = documentation(Some(&format!("The query of {id}.")));
        Ok(self.request(&name, &about, &all))
    }

    /// Returns the structure of a request, and the functions that begin it.
    fn request(&self, name: &str, about: &TokenStream, all: &[Member<'_>]) -> TokenStream {
        let ident = format_ident!("{name}");
        let life = self.life_of_all(all.iter().map(|one| &one.kind));
        let fields = all.iter().map(|member| {
            let (field, about) = (field(member.wire_name), documentation(member.about));
            let rename = renamed(member.wire_name, &field.to_string());
            let kind = self.sent(&member.kind);
            let (kind, unset) = match unset(&member.kind) {
                Some((_, is_empty)) => (kind, is_empty),
                None => (quote!(Option<#kind>), "Option::is_none"),
            };
            let (kind, skip) = match member.is_required {
                true => (self.sent(&member.kind), quote!()),
                false => (kind, quote!(skip_serializing_if = #unset)),
            };
            let serde = attribute(&[rename, skip]);
            quote! { #about #serde pub #field: #kind }
        });
        let begin = self.begin(name, &life, all);
        quote! {
            #about
            #[derive(Serialize)]
            pub struct #ident #life { #(#fields,)* }
            #begin
        }
    }

    /// Returns the functions that begin a request: `with` its required members, or `empty`. A request of required members
    /// only needs none.
    fn begin(&self, name: &str, life: &TokenStream, all: &[Member<'_>]) -> TokenStream {
        let ident = format_ident!("{name}");
        let optional: Vec<_> = all.iter().filter(|member| !member.is_required).collect();
        if optional.is_empty() {
            return TokenStream::new();
        }
        let unset_fields = optional.iter().map(|member| {
            let field = field(member.wire_name);
            let nothing = unset(&member.kind).map_or_else(|| quote!(None), |(nothing, _)| nothing);
            quote!(#field: #nothing)
        });
        if optional.len() == all.len() {
            let is_unset = optional.iter().map(|member| {
                let field = field(member.wire_name);
                match unset(&member.kind) {
                    Some(_) => quote!(self.#field.is_empty()),
                    None => quote!(self.#field.is_none()),
                }
            });
            let life = (!life.is_empty()).then(|| quote!(<'_>));
            return quote! {
                #[allow(dead_code, reason = "not every object is built member by member")]
                impl #ident #life {
                    /// Returns the object without members.
                    pub fn empty() -> Self { #ident { #(#unset_fields,)* } }

                    /// Returns the object, or `None` if no member is set.
                    pub fn unless_empty(self) -> Option<Self> {
                        let is_empty = #(#is_unset)&&*;
                        (!is_empty).then_some(self)
                    }
                }
            };
        }
        let must_name = format_ident!("{name}Must");
        let required = || all.iter().filter(|member| member.is_required);
        let given: Vec<_> = required()
            .filter(|member| self.only_word(&member.kind).is_none())
            .collect();
        let must_life = self.life_of_all(given.iter().map(|one| &one.kind));
        let must = given.iter().map(|member| {
            let (field, kind) = (field(member.wire_name), self.sent(&member.kind));
            quote!(pub #field: #kind)
        });
        let values = required().map(|member| {
            let field = field(member.wire_name);
            match self.only_word(&member.kind) {
                Some(word) => quote!(#field: #word),
                None => quote!(#field: must.#field),
            }
        });
        let about = documentation(Some(&format!("The required members of [`{name}`].")));
        quote! {
            #about
            #[allow(dead_code, reason = "not every object is built member by member")]
            pub struct #must_name #must_life { #(#must,)* }

            #[allow(dead_code, reason = "not every object is built member by member")]
            impl #life #ident #life {
                /// Returns the object with its required members only.
                pub fn with(must: #must_name #must_life) -> Self {
                    #ident { #(#values,)* #(#unset_fields,)* }
                }
            }
        }
    }

    /// Returns the structure of an answer.
    fn answer(
        &self,
        name: &str,
        about: &TokenStream,
        schema: &Value,
        all: &[Member<'_>],
    ) -> TokenStream {
        let ident = format_ident!("{name}");
        let parts = self.peer.parts(schema).into_iter().map(|part| {
            let (field, kind) = (field(part), format_ident!("{}", names::pascal(part)));
            quote! { #[serde(flatten)] pub #field: #kind }
        });
        let fields = all.iter().map(|member| {
            let (field, about) = (field(member.wire_name), documentation(member.about));
            let rename = renamed(member.wire_name, &field.to_string());
            let kind = self.read(&member.kind);
            let kind = match member.is_required {
                true => kind,
                false => quote!(Option<#kind>),
            };
            let serde = attribute(&[rename]);
            quote! { #about #serde pub #field: #kind }
        });
        quote! {
            #about
            #[derive(Debug, Deserialize)]
            pub struct #ident { #(#parts,)* #(#fields,)* }
        }
    }

    /// Returns the enumeration of the objects that a member of a request may be.
    fn one_of(&self, name: &str, schema: &Value, ways: Ways) -> Result<TokenStream, Fault> {
        if ways.read {
            return Err(Fault::new(
                name,
                "answers can't have one of several objects",
            ));
        }
        let ident = format_ident!("{}", names::pascal(name));
        let by_word: Vec<(&str, &str)> = members(&schema["discriminator"]["mapping"])
            .filter_map(|(word, one)| Some((word, one.as_str()?.rsplit('/').next()?)))
            .collect();
        let mut variants = Vec::new();
        let mut kinds = Vec::new();
        for one in items(&schema["oneOf"]) {
            let Some(object) = reference(one) else {
                return Err(Fault::new(
                    name,
                    "an object of its own has no name; make it a component",
                ));
            };
            let mut words = by_word.iter().filter(|(_, own)| *own == object);
            let word = words.next().map_or(object, |(word, _)| word);
            let kind = Kind::Object(names::pascal(object));
            let (variant, value) = (format_ident!("{}", names::pascal(word)), self.sent(&kind));
            variants.push(quote!(#variant(Box<#value>)));
            kinds.push(kind);
        }
        let life = self.life_of_all(kinds.iter());
        let about = documentation(schema["description"].as_str());
        Ok(quote! {
            #about
            #[derive(Serialize)]
            #[serde(untagged)]
            pub enum #ident #life { #(#variants,)* }
        })
    }

    /// Returns the type of a value in a request.
    fn sent(&self, kind: &Kind) -> TokenStream {
        match kind {
            Kind::Text {
                least: 0,
                most: None,
            } => quote!(Text<'a>),
            Kind::Text { least, most } => {
                let most = match most {
                    Some(most) => number(*most),
                    None => quote!({ usize::MAX }),
                };
                match least {
                    0 => quote!(Text<'a, #most>),
                    least => {
                        let least = number(*least);
                        quote!(Text<'a, #most, #least>)
                    }
                }
            }
            Kind::Secret => quote!(Secret<'a>),
            Kind::Words(name) => named(name),
            Kind::Object(name) | Kind::OneOf(name) => {
                let (name, life) = (named(name), self.life(kind));
                quote!(#name #life)
            }
            Kind::Whole(name) => named(name),
            Kind::Bool => quote!(bool),
            Kind::List(inner) => {
                let inner = self.sent(inner);
                quote!(Vec<#inner>)
            }
            Kind::Map(inner) => {
                let inner = self.sent(inner);
                quote!(BTreeMap<Text<'a>, #inner>)
            }
            Kind::ByName => quote!(BTreeMap<Text<'a>, Text<'a>>),
            Kind::Free => quote!(Map<String, Value>),
            Kind::Expandable => quote!(Value),
        }
    }

    /// Returns the type of a value in an answer.
    fn read(&self, kind: &Kind) -> TokenStream {
        match kind {
            Kind::Text { .. } => quote!(String),
            Kind::Secret => quote!(::multirail_kernel::secret::SecretText),
            Kind::Object(name) if self.is_sent(name) => named(&format!("{name}Answer")),
            Kind::Words(name) | Kind::Object(name) | Kind::OneOf(name) => named(name),
            Kind::Whole(name) => named(name),
            Kind::Bool => quote!(bool),
            Kind::List(inner) => {
                let inner = self.read(inner);
                quote!(Vec<#inner>)
            }
            Kind::Map(inner) => {
                let inner = self.read(inner);
                quote!(BTreeMap<String, #inner>)
            }
            Kind::ByName | Kind::Free => quote!(Map<String, Value>),
            Kind::Expandable => quote!(Value),
        }
    }

    fn is_sent(&self, type_name: &str) -> bool {
        let mut all = self.peer.components();
        all.any(|(name, _, ways)| names::pascal(name) == type_name && ways.sent)
    }

    /// Returns the word of an enumeration that has no other.
    fn only_word(&self, kind: &Kind) -> Option<TokenStream> {
        let Kind::Words(name) = kind else { return None };
        let all = self.peer.enumerations().ok()?;
        let words = all.iter().find(|one| one.name == *name)?;
        match words.words.as_slice() {
            [only] => {
                let (name, word) = (named(name), named(&names::pascal(only)));
                Some(quote!(#name::#word))
            }
            _ => None,
        }
    }

    fn life(&self, kind: &Kind) -> TokenStream {
        self.life_of_all(std::iter::once(kind))
    }

    /// Returns `<'a>` if one of these types borrows.
    fn life_of_all<'k>(&self, mut kinds: impl Iterator<Item = &'k Kind>) -> TokenStream {
        match kinds.any(|kind| self.borrows(kind, &mut BTreeSet::new())) {
            true => quote!(<'a>),
            false => quote!(),
        }
    }

    fn borrows(&self, kind: &Kind, seen: &mut BTreeSet<String>) -> bool {
        match kind {
            Kind::Text { .. } | Kind::Secret | Kind::Map(_) | Kind::ByName => true,
            Kind::Words(_) | Kind::Whole(_) | Kind::Bool | Kind::Free | Kind::Expandable => false,
            Kind::List(inner) => self.borrows(inner, seen),
            Kind::Object(name) | Kind::OneOf(name) => {
                if !seen.insert(name.clone()) {
                    return false;
                }
                let mut all = self.peer.components();
                let Some((own, schema, _)) = all.find(|one| names::pascal(one.0) == *name) else {
                    return false;
                };
                let objects = items(&schema["oneOf"]).filter_map(reference);
                let objects = objects.map(|one| Kind::Object(names::pascal(one)));
                let own = self.peer.members(own, schema).unwrap_or_default();
                let mut kinds = own.into_iter().map(|one| one.kind).chain(objects);
                kinds.any(|kind| self.borrows(&kind, seen))
            }
        }
    }
}

fn has_type(schema: &Value) -> bool {
    // Values of one member have no type of their own.
    schema["type"] == "object" || schema["allOf"].is_array()
}

/// Returns the empty value of a collection, and the function that knows it. Other values are unset by `None`.
fn unset(kind: &Kind) -> Option<(TokenStream, &'static str)> {
    match kind {
        Kind::List(_) => Some((quote!(Vec::new()), "Vec::is_empty")),
        Kind::Map(_) | Kind::ByName => Some((quote!(BTreeMap::new()), "BTreeMap::is_empty")),
        Kind::Text { .. }
        | Kind::Secret
        | Kind::Words(_)
        | Kind::Object(_)
        | Kind::OneOf(_)
        | Kind::Whole(_)
        | Kind::Bool
        | Kind::Free
        | Kind::Expandable => None,
    }
}
