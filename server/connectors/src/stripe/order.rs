//! Builds the lines of an order.

use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_sdk::connector::Details;

use super::description::UNITS;
use super::generated::wire::{AmountDetails, LineItem, LineItemMust, ShippingAmount, Tax};
use crate::text::Text;

const MOST_ITEMS: usize = 200;

/// Returns the lines of the order. If the sums don't match, Stripe reports that and accepts the
/// payment.
pub fn amount_details(details: &Details, currency: Currency) -> Option<AmountDetails<'_>> {
    let order = &details.order;
    let amount = |amount: i64| {
        UNITS
            .to_processor(Money::new(amount, currency))
            .filter(|amount| *amount >= 0)
    };
    let positive = |given: Option<i64>| given.and_then(amount).filter(|amount| *amount > 0);
    let items = order
        .items
        .iter()
        .filter(|item| item.quantity > 0)
        .take(MOST_ITEMS);
    let line_items: Option<Vec<LineItem<'_>>> = items
        .map(|item| {
            let discount = item.unit_discount_amount;
            let discount = discount.and_then(|one| one.checked_mul(i64::from(item.quantity)));
            let code = item.product_id.as_deref().or(item.sku.as_deref());
            let must = LineItemMust {
                product_name: Text::cut(item.product_name.as_str()),
                quantity: i64::from(item.quantity),
                unit_cost: amount(item.amount)?,
            };
            Some(LineItem {
                product_code: code.filter(|code| !code.is_empty()).and_then(Text::whole),
                unit_of_measure: item.unit_of_measure.as_deref().map(Text::from),
                discount_amount: positive(discount),
                tax: item.total_tax_amount.and_then(amount).map(tax),
                ..LineItem::with(must)
            })
        })
        .collect();
    let line_items = line_items.unwrap_or_default();
    // Tax and discount are given either for the order or for its lines.
    let is_taxed = line_items.iter().any(|line| line.tax.is_some());
    let is_discounted = line_items.iter().any(|line| line.discount_amount.is_some());
    let told = AmountDetails {
        discount_amount: positive(order.discount_amount).filter(|_| !is_discounted),
        shipping: order
            .shipping_cost
            .and_then(amount)
            .map(|amount| ShippingAmount {
                amount: Some(amount),
            }),
        tax: order
            .order_tax_amount
            .and_then(amount)
            .map(tax)
            .filter(|_| !is_taxed),
        line_items,
        enforce_arithmetic_validation: None,
    };
    Some(AmountDetails {
        enforce_arithmetic_validation: Some(false),
        ..told.unless_empty()?
    })
}

fn tax(total_tax_amount: i64) -> Tax {
    Tax { total_tax_amount }
}
