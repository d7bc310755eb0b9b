//! What all rows of the ledger have in common: they are filed under the key of their request.

use multirail_sdk::connector::OperationKind;
use rusqlite::{OptionalExtension, Row, Transaction};

/// A row that is found by its key.
pub(super) trait Filed: Sized {
    const TABLE: &str;
    const COLUMNS: &str;

    fn read(row: &Row<'_>) -> rusqlite::Result<Self>;

    /// Whose it is.
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

    /// As this account sees it: another one's row isn't there.
    fn find_for(tx: &Transaction<'_>, account: &str, key: &str) -> rusqlite::Result<Option<Self>> {
        let found = Self::find(tx, key)?;
        Ok(found.filter(|row| row.is_visible_to(account)))
    }

    /// Whether this account may see it. Books from before accounts were kept apart name none.
    fn is_visible_to(&self, account: &str) -> bool {
        self.account().is_empty() || self.account() == account
    }
}

/// A row of an operation that was asked for.
pub(super) trait OfOperation: Filed {
    const KIND: OperationKind;

    /// The key of its request.
    fn key(&self) -> &str;
}

/// A row of what was asked for an authorization.
pub(super) trait OfAuthorization: Filed {
    /// Those of one authorization, oldest first.
    fn of(tx: &Transaction<'_>, authorization_key: &str) -> rusqlite::Result<Vec<Self>> {
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
