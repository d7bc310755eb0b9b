//! What the engine offers. Two plans work; a third refuses to be made, or to be changed, so that a sandbox can see that.

use multirail_domain::billing::calendar::{Interval, IntervalUnit, Zone};
use multirail_domain::billing::item::ItemType;
use multirail_domain::billing::opening;
use multirail_domain::billing::price::{MOST_QUANTITY, Price};
use multirail_domain::currency::Currency;
use multirail_domain::ids::{ConnectorAccountId, ItemId, ItemPriceId, MerchantId};
use multirail_domain::timestamp::Timestamp;
use multirail_domain::unread::UnreadMembers;
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{
    EngineInvoiceAnswer, EngineItemAnswer, EngineItemsBody, EnginePriceAnswer, ErrorBody,
};

use super::record::EngineInvoice;
use super::{Failure, unnamed};

/// The price at which no subscription is ever made.
pub(super) const NEVER_MADE: &str = "sim_never_made";
/// The price whose subscriptions refuse every change.
pub(super) const NEVER_CHANGED: &str = "sim_never_changed";

/// Plan, its name, and its prices: id, amount in cents of a euro, unit of the interval, days of the trial.
type Plan = (
    &'static str,
    &'static str,
    &'static [(&'static str, i64, Option<IntervalUnit>, u16)],
);

const PLANS: [Plan; 3] = [
    (
        "sim_reader",
        "Reader",
        &[
            ("sim_reader_monthly", 990, Some(IntervalUnit::Month), 0),
            ("sim_reader_daily", 100, Some(IntervalUnit::Day), 0),
            ("sim_reader_trial", 990, Some(IntervalUnit::Month), 14),
            ("sim_reader_once", 9_900, None, 0),
        ],
    ),
    (
        "sim_reader_plus",
        "Reader Plus",
        &[(
            "sim_reader_plus_monthly",
            1_990,
            Some(IntervalUnit::Month),
            0,
        )],
    ),
    (
        "sim_stubborn",
        "Stubborn",
        &[
            (NEVER_MADE, 500, Some(IntervalUnit::Month), 0),
            (NEVER_CHANGED, 500, Some(IntervalUnit::Month), 0),
        ],
    ),
];

const PRODUCT: &str = "sim_reading";

fn answer(plan: &Plan) -> EngineItemAnswer {
    let (id, name, prices) = plan;
    EngineItemAnswer {
        id: (*id).to_owned(),
        product: PRODUCT.to_owned(),
        item_type: ItemType::Plan,
        name: (*name).to_owned(),
        description: None,
        prices: prices
            .iter()
            .map(|(id, amount, unit, trial_days)| EnginePriceAnswer {
                id: (*id).to_owned(),
                amount: *amount,
                currency: Currency::EUR.as_str().to_owned(),
                interval: unit.map(|unit| Interval { unit, count: 1 }),
                trial_days: *trial_days,
            })
            .collect(),
    }
}

pub(super) fn items(wanted: &EngineItemsBody) -> Vec<EngineItemAnswer> {
    let is_meant = wanted.item_type == ItemType::Plan
        && wanted
            .product
            .as_deref()
            .is_none_or(|product| product == PRODUCT);
    let some = PLANS.iter().filter(|_| is_meant).map(answer);
    let at = |number: i64| usize::try_from(number).unwrap_or(0);
    some.skip(at(wanted.offset))
        .take(at(wanted.limit))
        .collect()
}

/// The plan of a price, with that price alone.
pub(super) fn item_of(price: &str) -> Option<EngineItemAnswer> {
    PLANS.iter().map(answer).find_map(|mut item| {
        item.prices.retain(|one| one.id == price);
        (!item.prices.is_empty()).then_some(item)
    })
}

/// A price as the computation of invoices takes it, and the name of its plan.
pub(super) fn price(id: &str) -> Option<(Price, String)> {
    let item = item_of(id)?;
    let found = item.prices.first()?;
    let price = Price {
        merchant_id: MerchantId::parse("simulated").ok()?,
        merchant_connector_id: ConnectorAccountId::parse("simulated").ok()?,
        item_price_id: ItemPriceId::parse(&found.id).ok()?,
        item_id: ItemId::parse(&item.id).ok()?,
        amount_minor: found.amount,
        currency: Currency::EUR,
        trial_days: found.trial_days,
        min_quantity: 1,
        max_quantity: MOST_QUANTITY,
        taxes: Vec::new(),
        zone: Zone::utc(),
        is_archived: false,
        created_at: Timestamp::EPOCH,
        modified_at: Timestamp::EPOCH,
        interval: found.interval,
        billing_cycles: None,
        unread: UnreadMembers::NONE,
    };
    Some((price, item.name))
}

/// What the first invoice would come to.
pub(super) fn first_invoice(
    id: &str,
    quantity: u32,
    now: Timestamp,
) -> Result<EngineInvoiceAnswer, Failure> {
    let (price, name) = price(id).ok_or(ErrorCode::NoSuchPrice)?;
    let opening = opening::open(&price, &name, quantity, None, 0, now);
    let opening = opening.map_err(|error| Failure::Refused(refused(&error.to_string())))?;
    let period = opening.term.map(|term| term.period);
    Ok(unnamed(&EngineInvoice::of(
        String::new(),
        &opening.billed,
        period,
    )))
}

pub(super) fn refused(why: &str) -> ErrorBody {
    ErrorCode::EngineRefuses.saying(why)
}
