//! Computes an invoice: its lines add up to its total, which is never negative.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ItemId, ItemPriceId};
use multirail_kernel::money::{MAX_AMOUNT_MINOR, Money};
use multirail_kernel::record_object::record_object;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

use super::BillingError;
use super::calendar::Period;
use super::charge::{Charge, ChargeKind, Charged, Returned};
use super::chargeable::Chargeable;
use super::coupon::{AppliedCoupon, Discount};
use super::item::ItemType;
use super::rounding::{WHOLE_MILLIONTHS, share, spread};
use super::tax::{ChargedTax, TaxRate};

/// The maximum number of lines of charges on one invoice.
pub const MOST_CHARGES: usize = 500;

words! {
    /// The kind of an invoice line.
    pub enum LineKind {
        Subscription = "subscription",
        Trial = "trial",
        Proration = "proration",
        SinglePayment = "single_payment",
        /// A coupon; negative.
        Discount = "discount",
        /// Returned charges for unused time, without taxes; negative.
        Return = "return",
        Tax = "tax",
        /// The taxes of returned charges; negative.
        TaxReturn = "tax_return",
        /// An amount taken from the customer's credit; negative.
        CreditUsed = "credit_used",
        /// The excess of returns over charges. It is added to the customer's credit, which makes the total 0.
        CreditGiven = "credit_given",
        /// The amount that earlier invoices carried over to this one.
        CarriedIn = "carried_in",
        /// An amount that is too small to charge and moves to the next invoice, so that the total is 0; negative.
        CarriedOver = "carried_over",
        /// The difference to an amount that processors can charge, of either sign.
        Rounding = "rounding",
    }
}

record_object! {
    /// A line of an invoice.
    #[derive(Eq)]
    pub struct Line {
        kind: LineKind,
        description: String,
        quantity: u32,
        unit_amount_minor: i64,
        /// The amount with its sign. The sum of all lines is the total.
        amount_minor: i64,
    } and maybe {
        item_price_id: ItemPriceId,
        period: Period,
        /// The item that the price belongs to. Lines stored by earlier versions have none.
        item_id: ItemId,
    }
}

impl Line {
    /// Returns the item's type. It is always a plan, because an addon can't be subscribed to alone.
    pub fn item_type(&self) -> Option<ItemType> {
        self.item_id.as_ref().map(|_| ItemType::Plan)
    }

    fn plain(kind: LineKind, description: &str, amount_minor: i64) -> Self {
        Line {
            kind,
            description: description.to_owned(),
            quantity: 1,
            unit_amount_minor: amount_minor,
            amount_minor,
            item_price_id: None,
            period: None,
            item_id: None,
            unread: UnreadMembers::NONE,
        }
    }
}

/// The inputs from which an invoice is computed.
#[derive(Clone, Debug)]
pub struct InvoiceDraft<'a> {
    pub currency: Currency,
    pub charges: Vec<Charge>,
    /// Returns of earlier charges.
    pub returned: Vec<Returned>,
    /// The coupon that discounts the charges.
    pub coupon: Option<&'a AppliedCoupon>,
    /// The customer's credit in this currency, in minor units.
    pub credit_minor: i64,
    /// The amount that earlier invoices carried over, in minor units.
    pub carried_minor: i64,
    /// The amounts that can be charged in this currency.
    pub chargeable: Chargeable,
}

/// A computed invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Billed {
    pub lines: Vec<Line>,
    /// The sum of all lines, which is the amount due. It may be 0.
    pub total: Money,
    /// The sum of the charges before discounts, taxes and returns.
    pub subtotal_minor: i64,
    pub discount_minor: i64,
    pub tax_minor: i64,
    /// The sum of the returns with their taxes.
    pub returned_minor: i64,
    /// The amount to subtract from the customer's credit when the invoice is stored.
    pub credit_used_minor: i64,
    /// The amount to add to the customer's credit when the invoice is stored.
    pub credit_given_minor: i64,
    /// The amount that earlier invoices carried over and this one bills.
    pub carried_in_minor: i64,
    /// The amount left for the next invoice, because it is too small to charge.
    pub carried_over_minor: i64,
    /// The amount added or subtracted to reach an amount that processors can charge.
    pub rounding_minor: i64,
    /// True if the coupon reduced the total.
    pub is_coupon_used: bool,
    /// The charges that can be returned later.
    pub charged: Vec<Charged>,
}

