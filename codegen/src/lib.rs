//! The generator of multirail: joins the OpenAPI document from its files, checks it, and writes it. From the document it
//! generates wire types, API traits with matcher and dispatcher, and the client. From the document of each connector's
//! processor it generates the connector's wire types.
//!
//! `cargo codegen` writes the files, `cargo codegen --check` lists stale ones, and `cargo codegen --breaking` lists the
//! changes since the last release.

pub mod api;
mod boxes;
pub mod breaking;
mod builders;
pub mod client;
pub mod document;
pub mod enums;
mod error;
pub mod files;
pub mod finding;
pub mod hidden;
pub mod lint;
pub mod names;
pub mod output;
pub mod peer;
pub mod projection;
pub mod refusals;
pub mod release;
pub mod render;
pub mod schemas;
pub mod set_by;
pub mod setters;
pub mod sources;
pub mod types;

pub use error::Error;
