//! Recorded exchanges show facts of one operation.

use std::collections::BTreeSet;

/// By the names that the document has for them.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Method and path.
    pub addresses: BTreeSet<(String, String)>,
    /// Schemes of callers that were let in.
    pub let_in: BTreeSet<String>,
    /// Media types of bodies that were taken.
    pub media_types: BTreeSet<String>,
    pub took_no_body: bool,
    /// Class of the status, and media type.
    pub answers: BTreeSet<(String, String)>,
    /// Parameters that came with a request that was taken.
    pub given: BTreeSet<String>,
    /// Parameters that a request that was taken went without.
    pub left_out: BTreeSet<String>,
    /// Parameters without which a request was refused by name.
    pub missed: BTreeSet<String>,
}
