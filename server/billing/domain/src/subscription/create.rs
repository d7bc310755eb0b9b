//! Creates a subscription with its first invoice and first payment. (Facts 7.11)

use multirail_kernel::ids::{
    CustomerId, InvoiceId, MerchantId, PaymentId, ProfileId, SubscriptionId,
};
use multirail_kernel::money::{MAX_AMOUNT_MINOR, Money};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::BillingError;
use crate::calendar::Period;
use crate::chargeable::Chargeable;
use crate::coupon::AppliedCoupon;
use crate::invoice::Billed;
use crate::opening::{self, Opening};
use crate::subscription::{Invoice, Plan, Standing, Subscription, SubscriptionStatus, Try};
use crate::term::Term;

/// The inputs of a create.
#[derive(Clone, Debug)]
pub struct Create {
    pub merchant_id: MerchantId,
    pub subscription_id: SubscriptionId,
    pub profile_id: ProfileId,
    pub customer_id: CustomerId,
    pub merchant_reference_id: Option<String>,
    pub plan: Plan,
    pub coupon: Option<AppliedCoupon>,
    pub invoice_id: InvoiceId,
    /// The id of the first payment.
    pub payment_id: PaymentId,
}

impl Subscription {
    /// Creates an unpaid subscription with its first invoice.
    ///
    /// # Errors
    /// A price, a quantity or a coupon that can't be billed together.
    pub fn create(
        create: Create,
        chargeable: Chargeable,
        now: Timestamp,
    ) -> Result<Standing, Refusal> {
        let Opening { term, billed } =
            create.plan.begin(create.coupon.as_ref(), chargeable, now)?;
        let period = term.as_ref().map(|term| term.period);
        let mut standing = Subscription::unpaid(create, &billed, period, now);
        standing.subscription.term = term;
        Ok(standing)
    }

    fn unpaid(create: Create, billed: &Billed, period: Option<Period>, now: Timestamp) -> Standing {
        let Create {
            merchant_id,
            subscription_id,
            profile_id,
            customer_id,
            merchant_reference_id,
            plan,
            coupon,
            invoice_id,
            payment_id,
        } = create;
        let subscription = Subscription {
            merchant_id,
            subscription_id,
            profile_id,
            customer_id,
            version: 0,
            has_news: false,
            status: SubscriptionStatus::Created,
            merchant_reference_id,
            plan,
            coupon,
            is_coupon_back: false,
            payment_method_id: None,
            refusals: Vec::new(),
            term: None,
            cycles: 0,
            next_billing_at: None,
            restarts: false,
            holds_charge: false,
            charged: Vec::new(),
            unbilled: Vec::new(),
            owed: Vec::new(),
            left: Vec::new(),
            credited: Vec::new(),
            credit: 0,
            carried: billed.carried_over_minor,
            refunding: None,
            refunds: Vec::new(),
            invoices: 1,
            pausing_at: None,
            pauses_with_term: None,
            resuming: None,
            cancelling: None,
            paused_at: None,
            cancelled_at: None,
            cancel_reason_code: None,
            outside: None,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        };
        let mut invoice = Invoice::new(&subscription, invoice_id, now);
        invoice.tries.push(Try::new(payment_id, now));
        invoice.bill(billed, period);
        Standing {
            subscription,
            open: vec![invoice],
        }
    }
}

impl Plan {
    /// Checks whether a request names this plan. The quantity counts only if it is given.
    pub fn is_named(&self, item_price_id: &str, item_id: &str, quantity: Option<u32>) -> bool {
        item_price_id == self.price.item_price_id.as_str()
            && item_id == self.price.item_id.as_str()
            && quantity.is_none_or(|wanted| wanted == self.quantity)
    }

    /// Computes the first term and invoice of a subscription that begins now.
    ///
    /// # Errors
    /// A quantity outside the price's limits, and a price that can't be billed or charged.
    pub fn begin(
        &self,
        coupon: Option<&AppliedCoupon>,
        chargeable: Chargeable,
        now: Timestamp,
    ) -> Result<Opening, Refusal> {
        self.price.check_quantity(self.quantity)?;
        self.check_billable(now)?;
        let (term, billed) = self.opening(coupon, chargeable, now)?;
        // No later invoice would bill the amount carried over.
        if term.is_none() && billed.carried_over_minor > 0 {
            let currency = self.price.currency;
            let due = Money::new(billed.carried_over_minor, currency);
            let minimum = Money::new(chargeable.minimum(), currency);
            return Err(Refusal::precondition(format!(
                "item_price_id comes to {due}, which no payment account of the profile can charge: the least is {minimum}"
            )));
        }
        Ok(Opening { term, billed })
    }

    /// Checks that a whole period can be billed with taxes and without discounts.
    pub(super) fn check_billable(&self, now: Timestamp) -> Result<(), Refusal> {
        let mut price = self.price.clone();
        price.trial_days = 0;
        let opening = opening::open(&price, &self.name, self.quantity, None, 0, now);
        opening.map(drop).map_err(|error| match error {
            // The price doesn't allow a smaller quantity.
            BillingError::TooLarge if self.quantity <= self.price.min_quantity => {
                Refusal::precondition(format!(
                    "item_price_id is too expensive: with its taxes an invoice may be at most {MAX_AMOUNT_MINOR} in minor units"
                ))
            }
            BillingError::TooLarge
            | BillingError::BeyondCalendar
            | BillingError::OtherCurrency
            | BillingError::NoInterval => error.into(),
        })
    }

    /// Computes the first term and invoice for this start.
    pub(super) fn opening(
        &self,
        coupon: Option<&AppliedCoupon>,
        chargeable: Chargeable,
        start: Timestamp,
    ) -> Result<(Option<Term>, Billed), Refusal> {
        let (price, name, quantity) = (&self.price, &self.name, self.quantity);
        let opening =
            opening::open_chargeable(price, name, quantity, coupon, 0, start, chargeable)?;
        Ok((opening.term, opening.billed))
    }
}
