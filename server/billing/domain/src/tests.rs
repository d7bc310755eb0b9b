//! Property tests of time and money.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, CouponCode, ItemId, ItemPriceId, MerchantId};
use multirail_kernel::money::MAX_AMOUNT_MINOR;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use proptest::prelude::*;

use super::calendar::{Interval, IntervalUnit, Period, Zone};
use super::change::change_plan;
use super::charge::{Charge, Charged, ReturnOption, Returned};
use super::chargeable::Chargeable;
use super::coupon::{AppliedCoupon, CouponDuration, Discount};
use super::invoice::{Billed, InvoiceDraft, Line, LineKind};
use super::opening::open;
use super::price::Price;
use super::tax::TaxRate;
use super::term::{Term, TermKind};

mod ledger;
mod sums;
mod taxes;

pub(super) fn moment(text: &str) -> Timestamp {
    Timestamp::parse_rfc3339(text).expect(text)
}

pub(super) fn interval(unit: IntervalUnit, count: u16) -> Interval {
    Interval::new(unit, count).expect("an interval")
}

/// Makes a monthly price in euros, named by its amount.
pub(super) fn price(amount_minor: i64) -> Price {
    Price {
        merchant_id: MerchantId::parse("merchant").expect("an id"),
        merchant_connector_id: ConnectorAccountId::parse("mca_1").expect("an id"),
        item_price_id: ItemPriceId::parse(&format!("at-{amount_minor}")).expect("an id"),
        item_id: ItemId::parse("plan").expect("an id"),
        amount_minor,
        currency: Currency::EUR,
        trial_days: 0,
        min_quantity: 1,
        max_quantity: 1_000,
        taxes: Vec::new(),
        zone: Zone::utc(),
        is_archived: false,
        created_at: Timestamp::EPOCH,
        modified_at: Timestamp::EPOCH,
        interval: Some(interval(IntervalUnit::Month, 1)),
        billing_cycles: None,
        unread: UnreadMembers::NONE,
    }
}

pub(super) fn vat(basis_points: u32) -> TaxRate {
    TaxRate::new("VAT", basis_points).expect("a tax")
}

pub(super) fn coupon(discount: Discount, duration: CouponDuration) -> AppliedCoupon {
    AppliedCoupon {
        code: CouponCode::parse("SPRING").expect("a code"),
        name: "Spring".to_owned(),
        discount,
        duration,
        invoices_discounted: 0,
        discounted_from: None,
        unread: UnreadMembers::NONE,
    }
}

/// Prints one line of text for each line of the invoice.
pub(super) fn shown(billed: &Billed) -> String {
    let line = |line: &Line| {
        let period = line.period.map_or(String::new(), |period| {
            format!(
                " {} - {}",
                &period.start.to_string()[..10],
                &period.end.to_string()[..10]
            )
        });
        format!(
            "{:<13}{} x {:>6} = {:>6}  {}{period}",
            line.kind.as_str(),
            line.quantity,
            line.unit_amount_minor,
            line.amount_minor,
            line.description
        )
    };
    let mut lines: Vec<String> = billed.lines.iter().map(line).collect();
    lines.push(format!("total {}", billed.total));
    lines.join("\n")
}
