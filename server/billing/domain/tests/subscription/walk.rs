//! Inputs of the property tests: prices in any zone with periods of any length, and coupons.

use std::collections::BTreeSet;

use multirail_billing_domain::calendar::{Interval, IntervalUnit, Zone};
use multirail_billing_domain::coupon::{AppliedCoupon, CouponDuration, Discount};
use multirail_billing_domain::invoice::{Line, LineKind};
use multirail_billing_domain::price::Price;
use multirail_billing_domain::tax::TaxRate;
use proptest::prelude::*;

use crate::given::*;
use crate::story::*;

/// Amounts so high that no hour is free.
pub(crate) const AMOUNTS: std::ops::Range<i64> = 50_000..500_000;

pub(crate) fn interval() -> impl Strategy<Value = Interval> {
    let lengths = vec![
        (IntervalUnit::Week, 2),
        (IntervalUnit::Month, 1),
        (IntervalUnit::Month, 3),
        (IntervalUnit::Year, 1),
    ];
    proptest::sample::select(lengths)
        .prop_map(|(unit, count)| Interval::new(unit, count).expect("an interval"))
}

/// Makes a price in one of several time zones.
pub(crate) fn any_price() -> impl Strategy<Value = Price> {
    let zones = vec!["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"];
    let cycles = proptest::option::weighted(0.2, 1_u32..6);
    let zones = proptest::sample::select(zones);
    let parts = (AMOUNTS, interval(), cycles, zones, taxes());
    parts.prop_map(
        |(amount_minor, interval, billing_cycles, zone, taxes)| Price {
            amount_minor,
            interval: Some(interval),
            billing_cycles,
            zone: Zone::parse(zone).expect("a zone"),
            taxes,
            ..monthly()
        },
    )
}

/// Makes taxes, each of which is rounded separately.
fn taxes() -> impl Strategy<Value = Vec<TaxRate>> {
    let rates = proptest::collection::vec(1_u32..3_000, 0..3);
    rates.prop_map(|rates| {
        let numbered = rates.iter().enumerate();
        let taxes = numbered.map(|(number, rate)| TaxRate::new(&format!("Tax {number}"), *rate));
        taxes.map(|tax| tax.expect("a tax")).collect()
    })
}

/// Makes a coupon that leaves an amount to pay.
pub(crate) fn any_coupon() -> impl Strategy<Value = AppliedCoupon> {
    let discount = prop_oneof![
        (1_000_u32..9_000).prop_map(|basis_points| Discount::Percent { basis_points }),
        (10_000_i64..40_000).prop_map(|amount_minor| Discount::Amount {
            amount_minor,
            currency: monthly().currency
        }),
    ];
    let duration = prop_oneof![
        Just(CouponDuration::Once {}),
        (1_u32..5).prop_map(|periods| CouponDuration::Repeating { periods }),
        Just(CouponDuration::Forever {}),
    ];
    (discount, duration).prop_map(|(discount, duration)| coupon(discount, duration))
}

/// Checks that the coupon discounts all charges of its first periods, as many as it allows, and no other charges.
pub(crate) fn check_coupon(
    story: &Story,
    coupon: Option<&AppliedCoupon>,
) -> Result<(), TestCaseError> {
    let most = match coupon.map(|coupon| coupon.duration) {
        None => 0,
        Some(CouponDuration::Once {}) => 1,
        Some(CouponDuration::Repeating { periods }) => periods as usize,
        Some(CouponDuration::Forever {}) => usize::MAX,
    };
    // Periods are identified by their end, because a part that is charged later has the same end.
    let mut discounted = BTreeSet::new();
    for invoice in &story.invoices {
        let is_charge =
            |line: &&Line| matches!(line.kind, LineKind::Subscription | LineKind::Proration);
        let charges = || invoice.lines.iter().filter(is_charge);
        let Some(end) = charges().filter_map(|it| it.period).map(|it| it.end).max() else {
            continue;
        };
        let charged: i64 = charges().map(|line| line.amount_minor).sum();
        let lines = invoice.lines.iter();
        let off = lines.filter(|line| line.kind == LineKind::Discount);
        let off = -off.map(|line| line.amount_minor).sum::<i64>();
        prop_assert!((0..=charged).contains(&off));
        let may = discounted.contains(&end) || discounted.len() < most;
        prop_assert!(may || off == 0, "{:?}", invoice);
        // A small discount may round to 0.
        prop_assert!(!may || off > 0 || charged < 1_000, "{:?}", invoice);
        if off > 0 {
            discounted.insert(end);
        }
    }
    let used = story.standing.subscription.coupon.as_ref();
    let used = used.map_or(0, |coupon| coupon.invoices_discounted as usize);
    prop_assert_eq!(used, discounted.len());
    Ok(())
}
