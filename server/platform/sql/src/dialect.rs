//! The two kinds of SQL.

/// The engine whose SQL is used, for the few statements that must differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite 3
    Sqlite,
    /// PostgreSQL 15 or later
    Postgres,
}
