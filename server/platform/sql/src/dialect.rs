//! The two kinds of SQL.

/// Which engine's SQL is spoken, for the few statements that must differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite 3
    Sqlite,
    /// PostgreSQL 15 or later
    Postgres,
}
