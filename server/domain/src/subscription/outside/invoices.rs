//! The invoices of an outside engine. Each is taken over once, whatever is heard how often.

use crate::billing::invoice::Line;
use crate::billing::invoice_status::{InvoiceStatus, InvoiceTrigger};
use crate::refusal::Refusal;
use crate::subscription::draft::Draft;
use crate::subscription::outside::{EngineInvoice, EngineState, MOST_OPEN_INVOICES};
use crate::subscription::{Invoice, Plan, SubscriptionStatus};

/// How many of the engine's invoices are remembered as taken over: more than can be open, so that none comes twice.
const MOST_KNOWN: usize = 2 * MOST_OPEN_INVOICES;

impl Draft<'_> {
    /// The engine's first invoice is what the first payment was made for. Answers whether it bills the same.
    pub(super) fn take_over_first_invoice(&mut self, state: &EngineState) -> bool {
        let Some(invoice) = self.invoices.first_mut() else {
            return true;
        };
        let Some(theirs) = state.open_invoices.first() else {
            // Nothing is to be paid, and the engine makes no invoice of that.
            return invoice.amount == 0;
        };
        let is_alone = state.open_invoices.len() == 1;
        let is_same = invoice.amount == theirs.amount && invoice.currency == theirs.currency;
        if !is_alone || !is_same {
            return false;
        }
        invoice.billing_processor_invoice_id = Some(theirs.reference.clone());
        invoice.period = theirs.period;
        invoice.lines = lines_of(theirs, &self.subscription.plan);
        self.know(theirs, state);
        true
    }

    /// The first invoice was paid before it was known that the engine has made the subscription: it is told of that, and nobody is
    /// charged again.
    pub(super) fn find_recorded(&mut self, state: &EngineState) {
        let Some(theirs) = state.open_invoices.first() else {
            return;
        };
        if let Some(outside) = &mut self.subscription.outside
            && let Some(record) = outside.to_record.first_mut()
        {
            record.reference = Some(theirs.reference.clone());
            self.know(theirs, state);
        }
    }

    /// Takes over what is new, and gives up what the engine doesn't want to be paid any more.
    pub(super) fn take_over_invoices(&mut self, state: &EngineState) -> Result<(), Refusal> {
        self.give_up_gone(state)?;
        let mut theirs = state.open_invoices.iter();
        theirs.try_for_each(|one| self.take_over_invoice(one, state))
    }

    /// Gives up what the engine doesn't want to be paid any more.
    pub(super) fn give_up_gone(&mut self, state: &EngineState) -> Result<(), Refusal> {
        let theirs = &state.open_invoices;
        if theirs.len() < MOST_OPEN_INVOICES {
            let is_gone = |own: &Invoice| {
                let reference = own.billing_processor_invoice_id.as_ref();
                reference.is_some_and(|own| !theirs.iter().any(|one| one.reference == *own))
            };
            self.give_up_outside(is_gone)?;
        }
        Ok(())
    }

    fn take_over_invoice(
        &mut self,
        theirs: &EngineInvoice,
        state: &EngineState,
    ) -> Result<(), Refusal> {
        let is_own = |own: &Invoice| {
            own.billing_processor_invoice_id.as_deref() == Some(theirs.reference.as_str())
        };
        let outside = self.subscription.outside.as_ref();
        let is_known = outside.is_some_and(|it| it.invoices.contains(&theirs.reference));
        if is_known || self.invoices.iter().any(is_own) {
            return Ok(());
        }
        let is_unpaid = outside.is_some_and(|outside| outside.is_unpaid);
        let is_charged = !is_unpaid && state.status != SubscriptionStatus::Paused;
        self.know(theirs, state);
        let now = self.context.now;
        self.subscription.invoices += 1;
        let invoice_id = self.context.ids.invoice_id();
        let mut invoice = Invoice::new(&self.subscription, invoice_id.clone(), now);
        invoice.billing_processor_invoice_id = Some(theirs.reference.clone());
        invoice.period = theirs.period;
        invoice.lines = lines_of(theirs, &self.subscription.plan);
        invoice.amount = theirs.amount;
        invoice.currency = theirs.currency;
        invoice.is_collected = is_charged;
        let is_free = invoice.amount == 0;
        invoice.due_at = (is_charged && !is_free).then_some(now);
        self.invoices.push(invoice);
        if is_free {
            self.pay(&invoice_id, InvoiceTrigger::NothingDue, None)?;
        }
        Ok(())
    }

    /// Remembers that it was taken over, in the place of the oldest that isn't open any more.
    fn know(&mut self, theirs: &EngineInvoice, state: &EngineState) {
        let Some(outside) = &mut self.subscription.outside else {
            return;
        };
        let known = &mut outside.invoices;
        if known.contains(&theirs.reference) {
            return;
        }
        if known.len() >= MOST_KNOWN {
            let is_open = |one: &String| state.open_invoices.iter().any(|it| it.reference == *one);
            let over = known.iter().position(|one| !is_open(one));
            known.remove(over.unwrap_or(0));
        }
        known.push(theirs.reference.clone());
    }

    /// Voids open invoices of the engine's for which no payment is under way. Credits are the engine's, so none are made of it. Where
    /// money may have come and gone, somebody has to look still.
    pub(super) fn give_up_outside(
        &mut self,
        is_meant: impl Fn(&Invoice) -> bool,
    ) -> Result<(), Refusal> {
        let now = self.context.now;
        let mut given_up = Vec::new();
        for invoice in self.invoices.iter_mut().filter(|one| one.is_open()) {
            let is_looked_at = invoice.status == InvoiceStatus::ManualReview
                || invoice.tries.iter().any(|one| one.is_taken_back);
            if is_looked_at || invoice.is_under_way() || !is_meant(invoice) {
                continue;
            }
            invoice.follow(InvoiceTrigger::Void, now)?;
            invoice.rest();
            given_up.push(invoice.invoice_id.clone());
        }
        for invoice_id in &given_up {
            self.credit_late_money(invoice_id);
        }
        if !given_up.is_empty() {
            self.settle_outside();
        }
        Ok(())
    }

    /// Nothing is owed any more that could not be collected; what follows from that the engine says.
    pub(in crate::subscription) fn settle_outside(&mut self) {
        if self.invoices.iter().any(Invoice::is_demanded) {
            return;
        }
        if let Some(outside) = &mut self.subscription.outside {
            outside.is_unpaid = false;
        }
    }

    /// The engine still wants what is open: what waited for its word is charged.
    pub(super) fn charge_waiting(&mut self) {
        let now = self.context.now;
        let outside = self.subscription.outside.as_mut();
        let waiting = outside.map(|outside| std::mem::take(&mut outside.waiting));
        for invoice_id in waiting.unwrap_or_default() {
            if let Some(invoice) = self.invoice_mut(&invoice_id)
                && invoice.is_open()
                && !invoice.is_under_way()
                && invoice.due_at.is_some()
            {
                invoice.due_at = Some(now);
            }
        }
    }
}

/// The engine names prices alone; of the subscription's own it is known what that is of.
fn lines_of(theirs: &EngineInvoice, plan: &Plan) -> Vec<Line> {
    let mut lines = theirs.lines.clone();
    let is_ours = |line: &&mut Line| line.item_price_id.as_ref() == Some(&plan.price.item_price_id);
    for line in lines.iter_mut().filter(is_ours) {
        line.item_id = Some(plan.price.item_id.clone());
    }
    lines
}
