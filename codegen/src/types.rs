//! Wire types: typify's structs, tidied for people who read them.
//!
//! typify sorts members by name, quotes each schema in the documentation, and writes date-times with varying decimals. The
//! pass over its output restores the document's order, drops the quotes, writes three decimals, and boxes large members
//! (`boxes`). Types with members that never print lose the derived `Debug` (`hidden`).

use proc_macro2::{Group, TokenStream, TokenTree};
use progenitor_impl::{GenerationSettings, Generator, TypeImpl};
use quote::{ToTokens, quote};
use serde_json::Value;
use syn::{Fields, Item, parse_quote};

use crate::Error;
use crate::document::{Document, is_enumeration, members};
use crate::{boxes, hidden, projection, render};

/// Returns the file of all structs.
///
/// # Errors
/// Fails when typify refuses a schema, or the tokens aren't Rust.
pub fn emit(document: &Document) -> Result<String, Error> {
    let mut settings = GenerationSettings::new();
    settings
        .with_derive("PartialEq")
        .with_map_type("::std::collections::BTreeMap")
        .with_conversion(secret(), "crate::Secret", std::iter::empty())
        .with_conversion(secret_json(), "crate::SecretJson", std::iter::empty());
    for (name, schema) in document.schemas() {
        if is_enumeration(schema) {
            let path = format!("crate::{name}");
            settings.with_replacement(
                name,
                path,
                [TypeImpl::Display, TypeImpl::FromStr].into_iter(),
            );
        }
    }
    let mut generator = Generator::new(&settings);
    let spec = projection::for_types(document)?;
    generator
        .generate_tokens(&spec)
        .map_err(|error| Error::Emit(format!("typify: {error}")))?;
    let file = syn::parse2::<syn::File>(generator.get_type_space().to_stream())
        .map_err(|error| Error::Emit(error.to_string()))?;
    let names = hidden::Names::read()?;
    render::file(shorten(tidy(document, &names, file.items)))
}

/// Returns `{type: string, format: secret}` in schemars' types.
fn secret() -> schemars::schema::SchemaObject {
    schemars::schema::SchemaObject {
        instance_type: Some(schemars::schema::InstanceType::String.into()),
        format: Some("secret".to_owned()),
        ..Default::default()
    }
}

/// Returns `{format: secret}`, of any type, in schemars' types.
fn secret_json() -> schemars::schema::SchemaObject {
    schemars::schema::SchemaObject {
        instance_type: None,
        ..secret()
    }
}

/// Shortens `::std::option::Option` and its like to their names in the prelude; no component may have one of these.
fn shorten(tokens: TokenStream) -> TokenStream {
    const LONG: [[&str; 2]; 4] = [
        ["option", "Option"],
        ["string", "String"],
        ["vec", "Vec"],
        ["boxed", "Box"],
    ];
    let mut output: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        output.push(match tree {
            TokenTree::Group(group) => {
                TokenTree::Group(Group::new(group.delimiter(), shorten(group.stream())))
            }
            other => other,
        });
        // :: std :: module :: Name, where each :: is two tokens.
        if let [.., _, _, std, _, _, module, _, _, name] = output.as_slice()
            && std.to_string() == "std"
            && LONG
                .iter()
                .any(|[long, short]| module.to_string() == *long && name.to_string() == *short)
        {
            let name = name.clone();
            output.truncate(output.len() - 9);
            output.push(name);
        }
    }
    output.into_iter().collect()
}

/// Returns a type with each path shortened to its last name, for files that import the names.
pub(crate) fn short(kind: TokenStream) -> String {
    let mut output = String::new();
    for tree in kind {
        match tree {
            // A name before `::` is a part of the path.
            TokenTree::Punct(sign) if sign.as_char() == ':' => {
                let is_name = |one: char| one.is_alphanumeric() || one == '_';
                output.truncate(output.trim_end_matches(is_name).len());
            }
            TokenTree::Punct(sign) if sign.as_char() == ',' => output.push_str(", "),
            other => output.push_str(&other.to_string()),
        }
    }
    output
}

fn tidy(document: &Document, names: &hidden::Names, items: Vec<Item>) -> TokenStream {
    let mut kept: Vec<Item> = items
        .into_iter()
        .filter(|item| !is_clone_from_reference(item))
        .collect();
    boxes::box_large(&mut kept);
    for item in &mut kept {
        hidden::underive(names, item);
        match item {
            Item::Struct(item) => {
                drop_quotes(&mut item.attrs);
                if let Fields::Named(fields) = &mut item.fields {
                    let mut own: Vec<_> = std::mem::take(&mut fields.named).into_iter().collect();
                    let order = order(document.schema(&item.ident.to_string()));
                    own.sort_by_key(|field| {
                        order.iter().position(|name| *name == wire_name(field))
                    });
                    own.iter_mut().for_each(tidy_field);
                    fields.named = own.into_iter().collect();
                }
            }
            Item::Enum(item) => {
                drop_quotes(&mut item.attrs);
                for variant in &mut item.variants {
                    variant.fields.iter_mut().for_each(tidy_field);
                }
            }
            _ => {}
        }
    }
    kept.sort_by_key(|item| {
        document
            .schemas()
            .position(|(name, _)| Some(name) == subject(item).as_deref())
    });
    let uses_error = kept.iter().any(|item| {
        !matches!(item, Item::Mod(_))
            && item
                .to_token_stream()
                .to_string()
                .contains("ConversionError")
    });
    kept.retain(|item| uses_error || !matches!(item, Item::Mod(one) if one.ident == "error"));
    quote! { #(#kept)* }
}

/// Returns the members of a component in the order of the document.
fn order(schema: Option<&Value>) -> Vec<&str> {
    schema
        .into_iter()
        .flat_map(|schema| members(&schema["properties"]))
        .map(|(name, _)| name)
        .collect()
}

/// Returns the type that an item defines or implements something for.
fn subject(item: &Item) -> Option<String> {
    match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Impl(item) => Some(item.self_ty.to_token_stream().to_string()),
        _ => None,
    }
}

