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

/// The account that a key opens, by a name that doesn't tell the key. Each key opens one of its own.
pub fn account_of(api_key: &str) -> String {
    let hash = blake3::hash(api_key.as_bytes()).to_hex();
    format!("acc_{}", &hash[..16])
}

/// An authorization as it is filed. No card number is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuthorizationRecord {
    /// The key that it was asked under.
    pub key: String,
    pub reference: String,
    /// Whose it is: [`account_of`] the key that asked. Empty in books from before accounts were kept apart.
    pub account: String,
    /// Which of the simulated processors was asked.
    pub connector: String,
    /// What was asked, in minor units.
    pub amount: i64,
    pub currency: String,
    /// With approval the money was to be taken too.
    pub captured_at_once: bool,
    /// With approval it was held for the merchant's decision, and nothing was taken.
    pub is_held: bool,
    pub status: AuthorizationStatus,
    /// What was approved; unset until it is.
    pub approved_amount: Option<i64>,
    /// Until when what was approved can be captured; unset where nothing is held.
    pub capture_before: Option<Timestamp>,
    /// Why it was declined or cancelled; while it is undecided, why it will be declined, if it will; once it is approved,
    /// why its captures will be refused, if they will.
    pub error: Option<ErrorBody>,
    /// What the card does to all its refunds.
    pub refund_behavior: RefundBehavior,
    /// Where the payer goes after the page.
    pub return_url: String,
    /// Names the payer's page; unset where there is none.
    pub page_token: Option<String>,
    /// Everything else that was said with it.
    pub details: Map<String, Value>,
    pub created_at: Timestamp,
}

/// A capture as it is filed; refused ones too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaptureRecord {
    pub key: String,
    pub reference: String,
    /// As an authorization's.
    pub account: String,
    pub authorization_key: String,
    pub amount: i64,
    pub currency: String,
    /// What it left was released.
    pub is_final: bool,
    /// The line on the payer's statement.
    pub descriptor: Map<String, Value>,
    pub status: OperationStatus,
    /// Why it was refused; while it is pending, why it will be, if it will.
    pub error: Option<ErrorBody>,
    pub created_at: Timestamp,
}

/// A void as it is filed; refused ones too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VoidRecord {
    pub key: String,
    pub reference: String,
    /// As an authorization's.
    pub account: String,
    pub authorization_key: String,
    pub kind: VoidKind,
    /// What it set free or gave back.
    pub amount: i64,
    pub reason: Option<String>,
    pub status: OperationStatus,
    /// As a capture's.
    pub error: Option<ErrorBody>,
    pub created_at: Timestamp,
}

impl Filed for AuthorizationRecord {
    const TABLE: &str = "authorizations";
    const COLUMNS: &str = "key, reference, connector, amount, currency, captured_at_once, status, \
        approved_amount, error_code, error_message, error_in_authentication, return_url, page_token, details, \
        created_at, account, refund_behavior, is_held, capture_before";

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
    /// With approval the money was taken too.
    pub fn took_at_once(&self) -> bool {
        self.captured_at_once && !self.is_held
    }

    /// Others may follow it, or it follows another: its card is kept.
    pub(super) fn is_of_series(&self) -> bool {
        let Some(initiation) = self.details.get("initiation") else {
            return false;
        };
        initiation.get("future_usage").is_some()
            || initiation.get("network_transaction_id").is_some()
    }

    /// Its card is kept for charges without the payer.
    pub(super) fn is_kept(&self) -> bool {
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

    /// Writes the row anew or over its earlier form.
    pub(super) fn save(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let sql = format!(
            "insert into authorizations ({}) \
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19) \
             on conflict (key) do update set status = excluded.status, approved_amount = excluded.approved_amount, \
             capture_before = excluded.capture_before, \
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
    /// Writes the row anew or over its earlier form.
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
    /// Writes the row anew or over its earlier form.
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
