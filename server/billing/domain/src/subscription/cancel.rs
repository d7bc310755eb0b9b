//! Cancels a subscription: no further period is billed.

use multirail_kernel::ids::InvoiceId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::charge::ReturnOption;
use crate::invoice_status::InvoiceStatus;
use crate::subscription::draft::Draft;
use crate::subscription::transition::Effect;
use crate::subscription::{
    Cancelling, Owed, ReceivablesHandling, RefundableCreditsHandling, Refunding,
    SubscriptionStatus, UnbilledChargesOption, When,
};

/// The options of a cancellation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cancel {
    pub when: When,
    pub unbilled: UnbilledChargesOption,
    pub receivables: ReceivablesHandling,
    /// The handling of charges for the term that ends.
    pub returns: ReturnOption,
    pub credits: RefundableCreditsHandling,
    /// The merchant's own code for the reason.
    pub reason_code: Option<String>,
}

impl Cancelling {
    /// Moves the cancellation to `now`, if it was planned for the end of the term at `before`.
    pub(super) fn follow(&mut self, before: Timestamp, now: Timestamp) {
        if self.is_end_of_term.unwrap_or(self.at == before) {
            self.is_end_of_term = Some(true);
            self.at = now;
        }
    }
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
            // Without a running term the subscription ends at once.
            When::EndOfTerm => end.unwrap_or(now),
            When::At(date) => date,
        };
        self.subscription.cancel_reason_code = cancel.reason_code;
        self.subscription.cancelling = Some(Cancelling {
            at,
            is_end_of_term: Some(cancel.when == When::EndOfTerm),
            unbilled: cancel.unbilled,
            receivables: cancel.receivables,
            returns: cancel.returns,
            credits: cancel.credits,
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
        let mut credits = cancelling.credits;
        match was {
            // The payer received nothing, but may still pay. Any money that the payment takes is refunded.
            SubscriptionStatus::Created | SubscriptionStatus::Pending => {
                self.return_all();
                credits = RefundableCreditsHandling::ScheduleRefund;
                self.cancel_first_payment(at);
                self.void_reviewed()?;
                self.give_coupon_back();
            }
            SubscriptionStatus::Active
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Unpaid
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::Failed => self.give_back(at, cancelling.returns),
        }
        self.subscription.term = self.subscription.term.as_ref().map(|term| term.cut(at));
        match cancelling.receivables {
            ReceivablesHandling::NoAction => {}
            ReceivablesHandling::SchedulePaymentCollection => self.collect_open(at),
            ReceivablesHandling::WriteOff => self.write_off()?,
        }
        match cancelling.unbilled {
            UnbilledChargesOption::Invoice => {}
            UnbilledChargesOption::Delete => self.subscription.unbilled.clear(),
        }
        self.subscription.refunding = match credits {
            RefundableCreditsHandling::NoAction => None,
            RefundableCreditsHandling::ScheduleRefund => Some(Refunding::everything()),
        };
        self.settle_accounts()
    }

    /// Schedules the return of charges for the term that ends at `at`, and limits charges that are on no invoice yet.
    ///
    /// Charges of a term that is over are not returned. Returns from an earlier pause or change of price stay
    /// scheduled, whatever option was chosen.
    fn give_back(&mut self, at: Timestamp, returns: ReturnOption) {
        let subscription = &mut self.subscription;
        subscription.record_returnable();
        let term = subscription.term.as_ref();
        let runs = term.filter(|term| term.period.contains(at));
        let begun = runs.map(|term| term.period.start);
        for stretch in std::mem::take(&mut subscription.charged) {
            let returned = match returns {
                ReturnOption::Prorate | ReturnOption::None => stretch.charged.split(at, returns).1,
                ReturnOption::Full => {
                    // A charge that was held over from an earlier term and invoiced in this one is for time that was
                    // used.
                    let end = stretch.charged.period.end;
                    let is_of_term = begun.is_some_and(|begun| begun < end);
                    stretch.charged.whole_back().filter(|_| is_of_term)
                }
            };
            let returned = returned.filter(|returned| returned.gross_minor() > 0);
            subscription.owed.extend(returned.map(|returned| Owed {
                invoice_id: stretch.invoice_id,
                returned,
                unread: UnreadMembers::default(),
            }));
        }
        match returns {
            ReturnOption::None => {}
            ReturnOption::Prorate => self.cut_unbilled(at),
            ReturnOption::Full => {
                let unbilled = &mut self.subscription.unbilled;
                unbilled.retain(|charge| charge.period.from(at).is_none());
            }
        }
    }

    /// Schedules the return of all charges, even for time that has passed.
    fn return_all(&mut self) {
        let subscription = &mut self.subscription;
        subscription.record_returnable();
        for stretch in std::mem::take(&mut subscription.charged) {
            let returned = stretch.charged.whole_back();
            subscription.owed.extend(returned.map(|returned| Owed {
                invoice_id: stretch.invoice_id,
                returned,
                unread: UnreadMembers::default(),
            }));
        }
    }

    /// Cancels the first payment and schedules a check of its outcome.
    pub(super) fn cancel_first_payment(&mut self, at: Timestamp) {
        for invoice in self.invoices.iter_mut().filter(|it| it.is_under_way()) {
            invoice.due_at = Some(at);
            let payment_id = invoice.current_try().map(|it| it.payment_id.clone());
            self.effects.extend(payment_id.map(Effect::CancelPayment));
        }
    }

    /// Voids invoices under review. The money that their payments hold is refunded.
    fn void_reviewed(&mut self) -> Result<(), Refusal> {
        let reviewed = self.invoices.iter();
        let reviewed = reviewed.filter(|invoice| invoice.status == InvoiceStatus::ManualReview);
        let reviewed: Vec<InvoiceId> = reviewed.map(|it| it.invoice_id.clone()).collect();
        for invoice_id in &reviewed {
            self.give_up_on(invoice_id)?;
            self.refund_held(invoice_id);
        }
        Ok(())
    }

    fn write_off(&mut self) -> Result<(), Refusal> {
        let invoices = self.invoices.iter();
        let lost = invoices.filter(|invoice| invoice.is_open() && !invoice.is_being_paid());
        let lost: Vec<InvoiceId> = lost.map(|invoice| invoice.invoice_id.clone()).collect();
        lost.iter().try_for_each(|lost| self.give_up_on(lost))
    }
}
