//! The types of queries and answers: statements with their parameters, rows, and errors. This crate has no driver, so every
//! layer may use it; the crate `multirail-database` runs statements.

mod dialect;
mod error;
pub mod metric;
mod row;
mod standstill;
mod statement;
mod value;

pub use dialect::Dialect;
pub use error::{ConstraintKind, StoreError, WriteError};
pub use row::{Column, Row, refuse};
pub use standstill::Standstill;
pub use statement::{Expect, Miss, Read, Write};
pub use value::{Bindable, Kind, Value};
