//! Disputes: a card that is known for it has its payments disputed once money was taken. The merchant can give in.

use multirail_domain::timestamp::Timestamp;
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{DisputeAnswer, WireResponse};
use rusqlite::{Row, Transaction, params};
use serde::Serialize;

use super::filed::Filed;
use super::record::AuthorizationRecord;
use super::refund::Taken;
use super::{Failure, Processor};

/// A dispute as it is filed, with the authorization already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisputeRecord {
    /// The processor's own name for it.
    pub key: String,
    /// As an authorization's.
    pub account: String,
    pub authorization_key: String,
    /// `dispute_opened` or `dispute_accepted`.
    pub status: String,
    pub created_at: Timestamp,
}

const OPENED: &str = "dispute_opened";
const ACCEPTED: &str = "dispute_accepted";

impl Filed for DisputeRecord {
    const TABLE: &str = "disputes";
    const COLUMNS: &str = "key, account, authorization_key, status, created_at";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(DisputeRecord {
            key: row.get("key")?,
            account: row.get("account")?,
            authorization_key: row.get("authorization_key")?,
            status: row.get("status")?,
            created_at: Timestamp::from_micros(row.get("created_at")?),
        })
    }

    fn account(&self) -> &str {
        &self.account
    }
}

impl DisputeRecord {
    /// The dispute that there will be of what is taken of this authorization.
    pub(super) fn of(authorization: &AuthorizationRecord) -> Self {
        DisputeRecord {
            key: format!("{}_dispute", authorization.reference),
            account: authorization.account.clone(),
            authorization_key: authorization.key.clone(),
            status: OPENED.to_owned(),
            created_at: authorization.created_at,
        }
    }

    /// Writes the row anew or over its earlier form.
    pub(super) fn save(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = format!(
            "insert into disputes ({}) values (?1, ?2, ?3, ?4, ?5) \
             on conflict (key) do update set status = excluded.status",
            Self::COLUMNS
        );
        tx.prepare_cached(&sql)?.execute(params![
            self.key,
            self.account,
            self.authorization_key,
            self.status,
            self.created_at.as_micros(),
        ])?;
        Ok(())
    }
}

impl Processor {
    /// How a dispute stands.
    pub(super) fn dispute(&self, account: &str, reference: &str) -> Result<WireResponse, Failure> {
        self.ledger.write(|tx| {
            let (_, answer) = found(tx, account, reference)?;
            Ok(WireResponse::json(200, &answer))
        })
    }

    /// The merchant gives in. Whoever says so twice is answered the same.
    pub(super) fn accept_dispute(
        &self,
        account: &str,
        reference: &str,
    ) -> Result<WireResponse, Failure> {
        self.ledger.write(|tx| {
            let (mut record, answer) = found(tx, account, reference)?;
            record.status = ACCEPTED.to_owned();
            record.save(tx)?;
            let answer = DisputeAnswer {
                status: record.status,
                ..answer
            };
            Ok(WireResponse::json(200, &answer))
        })
    }
}

fn found(
    tx: &Transaction<'_>,
    account: &str,
    reference: &str,
) -> Result<(DisputeRecord, DisputeAnswer), Failure> {
    let record = DisputeRecord::find_for(tx, account, reference)?;
    let record = record.ok_or(ErrorCode::DisputeNotFound)?;
    let authorization = AuthorizationRecord::find(tx, &record.authorization_key)?;
    let authorization = authorization.ok_or(ErrorCode::DisputeNotFound)?;
    let amount = Taken::of(tx, &authorization)?.captured;
    if amount == 0 {
        // Nobody disputes what wasn't taken.
        return Err(ErrorCode::DisputeNotFound.into());
    }
    let answer = DisputeAnswer {
        reference: record.key.clone(),
        authorization: authorization.reference,
        stage: "dispute".to_owned(),
        status: record.status.clone(),
        amount,
        currency: authorization.currency,
        reason: Some("fraudulent".to_owned()),
        reason_code: Some("10.4".to_owned()),
        challenge_required_by: None,
    };
    Ok((record, answer))
}
