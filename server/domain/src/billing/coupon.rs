//! Discounts that customers ask for by a code.

use serde::{Deserialize, Serialize};

use super::rounding::{WHOLE_BASIS_POINTS, share};
use super::texts;
use crate::currency::Currency;
use crate::ids::{ConnectorAccountId, CouponCode, MerchantId};
use crate::money::check_amount;
use crate::record_object::record_object;
use crate::refusal::Refusal;
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;

/// The most invoices that a repeating coupon may discount.
pub const MOST_PERIODS: u32 = 1_000;
/// The most subscriptions that a limited coupon may be redeemed for.
pub const MOST_REDEMPTIONS: u32 = 1_000_000_000;

/// By how much. A stored one with other members is refused: without them it would be another discount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Discount {
    /// Hundredths of a percent of what the invoice charges: 1250 are 12.5 %.
    Percent { basis_points: u32 },
    /// So much of each invoice, in minor units; at most what it charges.
    Amount {
        amount_minor: i64,
        currency: Currency,
    },
}

/// For how many of a subscription's invoices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum CouponDuration {
    /// The first one that charges anything.
    Once,
    /// The first so many.
    Repeating { periods: u32 },
    /// All.
    Forever,
}

impl Discount {
    /// What it takes off charges of this sum, of which the discounted amount counts in full at `part` of `whole`.
    pub(super) fn of(&self, charges_minor: i64, (part, whole): (i64, i64)) -> i64 {
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
    /// A coupon of a billing account. How often it was redeemed is counted beside it.
    #[derive(Eq)]
    pub struct Coupon {
        merchant_id: MerchantId,
        merchant_connector_id: ConnectorAccountId,
        code: CouponCode,
        /// As it stands on the invoice.
        name: String,
        discount: Discount,
        duration: CouponDuration,
        is_archived: bool,
        created_at: Timestamp,
        modified_at: Timestamp,
    } and maybe {
        /// Redeemed from this moment on.
        valid_from: Timestamp,
        /// Redeemed before this moment; what was redeemed goes on.
        valid_until: Timestamp,
        /// For so many subscriptions.
        max_redemptions: u32,
    }
}

/// What a caller says of a new one.
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
    /// A new coupon.
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

    /// The coupon as one subscription in this currency uses it, when it was redeemed so often before.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] saying why it can't be redeemed.
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
        /// How many invoices of periods it has discounted.
        invoices_discounted: u32,
    } and maybe {}
}

impl AppliedCoupon {
    /// Whether the next invoice of a period is discounted.
    pub fn applies(&self) -> bool {
        match self.duration {
            CouponDuration::Once => self.invoices_discounted == 0,
            CouponDuration::Repeating { periods } => self.invoices_discounted < periods,
            CouponDuration::Forever => true,
        }
    }

