//! Invariants of a payment's refunds in every state.

use multirail_domain::operations::operation::Progress;
use multirail_domain::payments::refund::{Refund, RefundStatus};

use crate::story::Refunds;

/// Checks the database's constraints, so that any answer of a processor can be stored.
pub fn is_storable(story: &Refunds) {
    let (taken, limit) = (
        story.payment.refunds_amount(),
        story.payment.refunds_limit(),
    );
    assert!(taken >= 0, "{}", story.page());
    assert!(taken <= limit, "{taken} above {limit}\n{}", story.page());
}

/// Checks that the payment counts its refunds correctly, and that refunds exceed the captured amount only during a review.
pub fn the_sums_agree(story: &Refunds) {
    let payment = &story.payment;
    let captured = payment.active().captured_amount();
    let counted: Vec<_> = payment
        .refunds
        .iter()
        .map(|share| (share.refund_id.clone(), share.status, share.amount))
        .collect();
    let stand: Vec<_> = story
        .refunds
        .iter()
        .map(|refund| (refund.refund_id.clone(), refund.status, takes(refund)))
        .collect();
    assert_eq!(counted, stand, "{}", story.page());
    assert!(payment.agrees_with(&story.refunds));
    let sum = |of: &dyn Fn(RefundStatus) -> bool| {
        let refunds = story.refunds.iter().filter(|refund| of(refund.status));
        refunds.fold(0_i64, |sum, refund| sum.saturating_add(takes(refund)))
    };
    let taken = sum(&|status| status != RefundStatus::Failed);
    assert_eq!(payment.refunds_amount(), taken);
    assert_eq!(
        payment.refunded_amount(),
        sum(&|status| status == RefundStatus::Succeeded)
    );
    assert_eq!(
        payment.refundable_amount(),
        (captured - taken.min(captured)).max(0)
    );
    let mut refunds = story.refunds.iter();
    if !refunds.any(|refund| refund.status == RefundStatus::Review) {
        assert!(taken <= captured, "{taken} of {captured}\n{}", story.page());
    }
}

fn takes(refund: &Refund) -> i64 {
    match refund.status {
        RefundStatus::Review => refund
            .operation
            .done_amount
            .unwrap_or(0)
            .max(refund.amount()),
        RefundStatus::Pending | RefundStatus::Succeeded | RefundStatus::Failed => refund.amount(),
    }
}

/// Checks that a refund's status agrees with the progress of its operation.
pub fn the_status_is_true(refund: &Refund) {
    let progress = refund.operation.progress;
    let fits = match refund.status {
        RefundStatus::Pending => progress.is_open(),
        RefundStatus::Succeeded => {
            progress == Progress::Done && refund.operation.done_amount == Some(refund.amount())
        }
        RefundStatus::Failed => {
            matches!(progress, Progress::Declined | Progress::NeverHappened)
        }
        RefundStatus::Review => progress == Progress::Done || progress.is_open(),
    };
    assert!(fits, "{} and {progress}", refund.status);
    assert_eq!(
        refund.conflict.is_some(),
        refund.status == RefundStatus::Review
    );
}
