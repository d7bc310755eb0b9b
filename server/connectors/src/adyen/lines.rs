//! The lines of an order in Adyen's form.

use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_sdk::connector::details::OrderItem;
use multirail_sdk::connector::{AuthorizeRequest, Details};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::Variety;
use multirail_sdk::payment_method::PaymentMethod;

use super::description::UNITS;
use super::generated::wire::LineItem;
use crate::text::Text;

/// Returns the lines of a payment. Pay-later methods need lines whose sum is the amount: if the
/// order's lines differ, one line has the whole amount.
pub fn line_items(request: &AuthorizeRequest, total: i64) -> Vec<LineItem<'_>> {
    let details = &request.details;
    let lines = ordered(details, request.money.currency);
    if !is_paid_later(&request.data) || sum(&lines) == Some(total) {
        return lines;
    }
    let description = details.description.as_deref().unwrap_or("Order");
    vec![whole(description, total)]
}

/// Returns one line with the whole amount.
pub fn whole(description: &str, amount: i64) -> LineItem<'_> {
    LineItem {
        description: Some(Text::cut(description)),
        quantity: Some(1),
        amount_including_tax: Some(amount),
        ..LineItem::empty()
    }
}

fn is_paid_later(data: &PaymentMethodData) -> bool {
    let PaymentMethodData::Payer(payer) = data else {
        return false;
    };
    Variety::of_type(payer.method.kind).is_some_and(|own| own.method == PaymentMethod::PayLater)
}

fn sum(lines: &[LineItem<'_>]) -> Option<i64> {
    lines.iter().try_fold(0_i64, |sum, line| {
        sum.checked_add(line.amount_including_tax?.checked_mul(line.quantity?)?)
    })
}

/// Returns the lines of the order, if all of them can be written.
fn ordered(details: &Details, currency: Currency) -> Vec<LineItem<'_>> {
    let item = |item: &'_ OrderItem| -> Option<i64> {
        UNITS.to_processor(Money::new(item.amount, currency))
    };
    let items = details.order.items.iter();
    let lines: Option<Vec<LineItem<'_>>> = items
        .map(|given| {
            Some(LineItem {
                id: given.product_id.as_deref().map(Text::from),
                description: Some(Text::cut(given.product_name.as_str())),
                quantity: Some(given.quantity.into()),
                amount_including_tax: Some(item(given)?),
                sku: given.sku.as_deref().map(Text::from),
                upc: given.upc.as_deref().map(Text::from),
                brand: given.brand.as_deref().map(Text::from),
                item_category: given.category.as_deref().map(Text::from),
                image_url: given.product_img_link.as_deref().map(Text::from),
            })
        })
        .collect();
    lines.unwrap_or_default()
}
