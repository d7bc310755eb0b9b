//! The declaration of a subject's tables, one constant next to its statements. The program hands all of them in when it
//! opens the store, which knows no subject's tables by itself.
//!
//! A change of all data keys walks the sealed columns in the order of the declarations. It may be under way while servers
//! are updated, so the order never changes: a new subject comes last.

use std::collections::HashSet;

use multirail_kernel::timestamp::Timestamp;

use super::sealed_columns::SealedColumn;
use crate::engine::Write;

/// The declaration of a subject.
#[derive(Clone, Copy)]
pub struct Declared {
    /// Columns that are stored sealed.
    pub sealed_columns: &'static [SealedColumn],
    /// Columns with records, as `records!` names them, including sealed ones. Each has an example.
    pub records: &'static [&'static str],
    /// Columns that look like records or sealed columns, and why they are neither.
    pub opaque: &'static [(&'static str, &'static str)],
    /// Returns the statements that end the leases of an earlier run of the only server.
    pub take_over: fn(&Takeover) -> Vec<Write>,
}

impl Declared {
    /// A subject that declares nothing.
    pub const NOTHING: Declared = Declared {
        sealed_columns: &[],
        records: &[],
        opaque: &[],
        take_over: |_| Vec::new(),
    };
}

/// A start on a database that no other process can use.
pub struct Takeover {
    pub now: Timestamp,
    /// When the last call of the earlier run must be over.
    pub latest: Timestamp,
}

/// Two subjects declare the same column, or one does so twice.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is declared twice as a sealed column")]
pub struct DeclaredTwice(pub String);

/// Returns the sealed columns of all subjects, in their order.
pub(crate) fn sealed_columns(
    declared: &[Declared],
) -> Result<Vec<&'static SealedColumn>, DeclaredTwice> {
    let mut named = HashSet::new();
    let mut all = Vec::new();
    for column in declared.iter().flat_map(|subject| subject.sealed_columns) {
        let name = column.name();
        if !named.insert(name.clone()) {
            return Err(DeclaredTwice(name));
        }
        all.push(column);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{CORE, VAULT};

    #[test]
    fn a_column_that_two_subjects_declare_is_refused() {
        const OTHER: Declared = Declared {
            sealed_columns: &[SealedColumn::of_merchant(
                "vault_cards",
                "sealed",
                &["merchant_id"],
            )],
            ..Declared::NOTHING
        };
        let all = sealed_columns(&[CORE, &[VAULT]].concat());
        let names = all.expect("each is declared once").into_iter();
        let names: Vec<String> = names.map(SealedColumn::name).collect();
        assert!(
            names.contains(&"vault_cards.sealed".to_owned()),
            "{names:?}"
        );
        let refused = sealed_columns(&[CORE, &[VAULT, OTHER]].concat()).err();
        let refused = refused.expect("one is declared twice");
        assert_eq!(
            refused.to_string(),
            "vault_cards.sealed is declared twice as a sealed column"
        );
    }
}
