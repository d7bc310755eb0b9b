//! Charges for a stretch of time, and their return when the time isn't used.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ItemId, ItemPriceId};
use multirail_kernel::money::MAX_AMOUNT_MINOR;
use multirail_kernel::record_object::record_object;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

use super::BillingError;
use super::calendar::Period;
use super::price::Price;
use super::rounding::{share, spread};
use super::tax::{ChargedTax, TaxRate};
use super::term::{Term, TermKind};

words! {
    /// The kind of a charge.
    pub enum ChargeKind {
        /// A whole billing period.
        Subscription = "subscription",
        /// A trial, which costs nothing.
        Trial = "trial",
        /// A part of a period: the rest after a change of plan, or the part before a pause.
        Proration = "proration",
        /// A one-time payment.
        SinglePayment = "single_payment",
    }
}

words! {
    /// The handling of charges for a term that ends early. (Facts 1.17)
    pub enum ReturnOption {
        None = "none",
        Prorate = "prorate",
        Full = "full",
    }
}

record_object! {
    /// A charge before discounts and taxes: a line of the next invoice.
    #[derive(Eq)]
    pub struct Charge {
        kind: ChargeKind,
        /// The item's name.
        description: String,
        item_price_id: ItemPriceId,
        currency: Currency,
        quantity: u32,
        /// The price of one piece for a whole period.
        unit_amount_minor: i64,
        /// The price of all pieces for this period.
        amount_minor: i64,
        period: Period,
        taxes: Vec<TaxRate>,
    } and maybe {
        /// The whole period, if `period` is only a part of it.
        whole: Period,
        /// The item that the price belongs to. Charges stored by earlier versions have none.
        item_id: ItemId,
    }
}

impl Charge {
    /// Charges a whole term. A trial costs nothing.
    ///
    /// # Errors
    /// [`BillingError::TooLarge`] if all pieces together exceed the limit of one payment.
    pub fn for_term(
        price: &Price,
        name: &str,
        quantity: u32,
        term: &Term,
    ) -> Result<Self, BillingError> {
        let (kind, amount_minor) = match term.kind {
            TermKind::Trial => (ChargeKind::Trial, 0),
            TermKind::Paid => (ChargeKind::Subscription, amount_of_all(price, quantity)?),
        };
        Ok(Charge::new(
            price,
            name,
            quantity,
            kind,
            amount_minor,
            term.period,
        ))
    }

    /// Charges a one-time payment. Its period is empty, so nothing of it can be returned.
    ///
    /// # Errors
    /// The same as [`Charge::for_term`].
    pub fn for_single_payment(
        price: &Price,
        name: &str,
        quantity: u32,
        at: Timestamp,
    ) -> Result<Self, BillingError> {
        let period = Period { start: at, end: at };
        let amount_minor = amount_of_all(price, quantity)?;
        let kind = ChargeKind::SinglePayment;
        Ok(Charge::new(
            price,
            name,
            quantity,
            kind,
            amount_minor,
            period,
        ))
    }

    /// Charges the part of a period from this moment on. Returns `None` if the period is over.
    ///
    /// # Errors
    /// The same as [`Charge::for_term`].
    pub fn for_rest(
        price: &Price,
        name: &str,
        quantity: u32,
        whole: &Period,
        from: Timestamp,
    ) -> Result<Option<Self>, BillingError> {
        let Some(rest) = whole.from(from) else {
            return Ok(None);
        };
        let amount_minor = share(
            amount_of_all(price, quantity)?,
            rest.micros(),
            whole.micros(),
        );
        let mut charge = Charge::new(
            price,
            name,
            quantity,
            ChargeKind::Proration,
            amount_minor,
            rest,
        );
        charge.whole = Some(*whole);
        Ok(Some(charge))
    }

    /// Returns the charge for the part of its period before this moment, or `None` if the period hasn't begun.
    pub fn until(self, moment: Timestamp) -> Option<Self> {
        let Some(rest) = self.period.from(moment) else {
            return Some(self);
        };
        let past = self.period.until(moment)?;
        let unused = share(self.amount_minor, rest.micros(), self.period.micros());
        Some(Charge {
            kind: ChargeKind::Proration,
            amount_minor: self.amount_minor - unused,
            whole: self.whole.or(Some(self.period)),
            period: past,
            ..self
        })
    }

    /// Returns the length of the charged period and of the whole period.
    pub(super) fn portion(&self) -> (i64, i64) {
        match &self.whole {
            Some(whole) => (self.period.micros(), whole.micros()),
            None => (1, 1),
        }
    }

