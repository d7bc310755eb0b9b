//! List parameters and filters.

use chrono::{DateTime, Utc};
use multirail_api::payments::PaymentsListQuery;
use multirail_app::payments::list::{FilterPayments, ListPayments};
use multirail_app::ports::payment_search::{Order, PaymentSearch};
use multirail_domain::ids::{InvalidId, PaymentId};
use multirail_domain::refusal::Refusal;
use multirail_domain::timestamp::Timestamp;
use multirail_types as types;

/// Reads the query of a list by cursor.
///
/// # Errors
/// A cursor that can't be a payment's id.
pub fn list(query: PaymentsListQuery) -> Result<ListPayments, Refusal> {
    let PaymentsListQuery {
        customer_id,
        starting_after,
        ending_before,
        limit,
        created,
        created_lt,
        created_gt,
        created_lte,
        created_gte,
    } = query;
    let exactly = created;
    Ok(ListPayments {
        search: PaymentSearch {
            customer_id,
            created_from: created_gte.or(exactly).map(shown_from),
            created_before: created_lt.map(shown_from),
            created_after: created_gt.map(shown_until),
            created_until: created_lte.or(exactly).map(shown_until),
            ..PaymentSearch::default()
        },
        limit: limit.map(i64::from),
        starting_after: id(starting_after, "starting_after", PaymentId::parse)?,
        ending_before: id(ending_before, "ending_before", PaymentId::parse)?,
    })
}

/// Reads the body of a list by filter.
///
/// # Errors
/// A `payment_id` that can't be one.
pub fn filter(request: types::PaymentFilterRequest) -> Result<FilterPayments, Refusal> {
    let types::PaymentFilterRequest {
        payment_id,
        merchant_order_reference_id,
        customer_id,
        profile_id,
        status,
        currency,
        amount_filter,
        time_range,
        payment_method,
        payment_method_type,
        card_network,
        card_discovery,
        authentication_type,
        connector,
        merchant_connector_id,
        order,
        limit,
        offset,
    } = request;
    let amounts = amount_filter;
    let times = time_range;
    Ok(FilterPayments {
        search: PaymentSearch {
            payment_id: id(payment_id, "payment_id", PaymentId::parse)?,
            profile_id,
            customer_id,
            merchant_order_reference_id,
            created_from: times.as_ref().map(|range| shown_from(range.start_time)),
            created_until: times.and_then(|range| range.end_time).map(shown_until),
            amount_from: amounts.as_ref().and_then(|range| range.start_amount),
            amount_until: amounts.and_then(|range| range.end_amount),
            connectors: words(connector),
            merchant_connector_ids: words(merchant_connector_id),
            currencies: words(currency),
            statuses: words(status),
            payment_methods: words(payment_method),
            payment_method_types: words(payment_method_type),
            authentication_types: words(authentication_type),
            card_networks: words(card_network),
            card_discoveries: words(card_discovery),
            order: read_order(order),
            ..PaymentSearch::default()
        },
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    })
}

fn read_order(given: Option<types::PaymentListOrder>) -> Order {
    let Some(given) = given else {
        return Order::default();
    };
    let ascending = given.by.is_some_and(|by| by == types::SortDirection::Asc);
    let by_amount = given
        .on
        .is_some_and(|on| on == types::PaymentListOrderField::Amount);
    match (by_amount, ascending) {
        (false, false) => Order::NewestFirst,
        (false, true) => Order::OldestFirst,
        (true, false) => Order::LargestFirst,
        (true, true) => Order::SmallestFirst,
    }
}

pub(super) fn words<T: AsRef<str>>(given: Option<Vec<T>>) -> Vec<String> {
    let given = given.unwrap_or_default();
    given.iter().map(|word| word.as_ref().to_owned()).collect()
}

/// A millisecond in our own unit. Callers know moments to the millisecond, because that is how they are shown; ours are
/// finer. So a bound covers the whole millisecond that it shows.
const MILLISECOND: i64 = 1_000;

/// The first moment that is not shown as one before `given`.
pub fn shown_from(given: DateTime<Utc>) -> Timestamp {
    let micros = Timestamp::from_datetime(given).as_micros();
    let part = micros.rem_euclid(MILLISECOND);
    let is_whole = part == 0 && given.timestamp_subsec_nanos().is_multiple_of(1_000);
    Timestamp::from_micros(if is_whole {
        micros
    } else {
        micros - part + MILLISECOND
    })
}

/// The last moment that is not shown as one after `given`.
pub fn shown_until(given: DateTime<Utc>) -> Timestamp {
    let micros = Timestamp::from_datetime(given).as_micros();
    Timestamp::from_micros(micros - micros.rem_euclid(MILLISECOND) + MILLISECOND - 1)
}

/// The id in `member`, if one is given.
///
/// # Errors
/// It can't be one.
pub(super) fn id<Id>(
    given: Option<String>,
    member: &str,
    parse: impl Fn(&str) -> Result<Id, InvalidId>,
) -> Result<Option<Id>, Refusal> {
    given
        .map(|text| parse(&text).map_err(|invalid| invalid.refusal(member)))
        .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_go_by_what_is_shown() {
        let moment = |text: &str| text.parse::<DateTime<Utc>>().expect("a moment");
        let micros = |text: &str| Timestamp::from_datetime(moment(text)).as_micros();
        let shown = moment("2026-01-05T10:11:12.345Z");
        assert_eq!(
            shown_from(shown).as_micros(),
            micros("2026-01-05T10:11:12.345Z")
        );
        assert_eq!(
            shown_until(shown).as_micros(),
            micros("2026-01-05T10:11:12.345999Z")
        );
        let finer = moment("2026-01-05T10:11:12.345001Z");
        assert_eq!(
            shown_from(finer).as_micros(),
            micros("2026-01-05T10:11:12.346Z")
        );
        assert_eq!(
            shown_until(finer).as_micros(),
            micros("2026-01-05T10:11:12.345999Z")
        );
    }
}
