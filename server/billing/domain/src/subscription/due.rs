//! Determines which work of a subscription is due next, in a fixed order.

use multirail_kernel::ids::{InvoiceId, RefundId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;

use crate::subscription::draft::Draft;
use crate::subscription::{Effect, Invoice, Standing, Subscription, SubscriptionStatus};

/// The maximum number of due steps done before a command. With more overdue periods the worker must catch up first.
const MOST_BEHIND: usize = 100;

/// The kinds of due work. If several are due at the same moment, the first in this order goes first: a period isn't
/// billed after a cancellation or pause at its start.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Due {
    Cancel,
    Pause,
    Resume,
    /// Charge an invoice or check its payment. Comes before `Bill`, so that the new period's invoice can return what
    /// was paid.
    Invoice(InvoiceId),
    /// Begin a period.
    Bill,
    /// Refund credit.
    Refund,
    /// Check a refund of credit.
    LookAtRefund(RefundId),
    /// End the time to confirm the subscription.
    Lapse,
    /// Check payments that may have changed.
    News,
}

impl Standing {
    /// Returns the next due work and its time. Subscriptions of an external engine have none.
    pub fn due(&self) -> Option<(Timestamp, Due)> {
        if self.subscription.outside.is_some() {
            return None;
        }
        first(&self.subscription, &self.open)
    }

    /// Checks whether a request may be confirming the subscription, because its first payment is being checked.
    pub fn is_begun(&self) -> bool {
        let is_looked_at = self.open.iter().any(|invoice| invoice.due_at.is_some());
        self.subscription.status == SubscriptionStatus::Created && is_looked_at
    }
}

/// Returns the next work that the subscription itself plans.
fn planned(subscription: &Subscription) -> Option<(Timestamp, Due)> {
    let cancel = subscription
        .cancelling
        .as_ref()
        .map(|it| (it.at, Due::Cancel));
    // Only a running subscription can be paused. The pause waits until it runs again.
    let runs = subscription.status.is_running();
    let pause = subscription.pausing_at.filter(|_| runs);
    let pause = pause.map(|at| (at, Due::Pause));
    let resume = subscription
        .resuming
        .as_ref()
        .map(|it| (it.at, Due::Resume));
    let bill = subscription.next_billing_at.filter(|_| runs);
    let bill = bill.map(|at| (at, Due::Bill));
    [cancel, pause, resume, bill].into_iter().flatten().min()
}

/// Returns the next work of all kinds.
fn first(subscription: &Subscription, open: &[Invoice]) -> Option<(Timestamp, Due)> {
    let news = subscription
        .has_news
        .then_some((Timestamp::EPOCH, Due::News));
    // A request may be confirming the subscription while its first payment is being checked.
    let is_idle = open.iter().all(|invoice| invoice.due_at.is_none());
    let lapse = subscription.lapses_at().filter(|_| is_idle);
    let lapse = lapse.map(|at| (at, Due::Lapse));
    let invoices = open.iter().filter(|invoice| invoice.is_open());
    let invoices = invoices.filter_map(|invoice| Some((invoice.due_at?, invoice)));
    // The oldest of the invoices that are due at the same moment goes first.
    let invoice = invoices.min_by_key(|(due_at, invoice)| (*due_at, invoice.number));
    let invoice = invoice.map(|(at, it)| (at, Due::Invoice(it.invoice_id.clone())));
    let refunding = subscription.refunding.as_ref();
    let refund = refunding.and_then(|it| Some((it.due_at?, Due::Refund)));
    let looks = subscription.refunds.iter().filter_map(|refund| {
        let due_at = refund.due_at?;
        Some((due_at, Due::LookAtRefund(refund.refund_id.clone())))
    });
    let others = [planned(subscription), invoice, refund, lapse, news];
    others.into_iter().flatten().chain(looks).min()
}

impl Draft<'_> {
    /// Does the overdue planned work before a command, so that no time stays unbilled if the command comes before the
    /// worker. Invoices are charged by the worker.
    ///
    /// # Errors
    /// [`Refusal::Busy`] if too much work is overdue.
    pub(super) fn catch_up(&mut self) -> Result<(), Refusal> {
        for _ in 0..MOST_BEHIND {
            let due = planned(&self.subscription);
            let Some((at, what)) = due.filter(|(at, _)| *at <= self.context.now) else {
                return Ok(());
            };
            self.do_due(at, what)?;
        }
        Err(Refusal::busy(Object::Subscription))
    }

    /// Does the next due work as of its due time, so that a late worker bills the same time.
    pub(super) fn pass_time(&mut self) -> Result<(), Refusal> {
        let due = first(&self.subscription, &self.invoices);
        let Some((at, what)) = due.filter(|(at, _)| *at <= self.context.now) else {
            return Ok(());
        };
        self.do_due(at, what)
    }

    fn do_due(&mut self, at: Timestamp, what: Due) -> Result<(), Refusal> {
        match what {
            Due::Cancel => self.cancel_as_planned(at),
            Due::Pause => self.pause_at(at),
            Due::Resume => self.resume_as_planned(),
            Due::Bill => self.begin_period(at),
            Due::Invoice(invoice_id) => self.check_or_charge(&invoice_id),
            Due::Refund => {
                self.search_payments();
                Ok(())
            }
            Due::LookAtRefund(refund_id) => {
                self.look_at_refund(refund_id);
                Ok(())
            }
            Due::Lapse => {
                self.give_coupon_back();
                Ok(())
            }
            // The work stays due until all payments were checked.
            Due::News => {
                self.effects.push(Effect::LookAtPayments);
                Ok(())
            }
        }
    }
}
