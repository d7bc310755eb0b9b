//! The rows of the ledger.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::OperationKind;
use multirail_simulator_wire::{AuthorizationStatus, ErrorBody, OperationStatus};
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde::Serialize;
use serde_json::{Map, Value};

use super::column::Word;
use super::filed::{Filed, OfAuthorization, OfOperation};
use super::issuer::with_issuer;
use super::refund_behavior::RefundBehavior;
use super::void_kind::VoidKind;

/// Returns the account of a key. Each key has its own account, whose name doesn't reveal the key.
pub fn account_of(api_key: &str) -> String {
    let hash = blake3::hash(api_key.as_bytes()).to_hex();
    format!("acc_{}", &hash[..16])
}

/// An authorization. Card numbers are never stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuthorizationRecord {
    /// The key of its request.
    pub key: String,
    pub reference: String,
    /// The [`account_of`] the request's key. Empty in rows of older ledgers, which had no accounts.
    pub account: String,
    /// The name of the simulated processor.
    pub connector: String,
    /// The requested amount, in minor units.
    pub amount: i64,
    pub currency: String,
    /// True if the request captures in the same step.
    pub captured_at_once: bool,
    /// True if the approved payment is held for the merchant's decision. Nothing is captured then.
    pub is_held: bool,
    pub status: AuthorizationStatus,
    /// The approved amount; unset before the approval.
    pub approved_amount: Option<i64>,
    /// The part of a transfer that has arrived, even if it is above the amount.
    pub received: i64,
    /// The expiry; unset if nothing is reserved.
    pub capture_before: Option<Timestamp>,
    /// The reason of a decline or cancellation. Before the decision: the reason of a planned
    /// decline. After an approval: the reason of planned capture refusals.
    pub error: Option<ErrorBody>,
    /// The behavior of the card's refunds.
    pub refund_behavior: RefundBehavior,
    /// The page to which the payer's browser goes after the processor's page.
    pub return_url: String,
    /// The token of the payer's page, if there is one.
    pub page_token: Option<String>,
    /// All other details of the request.
    pub details: Map<String, Value>,
    pub created_at: Timestamp,
}

/// A capture, refused or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaptureRecord {
    pub key: String,
    pub reference: String,
    /// See `AuthorizationRecord::account`.
    pub account: String,
    pub authorization_key: String,
    pub amount: i64,
    pub currency: String,
    /// True if the rest was released.
    pub is_final: bool,
    /// The statement descriptor.
    pub descriptor: Map<String, Value>,
    pub status: OperationStatus,
    /// The reason of a refusal. While it is pending: the reason of a planned refusal.
    pub error: Option<ErrorBody>,
    pub created_at: Timestamp,
}

/// A void, refused or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VoidRecord {
    pub key: String,
    pub reference: String,
    /// See `AuthorizationRecord::account`.
    pub account: String,
    pub authorization_key: String,
    pub kind: VoidKind,
    /// The released or returned amount.
    pub amount: i64,
    pub reason: Option<String>,
    pub status: OperationStatus,
    /// See [`CaptureRecord::error`].
    pub error: Option<ErrorBody>,
    pub created_at: Timestamp,
}

impl Filed for AuthorizationRecord {
    const TABLE: &str = "authorizations";
    const COLUMNS: &str = "key, reference, connector, amount, currency, captured_at_once, status, \
        approved_amount, error_code, error_message, error_in_authentication, return_url, page_token, details, \
        created_at, account, refund_behavior, is_held, capture_before, received";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(AuthorizationRecord {
            key: row.get("key")?,
            reference: row.get("reference")?,
            account: row.get("account")?,
            connector: row.get("connector")?,
            amount: row.get("amount")?,
            currency: row.get("currency")?,
            captured_at_once: row.get("captured_at_once")?,
            is_held: row.get("is_held")?,
            status: row.get::<_, Word<_>>("status")?.0,
            approved_amount: row.get("approved_amount")?,
            received: row.get("received")?,
            capture_before: row
                .get::<_, Option<i64>>("capture_before")?
                .map(Timestamp::from_micros),
            error: read_error(row, row.get("error_in_authentication")?)?,
            refund_behavior: row.get::<_, Word<_>>("refund_behavior")?.0,
            return_url: row.get("return_url")?,
            page_token: row.get("page_token")?,
            details: read_members(row, "details")?,
            created_at: Timestamp::from_micros(row.get("created_at")?),
        })
    }

    fn account(&self) -> &str {
        &self.account
    }
}

impl OfOperation for AuthorizationRecord {
    const KIND: OperationKind = OperationKind::Authorize;

    fn key(&self) -> &str {
        &self.key
    }
}

impl AuthorizationRecord {
    /// Checks whether the approval also captured the money.
    pub fn took_at_once(&self) -> bool {
        self.captured_at_once && !self.is_held
    }

    /// Returns the part of a transfer that went back to the payer.
    pub(super) fn sent_back(&self) -> Option<i64> {
        let back = match self.status {
            AuthorizationStatus::Declined | AuthorizationStatus::Cancelled => self.received,
            AuthorizationStatus::Approved
            | AuthorizationStatus::Lapsed
            | AuthorizationStatus::AwaitingCustomer
            | AuthorizationStatus::AwaitingDeviceData
            | AuthorizationStatus::Pending => 0,
        };
        Some(back).filter(|back| *back > 0)
    }

    /// Returns the part of a transfer above the amount. It stays here until it is refunded.
    pub(super) fn excess(&self) -> Option<i64> {
        let is_paid = self.status == AuthorizationStatus::Approved;
        Some(self.received - self.amount).filter(|excess| is_paid && *excess > 0)
    }