/// Returns whether an item is `impl From<&T> for T`, which typify adds to every type and `clone` makes superfluous.
fn is_clone_from_reference(item: &Item) -> bool {
    let Item::Impl(item) = item else { return false };
    let Some((path, _)) = &item.trait_ else {
        return false;
    };
    let own = item.self_ty.to_token_stream().to_string();
    path.to_token_stream()
        .to_string()
        .ends_with(&format!("From < & {own} >"))
}

/// Returns the name of a field on the wire.
pub(crate) fn wire_name(field: &syn::Field) -> String {
    let mut renamed = None;
    for attribute in field
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"))
    {
        // An attribute that can't be read has another form and renames nothing.
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("rename") {
                renamed = Some(meta.value()?.parse::<syn::LitStr>()?.value());
            } else if let Ok(value) = meta.value() {
                value.parse::<syn::Expr>()?;
            }
            Ok(())
        });
    }
    renamed.unwrap_or_else(|| {
        field
            .ident
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default()
    })
}

/// Has date-times written with exactly three decimals, and turns typify's `Box<Option<T>>` of a type that contains itself
/// into `Option<Box<T>>`. The former would write `null` for an absent member.
fn tidy_field(field: &mut syn::Field) {
    drop_quotes(&mut field.attrs);
    if let Some(inner) = argument(&field.ty, "Box")
        .and_then(|boxed| argument(boxed, "Option"))
        .cloned()
    {
        field.ty = parse_quote!(::std::option::Option<::std::boxed::Box<#inner>>);
        field
            .attrs
            .retain(|attribute| attribute.to_token_stream().to_string() != "# [serde (default)]");
        field
            .attrs
            .push(parse_quote!(#[serde(skip_serializing_if = "::std::option::Option::is_none")]));
    }
    let plain: syn::Type = parse_quote!(::chrono::DateTime<::chrono::offset::Utc>);
    let optional: syn::Type =
        parse_quote!(::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>);
    let text = field.ty.to_token_stream().to_string();
    if text == plain.to_token_stream().to_string() {
        field
            .attrs
            .push(parse_quote!(#[serde(serialize_with = "crate::moment::write")]));
    } else if text == optional.to_token_stream().to_string() {
        field
            .attrs
            .push(parse_quote!(#[serde(serialize_with = "crate::moment::write_optional")]));
    }
}

/// Returns `X` of `Name<X>`.
pub(crate) fn argument<'t>(of: &'t syn::Type, name: &str) -> Option<&'t syn::Type> {
    let syn::Type::Path(path) = of else {
        return None;
    };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == name)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(argument) => Some(argument),
        _ => None,
    })
}

/// Returns the document's own words in a text of the generator. It appends the schema, and quotes the name of a type without
/// a description.
fn own_words(text: &str) -> &str {
    let own = text.split("<details>").next().unwrap_or_default().trim();
    let quoted = own
        .strip_prefix('`')
        .and_then(|rest| rest.strip_suffix('`'));
    quoted.filter(|name| !name.contains('`')).unwrap_or(own)
}

/// Removes everything but the document's own words from the documentation.
fn drop_quotes(attributes: &mut [syn::Attribute]) {
    for attribute in attributes {
        let syn::Meta::NameValue(pair) = &mut attribute.meta else {
            continue;
        };
        if pair.path.is_ident("doc")
            && let syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) = &pair.value
        {
            let value = text.value();
            let own = format!(" {}", own_words(&value));
            pair.value = parse_quote!(#own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::own_words;

    #[test]
    fn the_words_of_a_description_keep_their_code_spans() {
        for (text, own) in [
            (
                "`Payment`\n\n<details><summary>JSON schema</summary>",
                "Payment",
            ),
            (
                "`sandbox` in test mode, else `live`",
                "`sandbox` in test mode, else `live`",
            ),
            (
                "`sandbox` in test mode.<details>",
                "`sandbox` in test mode.",
            ),
            ("Either `card` or `wallet`", "Either `card` or `wallet`"),
        ] {
            assert_eq!(own_words(text), own);
        }
    }
}
