//! Common behavior of the ledger's rows, which are filed under the key of their request.

use multirail_sdk::connector::OperationKind;
use rusqlite::{OptionalExtension, Row, Transaction};

/// A row that is found by its key.
pub(super) trait Filed: Sized {
    const TABLE: &str;
    const COLUMNS: &str;

    fn read(row: &Row<'_>) -> rusqlite::Result<Self>;

    /// Returns the account of the row.
    fn account(&self) -> &str;

    fn find(tx: &Transaction<'_>, key: &str) -> rusqlite::Result<Option<Self>> {
        let sql = format!(
            "select {} from {} where key = ?1",
            Self::COLUMNS,
            Self::TABLE
        );
        tx.prepare_cached(&sql)?
            .query_row([key], Self::read)
            .optional()
    }

    /// Returns the row if this account may see it.
    fn find_for(tx: &Transaction<'_>, account: &str, key: &str) -> rusqlite::Result<Option<Self>> {
        let found = Self::find(tx, key)?;
        Ok(found.filter(|row| row.is_visible_to(account)))
    }

    /// Checks whether this account may see the row. Rows of older ledgers have no account and are
    /// visible to all.
    fn is_visible_to(&self, account: &str) -> bool {
        self.account().is_empty() || self.account() == account
    }
}

/// A row of a requested operation.
pub(super) trait OfOperation: Filed {
    const KIND: OperationKind;

    /// Returns the key of its request.
    fn key(&self) -> &str;
}

/// A row of an operation on an authorization.
pub(super) trait OfAuthorization: Filed {
    /// Returns the rows of one authorization, oldest first.
    fn for_authorization(
        tx: &Transaction<'_>,
        authorization_key: &str,
    ) -> rusqlite::Result<Vec<Self>> {
        let sql = format!(
            "select {} from {} where authorization_key = ?1 order by rowid",
            Self::COLUMNS,
            Self::TABLE
        );
        let mut statement = tx.prepare_cached(&sql)?;
        statement
            .query_map([authorization_key], Self::read)?
            .collect()
    }
}
