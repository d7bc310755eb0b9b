//! Expiry of authorizations: after some days the uncaptured rest is released.

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

/// Days until an authorization expires.
pub const HOLD_DAYS: i64 = 7;

/// Days until an extended authorization expires.
pub const EXTENDED_HOLD_DAYS: i64 = 30;

/// The percentage by which a final capture may exceed the authorization, if requested.
pub const OVERCAPTURE_PERCENT: i64 = 15;

const SECONDS_OF_A_DAY: i64 = 86_400;

impl AuthorizationRecord {
    /// Approves this amount. Captured payments and card checks reserve nothing.
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

    /// Returns by how much a final capture may exceed `reserved`, in minor units.
    pub(super) fn beyond(&self, reserved: i64) -> i64 {
        let is_asked = self.details.get("may_be_exceeded") == Some(&Value::Bool(true));
        if is_asked && !self.took_at_once() {
            reserved.saturating_mul(OVERCAPTURE_PERCENT) / 100
        } else {
            0
        }
    }

    /// Returns whether the authorization is extended, if requested: every card grants it.
    pub(super) fn is_extended(&self) -> Option<bool> {
        let is_asked = self.details.get("stands_longer") == Some(&Value::Bool(true));
        is_asked.then_some(!self.took_at_once())
    }
}

impl Processor {
    /// Approves this amount, and schedules the notice of the authorization's expiry.
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

    /// Releases the rest of an expired authorization, once. Every request for the authorization
    /// calls this first, so no timer is needed.
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

    /// Returns the authorization's answer, after a possible expiry.
    pub(super) fn show_held(
        &self,
        tx: &Transaction<'_>,
        mut record: AuthorizationRecord,
    ) -> rusqlite::Result<WireResponse> {
        let is_lapse = |void: &VoidRecord| {
            void.kind == VoidKind::Lapse && void.status == OperationStatus::Done
        };
        if VoidRecord::for_authorization(tx, &record.key)?
            .iter()
            .any(is_lapse)
        {
            record.status = AuthorizationStatus::Lapsed;
            record.error = Some(ErrorCode::AuthorizationGone.plain());
        }
        Ok(self.show_authorization(&record))
    }
}

/// Releases the rest of an approved authorization that is still open.
pub(super) fn lapse(
    tx: &Transaction<'_>,
    authorization: AuthorizationRecord,
    reference: String,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let rest = Rest::read(tx, &authorization)?;
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
