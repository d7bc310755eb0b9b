//! What happens to the engine's subscriptions: by wishes, and by time.

use multirail_domain::billing::calendar::Period;
use multirail_domain::billing::charge::{Charge, ReturnOption};
use multirail_domain::billing::chargeable::Chargeable;
use multirail_domain::billing::invoice::InvoiceDraft;
use multirail_domain::billing::opening;
use multirail_domain::billing::term::TermKind;
use multirail_domain::subscription::{
    ChargesHandling, ReceivablesHandling, SubscriptionStatus, UnbilledChargesOption, When,
};
use multirail_domain::timestamp::Timestamp;
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{EngineWish, ErrorBody};

use super::catalogue::{self, NEVER_CHANGED, NEVER_MADE, refused};
use super::record::{EngineInvoice, EngineSubscription};

/// What comes at a moment.
type Step = fn(&mut EngineSubscription, Timestamp);

/// The most periods that pass at once.
const MOST_PERIODS: usize = 2_000;

impl EngineSubscription {
    /// One that waits for its first payment.
    pub(super) fn create(
        reference: &str,
        own_id: String,
        customer: String,
        price_id: &str,
        quantity: u32,
        now: Timestamp,
    ) -> Result<Self, ErrorBody> {
        if price_id == NEVER_MADE {
            return Err(refused("no subscription is made at this price"));
        }
        let (price, name) = catalogue::price(price_id).ok_or(ErrorCode::NoSuchPrice.plain())?;
        let opening = opening::open(&price, &name, quantity, None, 0, now);
        let opening = opening.map_err(|error| refused(&error.to_string()))?;
        let period = opening.term.as_ref().map(|term| term.period);
        let mut made = EngineSubscription {
            reference: reference.to_owned(),
            own_id,
            customer,
            price: price_id.to_owned(),
            quantity,
            status: SubscriptionStatus::Pending,
            term: opening.term,
            paused_at: None,
            pauses_at: None,
            resumes_at: None,
            holds: false,
            unbilled: Vec::new(),
            cancelled_at: None,
            cancels_at: None,
            invoices: Vec::new(),
        };
        if opening.billed.total.amount_minor > 0 {
            let name = made.invoice_name();
            made.invoices
                .push(EngineInvoice::of(name, &opening.billed, period));
        }
        Ok(made)
    }

    fn invoice_name(&self) -> String {
        format!("{}_in_{}", self.reference, self.invoices.len() + 1)
    }

    pub(super) fn take(&mut self, wish: EngineWish, now: Timestamp) -> Result<(), ErrorBody> {
        let is_change = match &wish {
            EngineWish::Update { .. }
            | EngineWish::Pause { .. }
            | EngineWish::Resume { .. }
            | EngineWish::Cancel { .. } => true,
            EngineWish::Create { .. } | EngineWish::Record { .. } | EngineWish::End => false,
        };
        if is_change && self.price == NEVER_CHANGED {
            return Err(refused("no subscription at this price is ever changed"));
        }
        if self.status.is_final() && !matches!(wish, EngineWish::Record { .. }) {
            return Err(refused("the subscription is over"));
        }
        match wish {
            EngineWish::Create { .. } => Err(refused("it is there already")),
            EngineWish::Update { price, quantity } => self.update(price, quantity),
            EngineWish::Pause { when } => {
                self.must_run("paused")?;
                self.pauses_at = Some(self.moment(when, now));
                Ok(())
            }
            EngineWish::Resume { at, charges } => {
                if self.status != SubscriptionStatus::Paused {
                    return Err(refused("only what is paused is resumed"));
                }
                self.resumes_at = Some(at.unwrap_or(now));
                self.holds = charges == ChargesHandling::AddToUnbilledCharges;
                Ok(())
            }
            EngineWish::Cancel {
                when,
                unbilled,
                receivables,
                returns,
            } => {
                if returns != ReturnOption::None {
                    return Err(refused("this engine gives nothing back at a cancellation"));
                }
                self.cancels_at = Some(self.moment(when, now));
                if unbilled == UnbilledChargesOption::Delete {
                    self.unbilled.clear();
                }
                if receivables == ReceivablesHandling::WriteOff {
                    self.invoices.iter_mut().for_each(|invoice| {
                        invoice.is_void |= invoice.is_open();
                    });
                }
                Ok(())
            }
            EngineWish::Record {
                invoice,
                payment,
                amount,
            } => self.record(invoice, payment, amount),
            EngineWish::End => {
                self.cancel(now);
                Ok(())
            }
        }
    }

    fn must_run(&self, what: &str) -> Result<(), ErrorBody> {
        if self.status.is_running() {
            return Ok(());
        }
        Err(refused(&format!("only what runs is {what}")))
    }

