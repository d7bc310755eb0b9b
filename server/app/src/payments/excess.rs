//! The refund of what a transfer brought above its amount.

use std::sync::Arc;

use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::payment::excess::Excess;
use multirail_domain::payments::refund::Refund;
use multirail_kernel::ids::RefundId;

use super::Payments;
use crate::operations::driver::Aggregate;
use crate::payments::refunds::RefundOfPayment;
use crate::platform::ports::Change;

/// Creates the refund in the change-set of its payment, so that there is exactly one. The worker sends it.
pub(super) fn return_excess(
    payments: &Payments,
    payment: &mut Payment,
    excess: &Excess,
) -> Option<Change> {
    let refund_id = RefundId::generate(payments.base.random.as_ref());
    let made = Refund::of_excess(payment, refund_id, excess)?;
    *payment = made.payment;
    let after = RefundOfPayment {
        payment: payment.clone(),
        refund: made.refund,
    };
    Some(RefundOfPayment::change(
        &payments.refunds,
        None,
        Arc::new(after),
    ))
}
