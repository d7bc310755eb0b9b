//! Converts catalogues and estimates between wire and domain. (Facts 7.11)

use chrono::{DateTime, Utc};
use multirail_api::billing::{
    SubscriptionEstimateQuery, SubscriptionItemPricesListQuery, SubscriptionItemsListQuery,
};
use multirail_billing::app::catalogue::{
    CreateItem, CreateProduct, Estimate, EstimateSubscription, ListCatalogue, ListItems,
    OfferedItem,
};
use multirail_billing_domain::calendar::{Interval, IntervalUnit, Zone};
use multirail_billing_domain::coupon::{Coupon, CouponDuration, Discount, NewCoupon};
use multirail_billing_domain::invoice::Line;
use multirail_billing_domain::item::{Item, ItemType};
use multirail_billing_domain::price::{MOST_QUANTITY, NewPrice, Price};
use multirail_billing_domain::product::Product;
use multirail_billing_domain::tax::TaxRate;
use multirail_http::platform::convert::id;
use multirail_http::platform::convert::words::{ToDomain as _, ToWire as _};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{CouponCode, ItemId, ItemPriceId, ProductId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::words::{ToDomain, ToWire};

/// Converts a request to create a product.
///
/// # Errors
/// An id in the wrong format.
pub fn product(wire: types::ProductCreateRequest) -> Result<CreateProduct, Refusal> {
    let types::ProductCreateRequest {
        product_id,
        name,
        description,
    } = wire;
    let parse = |text: &str| ProductId::parse_chosen(text, &[]);
    Ok(CreateProduct {
        product_id: id(product_id, "product_id", parse)?,
        name,
        description,
    })
}

/// Converts a request to create an item.
///
/// # Errors
/// An id in the wrong format.
pub fn item(wire: types::SubscriptionItemCreateRequest) -> Result<CreateItem, Refusal> {
    let types::SubscriptionItemCreateRequest {
        item_id,
        product_id,
        item_type,
        name,
        description,
    } = wire;
    let parse = |text: &str| ItemId::parse_chosen(text, &[]);
    Ok(CreateItem {
        item_id: id(item_id, "item_id", parse)?,
        product_id: ProductId::parse(&product_id)
            .map_err(|invalid| invalid.refusal("product_id"))?,
        item_type: read_item_type(&item_type)?,
        name,
        description,
    })
}

/// Converts a request to create a price. Returns the item's id, the price's id if chosen, and the rest.
///
/// # Errors
/// [`Refusal::InvalidFormat`] naming the member, [`Refusal::Missing`] for a count without an interval.
pub fn price(
    wire: types::ItemPriceCreateRequest,
) -> Result<(ItemId, Option<ItemPriceId>, NewPrice), Refusal> {
    let types::ItemPriceCreateRequest {
        item_price_id,
        item_id,
        amount,
        currency,
        interval,
        interval_count,
        billing_cycles,
        trial_period,
        min_quantity,
        max_quantity,
        taxes,
        time_zone,
    } = wire;
    let item_id = ItemId::parse(&item_id).map_err(|invalid| invalid.refusal("item_id"))?;
    let parse = |text: &str| ItemPriceId::parse_chosen(text, &[]);
    let count = interval_count.map(|count| u16::try_from(count).unwrap_or(0));
    let interval = match (interval, count) {
        (None, None) => None,
        (None, Some(_)) => return Err(Refusal::missing("interval")),
        (Some(unit), count) => {
            let unit: IntervalUnit = word(unit.to_domain(), "interval")?;
            Some(Interval::new(unit, count.unwrap_or(1))?)
        }
    };
    let quantity = |given: Option<i32>, unsaid| {
        given.map_or(unsaid, |given| u32::try_from(given).unwrap_or(0))
    };
    let taxes = taxes.unwrap_or_default().into_iter();
    let taxes: Result<Vec<TaxRate>, Refusal> = taxes.map(tax_rate).collect();
    let days = trial_period.unwrap_or(0);
    let new = NewPrice {
        amount_minor: amount,
        currency: word(currency.to_domain(), "currency")?,
        interval,
        billing_cycles: billing_cycles.map(|given| u32::try_from(given).unwrap_or(0)),
        trial_days: u16::try_from(days).unwrap_or(u16::MAX),
        min_quantity: quantity(min_quantity, 1),
        max_quantity: quantity(max_quantity, MOST_QUANTITY),
        taxes: taxes?,
        zone: time_zone.as_deref().map_or(Ok(Zone::utc()), Zone::parse)?,
    };
    Ok((item_id, id(item_price_id, "item_price_id", parse)?, new))
}

/// Converts a tax.
///
/// # Errors
/// [`Refusal::InvalidValue`] for both or neither of the two rates, and for a rate out of range.
fn tax_rate(wire: types::BillingTaxRequest) -> Result<TaxRate, Refusal> {
    let types::BillingTaxRequest {
        name,
        basis_points,
        parts_per_million,
        included,
    } = wire;
    let count = |number: i32| u32::try_from(number).unwrap_or(u32::MAX);
    let rate = match (basis_points, parts_per_million) {
        (Some(basis_points), None) => TaxRate::new(&name, count(basis_points))?,
        (None, Some(exact)) => TaxRate::exact(&name, count(exact))?,
        (None, None) | (Some(_), Some(_)) => {
            return Err(Refusal::invalid_value(
                "exactly one of taxes.basis_points and taxes.parts_per_million has to be given",
            ));
        }
    };
    Ok(match included {
        Some(true) => rate.included(),
        Some(false) | None => rate,
    })
}

/// Converts a request to create a coupon.
///
/// # Errors
/// [`Refusal::InvalidValue`] for both or neither of the two discounts, [`Refusal::InvalidFormat`] for an id in the
/// wrong format, [`Refusal::Missing`] for a member that the discount or the duration needs.
pub fn coupon(wire: types::CouponCreateRequest) -> Result<NewCoupon, Refusal> {
    let types::CouponCreateRequest {
        coupon_code,
        name,
        discount_basis_points,
        discount_amount,
        currency,
        duration,
        duration_periods,
        valid_from,
        valid_until,
        max_redemptions,
    } = wire;
    let count = |given: i32| u32::try_from(given).unwrap_or(0);
    let discount = match (discount_basis_points, discount_amount) {
        (Some(basis_points), None) if currency.is_none() => Discount::Percent {
            basis_points: count(basis_points),
        },
        (Some(_), None) => {
            return Err(Refusal::invalid_value(
                "currency belongs to discount_amount",
            ));
        }
        (None, Some(amount_minor)) => Discount::Amount {
            amount_minor,
            currency: match &currency {
                Some(currency) => word(currency.to_domain(), "currency")?,
                None => return Err(Refusal::missing("currency")),
            },
        },
        (Some(_), Some(_)) | (None, None) => {
            return Err(Refusal::invalid_value(
                "exactly one of discount_basis_points and discount_amount has to be given",
            ));
        }
    };
    let duration = match (duration, duration_periods) {
        (types::CouponDuration::Repeating, Some(periods)) => CouponDuration::Repeating {
            periods: count(periods),
        },
        (types::CouponDuration::Repeating, None) => {
            return Err(Refusal::missing("duration_periods"));
        }
        (
            types::CouponDuration::Once
            | types::CouponDuration::Forever
            | types::CouponDuration::Unknown(_),
            Some(_),
        ) => {
            return Err(Refusal::invalid_value(
                "duration_periods belongs to a duration of repeating",
            ));
        }
        (types::CouponDuration::Once, None) => CouponDuration::Once {},
        (types::CouponDuration::Forever, None) => CouponDuration::Forever {},
        (types::CouponDuration::Unknown(_), None) => {
            return Err(Refusal::invalid_format(
                "duration",
                "once, repeating or forever",
            ));
        }
    };
    Ok(NewCoupon {
        code: CouponCode::parse_chosen(&coupon_code, &[])
            .map_err(|invalid| invalid.refusal("coupon_code"))?,
        name,
        discount,
        duration,
        valid_from: valid_from.map(Timestamp::from_datetime),
        valid_until: valid_until.map(Timestamp::from_datetime),
        max_redemptions: max_redemptions.map(count),
    })
}

/// Converts the page of a list.
pub fn page(limit: Option<i32>, offset: Option<i32>) -> ListCatalogue {
    ListCatalogue {
        parent_id: None,
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    }
}

pub fn prices_query(query: SubscriptionItemPricesListQuery) -> ListCatalogue {
    let SubscriptionItemPricesListQuery {
        item_id,
        limit,
        offset,
    } = query;
    ListCatalogue {
        parent_id: item_id,
        ..page(limit, offset)
    }
}

/// Converts a query for offered items.
///
/// # Errors
/// An id in the wrong format.
pub fn items_query(query: SubscriptionItemsListQuery) -> Result<ListItems, Refusal> {
    let SubscriptionItemsListQuery {
        item_type,
        product_id,
        limit,
        offset,
        // The frame has already checked the secret.
        client_secret: _,
    } = query;
    Ok(ListItems {
        item_type: read_item_type(&item_type)?,
        product_id: id(product_id, "product_id", ProductId::parse)?,
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    })
}

/// Converts a query for an estimate.
///
/// # Errors
/// An id in the wrong format.
pub fn estimate_query(query: SubscriptionEstimateQuery) -> Result<EstimateSubscription, Refusal> {
    let SubscriptionEstimateQuery {
        item_price_id,
        plan_id,
        coupon_code,
        quantity,
        // The frame has already checked the secret.
        client_secret: _,
    } = query;
    Ok(EstimateSubscription {
        item_price_id: ItemPriceId::parse(&item_price_id)
            .map_err(|invalid| invalid.refusal("item_price_id"))?,
        plan_id: id(plan_id, "plan_id", ItemId::parse)?,
        coupon_code: id(coupon_code, "coupon_code", CouponCode::parse)?,
        quantity: quantity.map(|quantity| u32::try_from(quantity).unwrap_or(0)),
    })
}

pub fn product_answer(product: &Product) -> types::Product {
    types::Product {
        product_id: product.product_id.to_string(),
        merchant_connector_id: product.merchant_connector_id.to_string(),
        name: product.name.clone(),
        description: product.description.clone(),
        is_archived: product.is_archived,
        created_at: product.created_at.into(),
        modified_at: product.modified_at.into(),
    }
}

pub fn item_answer(item: &Item) -> types::SubscriptionItem {
    types::SubscriptionItem {
        item_id: item.item_id.to_string(),
        product_id: item.product_id.to_string(),
        merchant_connector_id: item.merchant_connector_id.to_string(),
        item_type: item.item_type.to_wire(),
        name: item.name.clone(),
        description: item.description.clone(),
        is_archived: item.is_archived,
        created_at: item.created_at.into(),
        modified_at: item.modified_at.into(),
    }
}

pub fn price_answer(price: &Price) -> types::ItemPrice {
    let taxes = price.taxes.iter().map(|tax| types::BillingTax {
        name: tax.name.clone(),
        basis_points: number(tax.basis_points),
        parts_per_million: Some(number(tax.millionths())),
        included: Some(tax.is_included()),
    });
    types::ItemPrice {
        item_price_id: price.item_price_id.to_string(),
        item_id: price.item_id.to_string(),
        merchant_connector_id: price.merchant_connector_id.to_string(),
        amount: price.amount_minor,
        currency: price.currency.to_wire(),
        interval: unit(price),
        interval_count: interval_count(price),
        billing_cycles: price.billing_cycles.map(number),
        trial_period: trial_period(price),
        trial_period_unit: trial_unit(price),
        min_quantity: number(price.min_quantity),
        max_quantity: number(price.max_quantity),
        taxes: taxes.collect(),
        time_zone: price.zone.to_string(),
        is_archived: price.is_archived,
        created_at: price.created_at.into(),
        modified_at: price.modified_at.into(),
    }
}

pub fn coupon_answer(coupon: &Coupon, redemptions: u32) -> types::Coupon {
    let (kind, basis_points, amount, currency) = match coupon.discount {
        Discount::Percent { basis_points } => (
            types::CouponDiscountType::Percent,
            Some(number(basis_points)),
            None,
            None,
        ),
        Discount::Amount {
            amount_minor,
            currency,
        } => (
            types::CouponDiscountType::Amount,
            None,
            Some(amount_minor),
            Some(currency),
        ),
    };
    let (duration, periods) = match coupon.duration {
        CouponDuration::Once {} => (types::CouponDuration::Once, None),
        CouponDuration::Repeating { periods } => {
            (types::CouponDuration::Repeating, Some(number(periods)))
        }
        CouponDuration::Forever {} => (types::CouponDuration::Forever, None),
    };
    types::Coupon {
        coupon_code: coupon.code.to_string(),
        merchant_connector_id: coupon.merchant_connector_id.to_string(),
        name: coupon.name.clone(),
        discount_type: kind,
        discount_basis_points: basis_points,
        discount_amount: amount,
        currency: currency.map(|currency| currency.to_wire()),
        duration,
        duration_periods: periods,
        valid_from: coupon.valid_from.map(Into::into),
        valid_until: coupon.valid_until.map(Into::into),
        max_redemptions: coupon.max_redemptions.map(number),
        redemptions: number(redemptions),
        is_archived: coupon.is_archived,
        created_at: coupon.created_at.into(),
        modified_at: coupon.modified_at.into(),
    }
}

pub fn offered(offered: &OfferedItem) -> types::OfferedItem {
    let prices = offered.prices.iter().map(|price| types::OfferedPrice {
        price_id: price.item_price_id.to_string(),
        item_id: price.item_id.to_string(),
        amount: price.amount_minor,
        currency: price.currency.to_wire(),
        interval: unit(price),
        interval_count: interval_count(price),
        billing_cycles: price.billing_cycles.map(number),
        trial_period: trial_period(price),
        trial_period_unit: trial_unit(price),
    });
    types::OfferedItem {
        id: offered.item.item_id.to_string(),
        name: offered.item.name.clone(),
        description: offered.item.description.clone(),
        price_id: prices.collect(),
    }
}

pub fn estimate(estimate: &Estimate) -> types::SubscriptionEstimate {
    let billed = &estimate.opening.billed;
    let priced = &estimate.priced;
    let term = estimate.opening.term.as_ref();
    let lines = billed.lines.iter();
    types::SubscriptionEstimate {
        amount: billed.total.amount_minor,
        currency: billed.total.currency.to_wire(),
        line_items: lines
            .map(|line| line_item(line, billed.total.currency, Some(&priced.item)))
            .collect(),
        plan_id: Some(priced.item.item_id.to_string()),
        item_price_id: Some(priced.price.item_price_id.to_string()),
        coupon_code: estimate.coupon_code.as_ref().map(ToString::to_string),
        customer_id: None,
        next_billing_at: term.map(|term| term.period.end.into()),
    }
}

/// Converts a line of an invoice. `item` is the item of its prices, for lines that don't name it.
pub fn line_item(
    line: &Line,
    currency: Currency,
    item: Option<&Item>,
) -> types::SubscriptionLineItem {
    let item = item.filter(|_| line.item_price_id.is_some());
    let item_id = line.item_id.as_ref().or(item.map(|item| &item.item_id));
    let item_type = line.item_type().or(item.map(|item| item.item_type));
    types::SubscriptionLineItem {
        kind: line.kind.to_wire(),
        description: line.description.clone(),
        quantity: number(line.quantity),
        unit_amount: line.unit_amount_minor,
        amount: line.amount_minor,
        currency: currency.to_wire(),
        item_id: item_id.map(ToString::to_string),
        item_type: item_type.map(|kind| kind.to_wire()),
        item_price_id: line.item_price_id.as_ref().map(ToString::to_string),
        period_start: line.period.map(|period| moment(period.start)),
        period_end: line.period.map(|period| moment(period.end)),
    }
}

fn moment(moment: Timestamp) -> DateTime<Utc> {
    moment.into()
}

fn read_item_type(wire: &types::SubscriptionItemType) -> Result<ItemType, Refusal> {
    word(wire.to_domain(), "item_type")
}

/// Returns the word, unless it is none of billing.
pub(super) fn word<T>(word: Option<T>, member: &str) -> Result<T, Refusal> {
    let expected = "one of the words of the document";
    word.ok_or_else(|| Refusal::invalid_format(member, expected))
}

fn unit(price: &Price) -> Option<types::BillingInterval> {
    price.interval.map(|interval| interval.unit.to_wire())
}

fn interval_count(price: &Price) -> Option<i32> {
    price.interval.map(|interval| i32::from(interval.count))
}

fn trial_period(price: &Price) -> Option<i32> {
    (price.trial_days > 0).then_some(i32::from(price.trial_days))
}

fn trial_unit(price: &Price) -> Option<types::BillingInterval> {
    (price.trial_days > 0).then(|| IntervalUnit::Day.to_wire())
}

/// Converts a count, which is always far below the limit.
fn number(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
