//! Converts the queries of signed-in users about subscriptions, and estimates of a change.

use multirail_api::user_subscriptions::{
    UserSubscriptionsEstimateQuery, UserSubscriptionsListQuery,
};
use multirail_billing::app::subscriptions::{ListSubscriptions, UpdateEstimate, Wanted};
use multirail_http::platform::convert::id;
use multirail_http::platform::convert::words::ToWire as _;
use multirail_kernel::ids::{CustomerId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_types as types;

use super::catalogue::{line_item, word};
use super::subscription::{next_billing_at, read_quantity, shown};
use super::words::ToDomain as _;

/// Converts a query for a list, within the profile to which the call is limited.
///
/// # Errors
/// An id in the wrong format, an unknown status.
pub fn list_query(
    query: UserSubscriptionsListQuery,
    profile_id: Option<ProfileId>,
) -> Result<ListSubscriptions, Refusal> {
    let UserSubscriptionsListQuery {
        status,
        customer_id,
        limit,
        offset,
    } = query;
    Ok(ListSubscriptions {
        profile_id,
        customer_id: id(customer_id, "customer_id", CustomerId::parse)?,
        status: status
            .map(|status| word(status.to_domain(), "status"))
            .transpose()?,
        limit,
        offset,
    })
}

/// Converts a query for an estimate of a change.
pub fn estimate_query(query: UserSubscriptionsEstimateQuery) -> Wanted {
    let UserSubscriptionsEstimateQuery {
        plan_id,
        item_price_id,
        quantity,
    } = query;
    Wanted {
        item_price_id,
        plan_id: Some(plan_id),
        coupon_code: None,
        quantity: read_quantity(quantity),
    }
}

/// Converts the effect of a change of the price.
pub fn estimate(estimate: &UpdateEstimate) -> types::UserSubscriptionEstimate {
    let UpdateEstimate {
        subscription,
        invoices,
    } = estimate;
    let plan = &subscription.plan;
    let lines = invoices.iter().flat_map(|invoice| {
        let currency = invoice.currency;
        let lines = invoice.lines.iter();
        lines.map(move |line| line_item(line, currency, None))
    });
    types::UserSubscriptionEstimate {
        amount: invoices.iter().map(|invoice| invoice.amount).sum(),
        currency: plan.price.currency.to_wire(),
        line_items: lines.collect(),
        plan_id: plan.price.item_id.to_string(),
        item_price_id: plan.price.item_price_id.to_string(),
        quantity: i32::try_from(plan.quantity).unwrap_or(i32::MAX),
        credit_amount: subscription.credit.max(0),
        next_billing_at: shown(next_billing_at(subscription)),
    }
}
