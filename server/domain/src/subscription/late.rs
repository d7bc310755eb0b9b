//! What is told of payments that nobody waits for any more: one that had failed has succeeded after all, one that paid was taken
//! back, one has taken money for an invoice that is settled.
//!
//! An open invoice is paid by it. Money that no invoice wants is credit: the next invoice takes it, and where none will come it is
//! refunded. An invoice whose payment is gone is never charged again by itself: somebody has to look at it.

use crate::billing::invoice_status::{InvoiceStatus, InvoiceTrigger};
use crate::ids::{InvoiceId, PaymentId};
use crate::refusal::Refusal;
use crate::subscription::draft::Draft;
use crate::subscription::invoice::FailedTry;
use crate::subscription::transition::Outcome;
use crate::subscription::{Refunding, SubscriptionStatus};
use crate::unread::UnreadMembers;

impl Draft<'_> {
    pub(super) fn hear_late(
        &mut self,
        invoice_id: &InvoiceId,
        payment_id: &PaymentId,
        outcome: Outcome,
    ) -> Result<(), Refusal> {
        let now = self.context.now;
        let never_began = self.status() == SubscriptionStatus::Failed;
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        let has_paid = invoice.paid_by() == Some(payment_id);
        let amount = invoice.amount;
        let (is_open, is_under_way) = (invoice.is_open(), invoice.is_under_way());
        // Being told again of what is looked at already is no news, and would be told for ever.
        let is_reviewed = invoice.status == InvoiceStatus::ManualReview;
        let mut tries = invoice.tries.iter_mut();
        let Some(known) = tries.find(|one| one.payment_id == *payment_id) else {
            return Ok(());
        };
        let is_set_aside = known.failed.as_ref().is_some_and(|it| it.is_set_aside);
        match outcome {
            Outcome::Paid { payment_method_id } if !has_paid && !known.is_late => {
                known.is_late = true;
                if !is_open || never_began {
                    self.keep(amount);
                    return Ok(());
                }
                // What becomes of the one under way decides whether this one pays or is too much.
                if is_under_way {
                    return Ok(());
                }
                self.pay(
                    invoice_id,
                    InvoiceTrigger::PaymentSucceeded,
                    payment_method_id,
                )
            }
            Outcome::Failed { why, .. } if has_paid => {
                known.is_late = false;
                known.failed.get_or_insert_with(|| FailedTry::of(why, now));
                self.reopen(invoice_id)
            }
            Outcome::NeedsReview if has_paid => self.reopen(invoice_id),
            // It may hold money, and nobody is charged again meanwhile.
            Outcome::NeedsReview if is_open && !is_under_way && !is_set_aside && !is_reviewed => {
                invoice.due_at = None;
                invoice.follow(InvoiceTrigger::ReviewNeeded, now)
            }
            Outcome::Paid { .. }
            | Outcome::Pending
            | Outcome::Untouched
            | Outcome::Failed { .. }
            | Outcome::NotAsked { .. }
            | Outcome::NeedsReview
            | Outcome::CustomerGone { .. } => Ok(()),
        }
    }

    /// What had paid an invoice is gone, or may be.
    fn reopen(&mut self, invoice_id: &InvoiceId) -> Result<(), Refusal> {
        let now = self.context.now;
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        invoice.follow(InvoiceTrigger::PaymentReversed, now)?;
        invoice.paid_at = None;
        invoice.payment_method_id = None;
        if invoice.is_under_way() {
            invoice.put_off(now);
        }
        Ok(())
    }

    /// Money that no invoice wants, in minor units.
    pub(super) fn keep(&mut self, amount: i64) {
        if amount == 0 {
            return;
        }
        self.subscription.credit += amount;
        if self.status().is_final() {
            let refunding = &mut self.subscription.refunding;
            refunding.get_or_insert_with(|| Refunding {
                due_at: None,
                unread: UnreadMembers::default(),
            });
            self.schedule_refunds();
        }
    }
}