    /// Checks whether the payment belongs to a series, so that its card is stored.
    pub(super) fn is_of_series(&self) -> bool {
        let Some(initiation) = self.details.get("initiation") else {
            return false;
        };
        initiation.get("future_usage").is_some()
            || initiation.get("network_transaction_id").is_some()
    }

    /// Checks whether the card is stored for charges without the payer.
    pub(super) fn stores_card(&self) -> bool {
        let initiation = self.details.get("initiation");
        let usage = initiation.and_then(|initiation| initiation.get("future_usage"));
        usage.is_some_and(|usage| usage == "off_session")
    }

    pub(super) fn find_by_token(
        tx: &Transaction<'_>,
        token: &str,
    ) -> rusqlite::Result<Option<Self>> {
        let sql = format!(
            "select {} from authorizations where page_token = ?1 and page_token is not null",
            Self::COLUMNS
        );
        tx.prepare_cached(&sql)?
            .query_row([token], Self::read)
            .optional()
    }

    /// Inserts or replaces the row.
    pub(super) fn save(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = format!(
            "insert into authorizations ({}) \
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20) \
             on conflict (key) do update set status = excluded.status, approved_amount = excluded.approved_amount, \
             capture_before = excluded.capture_before, received = excluded.received, \
             error_code = excluded.error_code, error_message = excluded.error_message, \
             error_in_authentication = excluded.error_in_authentication",
            Self::COLUMNS
        );
        let error = self.error.as_ref();
        tx.prepare_cached(&sql)?.execute(params![
            self.key,
            self.reference,
            self.connector,
            self.amount,
            self.currency,
            self.captured_at_once,
            Word(self.status),
            self.approved_amount,
            error.map(|error| &error.code),
            error.map(|error| &error.message),
            error.is_some_and(|error| error.in_authentication),
            self.return_url,
            self.page_token,
            written(&self.details),
            self.created_at.as_micros(),
            self.account,
            Word(self.refund_behavior),
            self.is_held,
            self.capture_before.map(Timestamp::as_micros),
            self.received,
        ])?;
        Ok(())
    }
}

impl Filed for CaptureRecord {
    const TABLE: &str = "captures";
    const COLUMNS: &str = "key, reference, authorization_key, amount, currency, is_final, descriptor, \
        status, error_code, error_message, created_at, account";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(CaptureRecord {
            key: row.get("key")?,
            reference: row.get("reference")?,
            account: row.get("account")?,
            authorization_key: row.get("authorization_key")?,
            amount: row.get("amount")?,
            currency: row.get("currency")?,
            is_final: row.get("is_final")?,
            descriptor: read_members(row, "descriptor")?,
            status: row.get::<_, Word<_>>("status")?.0,
            error: read_error(row, false)?,
            created_at: Timestamp::from_micros(row.get("created_at")?),
        })
    }

    fn account(&self) -> &str {
        &self.account
    }
}

impl OfOperation for CaptureRecord {
    const KIND: OperationKind = OperationKind::Capture;

    fn key(&self) -> &str {
        &self.key
    }
}

impl OfAuthorization for CaptureRecord {}

impl CaptureRecord {
    /// Inserts or replaces the row.
    pub(super) fn save(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = format!(
            "insert into captures ({}) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) \
             on conflict (key) do update set status = excluded.status",
            Self::COLUMNS
        );
        let error = self.error.as_ref();
        tx.prepare_cached(&sql)?.execute(params![
            self.key,
            self.reference,
            self.authorization_key,
            self.amount,
            self.currency,
            self.is_final,
            written(&self.descriptor),
            Word(self.status),
            error.map(|error| &error.code),
            error.map(|error| &error.message),
            self.created_at.as_micros(),
            self.account,
        ])?;
        Ok(())
    }
}

impl Filed for VoidRecord {
    const TABLE: &str = "voids";
    const COLUMNS: &str = "key, reference, authorization_key, kind, amount, reason, status, \
        error_code, error_message, created_at, account";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(VoidRecord {
            key: row.get("key")?,
            reference: row.get("reference")?,
            account: row.get("account")?,
            authorization_key: row.get("authorization_key")?,
            kind: row.get::<_, Word<_>>("kind")?.0,
            amount: row.get("amount")?,
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

impl OfOperation for VoidRecord {
    const KIND: OperationKind = OperationKind::Void;

    fn key(&self) -> &str {
        &self.key
    }
}

impl OfAuthorization for VoidRecord {}

impl VoidRecord {
    /// Inserts or replaces the row.
    pub(super) fn save(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = format!(
            "insert into voids ({}) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
             on conflict (key) do update set status = excluded.status",
            Self::COLUMNS
        );
        let error = self.error.as_ref();
        tx.prepare_cached(&sql)?.execute(params![
            self.key,
            self.reference,
            self.authorization_key,
            Word(self.kind),
            self.amount,
            self.reason,
            Word(self.status),
            error.map(|error| &error.code),
            error.map(|error| &error.message),
            self.created_at.as_micros(),
            self.account,
        ])?;
        Ok(())
    }
}

fn read_members(row: &Row<'_>, column: &str) -> rusqlite::Result<Map<String, Value>> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error)))
}

fn written(members: &Map<String, Value>) -> String {
    serde_json::to_string(members).expect("JSON can be written")
}

pub(super) fn read_error(
    row: &Row<'_>,
    in_authentication: bool,
) -> rusqlite::Result<Option<ErrorBody>> {
    let code: Option<String> = row.get("error_code")?;
    let message: Option<String> = row.get("error_message")?;
    Ok(code.map(|code| {
        with_issuer(ErrorBody {
            code,
            message: message.unwrap_or_default(),
            in_authentication,
            issuer: None,
        })
    }))
}
