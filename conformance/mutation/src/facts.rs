//! Facts about one operation, from recorded exchanges.

use std::collections::BTreeSet;

/// The facts, by the names that the document has for them.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Method and path.
    pub addresses: BTreeSet<(String, String)>,
    /// Security schemes of accepted callers.
    pub let_in: BTreeSet<String>,
    /// Media types of accepted bodies.
    pub media_types: BTreeSet<String>,
    pub took_no_body: bool,
    /// Class of the status, and media type.
    pub answers: BTreeSet<(String, String)>,
    /// Parameters of accepted requests.
    pub given: BTreeSet<String>,
    /// Parameters that accepted requests left out.
    pub left_out: BTreeSet<String>,
    /// Parameters whose absence a refusal names.
    pub missed: BTreeSet<String>,
}
