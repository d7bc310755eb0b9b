//! Changes the price of a subscription. (Facts 7.11)

use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;

use crate::change::change_plan;
use crate::charge::{Charged, ReturnOption};
use crate::price::Price;
use crate::subscription::draft::Draft;
use crate::subscription::{ChargedStretch, Invoice, Owed, Plan, Subscription};
use crate::term::Term;

/// The new plan from now on.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// The name on lines of invoices.
    pub name: String,
    pub price: Price,
    /// Unchanged if unset.
    pub quantity: Option<u32>,
}

/// The maximum number of prices in one term.
const MOST_PRICES: usize = 100;

impl Draft<'_> {
    /// Returns the plan after the update, or `None` if nothing changes.
    pub(super) fn changed_plan(&self, update: Update) -> Option<Plan> {
        let now = &self.subscription.plan;
        let quantity = update.quantity.unwrap_or(now.quantity);
        // A stored price never changes.
        let is_same = update.price.item_price_id == now.price.item_price_id;
        (!is_same || quantity != now.quantity).then(|| Plan {
            name: update.name,
            price: update.price,
            quantity,
            unread: UnreadMembers::default(),
        })
    }

    /// Refuses a price of another billing account.
    pub(super) fn check_account(&self, plan: &Plan) -> Result<(), Refusal> {
        let own = &self.subscription.plan.price.merchant_connector_id;
        if plan.price.merchant_connector_id == *own {
            return Ok(());
        }
        Err(Refusal::precondition(format!(
            "item_price_id is a price of another billing account than {own}, which bills this subscription"
        )))
    }

    /// Changes the plan now. An immediate invoice returns the charge for the rest of the period, charges the rest at
    /// the new price, and includes everything held for the next invoice. With another interval a new period begins now.
    pub(super) fn update(&mut self, update: Update) -> Result<(), Refusal> {
        if !self.status().is_running() {
            return Err(self.refusal("update"));
        }
        let Some(plan) = self.changed_plan(update) else {
            return Ok(());
        };
        if self.invoices.iter().any(Invoice::is_open) {
            return Err(Refusal::precondition(
                "You cannot update this subscription while one of its invoices is open",
            ));
        }
        if self.subscription.charged.len() >= MOST_PRICES {
            return Err(Refusal::precondition(format!(
                "You cannot update this subscription: it has had {MOST_PRICES} prices in this period"
            )));
        }
        self.check_account(&plan)?;
        let now = self.context.now;
        let subscription = &mut self.subscription;
        if plan.price.currency != subscription.plan.price.currency {
            return Err(Refusal::invalid_value(
                "item_price_id is a price in another currency than the subscription's",
            ));
        }
        let Some(term) = subscription
            .term
            .clone()
            .filter(|_| !plan.price.is_single_payment())
        else {
            return Err(Refusal::invalid_value(
                "item_price_id is a price that is paid once: there is nothing to go over to",
            ));
        };
        plan.price.check_quantity(plan.quantity)?;
        plan.check_billable(now)?;
        let charged: Vec<Charged> = subscription
            .charged
            .iter()
            .map(|stretch| stretch.charged.clone())
            .collect();
        let (price, name, quantity) = (&plan.price, plan.name.as_str(), plan.quantity);
        let change = change_plan(&term, &charged, price, name, quantity, now)?;
        let period = change.term.period;
        let is_anew = period.start != term.period.start;
        let is_other = plan.price.item_price_id != subscription.plan.price.item_price_id;
        subscription.plan = plan;
        // A pause or cancellation planned for the end of the term moves to its new end.
        if let Some(end) = subscription.next_billing_at.replace(period.end) {
            let follows = subscription.pauses_with_term;
            subscription.pausing_at = subscription.pausing_at.map(|at| {
                let follows = follows.unwrap_or(at == end);
                if follows { period.end } else { at }
            });
            if let Some(cancelling) = &mut subscription.cancelling {
                cancelling.follow(end, period.end);
            }
        }
        subscription.term = Some(change.term);
        if is_other {
            subscription.count_cycle(true);
        } else if is_anew {
            subscription.count_cycle(false);
        }
        if change.charges.is_empty() && change.returned.is_empty() {
            return Ok(());
        }
        self.cut_unbilled(now);
        let subscription = &mut self.subscription;
        subscription.note_discounted(&term);
        subscription.record_returnable();
        // Charges for the rest of the term are returned now. Charges for the earlier part can still be returned later,
        // with a return of the whole term.
        for stretch in std::mem::take(&mut subscription.charged) {
            let (kept, returned) = stretch.charged.split(now, ReturnOption::Prorate);
            subscription.owed.extend(returned.map(|returned| Owed {
                invoice_id: stretch.invoice_id.clone(),
                returned,
                unread: UnreadMembers::default(),
            }));
            let kept = kept.filter(|kept| kept.gross_minor() > 0);
            subscription
                .charged
                .extend(kept.map(|charged| ChargedStretch { charged, ..stretch }));
        }
        self.bill_all(change.charges, is_anew.then_some(period))
    }
}

impl Subscription {
    /// Fills in the last period that the coupon discounted, which records of earlier versions lack. The charges of the
    /// current term show it.
    fn note_discounted(&mut self, term: &Term) {
        let mut charged = self.charged.iter();
        let is_discounted = charged.any(|stretch| stretch.charged.is_discounted);
        let coupon = self.coupon.as_mut();
        if let Some(coupon) = coupon.filter(|_| is_discounted) {
            coupon.discounted_from = Some(term.period.start);
        }
    }
}
