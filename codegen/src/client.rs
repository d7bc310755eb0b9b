//! The client: progenitor's, on the shared wire types, with its builders shortened (`builders`).

use progenitor_impl::{GenerationSettings, Generator, InterfaceStyle, TagStyle, TypeImpl};
use quote::{ToTokens, quote};
use syn::{Item, parse_quote};

use crate::Error;
use crate::document::{Document, is_enumeration};
use crate::{builders, projection, render};

/// The files of the client.
pub struct Files {
    pub client: String,
    pub builders: String,
}

/// Returns the files of the client.
///
/// # Errors
/// Fails when progenitor refuses the projected document, or the tokens aren't Rust.
pub fn emit(document: &Document) -> Result<Files, Error> {
    let mut settings = GenerationSettings::new();
    settings
        .with_interface(InterfaceStyle::Builder)
        .with_tag(TagStyle::Merged)
        // The hand-written part of the client stores its retry policy there.
        .with_inner_type(quote!(crate::Retries));
    for (name, schema) in document.schemas() {
        if projection::is_inlined(schema) {
            continue;
        }
        let impls = if is_enumeration(schema) {
            vec![TypeImpl::Display, TypeImpl::FromStr]
        } else {
            Vec::new()
        };
        settings.with_replacement(
            name,
            format!("::multirail_types::{name}"),
            impls.into_iter(),
        );
    }
    let spec = projection::for_client(document)?;
    let tokens = Generator::new(&settings)
        .generate_tokens(&spec)
        .map_err(|error| Error::Emit(format!("progenitor: {error}")))?;
    let mut file =
        syn::parse2::<syn::File>(tokens).map_err(|error| Error::Emit(error.to_string()))?;
    let mut builders = None;
    for item in &mut file.items {
        // The shared types replace the client's own.
        if matches!(item, Item::Mod(module) if module.ident == "types") {
            *item = parse_quote!(
                pub use ::multirail_types as types;
            );
        }
        if let Item::Mod(module) = item
            && module.ident == "builder"
        {
            builders = Some(builders::shorten(module));
        }
    }
    let operations = document.operations()?;
    let names = operations
        .iter()
        .filter(|operation| operation.takes_idempotency_key())
        .map(|operation| &operation.id);
    file.items.push(parse_quote!(
        /// Operations that take the header `Idempotency-Key`.
        pub const TAKES_IDEMPOTENCY_KEY: &[&str] = &[#(#names),*];
    ));
    Ok(Files {
        client: render::file(file.into_token_stream())?,
        builders: builders.ok_or_else(|| Error::Emit("progenitor: no builders".to_owned()))?,
    })
}
