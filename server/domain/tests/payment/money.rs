//! Invariants of a payment's amounts in every state.

use multirail_domain::payments::payment::{
    Attempt, AttemptStatus, CaptureMethod, Payment, PaymentStatus, Progress,
};

/// Checks the database's constraints, so that any answer of a processor can be stored.
pub fn is_storable(attempt: &Attempt) {
    let authorized = attempt.authorized_amount.unwrap_or(0);
    let limit = attempt.capturable_limit();
    let captured = attempt.captured_amount();
    let pending = attempt.pending_capture_amount();
    let voided = attempt.voided_amount();
    assert!(authorized >= 0 && captured >= 0 && pending >= 0 && voided >= 0);
    let sum = captured
        .checked_add(pending)
        .and_then(|sum| sum.checked_add(voided));
    assert!(
        sum.is_some_and(|sum| sum <= limit),
        "{captured} + {pending} + {voided} > {limit}"
    );
    if attempt.status != AttemptStatus::IntegrityFailure {
        let granted = attempt.hold.as_ref().and_then(|hold| hold.most_capturable);
        let most = granted.unwrap_or(0).max(authorized);
        assert_eq!(
            limit, most,
            "only a conflict or the processor's word raises the limit"
        );
    }
}

/// Returns the capturable amount of an authorization: all of it, plus the permitted overcapture.
fn capturable_of_hold(payment: &Payment, authorized: i64) -> i64 {
    match payment.is_overcapture_enabled() {
        Some(true) => payment.active().capturable_limit(),
        Some(false) | None => authorized,
    }
}

fn is_being_voided(attempt: &Attempt) -> bool {
    let mut voids = attempt.post_capture_voids.iter();
    voids.any(|void| void.operation.progress.is_open())
}

pub fn amounts_fit_the_status(payment: &Payment) {
    let attempt = payment.active();
    let amounts = payment.amounts();
    let (left, received) = (amounts.capturable, amounts.received);
    let authorized = attempt.authorized_amount.unwrap_or(0);
    assert!(left >= 0 && received.is_none_or(|received| received >= 0));
    if !attempt.captures_at_once && received.is_some() {
        let done = attempt.captures.iter().map(|capture| &capture.operation);
        let done = done.filter(|operation| operation.progress == Progress::Done);
        let sum = done.fold(0_i64, |sum, o| {
            sum.saturating_add(o.done_amount.unwrap_or(0))
        });
        let back = attempt
            .post_capture_voids
            .iter()
            .map(|void| &void.operation);
        let back = back.filter(|operation| operation.progress == Progress::Done);
        let back = back.fold(0_i64, |sum, o| {
            sum.saturating_add(o.done_amount.unwrap_or(0))
        });
        let kept = sum.saturating_sub(back).max(0);
        assert_eq!(
            received,
            Some(kept),
            "received is what captures took and no void gave back"
        );
    }
    let received = received.unwrap_or(0);
    let taken = attempt
        .captures
        .iter()
        .filter(|c| c.operation.progress == Progress::Done);
    let several = payment.terms.capture_method == CaptureMethod::ManualMultiple;
    let in_conflict = payment.status == PaymentStatus::Conflicted;
    assert!(
        several || in_conflict || taken.count() <= 1,
        "captured twice"
    );
    match payment.status {
        PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => {
            assert_eq!((left, amounts.received), (payment.terms.total(), None));
        }
        PaymentStatus::RequiresCapture => {
            assert_eq!(
                (left, received, authorized),
                (capturable_of_hold(payment, authorized), 0, attempt.amount)
            );
        }
        PaymentStatus::PartiallyAuthorizedAndRequiresCapture => {
            assert_eq!(
                (left, received),
                (capturable_of_hold(payment, authorized), 0)
            );
            assert!(authorized > 0 && authorized < attempt.amount);
        }
        PaymentStatus::PartiallyCapturedAndCapturable if is_being_voided(attempt) => {
            assert!(received > 0 && received < authorized && left == 0);
        }
        PaymentStatus::PartiallyCapturedAndCapturable => {
            assert!(received > 0 && received < authorized && left > 0);
            assert_eq!(
                left,
                authorized - received - attempt.pending_capture_amount()
            );
        }
        PaymentStatus::PartiallyCapturedAndProcessing => {
            assert!(received > 0 && received < authorized && left == 0);
            assert!(attempt.pending_capture_amount() > 0);
        }
        PaymentStatus::Processing => assert!(left + received <= authorized),
        PaymentStatus::Succeeded => {
            assert_eq!(left, 0);
            if payment.is_overcapture_enabled() == Some(true) {
                assert!((attempt.amount..=attempt.capturable_limit()).contains(&received));
            } else {
                assert_eq!((received, authorized), (attempt.amount, attempt.amount));
            }
        }
        PaymentStatus::PartiallyCaptured => {
            assert!(left == 0 && received > 0 && received < attempt.amount);
        }
        // An amount whose reversal is open still counts as received.
        PaymentStatus::Failed | PaymentStatus::Cancelled => {
            assert!(left == 0 && (received == 0 || attempt.captures_at_once));
        }
        PaymentStatus::RequiresCustomerAction
        | PaymentStatus::RequiresMerchantAction
        | PaymentStatus::CancelledPostCapture
        | PaymentStatus::Expired => assert_eq!((left, received), (0, 0)),
        PaymentStatus::Conflicted => assert_eq!(left, 0),
    }
}

