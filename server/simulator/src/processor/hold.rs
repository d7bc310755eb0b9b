//! How long what is reserved stands: so many days, and then what nobody has captured is free.

use multirail_kernel::timestamp::Timestamp;
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{AuthorizationStatus, OperationStatus, WireResponse};
use rusqlite::Transaction;
use serde_json::Value;

use super::Processor;
use super::capture::Rest;
use super::filed::{Filed, OfAuthorization};
use super::notices::Subject;
use super::record::{AuthorizationRecord, VoidRecord};
use super::void_kind::VoidKind;

/// How many days an authorization stands that only reserves.
pub const HOLD_DAYS: i64 = 7;

/// How many where a longer time was asked for.
pub const EXTENDED_HOLD_DAYS: i64 = 30;

/// By how many percent of what is authorized one final capture may go beyond it, where that was asked for.
pub const OVERCAPTURE_PERCENT: i64 = 15;

const SECONDS_OF_A_DAY: i64 = 86_400;

impl AuthorizationRecord {
    /// What it is where it is approved for this amount. What is taken at once, and a check of a card, holds nothing.
    fn approve(&mut self, amount: i64, now: Timestamp) {
        self.status = AuthorizationStatus::Approved;
        self.approved_amount = Some(amount);
        let holds = !self.took_at_once() && amount > 0;
        let days = if self.is_extended() == Some(true) {
            EXTENDED_HOLD_DAYS
        } else {
            HOLD_DAYS
        };
        let end = now.plus_seconds(days * SECONDS_OF_A_DAY);
        self.capture_before = end.filter(|_| holds);
    }

    /// What a final capture may take beyond `reserved`, in minor units.
    pub(super) fn beyond(&self, reserved: i64) -> i64 {
        let is_asked = self.details.get("may_be_exceeded") == Some(&Value::Bool(true));
        if is_asked && !self.took_at_once() {
            reserved.saturating_mul(OVERCAPTURE_PERCENT) / 100
        } else {
            0
        }
    }

    /// Whether it stands longer, where that was asked for: every card grants it.
    pub(super) fn is_extended(&self) -> Option<bool> {
        let is_asked = self.details.get("stands_longer") == Some(&Value::Bool(true));
        is_asked.then_some(!self.took_at_once())
    }
}

impl Processor {
    /// Approves it for this amount. Of what it holds its account is told when that is over.
    pub(super) fn approve(
        &self,
        tx: &Transaction<'_>,
        record: &mut AuthorizationRecord,
        amount: i64,
        now: Timestamp,
    ) -> rusqlite::Result<()> {
        record.approve(amount, now);
        match record.capture_before {
            Some(end) => self.tell_at(tx, &record.account, Subject::Lapse, &record.key, end),
            None => Ok(()),
        }
    }

    /// Sets free what is left of an authorization whose time is over, once. Whatever asks for something of it comes by here
    /// first, so that nobody has to watch the time.
    pub(super) fn let_lapse(&self, tx: &Transaction<'_>, key: &str) -> rusqlite::Result<()> {
        let now = self.now();
        let Some(authorization) = AuthorizationRecord::find(tx, key)? else {
            return Ok(());
        };
        if authorization.capture_before.is_some_and(|end| end <= now) {
            lapse(tx, authorization, self.reference(), now)?;
        }
        Ok(())
    }

    /// The authorization as it stands, or that it has lapsed.
    pub(super) fn show_held(
        &self,
        tx: &Transaction<'_>,
        mut record: AuthorizationRecord,
    ) -> rusqlite::Result<WireResponse> {
        let is_lapse = |void: &VoidRecord| {
            void.kind == VoidKind::Lapse && void.status == OperationStatus::Done
        };
        if VoidRecord::of(tx, &record.key)?.iter().any(is_lapse) {
            record.status = AuthorizationStatus::Lapsed;
            record.error = Some(ErrorCode::AuthorizationGone.plain());
        }
        Ok(self.show_authorization(&record))
    }
}

/// Sets free what is left of an approved authorization, unless somebody has ended it.
pub(super) fn lapse(
    tx: &Transaction<'_>,
    authorization: AuthorizationRecord,
    reference: String,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let rest = Rest::of(tx, &authorization)?;
    let is_held = authorization.status == AuthorizationStatus::Approved && rest.amount > 0;
    if rest.closed || !is_held {
        return Ok(());
    }
    VoidRecord {
        key: format!("lapse_of_{reference}"),
        reference,
        account: authorization.account,
        authorization_key: authorization.key,
        kind: VoidKind::Lapse,
        amount: rest.amount,
        status: OperationStatus::Done,
        error: None,
        reason: None,
        created_at: now,
    }
    .save(tx)
}
