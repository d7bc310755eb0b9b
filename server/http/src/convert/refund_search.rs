//! Filters of the list of refunds.

use multirail_app::ports::refunds::RefundSearch;
use multirail_app::refunds::list::ListRefunds;
use multirail_domain::ids::{PaymentId, RefundId};
use multirail_domain::refusal::Refusal;
use multirail_types as types;

use super::payment_search::{id, shown_from, shown_until, words};

/// Reads the body of a list. `scope`: the one profile that the call is narrowed to; it wins.
///
/// # Errors
/// An id that can't be one.
pub fn list(
    request: types::RefundListRequest,
    scope: Option<String>,
) -> Result<ListRefunds, Refusal> {
    let types::RefundListRequest {
        payment_id,
        refund_id,
        profile_id,
        refund_status,
        currency,
        amount_filter,
        time_range,
        connector,
        merchant_connector_id,
        limit,
        offset,
    } = request;
    let amounts = amount_filter;
    let times = time_range;
    Ok(ListRefunds {
        search: RefundSearch {
            payment_id: id(payment_id, "payment_id", PaymentId::parse)?,
            refund_id: id(refund_id, "refund_id", RefundId::parse)?,
            profile_id: scope.or(profile_id),
            created_from: times.as_ref().map(|range| shown_from(range.start_time)),
            created_until: times.and_then(|range| range.end_time).map(shown_until),
            amount_from: amounts.as_ref().and_then(|range| range.start_amount),
            amount_until: amounts.and_then(|range| range.end_amount),
            connectors: words(connector),
            merchant_connector_ids: words(merchant_connector_id),
            currencies: words(currency),
            statuses: words(refund_status),
            ..RefundSearch::default()
        },
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    })
}
