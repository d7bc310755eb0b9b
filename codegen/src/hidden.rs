//! Members that never print. Keys and personal data of answers are plain text in Rust, so that programs can use them at
//! once. The types that have such a member print the type `Secret` in its place.

use std::collections::BTreeSet;

use serde::Deserialize;
use syn::punctuated::Punctuated;
use syn::{Field, Fields, Ident, Item, Path, Token, Type, parse_quote};

use crate::types::{argument, wire_name};
use crate::{Error, render};

/// Words that the document doesn't spell out, the same for all clients.
const NAMES: &str = include_str!("../../client/names.json");

/// The members that never print: `member` of any type, or `Type.member`.
#[derive(Deserialize)]
pub(crate) struct Names {
    secrets: BTreeSet<String>,
}

impl Names {
    /// Reads the names that all clients share.
    ///
    /// # Errors
    /// Fails when the file of names isn't of its form.
    pub(crate) fn read() -> Result<Self, Error> {
        serde_json::from_str(NAMES)
            .map_err(|error| Error::Emit(format!("client/names.json: {error}")))
    }

    /// Returns whether a member never prints. The types `Secret` and `SecretJson` hide themselves.
    fn has(&self, kind: &Ident, field: &Field) -> bool {
        let is_listed = self.of_member(kind, &wire_name(field)).next().is_some();
        is_listed && !is_secret(argument(&field.ty, "Option").unwrap_or(&field.ty))
    }

    /// Returns the entries that name this member.
    fn of_member(&self, kind: &Ident, member: &str) -> impl Iterator<Item = &str> {
        let of_kind = self.secrets.get(&format!("{kind}.{member}"));
        let of_any = self.secrets.get(member);
        of_any.into_iter().chain(of_kind).map(String::as_str)
    }
}

fn is_secret(kind: &Type) -> bool {
    let Type::Path(path) = kind else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == "Secret" || last.ident == "SecretJson")
}

/// A struct, or a variant of an enumeration.
struct Shape<'a> {
    path: String,
    name: &'a Ident,
    fields: &'a Fields,
}

/// Returns the name of a type, and its shapes.
fn shapes(item: &Item) -> Option<(&Ident, Vec<Shape<'_>>)> {
    match item {
        Item::Struct(item) => {
            let only = Shape {
                path: "Self".to_owned(),
                name: &item.ident,
                fields: &item.fields,
            };
            Some((&item.ident, vec![only]))
        }
        Item::Enum(item) => {
            let shapes = item.variants.iter().map(|variant| Shape {
                path: format!("Self::{}", variant.ident),
                name: &variant.ident,
                fields: &variant.fields,
            });
            Some((&item.ident, shapes.collect()))
        }
        _ => None,
    }
}

/// Returns whether a type has a member that never prints.
fn has_hidden(names: &Names, item: &Item) -> bool {
    shapes(item).is_some_and(|(kind, shapes)| {
        let mut fields = shapes.iter().flat_map(|shape| named(shape.fields));
        fields.any(|field| names.has(kind, field))
    })
}

fn named(fields: &Fields) -> impl Iterator<Item = &Field> {
    fields.iter().filter(|field| field.ident.is_some())
}

