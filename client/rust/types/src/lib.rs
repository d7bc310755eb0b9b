//! Wire types of the multirail API, generated from its OpenAPI document and shared by client and server.
//!
//! - Every object of the document is a struct of the same name, its members in the document's order.
//! - Every enumeration is an open enum: unknown words are preserved in `Unknown`.
//! - Text with rules, such as an id, is plain `String`; the server enforces the rules of the document.
//! - `format: secret` is [`Secret`], which never prints and is overwritten when it is dropped.
//! - Keys and personal data in answers are plain text. `Debug` of their types hides them.
//! - Moments are `chrono::DateTime<Utc>`, written with exactly three decimals.
//!
//! Two features add to the types, and neither is on by default:
//!
//! - `json-schema` is `schemars::JsonSchema` for every type, quoting the document. Tests of the server need it.
//! - `setters` is `new` and a setter for every member of the types in requests. The client needs it.

mod hidden;
mod moment;
mod open_enum;
#[cfg(feature = "json-schema")]
mod schema;
mod secret;
#[cfg(feature = "setters")]
mod setters;
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
#[cfg(feature = "json-schema")]
#[doc(hidden)]
pub use schema::quoted;