/// Checks the sums of the operations alone. The authorized amount is captured, or open captures may take it, or it can be
/// captured. Only a void, a final capture or an expiry reduces it. `before`: the payment's former status.
pub fn the_money_adds_up(before: PaymentStatus, payment: &Payment) {
    let attempt = payment.active();
    // Wide integers, because a processor may report any amount.
    let authorized = i128::from(attempt.authorized_amount.unwrap_or(0));
    let (mut charged, mut open, mut gone) = (0_i128, 0_i128, attempt.lapsed_at.is_some());
    for capture in attempt.captures.iter().map(|capture| &capture.operation) {
        match capture.progress {
            Progress::Done => charged += i128::from(capture.done_amount.unwrap_or(0)),
            Progress::Declined => {
                gone |= capture
                    .decline
                    .as_ref()
                    .is_some_and(|d| d.authorization_gone)
            }
            Progress::NeverHappened => {}
            Progress::Started
            | Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Unknown => open += i128::from(capture.amount),
        }
    }
    let left = i128::from(payment.amounts().capturable);
    match payment.status {
        PaymentStatus::RequiresCapture | PaymentStatus::PartiallyAuthorizedAndRequiresCapture => {
            let held = attempt.authorized_amount.unwrap_or(0);
            let capturable = i128::from(capturable_of_hold(payment, held));
            assert_eq!((left, charged, open, gone), (capturable, 0, 0, false));
        }
        PaymentStatus::PartiallyCapturedAndCapturable => {
            let left = if is_being_voided(attempt) {
                authorized - charged - open
            } else {
                left
            };
            assert_eq!((left, gone), (authorized - charged - open, false));
        }
        PaymentStatus::PartiallyCapturedAndProcessing => {
            assert!(open > 0 && (gone || charged + open >= authorized));
        }
        PaymentStatus::Processing => {
            assert!(left == 0 || left == authorized - charged - open);
        }
        PaymentStatus::PartiallyCaptured => {
            let voided = attempt
                .voids
                .iter()
                .any(|void| void.progress == Progress::Done);
            let single = payment.terms.capture_method != CaptureMethod::ManualMultiple;
            // The refusal that ended it may be overridden; the end stays.
            let had_ended = before == PaymentStatus::PartiallyCaptured;
            assert!(single || voided || gone || charged == authorized || had_ended);
        }
        PaymentStatus::RequiresPaymentMethod
        | PaymentStatus::RequiresConfirmation
        | PaymentStatus::RequiresCustomerAction
        | PaymentStatus::RequiresMerchantAction
        | PaymentStatus::Succeeded
        | PaymentStatus::Failed
        | PaymentStatus::Cancelled
        | PaymentStatus::CancelledPostCapture
        | PaymentStatus::Conflicted
        | PaymentStatus::Expired => {}
    }
}