/// Removes the derived `Debug` of a type with members that never print.
pub(crate) fn underive(names: &Names, item: &mut Item) {
    if !has_hidden(names, item) {
        return;
    }
    let attributes = match item {
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        _ => return,
    };
    for attribute in attributes {
        if !attribute.path().is_ident("derive") {
            continue;
        }
        let parse = Punctuated::<Path, Token![,]>::parse_terminated;
        if let Ok(derived) = attribute.parse_args_with(parse) {
            let kept = derived.iter().filter(|path| !path.is_ident("Debug"));
            *attribute = parse_quote!(#[derive(#(#kept),*)]);
        }
    }
}

/// Returns the file with `Debug` of each type that has a member that never prints. `types` is the file of all types.
///
/// # Errors
/// Fails when `types` isn't Rust, or such an enumeration has a variant without names.
pub fn emit(types: &str) -> Result<String, Error> {
    let names = Names::read()?;
    let file = syn::parse_file(types).map_err(|error| Error::Emit(error.to_string()))?;
    let hidden = file.items.iter().filter(|item| has_hidden(&names, item));
    let all = hidden.map(|item| one(&names, item));
    let all = all.collect::<Result<String, Error>>()?;
    Ok(format!(
        "{}
#[allow(unused_imports)]
use crate::hidden::hidden;
#[allow(unused_imports)]
use crate::*;
{all}",
        render::HEADER
    ))
}

fn one(names: &Names, item: &Item) -> Result<String, Error> {
    let Some((kind, shapes)) = shapes(item) else {
        return Ok(String::new());
    };
    let mut output = String::new();
    for shape in shapes {
        if matches!(shape.fields, Fields::Unnamed(_)) {
            let place = format!("{kind}: {}", shape.name);
            return Err(Error::Emit(format!(
                "{place} has no names beside hidden members"
            )));
        }
        let list = |word: &str, is_in: &dyn Fn(&Field) -> bool| {
            let fields = named(shape.fields).filter(|field| is_in(field));
            let idents = fields.filter_map(|field| field.ident.as_ref());
            render::call(12, word, idents.map(ToString::to_string))
        };
        let is_optional = |field: &Field| argument(&field.ty, "Option").is_some();
        let lists = [
            list("shown", &|field| !names.has(kind, field)),
            list("hidden", &|field| {
                names.has(kind, field) && !is_optional(field)
            }),
            list("optional", &|field| {
                names.has(kind, field) && is_optional(field)
            }),
        ];
        output.push_str(&format!("        [{}] {}\n", shape.path, shape.name));
        for list in lists {
            output.push_str(&format!("            {list}\n"));
        }
    }
    Ok(format!("\nhidden! {{\n    {kind} {{\n{output}    }}\n}}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The types as the document has them, cut to a few members.
    const TYPES: &str = r#"
#[derive(Clone, Debug, PartialEq)]
pub struct ApiKeyCreated {
    pub key_id: String,
    pub api_key: String,
}
#[derive(Clone, Debug, PartialEq)]
pub enum SessionToken {
    Klarna { session_id: String, session_token: String },
    OpenBanking { open_banking_session_token: Option<String> },
    NoSessionTokenReceived,
}
#[derive(Clone, Debug, PartialEq)]
pub struct WebhookEndpointRequest {
    pub api_key: String,
    pub secret: Option<crate::Secret>,
}
"#;

    impl Names {
        /// Returns the entries that hide nothing in these types.
        fn dead(&self, items: &[Item]) -> BTreeSet<&str> {
            let mut dead: BTreeSet<&str> = self.secrets.iter().map(String::as_str).collect();
            for item in items {
                let Some((kind, shapes)) = shapes(item) else {
                    continue;
                };
                let fields = shapes.iter().flat_map(|shape| named(shape.fields));
                let hidden = fields.filter(|field| self.has(kind, field)).map(wire_name);
                // The member around the contents of an enumeration is no field here, and is one in other languages.
                for member in hidden.chain(content(item)) {
                    for entry in self.of_member(kind, &member) {
                        dead.remove(entry);
                    }
                }
            }
            dead
        }
    }

    /// Returns the member that holds the contents of an enumeration, if it has one.
    fn content(item: &Item) -> Option<String> {
        let Item::Enum(item) = item else { return None };
        let mut found = None;
        for attribute in &item.attrs {
            if attribute.path().is_ident("serde") {
                // An attribute of another form has no such option.
                let _ = attribute.parse_nested_meta(|option| {
                    if option.input.peek(Token![=]) {
                        let value: syn::LitStr = option.value()?.parse()?;
                        if option.path.is_ident("content") {
                            found = Some(value.value());
                        }
                    }
                    Ok(())
                });
            }
        }
        found
    }

    #[test]
    fn a_name_that_hides_nothing_is_dead() {
        let secrets = [
            "api_key",
            "gone",
            "ApiKeyCreated.api_key",
            "ApiKeyCreated.key",
            "VaultDetails.vault_data",
            "WebhookEndpointRequest.secret",
        ];
        let names = Names {
            secrets: secrets.map(str::to_owned).into(),
        };
        let vault = r#"
#[serde(tag = "vault_type", content = "vault_data")]
pub enum VaultDetails {
    ExternalVault(ExternalVaultData),
}
"#;
        let file = syn::parse_file(&format!("{TYPES}{vault}")).unwrap();
        let dead: Vec<&str> = names.dead(&file.items).into_iter().collect();
        // The last one hides itself.
        assert_eq!(
            dead,
            ["ApiKeyCreated.key", "WebhookEndpointRequest.secret", "gone"]
        );
        // No type of ours has lost the member that an entry names.
        let types = include_str!("../../client/rust/types/src/generated/types.rs");
        let types = syn::parse_file(types).unwrap();
        let names = Names::read().unwrap();
        assert_eq!(names.dead(&types.items), BTreeSet::new());
    }

    #[test]
    fn a_type_with_a_member_that_never_prints_has_no_derived_debug() {
        let names = Names::read().unwrap();
        let mut file = syn::parse_file(TYPES).unwrap();
        for item in &mut file.items {
            underive(&names, item);
        }
        let derived = prettyplease::unparse(&file);
        let derives = derived.lines().filter(|line| line.starts_with("#[derive"));
        assert_eq!(
            derives.collect::<Vec<_>>(),
            [
                "#[derive(Clone, PartialEq)]",
                "#[derive(Clone, PartialEq)]",
                // Secrets hide themselves, and the key belongs to another type.
                "#[derive(Clone, Debug, PartialEq)]",
            ]
        );
        let emitted = emit(&derived).unwrap();
        let (_, macros) = emitted.split_once("use crate::*;\n").unwrap();
        assert_eq!(
            macros,
            "
hidden! {
    ApiKeyCreated {
        [Self] ApiKeyCreated
            shown(key_id)
            hidden(api_key)
            optional()
    }
}

hidden! {
    SessionToken {
        [Self::Klarna] Klarna
            shown(session_id)
            hidden(session_token)
            optional()
        [Self::OpenBanking] OpenBanking
            shown()
            hidden()
            optional(open_banking_session_token)
        [Self::NoSessionTokenReceived] NoSessionTokenReceived
            shown()
            hidden()
            optional()
    }
}
"
        );
    }
}
