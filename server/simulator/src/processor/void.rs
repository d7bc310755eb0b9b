//! Voids. An undecided authorization is cancelled, and what had come of a transfer goes back. An
//! uncaptured authorization is released. Money captured in the same step is returned, unless refunds
//! have returned it. Cash can't be returned.

use multirail_simulator_wire::errors::{self, ErrorCode};
use multirail_simulator_wire::{
    AuthorizationStatus, ErrorBody, OperationStatus, VoidAnswer, VoidBody, WireResponse,
};
use rusqlite::Transaction;

use super::capture::Rest;
use super::filed::{Filed, OfAuthorization};
use super::notices::{self, SETTLED_AFTER_SECONDS};
use super::record::{AuthorizationRecord, CaptureRecord, VoidRecord};
use super::refund::{Taken, cash};
use super::void_kind::VoidKind;
use super::{Failure, Processor, Twist};

/// The plan of a void: kind and amount, or the objection.
type Plan = Result<(VoidKind, i64), ErrorBody>;

impl Processor {
    pub(super) fn void(
        &self,
        account: &str,
        key: &str,
        body: &VoidBody,
        twist: Option<Twist>,
    ) -> Result<WireResponse, Failure> {
        let (record, sent_back) = self.ledger.write(|tx| {
            if let Some(earlier) = VoidRecord::find(tx, key)? {
                let is_repeated = earlier.is_visible_to(account)
                    && earlier.authorization_key == body.authorization;
                return if is_repeated {
                    let sent_back = earlier.sent_back(tx)?;
                    Ok((earlier, sent_back))
                } else {
                    Err(ErrorCode::KeyUsedOtherwise.into())
                };
            }
            self.let_lapse(tx, &body.authorization)?;
            let authorization = AuthorizationRecord::find_for(tx, account, &body.authorization)?;
            let plan = match body.captured {
                false => plan(tx, authorization.as_ref())?,
                true => plan_for_captured(tx, authorization.as_ref())?,
            };
            let refused = |error| (VoidKind::Release, 0, OperationStatus::Declined, Some(error));
            let (kind, amount, status, error) = match (plan, twist) {
                (Err(error), _) | (Ok(_), Some(Twist::Decline(error))) => refused(error),
                (Ok((kind, amount)), Some(Twist::Pend)) => {
                    (kind, amount, OperationStatus::Pending, None)
                }
                (Ok((kind, amount)), Some(Twist::PendThenDecline(error))) => {
                    (kind, amount, OperationStatus::Pending, Some(error))
                }
                (Ok((kind, amount)), Some(Twist::ApproveOnly(_)) | None) => {
                    (kind, amount, OperationStatus::Done, None)
                }
            };
            let record = VoidRecord {
                key: key.to_owned(),
                reference: self.reference(),
                account: account.to_owned(),
                authorization_key: body.authorization.clone(),
                kind,
                amount,
                status,
                error,
                reason: body.reason.clone(),
                created_at: self.now(),
            };
            record.save(tx)?;
            if record.status == OperationStatus::Pending {
                self.tell_later(tx, &record, SETTLED_AFTER_SECONDS)?;
            }
            if record.status == OperationStatus::Done {
                notices::forget_lapse(tx, &record.authorization_key)?;
            }
            // At once, even while the void is pending, so that nobody approves in the meantime.
            if let Some(mut authorization) = authorization
                && record.status != OperationStatus::Declined
                && record.kind == VoidKind::Cancellation
            {
                authorization.status = AuthorizationStatus::Cancelled;
                let message = "It was voided before it was decided";
                authorization.error = Some(ErrorCode::NotSuccessful.saying(message));
                authorization.save(tx)?;
                // The account requested the void and needs no notice.
                notices::forget(tx, &authorization)?;
            }
            let sent_back = record.sent_back(tx)?;
            Ok::<_, Failure>((record, sent_back))
        })?;
        Ok(match &record.error {
            Some(error) if record.status == OperationStatus::Declined => {
                errors::answer(error.clone())
            }
            Some(_) | None => show_void(record, sent_back),
        })
    }
}

impl VoidRecord {
    /// Returns the part of a transfer that went back when the void cancelled it.
    pub(super) fn sent_back(&self, tx: &Transaction<'_>) -> rusqlite::Result<Option<i64>> {
        if self.kind != VoidKind::Cancellation {
            return Ok(None);
        }
        let cancelled = AuthorizationRecord::find(tx, &self.authorization_key)?;
        Ok(cancelled.and_then(|cancelled| cancelled.sent_back()))
    }
}

/// Returns the void's answer.
pub(super) fn show_void(record: VoidRecord, sent_back: Option<i64>) -> WireResponse {
    let answer = VoidAnswer {
        sent_back,
        key: record.key,
        reference: record.reference,
        status: record.status,
        amount: record.amount,
        error: record
            .error
            .filter(|_| record.status != OperationStatus::Pending),
    };
    WireResponse::json(200, &answer)
}

fn plan(
    tx: &Transaction<'_>,
    authorization: Option<&AuthorizationRecord>,
) -> rusqlite::Result<Plan> {
    let Some(authorization) = authorization else {
        return Ok(Err(ErrorCode::NotFound.plain()));
    };
    let voids = VoidRecord::for_authorization(tx, &authorization.key)?;
    let voided = voids
        .iter()
        .any(|void| void.status != OperationStatus::Declined);
    Ok(match authorization.status {
        AuthorizationStatus::Declined => Err(ErrorCode::NotSuccessful.plain()),
        AuthorizationStatus::AwaitingCustomer
        | AuthorizationStatus::AwaitingDeviceData
        | AuthorizationStatus::Pending
        | AuthorizationStatus::Cancelled => Ok((VoidKind::Cancellation, 0)),
        AuthorizationStatus::Approved if authorization.is_paid_in_cash() => Err(cash()),
        AuthorizationStatus::Approved if authorization.took_at_once() => Ok((
            VoidKind::Reversal,
            Taken::read(tx, authorization)?.refundable,
        )),
        AuthorizationStatus::Approved if voided => Ok((VoidKind::Release, 0)),
        AuthorizationStatus::Lapsed => Ok((VoidKind::Release, 0)),
        AuthorizationStatus::Approved => {
            let rest = Rest::read(tx, authorization)?;
            if rest.closed || (rest.captured && rest.amount == 0) {
                Err(ErrorCode::NotSuccessful.plain())
            } else {
                Ok((VoidKind::Release, rest.amount))
            }
        }
    })
}

/// Plans a void of captured money: all of it or nothing.
fn plan_for_captured(
    tx: &Transaction<'_>,
    authorization: Option<&AuthorizationRecord>,
) -> rusqlite::Result<Plan> {
    let Some(authorization) = authorization else {
        return Ok(Err(ErrorCode::NotFound.plain()));
    };
    if authorization.is_paid_in_cash() {
        return Ok(Err(cash()));
    }
    let taken = Taken::read(tx, authorization)?;
    let captures = CaptureRecord::for_authorization(tx, &authorization.key)?;
    let is_moving = captures
        .iter()
        .any(|capture| capture.status == OperationStatus::Pending);
    if taken.captured == 0 || is_moving {
        return Ok(Err(ErrorCode::NotSuccessful.plain()));
    }
    if taken.refundable < taken.captured {
        let message = "Some of what was captured was given back, or is on its way back";
        return Ok(Err(ErrorCode::NotSuccessful.saying(message)));
    }
    Ok(Ok((VoidKind::Reversal, taken.captured)))
}
