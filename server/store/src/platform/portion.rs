//! The changes that reseal one portion of the data.

use crate::engine::{Value, Write};

/// The changes of a portion.
#[derive(Default)]
pub(crate) struct PortionChanges {
    pub(crate) writes: Vec<Write>,
    /// Rows that were looked at.
    pub(crate) looked_at: i64,
    /// Rows that were found under a former key.
    pub(crate) found: i64,
    pub(crate) unreadable: i64,
    /// The key of the last row; `None` at the end of the column.
    pub(crate) last: Option<Vec<Value>>,
}
