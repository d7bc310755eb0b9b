//! Cancelling: no further period is billed.

use crate::billing::invoice_status::InvoiceTrigger;
use crate::refusal::Refusal;
use crate::subscription::draft::Draft;
use crate::subscription::transition::Effect;
use crate::subscription::{
    Cancelling, Invoice, ReceivablesHandling, SubscriptionStatus, UnbilledChargesOption, When,
};
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;

/// A wish to cancel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cancel {
    pub when: When,
    pub unbilled: UnbilledChargesOption,
    pub receivables: ReceivablesHandling,
    /// The merchant's own.
    pub reason_code: Option<String>,
}

impl Draft<'_> {
    pub(super) fn cancel(&mut self, cancel: Cancel) -> Result<(), Refusal> {
        if self.status().is_final() {
            return Err(self.refusal("cancel"));
        }
        let now = self.context.now;
        let runs = self.status().is_running();
        let end = self.subscription.next_billing_at.filter(|_| runs);
        let at = match cancel.when {
            When::Now => now,
            // Without a term that runs it ends at once.
            When::EndOfTerm => end.unwrap_or(now),
            When::At(date) => date,
        };
        self.subscription.cancel_reason_code = cancel.reason_code;
        self.subscription.cancelling = Some(Cancelling {
            at,
            unbilled: cancel.unbilled,
            receivables: cancel.receivables,
            unread: UnreadMembers::default(),
        });
        if at <= now {
            self.cancel_as_planned(now)
        } else {
            Ok(())
        }
    }

    pub(super) fn cancel_as_planned(&mut self, at: Timestamp) -> Result<(), Refusal> {
        let Some(cancelling) = self.subscription.cancelling.take() else {
            return Ok(());
        };
        let was = self.status();
        self.end(SubscriptionStatus::Cancelled);
        self.subscription.cancelled_at = Some(at);
        self.subscription.paused_at = None;
        self.subscription.term = self.subscription.term.as_ref().map(|term| term.cut(at));
        match was {
            // Its payer may still pay, or be about to.
            SubscriptionStatus::Created | SubscriptionStatus::Pending => self.call_off(at),
            SubscriptionStatus::Active
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Unpaid
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::Failed => {}
        }
        match cancelling.receivables {
            ReceivablesHandling::NoAction => {}
            ReceivablesHandling::SchedulePaymentCollection => {
                for invoice in self.invoices.iter_mut().filter(|it| it.is_open()) {
                    invoice.collect(at);
                }
            }
            ReceivablesHandling::WriteOff => self.write_off()?,
        }
        match cancelling.unbilled {
            UnbilledChargesOption::Invoice if !self.subscription.unbilled.is_empty() => {
                self.bill_all(Vec::new(), None)
            }
            UnbilledChargesOption::Invoice | UnbilledChargesOption::Delete => {
                self.subscription.unbilled.clear();
                Ok(())
            }
        }
    }

    /// Cancels the first payment, and looks what became of it.
    fn call_off(&mut self, at: Timestamp) {
        for invoice in self.invoices.iter_mut().filter(|it| it.is_under_way()) {
            invoice.due_at = Some(at);
            let payment_id = invoice.current_try().map(|it| it.payment_id.clone());
            self.effects.extend(payment_id.map(Effect::CancelPayment));
        }
    }

    fn write_off(&mut self) -> Result<(), Refusal> {
        let now = self.context.now;
        let lost = self
            .invoices
            .iter_mut()
            .filter(|invoice| invoice.is_open() && !invoice.is_under_way());
        lost.map(|invoice| {
            invoice.follow(InvoiceTrigger::Void, now)?;
            Invoice::rest(invoice);
            Ok(())
        })
        .collect()
    }
}
