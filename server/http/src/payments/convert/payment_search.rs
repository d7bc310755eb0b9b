//! List parameters and filters.

use std::fmt::Display;

use multirail_api::payments::PaymentsListQuery;
use multirail_app::payments::list::{FilterPayments, ListPayments};
use multirail_app::payments::ports::payment_search::{Order, PaymentSearch};
use multirail_domain::payments::payment::{AuthenticationType, PaymentStatus};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::PaymentId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::Network;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};
use multirail_types as types;

use crate::platform::convert::id;
use crate::platform::convert::moments::{shown_from, shown_until};
use crate::platform::convert::words::ToDomain;

/// Reads the query of a list by cursor.
///
/// # Errors
/// A cursor that isn't a payment's id.
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
/// An invalid `payment_id`.
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
    let (amount_from, amount_until) = amounts(amount_filter);
    let (created_from, created_until) = moments(time_range);
    Ok(FilterPayments {
        search: PaymentSearch {
            payment_id: id(payment_id, "payment_id", PaymentId::parse)?,
            profile_id,
            customer_id,
            merchant_order_reference_id,
            created_from,
            created_until,
            amount_from,
            amount_until,
            connectors: texts(connector),
            merchant_connector_ids: texts(merchant_connector_id),
            currencies: stored_words::<Currency>(currency, "currency")?,
            statuses: stored_words::<PaymentStatus>(status, "status")?,
            payment_methods: stored_words::<PaymentMethod>(payment_method, "payment_method")?,
            payment_method_types: stored_words::<PaymentMethodType>(
                payment_method_type,
                "payment_method_type",
            )?,
            authentication_types: stored_words::<AuthenticationType>(
                authentication_type,
                "authentication_type",
            )?,
            card_networks: stored_words::<Network>(card_network, "card_network")?,
            card_discoveries: texts(card_discovery),
            order: read_order(order),
            ..PaymentSearch::default()
        },
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    })
}

fn read_order(given: Option<types::PaymentListOrder>) -> Order {
    let Some(types::PaymentListOrder { on, by }) = given else {
        return Order::default();
    };
    let ascending = by.is_some_and(|by| by == types::SortDirection::Asc);
    let by_amount = on.is_some_and(|on| on == types::PaymentListOrderField::Amount);
    match (by_amount, ascending) {
        (false, false) => Order::NewestFirst,
        (false, true) => Order::OldestFirst,
        (true, false) => Order::LargestFirst,
        (true, true) => Order::SmallestFirst,
    }
}

/// Reads the bounds of amounts.
pub(crate) fn amounts(given: Option<types::AmountFilter>) -> (Option<i64>, Option<i64>) {
    let Some(types::AmountFilter {
        start_amount,
        end_amount,
    }) = given
    else {
        return (None, None);
    };
    (start_amount, end_amount)
}

/// Reads the bounds of times.
pub(crate) fn moments(given: Option<types::TimeRange>) -> (Option<Timestamp>, Option<Timestamp>) {
    let Some(types::TimeRange {
        start_time,
        end_time,
    }) = given
    else {
        return (None, None);
    };
    (Some(shown_from(start_time)), end_time.map(shown_until))
}

/// Reads words that are stored as the domain writes them.
///
/// # Errors
/// A word that this version doesn't know.
pub(crate) fn stored_words<T: Display>(
    given: Option<Vec<impl ToDomain<T>>>,
    member: &str,
) -> Result<Vec<String>, Refusal> {
    let read = crate::platform::convert::words::words(&given.unwrap_or_default(), member)?;
    Ok(read.iter().map(T::to_string).collect())
}

/// Reads texts, such as names of connectors, and words that the domain has only in part.
pub(crate) fn texts<T: AsRef<str>>(given: Option<Vec<T>>) -> Vec<String> {
    let given = given.unwrap_or_default();
    given.iter().map(|word| word.as_ref().to_owned()).collect()
}
