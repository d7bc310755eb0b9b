//! Filters of the list of refunds.

use multirail_app::payments::ports::refunds::RefundSearch;
use multirail_app::payments::refunds::list::ListRefunds;
use multirail_domain::payments::refund::RefundStatus;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{PaymentId, RefundId};
use multirail_kernel::refusal::Refusal;
use multirail_types as types;

use super::payment_search::{amounts, moments, stored_words, texts};
use crate::platform::convert::id;

/// Reads the body of a list. `scope` is the one profile that the call is narrowed to, which overrules the body.
///
/// # Errors
/// An invalid id.
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
    let (amount_from, amount_until) = amounts(amount_filter);
    let (created_from, created_until) = moments(time_range);
    Ok(ListRefunds {
        search: RefundSearch {
            payment_id: id(payment_id, "payment_id", PaymentId::parse)?,
            refund_id: id(refund_id, "refund_id", RefundId::parse)?,
            profile_id: scope.or(profile_id),
            created_from,
            created_until,
            amount_from,
            amount_until,
            connectors: texts(connector),
            merchant_connector_ids: texts(merchant_connector_id),
            currencies: stored_words::<Currency>(currency, "currency")?,
            statuses: stored_words::<RefundStatus>(refund_status, "refund_status")?,
            ..RefundSearch::default()
        },
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    })
}
