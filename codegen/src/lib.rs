//! The generator of multirail: joins the OpenAPI document from its files, checks it, and writes it and the Rust that
//! follows from it: wire types, API traits with matcher and dispatcher, and the client.
//!
//! `cargo codegen` writes the files, `cargo codegen --check` says which ones are stale, `cargo codegen --breaking` what changed
//! since the last release.

pub mod api;
mod boxes;
pub mod breaking;
pub mod client;
pub mod document;
pub mod enums;
mod error;
pub mod finding;
pub mod lint;
pub mod names;
pub mod output;
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