    fn new(
        price: &Price,
        name: &str,
        quantity: u32,
        kind: ChargeKind,
        amount_minor: i64,
        period: Period,
    ) -> Self {
        Charge {
            kind,
            description: name.to_owned(),
            item_price_id: price.item_price_id.clone(),
            currency: price.currency,
            quantity,
            unit_amount_minor: price.amount_minor,
            amount_minor,
            period,
            taxes: price.taxes.clone(),
            whole: None,
            item_id: Some(price.item_id.clone()),
            unread: UnreadMembers::NONE,
        }
    }
}

fn amount_of_all(price: &Price, quantity: u32) -> Result<i64, BillingError> {
    price
        .amount_minor
        .checked_mul(i64::from(quantity))
        .filter(|amount| (0..=MAX_AMOUNT_MINOR).contains(amount))
        .ok_or(BillingError::TooLarge)
}

record_object! {
    /// A charge of an invoice after discounts. It can be returned later.
    #[derive(Eq)]
    pub struct Charged {
        description: String,
        item_price_id: ItemPriceId,
        currency: Currency,
        period: Period,
        net_minor: i64,
        taxes: Vec<ChargedTax>,
        /// True if a coupon reduced the charge.
        is_discounted: bool,
    } and maybe {
        item_id: ItemId,
    }
}

record_object! {
    /// The part of a charge that is returned, because its time isn't used.
    #[derive(Eq)]
    pub struct Returned {
        description: String,
        item_price_id: ItemPriceId,
        currency: Currency,
        period: Period,
        net_minor: i64,
        taxes: Vec<ChargedTax>,
    } and maybe {
        item_id: ItemId,
    }
}

impl Charged {
    /// Splits the charge into the part that remains charged and the part to return when the term ends at this moment.
    /// Both parts add up to the charge exactly. Nothing of a period that is over is returned.
    pub fn split(&self, at: Timestamp, how: ReturnOption) -> (Option<Charged>, Option<Returned>) {
        let Some(rest) = self.period.from(at) else {
            return (Some(self.clone()), None);
        };
        match how {
            ReturnOption::None => (Some(self.clone()), None),
            ReturnOption::Full => (None, self.whole_back()),
            ReturnOption::Prorate => {
                let returned = self.give_back(rest, rest.micros(), self.period.micros());
                let kept = self
                    .period
                    .until(at)
                    .map(|past| self.without(&returned, past));
                (kept, returned.worth_a_line())
            }
        }
    }

    /// Returns the charge in full, even for time that has passed. The result is `None` if the charge was 0.
    pub fn whole_back(&self) -> Option<Returned> {
        self.give_back(self.period, 1, 1).worth_a_line()
    }

    /// Returns the amount with taxes.
    pub fn gross_minor(&self) -> i64 {
        self.net_minor + self.taxes.iter().map(|tax| tax.amount_minor).sum::<i64>()
    }

    fn give_back(&self, period: Period, part: i64, whole: i64) -> Returned {
        let taxes = self.taxes.iter();
        Returned {
            description: self.description.clone(),
            item_id: self.item_id.clone(),
            item_price_id: self.item_price_id.clone(),
            currency: self.currency,
            period,
            net_minor: share(self.net_minor, part, whole),
            taxes: taxes
                .map(|tax| tax.with(share(tax.amount_minor, part, whole)))
                .collect(),
            unread: UnreadMembers::NONE,
        }
    }

    fn without(&self, returned: &Returned, period: Period) -> Charged {
        let taxes = self.taxes.iter().zip(&returned.taxes);
        Charged {
            period,
            net_minor: self.net_minor - returned.net_minor,
            taxes: taxes
                .map(|(tax, back)| tax.with(tax.amount_minor - back.amount_minor))
                .collect(),
            ..self.clone()
        }
    }
}

impl Returned {
    /// Limits the returned amount to `most_minor` minor units, taxes included. Returns `None` if nothing remains.
    pub fn at_most(self, most_minor: i64) -> Option<Self> {
        if self.gross_minor() <= most_minor {
            return self.worth_a_line();
        }
        let taxes = self.taxes.iter().map(|tax| tax.amount_minor);
        let parts: Vec<i64> = std::iter::once(self.net_minor).chain(taxes).collect();
        let mut shares = spread(most_minor.max(0), &parts).into_iter();
        let net_minor = shares.next().unwrap_or(0);
        let taxes = self.taxes.iter().zip(shares);
        let part = Returned {
            net_minor,
            taxes: taxes.map(|(tax, share)| tax.with(share)).collect(),
            ..self.clone()
        };
        part.worth_a_line()
    }

    /// Returns `None` if the amount is 0.
    fn worth_a_line(self) -> Option<Self> {
        (self.gross_minor() > 0).then_some(self)
    }

    /// Returns the amount with taxes.
    pub fn gross_minor(&self) -> i64 {
        self.net_minor + self.taxes.iter().map(|tax| tax.amount_minor).sum::<i64>()
    }
}