    /// Another price counts from the next period on.
    fn update(&mut self, price: String, quantity: u32) -> Result<(), ErrorBody> {
        self.must_run("updated")?;
        let (wanted, _) = catalogue::price(&price).ok_or(ErrorCode::NoSuchPrice.plain())?;
        if wanted.is_single_payment() || self.term.is_none() {
            return Err(refused("there is nothing to go over to"));
        }
        self.price = price;
        self.quantity = quantity;
        Ok(())
    }

    fn moment(&self, when: When, now: Timestamp) -> Timestamp {
        let end = self.term.as_ref().map(|term| term.period.end);
        match when {
            When::Now => now,
            When::EndOfTerm => end.filter(|_| self.status.is_running()).unwrap_or(now),
            When::At(date) => date,
        }
    }

    fn record(
        &mut self,
        reference: Option<String>,
        payment: Option<String>,
        amount: i64,
    ) -> Result<(), ErrorBody> {
        if let Some(reference) = reference {
            let mut invoices = self.invoices.iter_mut();
            let invoice = invoices.find(|invoice| invoice.reference == reference);
            let invoice = invoice.ok_or_else(|| refused("there is no such invoice"))?;
            if !invoice.is_open() || invoice.amount != amount {
                return Err(refused(
                    "the invoice isn't open, or comes to another amount",
                ));
            }
            invoice.is_paid = true;
            invoice.payment = payment;
        } else if amount != 0 {
            return Err(refused("which invoice was paid isn't said"));
        }
        if self.status == SubscriptionStatus::Pending {
            self.status = match &self.term {
                None => SubscriptionStatus::Onetime,
                Some(term) => match term.kind {
                    TermKind::Trial => SubscriptionStatus::Trial,
                    TermKind::Paid => SubscriptionStatus::Active,
                },
            };
        }
        Ok(())
    }

    fn cancel(&mut self, at: Timestamp) {
        self.status = SubscriptionStatus::Cancelled;
        self.cancelled_at = Some(at);
        self.cancels_at = None;
        self.pauses_at = None;
        self.resumes_at = None;
        let left = std::mem::take(&mut self.unbilled);
        self.bill(left, None);
    }

    /// Brings about what has come by now, in its order.
    pub(super) fn pass_time(&mut self, now: Timestamp) {
        for _ in 0..MOST_PERIODS {
            let runs = self.status.is_running();
            let end = self.term.as_ref().map(|term| term.period.end);
            let steps: [(Option<Timestamp>, Step); 4] = [
                (self.cancels_at, Self::cancel),
                (self.pauses_at.filter(|_| runs), Self::pause),
                (self.resumes_at.filter(|_| !runs), Self::resume),
                (end.filter(|_| runs), |own, _| own.renew()),
            ];
            let due = steps.into_iter().filter_map(|(at, step)| Some((at?, step)));
            let Some((at, step)) = due.min_by_key(|(at, _)| *at) else {
                return;
            };
            if at > now || self.status.is_final() {
                return;
            }
            step(self, at);
        }
    }

    fn pause(&mut self, at: Timestamp) {
        self.status = SubscriptionStatus::Paused;
        self.paused_at = Some(at);
        self.pauses_at = None;
        self.term = self.term.as_ref().map(|term| term.cut(at));
    }

    fn resume(&mut self, at: Timestamp) {
        self.status = SubscriptionStatus::Active;
        self.paused_at = None;
        self.resumes_at = None;
        self.begin(Some(at));
    }

    fn renew(&mut self) {
        self.status = SubscriptionStatus::Active;
        self.begin(None);
    }

    /// Begins the next period, or a new calendar at a moment.
    fn begin(&mut self, anew: Option<Timestamp>) {
        let Some((price, name)) = catalogue::price(&self.price) else {
            return;
        };
        let (Some(last), Some(interval)) = (&self.term, price.interval) else {
            return;
        };
        let next = match anew {
            Some(at) => last.restart(at, interval, price.zone.clone()),
            None => last.next(),
        };
        let Ok(term) = next else { return };
        let Ok(charge) = Charge::of_term(&price, &name, self.quantity, &term) else {
            return;
        };
        let period = term.period;
        self.term = Some(term);
        let mut charges = std::mem::take(&mut self.unbilled);
        charges.push(charge);
        if std::mem::take(&mut self.holds) {
            self.unbilled = charges;
        } else {
            self.bill(charges, Some(period));
        }
    }

    fn bill(&mut self, charges: Vec<Charge>, period: Option<Period>) {
        let Some(currency) = charges.first().map(|charge| charge.currency) else {
            return;
        };
        let draft = InvoiceDraft {
            currency,
            charges,
            returned: Vec::new(),
            coupon: None,
            credit_minor: 0,
            carried_minor: 0,
            chargeable: Chargeable::ANY,
        };
        if let Ok(billed) = draft.compute() {
            let name = self.invoice_name();
            self.invoices.push(EngineInvoice::of(name, &billed, period));
        }
    }
}