impl InvoiceDraft<'_> {
    /// Computes the invoice in this order:
    ///
    /// 1. Add the charges. Taxes that a price includes are taken out, so its line is net.
    /// 2. Subtract the coupon, add the other taxes, subtract the returns.
    /// 3. Add the amount carried over, subtract the credit.
    /// 4. Round to an amount that processors can charge, or carry over an amount that is too small.
    ///
    /// The discount and each tax are rounded once for the whole invoice (half up) and spread over the charges.
    ///
    /// # Errors
    /// [`BillingError::TooLarge`] for a total above the limit of one payment, [`BillingError::OtherCurrency`].
    pub fn compute(self) -> Result<Billed, BillingError> {
        self.check()?;
        let amounts: Vec<i64> = self
            .charges
            .iter()
            .map(|charge| charge.amount_minor)
            .collect();
        let gross_minor: i64 = amounts.iter().sum();
        let discount = self.discount(gross_minor);
        let discounts = spread(discount.map_or(0, |(_, amount)| amount), &amounts);
        let mut charged: Vec<Charged> = self.charges.iter().zip(&discounts).map(charged).collect();
        let (included, mut taxes) = self.tax_included(&mut charged);
        taxes.extend(self.tax(&mut charged));
        let subtotal_minor = gross_minor - included.iter().sum::<i64>();
        let taxes_back = sum_by_tax(self.returned.iter().flat_map(|returned| &returned.taxes));

        let with_included = self.charges.iter().zip(included);
        let mut lines: Vec<Line> = with_included.map(line_of_charge).collect();
        if let Some((coupon, amount)) = discount {
            lines.push(Line::plain(LineKind::Discount, &coupon.name, -amount));
        }
        lines.extend(self.returned.iter().map(line_of_return));
        lines.extend(
            taxes
                .iter()
                .map(|tax| Line::plain(LineKind::Tax, &tax.name, tax.amount_minor)),
        );
        let back = taxes_back.iter();
        lines
            .extend(back.map(|tax| Line::plain(LineKind::TaxReturn, &tax.name, -tax.amount_minor)));

        if self.carried_minor > 0 {
            lines.push(Line::plain(
                LineKind::CarriedIn,
                "Carried over from earlier invoices",
                self.carried_minor,
            ));
        }
        let due: i64 = lines.iter().map(|line| line.amount_minor).sum();
        let credit_given_minor = (-due).max(0);
        let credit_used_minor = self.credit_minor.clamp(0, due.max(0));
        if credit_given_minor > 0 {
            lines.push(Line::plain(
                LineKind::CreditGiven,
                "Added to your credit",
                credit_given_minor,
            ));
        }
        if credit_used_minor > 0 {
            lines.push(Line::plain(
                LineKind::CreditUsed,
                "Paid from your credit",
                -credit_used_minor,
            ));
        }
        let rest_minor = due.max(0) - credit_used_minor;
        let total_minor = self.chargeable.amount_for(rest_minor);
        let (mut carried_over_minor, mut rounding_minor) = (0, 0);
        if total_minor == 0 && rest_minor > 0 {
            carried_over_minor = rest_minor;
            lines.push(Line::plain(
                LineKind::CarriedOver,
                "Carried over to the next invoice",
                -rest_minor,
            ));
        } else if total_minor != rest_minor {
            rounding_minor = total_minor - rest_minor;
            lines.push(Line::plain(LineKind::Rounding, "Rounding", rounding_minor));
        }
        if total_minor > MAX_AMOUNT_MINOR {
            return Err(BillingError::TooLarge);
        }
        Ok(Billed {
            lines,
            total: Money::new(total_minor, self.currency),
            subtotal_minor,
            discount_minor: discounts.iter().sum(),
            tax_minor: taxes.iter().map(|tax| tax.amount_minor).sum(),
            returned_minor: self.returned.iter().map(Returned::gross_minor).sum(),
            credit_used_minor,
            credit_given_minor,
            carried_in_minor: self.carried_minor.max(0),
            carried_over_minor,
            rounding_minor,
            is_coupon_used: discount.is_some(),
            charged,
        })
    }

    fn check(&self) -> Result<(), BillingError> {
        let charges = self.charges.iter().map(|charge| charge.currency);
        let mut currencies = charges.chain(self.returned.iter().map(|returned| returned.currency));
        if currencies.any(|currency| currency != self.currency) {
            return Err(BillingError::OtherCurrency);
        }
        // With at most this many charges of at most MAX_AMOUNT_MINOR no sum here overflows.
        if self.charges.len() + self.returned.len() > MOST_CHARGES {
            return Err(BillingError::TooLarge);
        }
        Ok(())
    }

    /// Returns the coupon and its discount, if it gives one.
    fn discount(&self, subtotal_minor: i64) -> Option<(&AppliedCoupon, i64)> {
        let coupon = self.coupon?;
        if let Discount::Amount { currency, .. } = coupon.discount
            && currency != self.currency
        {
            return None;
        }
        let amount = coupon.discount.amount_off(subtotal_minor, self.portion()?);
        (amount > 0).then_some((coupon, amount))
    }

    /// Returns the portion of a whole period that is charged, as part and whole. A fixed discount is reduced to this
    /// portion.
    ///
    /// Parts of the same period count together. For several periods the largest portion counts.
    fn portion(&self) -> Option<(i64, i64)> {
        let costs = || self.charges.iter().filter(|it| it.amount_minor > 0);
        let with_its_like = |charge: &Charge| {
            let (part, whole) = charge.portion();
            let likes = costs().filter(|like| charge.whole.is_some() && like.whole == charge.whole);
            let parts: i64 = likes.map(|like| like.portion().0).sum();
            (parts.clamp(part, whole.max(part)), whole)
        };
        costs().map(with_its_like).reduce(larger)
    }

    /// Takes included taxes out of the charges. Returns the included taxes by charge and by tax.
    ///
    /// The taxes of a price are rounded once for all charges with the same rates, so that net and taxes add up to the
    /// price exactly. Their sum is then spread over the charges, and over the taxes of each.
    fn tax_included(&self, charged: &mut [Charged]) -> (Vec<i64>, Vec<ChargedTax>) {
        let mut by_charge = vec![0; self.charges.len()];
        let rates_of = |charge: &Charge| -> Vec<TaxRate> {
            let taxes = charge.taxes.iter();
            taxes.filter(|rate| rate.is_included()).cloned().collect()
        };
        let mut all_rates: Vec<Vec<TaxRate>> = Vec::new();
        for rates in self.charges.iter().map(rates_of) {
            if !rates.is_empty() && !all_rates.contains(&rates) {
                all_rates.push(rates);
            }
        }
        let mut taxes = Vec::new();
        for rates in all_rates {
            let charges = self.charges.iter().zip(charged.iter());
            let bases: Vec<i64> = charges
                .map(|(charge, charged)| match rates_of(charge) == rates {
                    true => charged.net_minor,
                    false => 0,
                })
                .collect();
            let weights: Vec<i64> = rates
                .iter()
                .map(|rate| i64::from(rate.millionths()))
                .collect();
            let rate: i64 = weights.iter().sum();
            let tax = share(bases.iter().sum(), rate, WHOLE_MILLIONTHS + rate);
            let mut sums = vec![0; rates.len()];
            for (index, part) in spread(tax, &bases).into_iter().enumerate() {
                if rates_of(&self.charges[index]) != rates {
                    continue;
                }
                by_charge[index] = part;
                charged[index].net_minor -= part;
                let parts = spread(part, &weights);
                for ((rate, part), sum) in rates.iter().zip(parts).zip(&mut sums) {
                    charged[index].taxes.push(ChargedTax::new(rate, part));
                    *sum += part;
                }
            }
            let came_to = rates.iter().zip(sums).filter(|(_, sum)| *sum > 0);
            taxes.extend(came_to.map(|(rate, sum)| ChargedTax::new(rate, sum)));
        }
        (by_charge, taxes)
    }

    /// Adds every tax that isn't included to the charges that have it, and returns the sum of each tax.
    fn tax(&self, charged: &mut [Charged]) -> Vec<ChargedTax> {
        let mut rates = Vec::new();
        for rate in self.charges.iter().flat_map(|charge| &charge.taxes) {
            if !rate.is_included() && !rates.contains(&rate) {
                rates.push(rate);
            }
        }
        let mut taxes = Vec::new();
        for rate in rates {
            let has_it: Vec<bool> = self
                .charges
                .iter()
                .map(|charge| charge.taxes.contains(rate))
                .collect();
            let bases: Vec<i64> = charged
                .iter()
                .zip(&has_it)
                .map(|(charged, has_it)| if *has_it { charged.net_minor } else { 0 })
                .collect();
            let tax = share(
                bases.iter().sum(),
                i64::from(rate.millionths()),
                WHOLE_MILLIONTHS,
            );
            let shares = spread(tax, &bases);
            for ((charged, has_it), share) in charged.iter_mut().zip(has_it).zip(shares) {
                if has_it {
                    charged.taxes.push(ChargedTax::new(rate, share));
                }
            }
            if tax > 0 {
                taxes.push(ChargedTax::new(rate, tax));
            }
        }
        taxes
    }
}

