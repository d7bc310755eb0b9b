//! Payments whose money became credit, because no invoice needed it. Such a payment came late, or was a part of a first
//! invoice that was given up. The credit shrinks when the payer gets the money back outside the subscription, by a
//! manual refund or a dispute.

use multirail_kernel::ids::{InvoiceId, PaymentId};
use multirail_kernel::record_object::is_zero;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::subscription::draft::Draft;
use crate::subscription::left::{MOST_REMEMBERED, is_refundable};
use crate::subscription::{Subscription, TakenBack};

/// A payment whose money became credit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditedPayment {
    pub payment_id: PaymentId,
    pub invoice_id: InvoiceId,
    /// The amount that became credit, in minor units of the price's currency.
    pub amount: i64,
    /// The amount that the payer had back before, which never became credit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub back_before: i64,
    /// The part that is no longer credit, because the payer has it back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub taken: i64,
    pub credited_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl CreditedPayment {
    /// Returns the part that is no longer credit if the payer has `back` of the payment back.
    pub(super) fn taken_by(&self, back: i64) -> i64 {
        (back - self.back_before).clamp(0, self.amount)
    }
}

impl Subscription {
    pub(super) fn credited_of(&self, payment_id: &PaymentId) -> Option<&CreditedPayment> {
        let mut all = self.credited.iter();
        all.find(|one| one.payment_id == *payment_id)
    }

    /// Forgets payments that can't be refunded manually any more.
    pub(super) fn forget_credited(&mut self, now: Timestamp) {
        self.credited
            .retain(|one| is_refundable(one.credited_at, now));
        let too_many = self.credited.len().saturating_sub(MOST_REMEMBERED);
        self.credited.drain(..too_many);
    }
}

impl Draft<'_> {
    /// Records the payments of an invoice whose whole money became credit, so that later refunds and disputes reduce
    /// it.
    pub(super) fn follow_credited(&mut self, invoice_id: &InvoiceId) {
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return;
        };
        let amount = invoice.amount;
        let tries = invoice.tries.iter_mut();
        let new = tries.filter(|one| amount > 0 && one.is_credited && !one.is_followed);
        let new: Vec<PaymentId> = new
            .map(|one| {
                one.is_followed = true;
                one.payment_id.clone()
            })
            .collect();
        for payment_id in new {
            self.follow_payment(invoice_id, payment_id, amount, 0);
        }
    }

    /// Records the amount of a payment that became credit. A second record replaces the first.
    pub(super) fn follow_payment(
        &mut self,
        invoice_id: &InvoiceId,
        payment_id: PaymentId,
        amount: i64,
        back_before: i64,
    ) {
        let credited_at = self.context.now;
        let all = &mut self.subscription.credited;
        match all.iter_mut().find(|one| one.payment_id == payment_id) {
            Some(known) => (known.amount, known.back_before) = (amount, back_before),
            None => all.push(CreditedPayment {
                payment_id,
                invoice_id: invoice_id.clone(),
                amount,
                back_before,
                taken: 0,
                credited_at,
                unread: UnreadMembers::default(),
            }),
        }
    }

    /// Forgets a payment whose money is no longer credit. Returns the part that the payer had back.
    pub(super) fn unfollow(&mut self, payment_id: &PaymentId) -> i64 {
        let all = &mut self.subscription.credited;
        let at = all.iter().position(|one| one.payment_id == *payment_id);
        at.map_or(0, |at| all.remove(at).taken)
    }

    /// Reduces the credit to the part that the payer doesn't have back. If a refund failed and the payer has less back
    /// than before, the credit grows again.
    pub(super) fn withdraw_late_credit(&mut self, back: &TakenBack) {
        let mut all = self.subscription.credited.iter_mut();
        let Some(one) = all.find(|one| Some(&one.payment_id) == back.credited.as_ref()) else {
            return;
        };
        let taken = one.taken_by(back.amount);
        let more = taken - one.taken;
        one.taken = taken;
        if more != 0 {
            self.reduce_credit(more);
        }
    }
}
