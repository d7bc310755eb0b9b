//! The ledger's rows of refunds.

use multirail_domain::timestamp::Timestamp;
use multirail_simulator_wire::{ErrorBody, OperationStatus};
use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde::Serialize;

use super::column::Word;
use super::record::{is_visible, read_error};

/// A refund as it is filed; refused ones too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefundRecord {
    pub key: String,
    pub reference: String,
    /// As an authorization's.
    pub account: String,
    pub authorization_key: String,
    pub amount: i64,
    pub currency: String,
    pub reason: Option<String>,
    pub status: OperationStatus,
    /// As a capture's.
    pub error: Option<ErrorBody>,
    pub created_at: Timestamp,
}

impl RefundRecord {
    pub(super) const COLUMNS: &str = "key, reference, account, authorization_key, amount, currency, reason, status, \
        error_code, error_message, created_at";

    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(RefundRecord {
            key: row.get("key")?,
            reference: row.get("reference")?,
            account: row.get("account")?,
            authorization_key: row.get("authorization_key")?,
            amount: row.get("amount")?,
            currency: row.get("currency")?,
            reason: row.get("reason")?,
            status: row.get::<_, Word<_>>("status")?.0,
            error: read_error(row, false)?,
            created_at: Timestamp::from_micros(row.get("created_at")?),
        })
    }

    pub(super) fn find(tx: &Transaction<'_>, key: &str) -> rusqlite::Result<Option<Self>> {
        let sql = format!("select {} from refunds where key = ?1", Self::COLUMNS);
        tx.prepare_cached(&sql)?
            .query_row([key], Self::read)
            .optional()
    }

    /// As this account sees it: another one's refund isn't there.
    pub(super) fn find_for(
        tx: &Transaction<'_>,
        account: &str,
        key: &str,
    ) -> rusqlite::Result<Option<Self>> {
        let found = Self::find(tx, key)?;
        Ok(found.filter(|record| is_visible(&record.account, account)))
    }

    /// Those of one authorization, oldest first.
    pub(super) fn of(tx: &Transaction<'_>, authorization_key: &str) -> rusqlite::Result<Vec<Self>> {
        let sql = format!(
            "select {} from refunds where authorization_key = ?1 order by rowid",
            Self::COLUMNS
        );
        let mut statement = tx.prepare_cached(&sql)?;
        statement
            .query_map([authorization_key], Self::read)?
            .collect()
    }

    /// Writes the row anew or over its earlier form.
    pub(super) fn save(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = format!(
            "insert into refunds ({}) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
             on conflict (key) do update set status = excluded.status",
            Self::COLUMNS
        );
        let error = self.error.as_ref();
        tx.prepare_cached(&sql)?.execute(params![
            self.key,
            self.reference,
            self.account,
            self.authorization_key,
            self.amount,
            self.currency,
            self.reason,
            Word(self.status),
            error.map(|error| &error.code),
            error.map(|error| &error.message),
            self.created_at.as_micros(),
        ])?;
        Ok(())
    }
}