/// Returns the larger of two portions.
fn larger(one: (i64, i64), other: (i64, i64)) -> (i64, i64) {
    let is_less = i128::from(one.0) * i128::from(other.1) < i128::from(other.0) * i128::from(one.1);
    if is_less { other } else { one }
}

fn charged((charge, discount): (&Charge, &i64)) -> Charged {
    Charged {
        description: charge.description.clone(),
        item_id: charge.item_id.clone(),
        item_price_id: charge.item_price_id.clone(),
        currency: charge.currency,
        period: charge.period,
        net_minor: charge.amount_minor - discount,
        taxes: Vec::new(),
        is_discounted: *discount > 0,
        unread: UnreadMembers::NONE,
    }
}

/// Makes the line of a charge, without the taxes that its price includes.
fn line_of_charge((charge, included): (&Charge, i64)) -> Line {
    let kind = match charge.kind {
        ChargeKind::Subscription => LineKind::Subscription,
        ChargeKind::Trial => LineKind::Trial,
        ChargeKind::Proration => LineKind::Proration,
        ChargeKind::SinglePayment => LineKind::SinglePayment,
    };
    Line {
        kind,
        description: charge.description.clone(),
        quantity: charge.quantity,
        unit_amount_minor: charge.unit_amount_minor,
        amount_minor: charge.amount_minor - included,
        item_id: charge.item_id.clone(),
        item_price_id: Some(charge.item_price_id.clone()),
        period: (!charge.period.is_empty()).then_some(charge.period),
        unread: UnreadMembers::NONE,
    }
}

fn line_of_return(returned: &Returned) -> Line {
    Line {
        item_id: returned.item_id.clone(),
        item_price_id: Some(returned.item_price_id.clone()),
        period: Some(returned.period),
        ..Line::plain(LineKind::Return, &returned.description, -returned.net_minor)
    }
}

/// Sums each tax in the order of its first occurrence and leaves out sums of 0.
fn sum_by_tax<'t>(taxes: impl Iterator<Item = &'t ChargedTax>) -> Vec<ChargedTax> {
    let mut sums: Vec<ChargedTax> = Vec::new();
    for tax in taxes.filter(|tax| tax.amount_minor > 0) {
        let known = sums.iter_mut().find(|sum| {
            sum.name == tax.name
                && sum.basis_points == tax.basis_points
                && sum.parts_per_million == tax.parts_per_million
        });
        match known {
            Some(sum) => sum.amount_minor += tax.amount_minor,
            None => sums.push(tax.clone()),
        }
    }
    sums
}
