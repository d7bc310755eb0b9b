//! Creating a refund of a payment. (Facts 3.10)

use multirail_kernel::context::Context;
use multirail_kernel::ids::RefundId;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::operations::operation::Operation;
use crate::payments::payment::{AtHand, BroughtCredentials, DoneByOthers, Payment, PaymentStatus};
use crate::payments::refund::{Charge, Effect, Metadata, Refund, RefundStatus, RefundType, Step};

/// The age in days from which a payment can't be refunded any more.
pub const REFUNDABLE_DAYS: i64 = 365;
/// A payment with more refunds than this, failed ones included, accepts no further one.
const MOST_REFUNDS: usize = 10;

/// The input of a create.
#[derive(Debug)]
pub struct Create {
    pub refund_id: RefundId,
    /// `merchant_id` of the body, which has to be the caller's own.
    pub named_merchant_id: Option<String>,
    /// In minor units; `None` for the whole captured amount.
    pub amount: Option<i64>,
    pub reason: Option<String>,
    pub refund_type: RefundType,
    pub metadata: Option<Metadata>,
    pub credentials: AtHand,
}

impl Refund {
    /// Creates a refund. The payment counts its amount in the same step.
    ///
    /// # Errors
    /// A refusal if another refund of the payment has the id, or if the payment captured nothing, is too old, has too many
    /// refunds or too little left.
    pub fn create(payment: &Payment, create: Create, context: &Context) -> Result<Step, Refusal> {
        let Create {
            refund_id,
            named_merchant_id,
            amount,
            reason,
            refund_type,
            metadata,
            credentials,
        } = create;
        if named_merchant_id.is_some_and(|named| named != payment.merchant_id.as_str()) {
            return Err(Refusal::not_found(Object::MerchantAccount));
        }
        // First check: a caller that repeats a request, unsure of the first answer, learns that the refund exists.
        if payment.refunds.iter().any(|one| one.refund_id == refund_id) {
            return Err(Refund::id_taken(&refund_id));
        }
        let amount = check(payment, amount, context)?;
        let charge = charge(payment, credentials)?;
        let key = context.fresh_key();
        let operation = Operation::start(key.clone(), amount, context.now);
        let refund = Refund {
            refund_type,
            reason,
            metadata,
            ..Refund::new(payment, refund_id, charge, operation)
        };
        let effects = match refund_type {
            RefundType::Instant => vec![Effect::Call(key)],
            RefundType::Scheduled => Vec::new(),
        };
        Ok(refund.into_step(payment, effects))
    }

    /// Creates a refund that was made directly at the processor, before the processor's result is recorded.
    ///
    /// # Errors
    /// A refusal for a payment that was never sent to a processor.
    pub fn of_others(
        payment: &Payment,
        refund_id: RefundId,
        done: &DoneByOthers,
        context: &Context,
    ) -> Result<Step, Refusal> {
        let own = AtHand {
            given: None,
            are_held: false,
        };
        let charge = charge(payment, own)?;
        let key = context.fresh_key();
        // An amount above the rest doesn't count until the processor's result puts the refund into review.
        let status = if done.amount <= payment.refundable_amount() {
            RefundStatus::Pending
        } else {
            RefundStatus::Failed
        };
        let operation = Operation::of_others(key, &done.reference, done.amount, context.now);
        let refund = Refund {
            status,
            ..Refund::new(payment, refund_id, charge, operation)
        };
        Ok(refund.into_step(payment, Vec::new()))
    }

    /// Returns the largest amount of a further refund with the account's own credentials now, in minor units; 0 if none is
    /// possible.
    pub fn most(payment: &Payment, now: Timestamp) -> i64 {
        let nothing = AtHand {
            given: None,
            are_held: false,
        };
        let can_be = check_status(payment.status)
            .and_then(|()| payment.check_not_being_voided("refunded"))
            .and_then(|()| payment.check_money_goes_back("a refund"))
            .and_then(|()| check_room(payment, now))
            .and_then(|()| charge(payment, nothing));
        can_be.map_or(0, |_| payment.refundable_amount())
    }

    /// Returns the largest amount of a further refund, now or once the rest of the payment is captured or released.
    pub fn most_in_time(payment: &Payment, now: Timestamp) -> i64 {
        match payment.status {
            PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing => payment.refundable_amount(),
            PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Processing
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => Refund::most(payment, now),
        }
    }

    /// Builds the refusal for an id that another refund of the merchant has.
    pub fn id_taken(refund_id: &RefundId) -> Refusal {
        Refusal::Duplicate {
            message: format!("there is a refund {refund_id} already"),
        }
    }
}

/// Checks that the payment can be refunded; returns the amount.
fn check(payment: &Payment, amount: Option<i64>, context: &Context) -> Result<i64, Refusal> {
    check_status(payment.status)?;
    payment.check_not_being_voided("refunded")?;
    payment.check_money_goes_back("a refund")?;
    let amount = amount.unwrap_or_else(|| payment.active().captured_amount());
    if amount <= 0 {
        return Err(Refusal::invalid_format("amount", "a positive integer"));
    }
    check_room(payment, context.now)?;
    let refundable = payment.refundable_amount();
    if amount > refundable {
        return Err(Refusal::RefundTooLarge {
            amount,
            refundable,
            disputed: payment.held_by_disputes(),
        });
    }
    Ok(amount)
}

/// Checks that the payment is young enough for a further refund and doesn't have too many.
fn check_room(payment: &Payment, now: Timestamp) -> Result<(), Refusal> {
    let age = now.seconds_since(payment.created_at);
    if age >= REFUNDABLE_DAYS * 86_400 {
        return Err(Refusal::invalid_format(
            "payment_id",
            format!("a payment of the last {REFUNDABLE_DAYS} days"),
        ));
    }
    if payment.refunds.len() > MOST_REFUNDS {
        return Err(Refusal::TooManyRefunds {
            count: payment.refunds.len(),
        });
    }
    Ok(())
}

fn check_status(status: PaymentStatus) -> Result<(), Refusal> {
    match status {
        PaymentStatus::Succeeded | PaymentStatus::PartiallyCaptured => Ok(()),
        PaymentStatus::RequiresPaymentMethod
        | PaymentStatus::RequiresConfirmation
        | PaymentStatus::RequiresCustomerAction
        | PaymentStatus::RequiresMerchantAction
        | PaymentStatus::Processing
        | PaymentStatus::RequiresCapture
        | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
        | PaymentStatus::PartiallyCapturedAndCapturable
        | PaymentStatus::PartiallyCapturedAndProcessing
        | PaymentStatus::Failed
        | PaymentStatus::Cancelled
        | PaymentStatus::CancelledPostCapture
        | PaymentStatus::Conflicted
        | PaymentStatus::Expired => Err(Refusal::NotInState {
            action: "refunded",
            field: "status",
            actual: status.to_string(),
            expected: "succeeded or partially_captured".to_owned(),
        }),
    }
}

/// Returns the account for the refund: the one that captured, even if it is disabled or deleted by now.
fn charge(payment: &Payment, credentials: AtHand) -> Result<Charge, Refusal> {
    let attempt = payment.active();
    attempt.check_credentials(&credentials)?;
    let brought = credentials.given.map(|identifier| BroughtCredentials {
        identifier,
        are_held: true,
        unread: UnreadMembers::default(),
    });
    Charge::new(attempt, brought)
        .ok_or_else(|| Refusal::precondition("the payment was never sent to a processor"))
}
