//! Refunds: any number of them, up to the captured amount in total. Others return what a transfer
//! brought above its amount.

use multirail_simulator_wire::errors::{self, ErrorCode};
use multirail_simulator_wire::{
    ErrorBody, OperationStatus, RefundAnswer, RefundBody, WireResponse,
};
use rusqlite::Transaction;

use super::filed::{Filed, OfAuthorization};
use super::notices::SETTLED_AFTER_SECONDS;
use super::record::{AuthorizationRecord, CaptureRecord, VoidRecord};
use super::refund_record::RefundRecord;
use super::void_kind::VoidKind;
use super::{Failure, Processor, Twist, decide, invalid};

/// The captured money of an authorization, in minor units.
pub(super) struct Taken {
    /// The total of all captures. Pending captures don't count.
    pub captured: i64,
    /// The refundable amount: captured money without refunds and without pending refunds and voids.
    pub refundable: i64,
}

impl Taken {
    pub(super) fn read(
        tx: &Transaction<'_>,
        authorization: &AuthorizationRecord,
    ) -> rusqlite::Result<Self> {
        let mut captured = 0;
        if authorization.took_at_once() {
            captured += authorization.approved_amount.unwrap_or(0);
        }
        for capture in CaptureRecord::for_authorization(tx, &authorization.key)? {
            if capture.status == OperationStatus::Done {
                captured += capture.amount;
            }
        }
        let mut refundable = captured;
        for void in VoidRecord::for_authorization(tx, &authorization.key)? {
            if void.kind == VoidKind::Reversal && void.status != OperationStatus::Declined {
                refundable -= void.amount;
            }
        }
        for refund in RefundRecord::for_authorization(tx, &authorization.key)? {
            if refund.status != OperationStatus::Declined && !refund.of_excess {
                refundable -= refund.amount;
            }
        }
        Ok(Taken {
            captured,
            refundable,
        })
    }
}

/// Returns the part of a transfer above the amount that no refund returns yet.
fn excess_left(tx: &Transaction<'_>, authorization: &AuthorizationRecord) -> rusqlite::Result<i64> {
    let mut left = authorization.excess().unwrap_or(0);
    for refund in RefundRecord::for_authorization(tx, &authorization.key)? {
        if refund.status != OperationStatus::Declined && refund.of_excess {
            left -= refund.amount;
        }
    }
    Ok(left)
}

impl Processor {
    pub(super) fn refund(
        &self,
        account: &str,
        key: &str,
        body: &RefundBody,
        twist: Option<Twist>,
    ) -> Result<WireResponse, Failure> {
        if body.amount <= 0 {
            return Err(invalid("amount"));
        }
        let record = self.ledger.write(|tx| {
            if let Some(earlier) = RefundRecord::find(tx, key)? {
                return if is_repeated(&earlier, account, body) {
                    Ok(earlier)
                } else {
                    Err(ErrorCode::KeyUsedOtherwise.into())
                };
            }
            let authorization = AuthorizationRecord::find_for(tx, account, &body.authorization)?;
            let objection = objection(tx, authorization.as_ref(), body)?;
            let of_card = authorization.and_then(|record| record.refund_behavior.twist());
            let (status, error) = decide(objection, twist.or(of_card));
            let record = RefundRecord {
                key: key.to_owned(),
                reference: self.reference(),
                account: account.to_owned(),
                authorization_key: body.authorization.clone(),
                amount: body.amount,
                currency: body.currency.clone(),
                of_excess: body.of_excess,
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
            Some(_) | None => show_refund(record),
        })
    }
}

/// Returns the refund's answer.
pub(super) fn show_refund(record: RefundRecord) -> WireResponse {
    let answer = RefundAnswer {
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

/// Returns the objection to a refund, if any.
fn objection(
    tx: &Transaction<'_>,
    authorization: Option<&AuthorizationRecord>,
    body: &RefundBody,
) -> rusqlite::Result<Option<ErrorBody>> {
    let Some(authorization) = authorization else {
        return Ok(Some(ErrorCode::NotFound.plain()));
    };
    if authorization.is_paid_in_cash() {
        return Ok(Some(cash()));
    }
    let refundable = if body.of_excess {
        excess_left(tx, authorization)?
    } else {
        let taken = Taken::read(tx, authorization)?;
        if taken.captured == 0 {
            return Ok(Some(ErrorCode::NotSuccessful.plain()));
        }
        taken.refundable
    };
    if authorization.currency != body.currency {
        let message = "The currency is not that of the authorization";
        return Ok(Some(ErrorCode::InvalidMember.saying(message)));
    }
    if body.amount > refundable {
        return Ok(Some(ErrorCode::RefundTooLarge.plain()));
    }
    Ok(None)
}

/// The objection to returning the money of a voucher.
pub(super) fn cash() -> ErrorBody {
    ErrorCode::NotSuccessful.saying("A voucher is paid in cash, which can't be sent back")
}

/// Checks whether the request repeats an earlier one. The reason may differ.
fn is_repeated(earlier: &RefundRecord, account: &str, body: &RefundBody) -> bool {
    earlier.is_visible_to(account)
        && earlier.authorization_key == body.authorization
        && earlier.amount == body.amount
        && earlier.currency == body.currency
        && earlier.of_excess == body.of_excess
}
