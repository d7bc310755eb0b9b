//! Increments of uncaptured authorizations.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::OperationKind;
use multirail_simulator_wire::errors::{self, ErrorCode};
use multirail_simulator_wire::{
    AuthorizationStatus, CaptureAnswer, ErrorBody, IncrementBody, OperationStatus, WireResponse,
};
use rusqlite::{Row, Transaction, params};
use serde::Serialize;
use serde_json::Value;

use super::capture::Rest;
use super::column::Word;
use super::filed::{Filed, OfAuthorization, OfOperation};
use super::notices::SETTLED_AFTER_SECONDS;
use super::record::{AuthorizationRecord, read_error};
use super::{Failure, Processor, Twist, decide};

/// An increment, refused or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IncrementRecord {
    pub key: String,
    pub reference: String,
    /// See `AuthorizationRecord::account`.
    pub account: String,
    pub authorization_key: String,
    /// The new total.
    pub amount: i64,
    pub currency: String,
    pub reason: Option<String>,
    pub status: OperationStatus,
    /// See [`CaptureRecord::error`](super::record::CaptureRecord::error).
    pub error: Option<ErrorBody>,
    pub created_at: Timestamp,
}

impl Filed for IncrementRecord {
    const TABLE: &str = "increments";
    const COLUMNS: &str = "key, reference, account, authorization_key, amount, currency, reason, status, \
        error_code, error_message, created_at";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(IncrementRecord {
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

    fn account(&self) -> &str {
        &self.account
    }
}

impl OfOperation for IncrementRecord {
    const KIND: OperationKind = OperationKind::Increment;

    fn key(&self) -> &str {
        &self.key
    }
}

impl OfAuthorization for IncrementRecord {}

impl IncrementRecord {
    /// Inserts or replaces the row.
    pub(super) fn save(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = format!(
            "insert into increments ({}) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
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

/// Returns the reserved amount with all increments, in minor units.
pub(super) fn granted(
    tx: &Transaction<'_>,
    authorization: &AuthorizationRecord,
) -> rusqlite::Result<i64> {
    let approved = authorization.approved_amount.unwrap_or(0);
    let increments = IncrementRecord::for_authorization(tx, &authorization.key)?;
    let done = increments
        .iter()
        .filter(|one| one.status == OperationStatus::Done);
    Ok(done.map(|one| one.amount).fold(approved, i64::max))
}

impl Processor {
    pub(super) fn increment(
        &self,
        account: &str,
        key: &str,
        body: &IncrementBody,
        twist: Option<Twist>,
    ) -> Result<WireResponse, Failure> {
        let record = self.ledger.write(|tx| {
            if let Some(earlier) = IncrementRecord::find(tx, key)? {
                return if is_repeated(&earlier, account, body) {
                    Ok(earlier)
                } else {
                    Err(ErrorCode::KeyUsedOtherwise.into())
                };
            }
            self.let_lapse(tx, &body.authorization)?;
            let (status, error) = decide(objection(tx, account, body)?, twist);
            let record = IncrementRecord {
                key: key.to_owned(),
                reference: self.reference(),
                account: account.to_owned(),
                authorization_key: body.authorization.clone(),
                amount: body.amount,
                currency: body.currency.clone(),
                reason: body.reason.clone(),
                status,
                error,
                created_at: self.now(),
            };
            record.save(tx)?;
            if record.status == OperationStatus::Pending {
                self.tell_later(tx, &record, SETTLED_AFTER_SECONDS)?;
            }
            Ok::<_, Failure>(record)
        })?;
        Ok(match &record.error {
            Some(error) if record.status == OperationStatus::Declined => {
                errors::answer(error.clone())
            }
            Some(_) | None => show_increment(record),
        })
    }
}

/// Returns the increment's answer.
pub(super) fn show_increment(record: IncrementRecord) -> WireResponse {
    let answer = CaptureAnswer {
        key: record.key,
        reference: record.reference,
        status: record.status,
        amount: record.amount,
        currency: record.currency,
        error: record
            .error
            .filter(|_| record.status != OperationStatus::Pending),
    };
    WireResponse::json(200, &answer)
}

/// Returns the objection to an increment, if any.
fn objection(
    tx: &Transaction<'_>,
    account: &str,
    body: &IncrementBody,
) -> rusqlite::Result<Option<ErrorBody>> {
    let Some(authorization) = AuthorizationRecord::find_for(tx, account, &body.authorization)?
    else {
        return Ok(Some(ErrorCode::NotFound.plain()));
    };
    match authorization.status {
        AuthorizationStatus::Approved if !authorization.took_at_once() => {}
        AuthorizationStatus::Cancelled | AuthorizationStatus::Lapsed => {
            return Ok(Some(ErrorCode::AuthorizationGone.plain()));
        }
        AuthorizationStatus::Approved
        | AuthorizationStatus::Declined
        | AuthorizationStatus::AwaitingCustomer
        | AuthorizationStatus::AwaitingDeviceData
        | AuthorizationStatus::Pending => return Ok(Some(ErrorCode::NotSuccessful.plain())),
    }
    if authorization.details.get("may_be_raised") != Some(&Value::Bool(true)) {
        let message = "The authorization was not asked for as one that may be raised";
        return Ok(Some(ErrorCode::NotSuccessful.saying(message)));
    }
    if authorization.currency != body.currency {
        let message = "The currency is not that of the authorization";
        return Ok(Some(ErrorCode::InvalidMember.saying(message)));
    }
    let rest = Rest::read(tx, &authorization)?;
    if rest.gone {
        return Ok(Some(ErrorCode::AuthorizationGone.plain()));
    }
    if rest.closed || rest.captured {
        return Ok(Some(ErrorCode::NotSuccessful.plain()));
    }
    if body.amount <= granted(tx, &authorization)? {
        let message = "The amount is not above what is authorized";
        return Ok(Some(ErrorCode::InvalidMember.saying(message)));
    }
    Ok(None)
}

fn is_repeated(earlier: &IncrementRecord, account: &str, body: &IncrementBody) -> bool {
    earlier.is_visible_to(account)
        && earlier.authorization_key == body.authorization
        && earlier.amount == body.amount
        && earlier.currency == body.currency
}
