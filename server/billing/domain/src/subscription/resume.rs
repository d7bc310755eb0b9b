//! Resumes a paused subscription with a new period. For a subscription that isn't paused, drops a planned cancellation
//! or pause. (Specification 4.6; facts 2.6, 13 M)

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::subscription::draft::Draft;
use crate::subscription::{ChargesHandling, Resuming, SubscriptionStatus, UnpaidInvoicesHandling};

/// The options of a resumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resume {
    /// A date in the future; unset for now.
    pub at: Option<Timestamp>,
    pub charges: ChargesHandling,
    pub unpaid_invoices: UnpaidInvoicesHandling,
}

/// The maximum number of charges held for one invoice.
const MOST_UNBILLED: usize = 20;

impl Draft<'_> {
    pub(super) fn resume(&mut self, resume: &Resume) -> Result<(), Refusal> {
        if self.status() != SubscriptionStatus::Paused {
            return self.take_plans_back(resume);
        }
        let holds = resume.charges == ChargesHandling::AddToUnbilledCharges;
        if holds && self.subscription.unbilled.len() >= MOST_UNBILLED {
            return Err(Refusal::precondition(format!(
                "charges_handling has to be invoice_immediately: {MOST_UNBILLED} charges are on no invoice yet"
            )));
        }
        let resuming = Resuming {
            at: resume.at.unwrap_or(self.context.now),
            charges: resume.charges,
            unpaid_invoices: resume.unpaid_invoices,
            unread: UnreadMembers::default(),
        };
        match resume.at {
            None => self.go_on(&resuming)?,
            Some(date) => {
                self.subscription.next_billing_at = Some(date);
                self.subscription.resuming = Some(resuming);
            }
        }
        Ok(())
    }

    /// Drops a planned cancellation or pause, so that periods are billed as before.
    fn take_plans_back(&mut self, resume: &Resume) -> Result<(), Refusal> {
        let subscription = &mut self.subscription;
        if subscription.cancelling.is_none() && subscription.pausing_at.is_none() {
            return Err(self.refusal("resume"));
        }
        let asks_for_more = resume.at.is_some()
            || resume.charges != ChargesHandling::InvoiceImmediately
            || resume.unpaid_invoices != UnpaidInvoicesHandling::NoAction;
        if asks_for_more {
            return Err(Refusal::precondition(
                "a planned cancellation or pause is taken back at once: resume_date, charges_handling and \
                 unpaid_invoices_handling are for a subscription that is paused",
            ));
        }
        subscription.cancelling = None;
        subscription.cancel_reason_code = None;
        subscription.pausing_at = None;
        subscription.pauses_with_term = None;
        Ok(())
    }

    pub(super) fn resume_as_planned(&mut self) -> Result<(), Refusal> {
        if let Some(resuming) = self.subscription.resuming.take() {
            self.go_on(&resuming)?;
        }
        Ok(())
    }

    /// Resumes the subscription; the worker bills the new period. A cancellation planned for the end of the term moves
    /// to the end of the new one.
    fn go_on(&mut self, resuming: &Resuming) -> Result<(), Refusal> {
        let subscription = &mut self.subscription;
        subscription.status = SubscriptionStatus::Active;
        subscription.paused_at = None;
        subscription.resuming = None;
        subscription.restarts = true;
        subscription.next_billing_at = Some(resuming.at);
        subscription.holds_charge = match resuming.charges {
            ChargesHandling::InvoiceImmediately => false,
            ChargesHandling::AddToUnbilledCharges => true,
        };
        let next = subscription.next_term(resuming.at)?;
        if let (Some(next), Some(cancelling)) = (next, &mut subscription.cancelling) {
            cancelling.follow(next.period.end, next.period.end);
        }
        self.take_up_invoices(resuming.unpaid_invoices, resuming.at);
        Ok(())
    }

    /// Handles open invoices after a pause. Invoices that the pause kept from being charged at all are charged once, as
    /// they would have been without a late worker. The other open invoices are charged only if the request asks for it.
    pub(super) fn take_up_invoices(&mut self, handling: UnpaidInvoicesHandling, at: Timestamp) {
        match handling {
            UnpaidInvoicesHandling::NoAction => {
                let open = self.invoices.iter_mut();
                for invoice in open.filter(|it| it.was_never_asked_for()) {
                    invoice.due_at = Some(at);
                }
            }
            UnpaidInvoicesHandling::SchedulePaymentCollection => self.collect_open(at),
        }
    }
}
