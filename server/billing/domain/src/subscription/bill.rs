//! Bills a period when it begins, and charges its invoice.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::calendar::Period;
use crate::charge::{Charge, Returned};
use crate::invoice::InvoiceDraft;
use crate::invoice_status::InvoiceTrigger;
use crate::subscription::draft::Draft;
use crate::subscription::{ChargedStretch, Invoice, Owed, Subscription};
use crate::term::Term;

impl Subscription {
    /// Returns the period that begins at `at`, or `None` for a one-time payment.
    pub(super) fn next_term(&self, at: Timestamp) -> Result<Option<Term>, Refusal> {
        let price = &self.plan.price;
        let (Some(last), Some(interval)) = (&self.term, price.interval) else {
            return Ok(None);
        };
        let next = match self.restarts {
            true => last.restart(at, interval, price.zone.clone())?,
            false => last.next()?,
        };
        Ok(Some(next))
    }
}

impl Draft<'_> {
    /// Bills the period that begins at `at`.
    pub(super) fn begin_period(&mut self, at: Timestamp) -> Result<(), Refusal> {
        if self.subscription.is_in_last_period() {
            return self.end_unrenewed();
        }
        let subscription = &mut self.subscription;
        let Some(term) = subscription.next_term(at)? else {
            subscription.next_billing_at = None;
            return Ok(());
        };
        let plan = &subscription.plan;
        let charge = Charge::for_term(&plan.price, &plan.name, plan.quantity, &term)?;
        let period = term.period;
        subscription.next_billing_at = Some(period.end);
        subscription.term = Some(term);
        subscription.count_cycle(false);
        subscription.restarts = false;
        if std::mem::take(&mut subscription.holds_charge) {
            self.subscription.unbilled.push(charge);
            return Ok(());
        }
        self.bill_all(vec![charge], Some(period))
    }

    /// Limits charges that are on no invoice yet to the time before `at`.
    pub(super) fn cut_unbilled(&mut self, at: Timestamp) {
        let unbilled = std::mem::take(&mut self.subscription.unbilled);
        let cut = unbilled.into_iter().filter_map(|charge| charge.until(at));
        self.subscription.unbilled = cut.collect();
    }

    /// Bills these charges together with everything held for the next invoice.
    pub(super) fn bill_all(
        &mut self,
        charges: Vec<Charge>,
        period: Option<Period>,
    ) -> Result<(), Refusal> {
        self.subscription.record_returnable();
        let owed = std::mem::take(&mut self.subscription.owed);
        let (later, owed): (Vec<Owed>, Vec<Owed>) =
            owed.into_iter().partition(|owed| self.is_owed_later(owed));
        let subscription = &mut self.subscription;
        subscription.owed = later;
        let mut all = std::mem::take(&mut subscription.unbilled);
        all.extend(charges);
        let mut returned = self.limit_returns(owed);
        if all.is_empty() && returned.is_empty() {
            return Ok(());
        }
        if all.len() < 2 {
            return self.make_invoice(all, returned, period);
        }
        let whole = self.make_invoice(all.clone(), returned.clone(), period);
        if whole.is_ok() {
            return Ok(());
        }
        // The sum exceeds the limit of one payment, so each charge gets its own invoice. The period's own charge comes
        // last.
        let last = all.len() - 1;
        for (index, charge) in all.into_iter().enumerate() {
            let period = period.filter(|_| index == last);
            let returned = std::mem::take(&mut returned);
            self.make_invoice(vec![charge], returned, period)?;
        }
        Ok(())
    }

    /// Checks whether something can be returned now.
    pub(super) fn owes_by_now(&self) -> bool {
        let mut owed = self.subscription.owed.iter();
        owed.any(|owed| !self.is_owed_later(owed))
    }

    /// Checks whether the return must wait, because the invoice that charged it is still unpaid.
    fn is_owed_later(&self, owed: &Owed) -> bool {
        let mut invoices = self.invoices.iter();
        invoices.any(|invoice| invoice.invoice_id == owed.invoice_id && invoice.is_open())
    }

    /// Makes an invoice and has it charged: at once in a worker, else by a worker.
    fn make_invoice(
        &mut self,
        charges: Vec<Charge>,
        returned: Vec<Returned>,
        period: Option<Period>,
    ) -> Result<(), Refusal> {
        let now = self.context.now;
        let subscription = &mut self.subscription;
        let term = subscription.term.as_ref();
        let begins = term.map_or(now, |term| term.period.start);
        let coupon = subscription.coupon.as_ref();
        let coupon = coupon.filter(|coupon| coupon.applies(begins));
        let draft = InvoiceDraft {
            currency: subscription.plan.price.currency,
            charges,
            returned,
            coupon,
            credit_minor: subscription.credit,
            carried_minor: subscription.carried,
            chargeable: self.context.chargeable,
        };
        let billed = draft.compute()?;
        if billed.is_coupon_used {
            subscription.coupon = coupon.map(|coupon| coupon.used(begins));
        }
        subscription.credit += billed.credit_given_minor - billed.credit_used_minor;
        subscription.carried = billed.carried_over_minor;
        subscription.invoices += 1;
        let invoice_id = self.context.ids.invoice_id();
        subscription
            .charged
            .retain(|stretch| stretch.charged.period.end > begins);
        let stretch = |charged| ChargedStretch {
            invoice_id: invoice_id.clone(),
            charged,
            unread: UnreadMembers::default(),
        };
        let charged = billed.charged.iter().cloned().map(stretch);
        subscription.charged.extend(charged);
        subscription.record_returnable();
        if !subscription.status.is_final() {
            subscription.forget_unreturnable(now);
            subscription.forget_credited(now);
        }
        let mut invoice = Invoice::new(subscription, invoice_id.clone(), now);
        invoice.bill(&billed, period);
        let is_free = invoice.amount == 0;
        invoice.due_at = (!is_free).then_some(now);
        self.invoices.push(invoice);
        if is_free {
            self.pay(&invoice_id, InvoiceTrigger::NothingDue, None)
        } else if self.goes_on {
            self.charge(&invoice_id)
        } else {
            Ok(())
        }
    }
}
