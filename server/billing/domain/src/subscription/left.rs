//! Records how much of each invoice's charges can still be returned. Money that the payer already got back outside the
//! subscription, by a manual refund or a lost dispute, isn't returned again. (Facts 1.17)
//!
//! The application reports the money returned outside with each decision, as of the stored versions of the payments.
//! This module stores the money returned before, so that both together never exceed the charges.
//!
//! If the payer gets money back outside after it was returned as credit, the credit is withdrawn. The customer owes the
//! part that was spent. If a manual refund fails, the credit is restored.

use multirail_domain::payments::refund::REFUNDABLE_DAYS;
use multirail_kernel::ids::{InvoiceId, PaymentId};
use multirail_kernel::record_object::is_zero;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::charge::Returned;
use crate::subscription::draft::Draft;
use crate::subscription::{Owed, Subscription};

/// The maximum number of closed invoices that are remembered, the newest.
pub(super) const MOST_REMEMBERED: usize = 100;

/// The part of an invoice's charges that was not returned yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOfInvoice {
    pub invoice_id: InvoiceId,
    /// The amount with taxes, in minor units of the price's currency.
    pub amount: i64,
    /// The time of the last return; unset if nothing was returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_at: Option<Timestamp>,
    /// The part of the amount that was returned as credit and withdrawn, because the payer has it back outside the
    /// subscription.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub taken: i64,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// Money of a payment that the payer got back outside the subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenBack {
    pub invoice_id: InvoiceId,
    /// The payment, if its money became credit; unset for the payment that paid the invoice.
    pub credited: Option<PaymentId>,
    /// In minor units.
    pub amount: i64,
}

/// The refundable money of one payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    pub payment_id: PaymentId,
    /// In minor units.
    pub amount: i64,
    /// The amount that the payer already has back, in minor units.
    pub taken_back: i64,
}

impl Subscription {
    /// Returns the invoices of which something may be returned, now or when the subscription ended.
    pub fn returnable(&self) -> Vec<&InvoiceId> {
        let charged = self.charged.iter().map(|stretch| &stretch.invoice_id);
        let owed = self.owed.iter().map(|owed| &owed.invoice_id);
        let left = self.left.iter().map(|left| &left.invoice_id);
        let mut all: Vec<&InvoiceId> = charged.chain(owed).chain(left).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Returns the amount that was both returned as credit and given back outside the subscription, in minor units.
    /// This credit isn't refunded.
    pub fn given_twice(&self, taken_back: &[TakenBack]) -> i64 {
        let beyond = taken_back.iter().map(|taken| {
            if let Some(payment_id) = &taken.credited {
                let credited = self.credited_of(payment_id);
                return credited.map_or(0, |it| it.taken_by(taken.amount) - it.taken);
            }
            let mut left = self.left.iter();
            let left = left.find(|left| left.invoice_id == taken.invoice_id);
            left.map_or(0, |left| taken.amount - left.amount)
        });
        beyond.map(|amount| amount.max(0)).sum()
    }

    /// Records the charges of invoices that have no record yet.
    pub(super) fn record_returnable(&mut self) {
        let charged = self.charged.iter();
        let charged = charged.map(|it| (&it.invoice_id, it.charged.gross_minor()));
        let owed = self.owed.iter();
        let owed = owed.map(|it| (&it.invoice_id, it.returned.gross_minor()));
        let mut new: Vec<LeftOfInvoice> = Vec::new();
        for (invoice_id, amount) in charged.chain(owed) {
            if self.left.iter().any(|left| left.invoice_id == *invoice_id) {
                continue;
            }
            match new.iter_mut().find(|left| left.invoice_id == *invoice_id) {
                Some(left) => left.amount += amount,
                None => new.push(LeftOfInvoice {
                    invoice_id: invoice_id.clone(),
                    amount,
                    given_at: None,
                    taken: 0,
                    unread: UnreadMembers::default(),
                }),
            }
        }
        self.left.extend(new);
    }

    /// Forgets invoices of which nothing can be returned, once their payments can't be refunded manually any more.
    pub(super) fn forget_unreturnable(&mut self, now: Timestamp) {
        let (charged, owed) = (&self.charged, &self.owed);
        let is_open = |left: &LeftOfInvoice| {
            let is_it = |invoice_id: &InvoiceId| *invoice_id == left.invoice_id;
            charged.iter().any(|it| is_it(&it.invoice_id))
                || owed.iter().any(|it| is_it(&it.invoice_id))
        };
        let is_remembered =
            |left: &LeftOfInvoice| left.given_at.is_some_and(|at| is_refundable(at, now));
        self.left
            .retain(|left| is_open(left) || is_remembered(left));
        let closed = self.left.iter().filter(|left| !is_open(left)).count();
        let mut too_many = closed.saturating_sub(MOST_REMEMBERED);
        self.left.retain(|left| {
            let is_forgotten = too_many > 0 && !is_open(left);
            too_many -= usize::from(is_forgotten);
            !is_forgotten
        });
    }
}

/// Checks whether a payment of that time may still be refunded manually.
pub(super) fn is_refundable(at: Timestamp, now: Timestamp) -> bool {
    now.seconds_since(at) < REFUNDABLE_DAYS * 86_400
}

impl Draft<'_> {
    /// Limits these returns to the part of each invoice that wasn't returned before, as credit or outside the
    /// subscription.
    pub(super) fn limit_returns(&mut self, owed: Vec<Owed>) -> Vec<Returned> {
        let taken_back = self.context.taken_back;
        let mut returned = Vec::new();
        for owed in owed {
            let mut left = self.subscription.left.iter_mut();
            let Some(left) = left.find(|left| left.invoice_id == owed.invoice_id) else {
                continue;
            };
            let of_it = taken_back.iter().filter(|taken| taken.credited.is_none());
            let of_it = of_it.filter(|taken| taken.invoice_id == owed.invoice_id);
            let taken: i64 = of_it.map(|taken| taken.amount).sum();
            if let Some(given) = owed.returned.at_most(left.amount - taken) {
                left.amount -= given.gross_minor();
                left.given_at = Some(self.context.now);
                returned.push(given);
            }
        }
        returned
    }

    /// Withdraws credit for money that the payer got back outside the subscription. The customer owes the part that was
    /// spent. A failed manual refund restores the credit. Calling it twice changes nothing more.
    pub(super) fn withdraw_credit(&mut self) {
        let taken_back = self.context.taken_back.iter();
        let (of_credited, of_paying): (Vec<_>, Vec<_>) =
            taken_back.partition(|taken| taken.credited.is_some());
        let subscription = &mut self.subscription;
        let mut is_back = false;
        for taken in of_paying {
            let mut given = subscription.left.iter_mut();
            let of_it = given.find(|left| left.invoice_id == taken.invoice_id);
            let Some(left) = of_it.filter(|left| left.given_at.is_some()) else {
                continue;
            };
            let beyond = (taken.amount - (left.amount - left.taken)).max(0);
            let more = beyond - left.taken;
            left.amount += more;
            left.taken = beyond;
            subscription.credit -= more;
            is_back |= more < 0;
        }
        if is_back {
            self.schedule_refunds();
        }
        for taken in of_credited {
            self.withdraw_late_credit(taken);
        }
    }
}
