//! Coupons: discounts that a customer redeems by a code.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, CouponCode, MerchantId};
use multirail_kernel::money::check_amount;
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use super::rounding::{WHOLE_BASIS_POINTS, share};
use super::texts;

/// The maximum number of invoices that a repeating coupon may discount.
pub const MOST_PERIODS: u32 = 1_000;
/// The maximum of `max_redemptions`, in subscriptions.
pub const MOST_REDEMPTIONS: u32 = 1_000_000_000;

/// The size of a discount. A stored discount with unknown members is refused, because they could change its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Discount {
    /// A share of each invoice's charges in hundredths of a percent: 1250 means 12.5 %.
    Percent { basis_points: u32 },
    /// A fixed amount off each invoice in minor units, at most the invoice's charges.
    Amount {
        amount_minor: i64,
        currency: Currency,
    },
}

/// The number of a subscription's invoices that a coupon discounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum CouponDuration {
    /// The first invoice that charges anything. The braces make the reader refuse members of a later version.
    Once {},
    /// The first `periods` invoices.
    Repeating { periods: u32 },
    /// All invoices.
    Forever {},
}

impl Discount {
    /// Returns the discount on these charges. A fixed amount is reduced to `part` of `whole`.
    pub(super) fn amount_off(&self, charges_minor: i64, (part, whole): (i64, i64)) -> i64 {
        match self {
            Discount::Percent { basis_points } => {
                share(charges_minor, i64::from(*basis_points), WHOLE_BASIS_POINTS)
            }
            Discount::Amount { amount_minor, .. } => {
                share(*amount_minor, part, whole).min(charges_minor)
            }
        }
    }

    fn check(&self) -> Result<(), Refusal> {
        match self {
            Discount::Percent { basis_points } => {
                let is_fit = (1..=WHOLE_BASIS_POINTS).contains(&i64::from(*basis_points));
                is_fit.then_some(()).ok_or_else(|| {
                    Refusal::invalid_format(
                        "discount_basis_points",
                        format!("1 to {WHOLE_BASIS_POINTS}, in hundredths of a percent"),
                    )
                })
            }
            Discount::Amount {
                amount_minor: 0, ..
            } => Err(Refusal::invalid_format(
                "discount_amount",
                "a whole number of minor units above 0",
            )),
            Discount::Amount { amount_minor, .. } => check_amount("discount_amount", *amount_minor),
        }
    }
}

record_object! {
    /// A coupon of a billing account. Its redemptions are counted in a separate column.
    #[derive(Eq)]
    pub struct Coupon {
        merchant_id: MerchantId,
        merchant_connector_id: ConnectorAccountId,
        code: CouponCode,
        /// The name on the invoice.
        name: String,
        discount: Discount,
        duration: CouponDuration,
        is_archived: bool,
        created_at: Timestamp,
        modified_at: Timestamp,
    } and maybe {
        /// The first moment at which the coupon can be redeemed.
        valid_from: Timestamp,
        /// The moment from which the coupon can't be redeemed any more. Earlier redemptions stay valid.
        valid_until: Timestamp,
        /// The maximum number of subscriptions that may redeem the coupon.
        max_redemptions: u32,
    }
}

/// The caller's values for a new coupon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCoupon {
    pub code: CouponCode,
    pub name: String,
    pub discount: Discount,
    pub duration: CouponDuration,
    pub valid_from: Option<Timestamp>,
    pub valid_until: Option<Timestamp>,
    pub max_redemptions: Option<u32>,
}

impl Coupon {
    /// Creates a coupon.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming the member that is out of bounds.
    pub fn create(
        merchant_id: MerchantId,
        merchant_connector_id: ConnectorAccountId,
        new: NewCoupon,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        new.discount.check()?;
        if let CouponDuration::Repeating { periods } = new.duration
            && !(1..=MOST_PERIODS).contains(&periods)
        {
            return Err(Refusal::invalid_format(
                "duration_periods",
                format!("1 to {MOST_PERIODS}"),
            ));
        }
        if let (Some(from), Some(until)) = (new.valid_from, new.valid_until)
            && from >= until
        {
            return Err(Refusal::invalid_format(
                "valid_until",
                "a moment after valid_from",
            ));
        }
        if let Some(most) = new.max_redemptions
            && !(1..=MOST_REDEMPTIONS).contains(&most)
        {
            return Err(Refusal::invalid_format(
                "max_redemptions",
                format!("1 to {MOST_REDEMPTIONS}"),
            ));
        }
        Ok(Coupon {
            merchant_id,
            merchant_connector_id,
            code: new.code,
            name: texts::name("name", &new.name)?,
            discount: new.discount,
            duration: new.duration,
            is_archived: false,
            created_at: now,
            modified_at: now,
            valid_from: new.valid_from,
            valid_until: new.valid_until,
            max_redemptions: new.max_redemptions,
            unread: UnreadMembers::NONE,
        })
    }

    /// Redeems the coupon for one subscription in this currency. `redemptions` counts the earlier ones.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] with the reason why it can't be redeemed.
    pub fn redeem(
        &self,
        currency: Currency,
        redemptions: u32,
        now: Timestamp,
    ) -> Result<AppliedCoupon, Refusal> {
        let no = |why: &str| {
            Err(Refusal::precondition(format!(
                "coupon_code {} can't be redeemed: {why}",
                self.code
            )))
        };
        if self.is_archived {
            return no("it is archived");
        }
        if self.valid_from.is_some_and(|from| now < from) {
            return no("it isn't valid yet");
        }
        if self.valid_until.is_some_and(|until| now >= until) {
            return no("it isn't valid any more");
        }
        if self.max_redemptions.is_some_and(|most| redemptions >= most) {
            return no("it was redeemed as often as it may be");
        }
        match self.discount {
            Discount::Amount {
                currency: other, ..
            } if other != currency => no(&format!("it is in {other}")),
            Discount::Amount { .. } | Discount::Percent { .. } => Ok(AppliedCoupon {
                code: self.code.clone(),
                name: self.name.clone(),
                discount: self.discount,
                duration: self.duration,
                invoices_discounted: 0,
                discounted_from: None,
                unread: UnreadMembers::NONE,
            }),
        }
    }
}

record_object! {
    /// A coupon as one subscription uses it.
    #[derive(Eq)]
    pub struct AppliedCoupon {
        code: CouponCode,
        name: String,
        discount: Discount,
        duration: CouponDuration,
        /// The number of billing periods whose invoices it has discounted.
        invoices_discounted: u32,
    } and maybe {
        /// The start of the last period that it discounted. It also discounts any further invoice of that period.
        discounted_from: Timestamp,
    }
}

impl AppliedCoupon {
    /// Checks whether the coupon discounts charges of the period with this start: a period that it already discounts,
    /// or one more within its duration.
    pub fn applies(&self, period_start: Timestamp) -> bool {
        if self.discounted_from == Some(period_start) {
            return true;
        }
        match self.duration {
            CouponDuration::Once {} => self.invoices_discounted == 0,
            CouponDuration::Repeating { periods } => self.invoices_discounted < periods,
            CouponDuration::Forever {} => true,
        }
    }

    /// Returns the coupon after it discounted an invoice of the period with this start. A period counts once, however
    /// many invoices it has.
    pub fn used(&self, period_start: Timestamp) -> Self {
        let is_first = self.discounted_from != Some(period_start);
        AppliedCoupon {
            invoices_discounted: self.invoices_discounted.saturating_add(u32::from(is_first)),
            discounted_from: Some(period_start),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests;
