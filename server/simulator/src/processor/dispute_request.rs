//! The ledger's rows of accepted dispute requests, by the key of the request.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::DisputeActionKind;
use rusqlite::{Row, Transaction, params};
use serde::Serialize;

use super::column::Word;
use super::dispute_record::DisputeRecord;
use super::filed::Filed;

/// An accepted request, with the number of its repetitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisputeRequest {
    pub key: String,
    /// See `AuthorizationRecord::account`.
    pub account: String,
    pub dispute_key: String,
    pub kind: DisputeActionKind,
    pub times: i64,
    pub created_at: Timestamp,
}

impl Filed for DisputeRequest {
    const TABLE: &str = "dispute_requests";
    const COLUMNS: &str = "key, account, dispute_key, kind, times, created_at";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(DisputeRequest {
            key: row.get("key")?,
            account: row.get("account")?,
            dispute_key: row.get("dispute_key")?,
            kind: row.get::<_, Word<_>>("kind")?.0,
            times: row.get("times")?,
            created_at: Timestamp::from_micros(row.get("created_at")?),
        })
    }

    fn account(&self) -> &str {
        &self.account
    }
}

impl DisputeRequest {
    /// Counts one more accepted request under this key.
    pub(super) fn came(
        tx: &Transaction<'_>,
        key: &str,
        kind: DisputeActionKind,
        dispute: &DisputeRecord,
        now: Timestamp,
    ) -> rusqlite::Result<()> {
        let sql = format!(
            "insert into dispute_requests ({}) values (?1, ?2, ?3, ?4, 1, ?5) \
             on conflict (key) do update set times = times + 1",
            Self::COLUMNS
        );
        tx.prepare_cached(&sql)?.execute(params![
            key,
            dispute.account,
            dispute.key,
            kind.as_str(),
            now.as_micros(),
        ])?;
        Ok(())
    }
}
