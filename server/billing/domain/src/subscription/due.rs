//! What is due, and when: the one order in which time does things to a subscription.

use multirail_kernel::ids::{InvoiceId, RefundId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;

use crate::subscription::draft::Draft;
use crate::subscription::{Effect, Invoice, Standing, Subscription, SubscriptionStatus};

/// The most that is done before a command of what is due by then. Whoever has that many periods behind is left to the worker.
const MOST_BEHIND: usize = 100;

/// What time does. Of what is due at one moment the first here is done first: what is cancelled or paused at a period's end
/// isn't billed for the next one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Due {
    Cancel,
    Pause,
    Resume,
    /// An invoice is charged, or its payment looked at. What it is paid can be given back by the one of a period that begins then.
    Invoice(InvoiceId),
    /// A period begins.
    Bill,
    /// Credit is to be refunded.
    Refund,
    /// It is looked at how a refund of credit stands.
    LookAtRefund(RefundId),
    /// Nobody has confirmed it in time.
    Lapse,
    /// It is looked at payments that may have news.
    News,
}

impl Standing {
    /// What is done next, and when. Nothing is, where an outside engine billed.
    pub fn due(&self) -> Option<(Timestamp, Due)> {
        if self.subscription.outside.is_some() {
            return None;
        }
        first(&self.subscription, &self.open)
    }

    /// Somebody may just be confirming it: its first payment is looked at.
    pub fn is_begun(&self) -> bool {
        let is_looked_at = self.open.iter().any(|invoice| invoice.due_at.is_some());
        self.subscription.status == SubscriptionStatus::Created && is_looked_at
    }
}

/// The first of what the subscription's own calendar says.
fn planned(subscription: &Subscription) -> Option<(Timestamp, Due)> {
    let cancel = subscription
        .cancelling
        .as_ref()
        .map(|it| (it.at, Due::Cancel));
    // What isn't running can't be paused: it waits until it runs again.
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

/// The first of all that is due.
fn first(subscription: &Subscription, open: &[Invoice]) -> Option<(Timestamp, Due)> {
    let news = subscription
        .has_news
        .then_some((Timestamp::EPOCH, Due::News));
    // While its first payment is looked at, somebody may be confirming it.
    let is_idle = open.iter().all(|invoice| invoice.due_at.is_none());
    let lapse = subscription.lapses_at().filter(|_| is_idle);
    let lapse = lapse.map(|at| (at, Due::Lapse));
    let invoices = open.iter().filter(|invoice| invoice.is_open());
    let invoices = invoices.filter_map(|invoice| Some((invoice.due_at?, invoice)));
    // Of several that waited for the same moment the oldest.
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
    /// Does what the calendar says for up to now, before a command: one that outruns the worker finds what one after it would find,
    /// and leaves no time unbilled. Invoices are charged by the worker.
    ///
    /// # Errors
    /// [`Refusal::Busy`] where that is too much at once.
    pub(super) fn catch_up(&mut self) -> Result<(), Refusal> {
        for _ in 0..MOST_BEHIND {
            let due = planned(&self.subscription);
            let Some((at, what)) = due.filter(|(at, _)| *at <= self.context.now) else {
                return Ok(());
            };
            self.bring_about(at, what)?;
        }
        Err(Refusal::busy(Object::Subscription))
    }

    /// Does what is due first, as of when it was due: a worker that comes late bills no other time.
    pub(super) fn pass_time(&mut self) -> Result<(), Refusal> {
        let due = first(&self.subscription, &self.invoices);
        let Some((at, what)) = due.filter(|(at, _)| *at <= self.context.now) else {
            return Ok(());
        };
        self.bring_about(at, what)
    }

    fn bring_about(&mut self, at: Timestamp, what: Due) -> Result<(), Refusal> {
        match what {
            Due::Cancel => self.cancel_as_planned(at),
            Due::Pause => self.pause_at(at),
            Due::Resume => self.resume_as_planned(),
            Due::Bill => self.begin_period(at),
            Due::Invoice(invoice_id) => self.see_to(&invoice_id),
            Due::Refund => {
                self.look_for_payments();
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
            // It stays due until all was heard.
            Due::News => {
                self.effects.push(Effect::LookAtPayments);
                Ok(())
            }
        }
    }
}
