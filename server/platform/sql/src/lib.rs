//! The words in which a database is asked, and those in which it answers: statements with their parameters, rows, and
//! what can go wrong. It has no driver, so every layer may name them; the crate `multirail-database` runs statements.

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
