//! Wire types of the multirail API, generated from its OpenAPI document and shared by client and server.
//!
//! - Every object of the document is a struct of the same name, its members in the document's order.
//! - Every enumeration is an open enum: unknown words are preserved in `Unknown`.
//! - Text with rules, such as an id, is plain `String`; the server enforces the rules of the document.
//! - `format: secret` is [`Secret`], which never prints and is overwritten when it is dropped.
//! - Moments are `chrono::DateTime<Utc>`, written with exactly three decimals.
//!
//! The feature `json-schema` adds `schemars::JsonSchema` for every type, quoting the document; the server needs it.

mod moment;
mod open_enum;
mod secret;
mod unreadable;

#[rustfmt::skip]
#[allow(clippy::all, rustdoc::bare_urls, rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]
mod generated;

pub use generated::enums::*;
pub use generated::types::*;
pub use secret::{Secret, SecretJson};
pub use unreadable::unreadable;

#[cfg(feature = "json-schema")]
#[doc(hidden)]
pub use generated::schemas::marker;

/// Parses a schema of the document for schemars.
///
/// # Panics
/// If the text isn't a schema. The generator only writes valid ones.
#[cfg(feature = "json-schema")]
#[doc(hidden)]
pub fn quoted(text: &str) -> schemars::schema::Schema {
    serde_json::from_str(text).expect("the generator quotes valid schemas")
}

#[cfg(test)]
mod tests;