    /// After one more invoice that it discounted.
    pub fn used(&self) -> Self {
        AppliedCoupon {
            invoices_discounted: self.invoices_discounted.saturating_add(1),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::catalogue::Catalogued;

    fn coupon(discount: Discount, duration: CouponDuration) -> NewCoupon {
        NewCoupon {
            code: CouponCode::parse("SPRING").expect("a code"),
            name: "Spring".to_owned(),
            discount,
            duration,
            valid_from: None,
            valid_until: None,
            max_redemptions: None,
        }
    }

    fn create(new: NewCoupon) -> Result<Coupon, Refusal> {
        Coupon::create(
            MerchantId::parse("m").expect("an id"),
            ConnectorAccountId::parse("mca_1").expect("an id"),
            new,
            Timestamp::EPOCH,
        )
    }

    const TENTH: Discount = Discount::Percent {
        basis_points: 1_000,
    };

    #[test]
    fn one_out_of_bounds_is_refused_by_its_member() {
        let euros = |amount_minor| Discount::Amount {
            amount_minor,
            currency: Currency::EUR,
        };
        let percent = |basis_points| Discount::Percent { basis_points };
        let repeating = |periods| CouponDuration::Repeating { periods };
        let mut table = vec![
            (
                coupon(percent(0), CouponDuration::Once),
                "discount_basis_points",
            ),
            (
                coupon(percent(10_001), CouponDuration::Once),
                "discount_basis_points",
            ),
            (coupon(euros(0), CouponDuration::Once), "discount_amount"),
            (coupon(euros(-1), CouponDuration::Once), "discount_amount"),
            (coupon(TENTH, repeating(0)), "duration_periods"),
            (
                coupon(TENTH, repeating(MOST_PERIODS + 1)),
                "duration_periods",
            ),
        ];
        let plain = || coupon(TENTH, CouponDuration::Once);
        let now = Some(Timestamp::EPOCH);
        table.push((
            NewCoupon {
                valid_from: now,
                valid_until: now,
                ..plain()
            },
            "valid_until",
        ));
        table.push((
            NewCoupon {
                max_redemptions: Some(0),
                ..plain()
            },
            "max_redemptions",
        ));
        table.push((
            NewCoupon {
                name: " ".to_owned(),
                ..plain()
            },
            "name",
        ));
        for (new, expected) in table {
            match create(new) {
                Err(Refusal::InvalidFormat { member, .. }) => assert_eq!(member, expected),
                other => panic!("{expected}: {other:?}"),
            }
        }
        assert!(create(plain()).is_ok());
    }

    #[test]
    fn it_is_redeemed_in_time_and_number_and_currency() {
        let at = |seconds| Timestamp::EPOCH.plus_seconds(seconds).expect("in range");
        let limited = create(NewCoupon {
            valid_from: Some(at(10)),
            valid_until: Some(at(20)),
            max_redemptions: Some(2),
            ..coupon(
                Discount::Amount {
                    amount_minor: 5,
                    currency: Currency::EUR,
                },
                CouponDuration::Once,
            )
        })
        .expect("a coupon");
        let said = |currency, redemptions, seconds| {
            limited
                .redeem(currency, redemptions, at(seconds))
                .map_err(|refusal| refusal.to_string())
        };
        assert!(said(Currency::EUR, 1, 10).is_ok());
        assert!(said(Currency::EUR, 1, 19).is_ok());
        let mut refusals = Vec::new();
        for (currency, redemptions, seconds) in [
            (Currency::EUR, 1, 9),
            (Currency::EUR, 1, 20),
            (Currency::EUR, 2, 15),
            (Currency::USD, 1, 15),
        ] {
            refusals.push(said(currency, redemptions, seconds).expect_err("not redeemed"));
        }
        let archived = limited.archived(at(1));
        assert_eq!(archived.archived(at(2)).modified_at, at(1));
        refusals.push(
            archived
                .redeem(Currency::EUR, 0, at(15))
                .expect_err("archived")
                .to_string(),
        );
        insta::assert_snapshot!(refusals.join("\n"), @r"
        coupon_code SPRING can't be redeemed: it isn't valid yet
        coupon_code SPRING can't be redeemed: it isn't valid any more
        coupon_code SPRING can't be redeemed: it was redeemed as often as it may be
        coupon_code SPRING can't be redeemed: it is in EUR
        coupon_code SPRING can't be redeemed: it is archived
        ");
    }

    #[test]
    fn it_discounts_as_many_invoices_as_it_says() {
        for (duration, expected) in [
            (CouponDuration::Once, 1),
            (CouponDuration::Repeating { periods: 3 }, 3),
            (CouponDuration::Forever, 12),
        ] {
            let coupon = create(coupon(TENTH, duration)).expect("a coupon");
            let mut applied = coupon
                .redeem(Currency::EUR, 0, Timestamp::EPOCH)
                .expect("redeemed");
            let mut discounted = 0;
            for _ in 0..12 {
                if applied.applies() {
                    discounted += 1;
                    applied = applied.used();
                }
            }
            assert_eq!(discounted, expected, "{duration:?}");
        }
    }
}
