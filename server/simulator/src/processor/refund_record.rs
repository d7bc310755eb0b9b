//! The ledger's rows of refunds.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::OperationKind;
use multirail_simulator_wire::{ErrorBody, OperationStatus};
use rusqlite::{Row, Transaction, params};
use serde::Serialize;

use super::column::Word;
use super::filed::{Filed, OfAuthorization, OfOperation};
use super::record::read_error;

/// A refund, refused or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefundRecord {
    pub key: String,
    pub reference: String,
    /// See `AuthorizationRecord::account`.
    pub account: String,
    pub authorization_key: String,
    pub amount: i64,
    pub currency: String,
    /// True if it returns the part of a transfer above the amount.
    pub of_excess: bool,
    pub reason: Option<String>,
    pub status: OperationStatus,
    /// See [`CaptureRecord::error`](super::record::CaptureRecord::error).
    pub error: Option<ErrorBody>,
    pub created_at: Timestamp,
}

impl Filed for RefundRecord {
    const TABLE: &str = "refunds";
    const COLUMNS: &str = "key, reference, account, authorization_key, amount, currency, reason, status, \
        error_code, error_message, created_at, of_excess";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(RefundRecord {
            key: row.get("key")?,
            reference: row.get("reference")?,
            account: row.get("account")?,
            authorization_key: row.get("authorization_key")?,
            amount: row.get("amount")?,
            currency: row.get("currency")?,
            of_excess: row.get("of_excess")?,
            reason: row.get("reason")?,
            status: row.get::<_, Word<_>>("status")?.0,
            error: read_error(row, false)?,
            created_at: Timestamp::from_micros(row.get("created_at")?),
        })
    }

    fn account(&self) -> &str {
        &self.account
    }
}

impl OfOperation for RefundRecord {
    const KIND: OperationKind = OperationKind::Refund;

    fn key(&self) -> &str {
        &self.key
    }
}

impl OfAuthorization for RefundRecord {}

impl RefundRecord {
    /// Inserts or replaces the row.
    pub(super) fn save(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = format!(
            "insert into refunds ({}) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) \
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
            self.of_excess,
        ])?;
        Ok(())
    }
}
