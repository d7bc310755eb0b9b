//! Captures: any number of them, up to the approved amount in total. Only a final capture may
//! exceed it.

use multirail_kernel::timestamp::Timestamp;
use multirail_simulator_wire::errors::{self, ErrorCode};
use multirail_simulator_wire::{
    AuthorizationStatus, CaptureAnswer, CaptureBody, ErrorBody, OperationStatus, WireResponse,
};
use rusqlite::Transaction;

use super::filed::{Filed, OfAuthorization};
use super::hold::lapse;
use super::increment::granted;
use super::notices::{self, SETTLED_AFTER_SECONDS};
use super::record::{AuthorizationRecord, CaptureRecord, VoidRecord};
use super::{Failure, Processor, Twist, decide, invalid};

/// The capturable rest of an approved authorization, in minor units.
pub(super) struct Rest {
    pub amount: i64,
    /// True if captures were made or are pending.
    pub captured: bool,
    /// True if a final capture or a void has released the rest, or will once it completes.
    pub closed: bool,
    /// True if the rest is already released.
    pub gone: bool,
}

impl Rest {
    pub(super) fn read(
        tx: &Transaction<'_>,
        authorization: &AuthorizationRecord,
    ) -> rusqlite::Result<Self> {
        let mut rest = Rest {
            amount: granted(tx, authorization)?,
            captured: false,
            closed: false,
            gone: false,
        };
        for capture in CaptureRecord::for_authorization(tx, &authorization.key)? {
            if capture.status != OperationStatus::Declined {
                rest.amount -= capture.amount;
                rest.captured = true;
                rest.closed |= capture.is_final;
                rest.gone |= capture.is_final && capture.status == OperationStatus::Done;
            }
        }
        let voids = VoidRecord::for_authorization(tx, &authorization.key)?;
        rest.closed |= voids
            .iter()
            .any(|void| void.status != OperationStatus::Declined);
        rest.gone |= voids
            .iter()
            .any(|void| void.status == OperationStatus::Done);
        Ok(rest)
    }
}

impl Processor {
    pub(super) fn capture(
        &self,
        account: &str,
        key: &str,
        body: &CaptureBody,
        twist: Option<Twist>,
    ) -> Result<WireResponse, Failure> {
        if body.amount <= 0 {
            return Err(invalid("amount"));
        }
        let record = self.ledger.write(|tx| {
            if let Some(earlier) = CaptureRecord::find(tx, key)? {
                return if is_repeated(&earlier, account, body) {
                    Ok(earlier)
                } else {
                    Err(ErrorCode::KeyUsedOtherwise.into())
                };
            }
            self.let_lapse(tx, &body.authorization)?;
            let (status, error) = decide(objection(tx, account, body)?, twist);
            let record = CaptureRecord {
                key: key.to_owned(),
                reference: self.reference(),
                account: account.to_owned(),
                authorization_key: body.authorization.clone(),
                amount: body.amount,
                currency: body.currency.clone(),
                is_final: body.is_final,
                status,
                error,
                descriptor: body.descriptor.clone(),
                created_at: self.now(),
            };
            record.save(tx)?;
            if record.status == OperationStatus::Pending {
                self.tell_later(tx, &record, SETTLED_AFTER_SECONDS)?;
            }
            if record.is_final && record.status == OperationStatus::Done {
                notices::forget_lapse(tx, &record.authorization_key)?;
            }
            lapse_if_gone(tx, &record, self.reference(), self.now())?;
            self.raise_dispute(tx, &body.authorization)?;
            Ok::<_, Failure>(record)
        })?;
        Ok(match &record.error {
            Some(error) if record.status == OperationStatus::Declined => {
                errors::answer(error.clone())
            }
            Some(_) | None => show_capture(record),
        })
    }
}

/// Returns the capture's answer.
pub(super) fn show_capture(record: CaptureRecord) -> WireResponse {
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

/// Lets the authorization expire if this capture finds it gone. The uncaptured rest is released.
pub(super) fn lapse_if_gone(
    tx: &Transaction<'_>,
    capture: &CaptureRecord,
    reference: String,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let error = capture.error.as_ref();
    let says_gone = error.is_some_and(|e| e.code == ErrorCode::AuthorizationGone.as_str());
    if capture.status != OperationStatus::Declined || !says_gone {
        return Ok(());
    }
    let Some(authorization) = AuthorizationRecord::find(tx, &capture.authorization_key)? else {
        return Ok(());
    };
    lapse(tx, authorization, reference, now)
}

/// Returns the objection to a capture, if any.
fn objection(
    tx: &Transaction<'_>,
    account: &str,
    body: &CaptureBody,
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
    if authorization.currency != body.currency {
        let message = "The currency is not that of the authorization";
        return Ok(Some(ErrorCode::InvalidMember.saying(message)));
    }
    let rest = Rest::read(tx, &authorization)?;
    if rest.gone {
        return Ok(Some(ErrorCode::AuthorizationGone.plain()));
    }
    if rest.closed {
        return Ok(Some(ErrorCode::NotSuccessful.plain()));
    }
    let beyond = if body.is_final {
        authorization.beyond(granted(tx, &authorization)?)
    } else {
        0
    };
    if body.amount > rest.amount + beyond {
        return Ok(Some(ErrorCode::AmountAboveRest.plain()));
    }
    // The card's fault of all its captures.
    Ok(authorization.error)
}

fn is_repeated(earlier: &CaptureRecord, account: &str, body: &CaptureBody) -> bool {
    earlier.is_visible_to(account)
        && earlier.authorization_key == body.authorization
        && earlier.amount == body.amount
        && earlier.currency == body.currency
        && earlier.is_final == body.is_final
}
