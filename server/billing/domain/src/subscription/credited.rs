//! Payments whose money became credit, because no invoice wanted it: it came late, or it was a part of a first invoice that was given up.
//! What of one its payer has back beside the subscription, refunded by hand or by a dispute, is credit no more.

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
    /// What became credit, in minor units of the price's currency.
    pub amount: i64,
    /// What its payer had back before: that never became credit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub back_before: i64,
    /// What of it is credit no more, since its payer has it back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub taken: i64,
    pub credited_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl CreditedPayment {
    /// What is credit no more where its payer has so much of the payment back.
    pub(super) fn taken_by(&self, back: i64) -> i64 {
        (back - self.back_before).clamp(0, self.amount)
    }
}

impl Subscription {
    pub(super) fn credited_of(&self, payment_id: &PaymentId) -> Option<&CreditedPayment> {
        let mut all = self.credited.iter();
        all.find(|one| one.payment_id == *payment_id)
    }

    /// Forgets what can't be refunded by hand any more.
    pub(super) fn forget_credited(&mut self, now: Timestamp) {
        self.credited
            .retain(|one| is_refundable(one.credited_at, now));
        let too_many = self.credited.len().saturating_sub(MOST_REMEMBERED);
        self.credited.drain(..too_many);
    }
}

impl Draft<'_> {
    /// Notes of which payments of an invoice the whole money is credit, so that it is known what becomes of it.
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

    /// Notes how much of a payment is credit, with a part that was before.
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

    /// Its money is credit no more. Answers what of it wasn't before, since its payer had it back.
    pub(super) fn unfollow(&mut self, payment_id: &PaymentId) -> i64 {
        let all = &mut self.subscription.credited;
        let at = all.iter().position(|one| one.payment_id == *payment_id);
        at.map_or(0, |at| all.remove(at).taken)
    }

    /// So much of a payment its payer has back by now: that is no credit. Where it is less than before, because a refund has failed, the
    /// rest is credit again.
    pub(super) fn take_credited_back(&mut self, back: &TakenBack) {
        let mut all = self.subscription.credited.iter_mut();
        let Some(one) = all.find(|one| Some(&one.payment_id) == back.credited.as_ref()) else {
            return;
        };
        let taken = one.taken_by(back.amount);
        let more = taken - one.taken;
        one.taken = taken;
        if more != 0 {
            self.take_out(more);
        }
    }
}
