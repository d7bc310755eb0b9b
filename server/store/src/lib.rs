//! The store: translates domain values to statements and back, over one engine-independent database layer. Every SQL text
//! exists once and runs on SQLite and PostgreSQL alike.

mod accounts;
mod customers;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
pub mod operations;
mod payments;
pub mod platform;
mod routing;
mod tables;
#[cfg(test)]
mod tests;
pub mod webhooks;

// The database crate, under the name that every module here uses.
use multirail_database as engine;

pub use platform::database::{applied_schema, noted_audit_log, stored_mode};
pub use platform::declared::{Declared, DeclaredTwice, Takeover};
pub use platform::inspection::Inspection;
pub use platform::sealed_columns::SealedColumn;
pub use platform::sql_store::SqlStore;
pub use tables::{CORE, REQUEST_LOG, VAULT};
