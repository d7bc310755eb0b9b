//! Every list of the document has a stream.

use std::collections::BTreeSet;
use std::pin::pin;

use crate::support::{KEY, error, server};
use futures::TryStreamExt;
use multirail_client::types::{
    EventListRequest, PaymentFilterRequest, RefundListRequest, SubscriptionItemType,
};
use multirail_client::{Connection, Error, PaymentQuery};
use serde_json::Value;

/// The parameters that request the next page of a list.
const NEXT: [&str; 4] = ["offset", "skip", "before", "starting_after"];

/// Resolves a reference of the document.
fn resolved<'a>(document: &'a Value, written: &'a Value) -> &'a Value {
    let mut found = written;
    while let Some(place) = found["$ref"].as_str() {
        found = document.pointer(&place[1..]).expect("a place");
    }
    found
}

/// Checks whether a list has pages, by its query or its body.
fn has_pages(document: &Value, operation: &Value) -> bool {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let mut names: BTreeSet<&str> = parameters
        .filter_map(|one| resolved(document, one)["name"].as_str())
        .collect();
    let body = resolved(document, &operation["requestBody"]);
    let body = resolved(document, &body["content"]["application/json"]["schema"]);
    let members = body["properties"].as_object().into_iter();
    names.extend(members.flat_map(|members| members.keys().map(String::as_str)));
    names.contains("limit") && NEXT.iter().any(|name| names.contains(name))
}

/// Returns the method and path of every list, with the names of parameters in place of ids.
fn lists() -> BTreeSet<String> {
    let document = crate::support::document();
    let mut found = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("an item") {
            if has_pages(&document, operation) {
                let path = path.replace(['{', '}'], "");
                found.insert(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    found
}

macro_rules! begin {
    ($($stream:expr;)*) => { $(
        let begun = pin!($stream).try_next().await;
        assert!(matches!(begun, Err(Error::Api { .. })), "the server refuses everything");
    )* };
}

#[tokio::test]
async fn a_stream_begins_at_every_list_of_the_document() {
    let server = server(error(404, "HE_02")).await;
    let client = Connection::new(server.uri()).secret_key(KEY).tries(1);
    let client = client.build().expect("a client");
    begin! {
        client.payments(PaymentQuery::default());
        client.filtered_payments(PaymentFilterRequest::new());
        client.refunds(RefundListRequest::new());
        client.events("merchant_id", EventListRequest::new());
        client.profile_events(EventListRequest::new());
        client.api_keys_list().merchant_id("merchant_id").stream();
        client.audit_list().stream();
        client.audit_list_own().stream();
        client.customer_mandates_list().customer_id("customer_id").stream();
        client.customers_list().stream();
        client.disputes_list().stream();
        client.disputes_profile_list().stream();
        client.mandates_list().stream();
        client.merchant_accounts_list().stream();
        client.notices_list().stream();
        client.organization_accounts_list().organization_id("organization_id").stream();
        client.organizations_list().stream();
        client.request_log_list().stream();
        client.routing_list().stream();
        client.subscription_coupons_list().stream();
        client.subscription_item_prices_list().stream();
        client.subscription_items_list().item_type(SubscriptionItemType::Plan).stream();
        client.subscription_products_list().stream();
        client.subscriptions_list().stream();
        client.subscriptions_list_invoices().subscription_id("subscription_id").stream();
        client.team_list().stream();
        client.unresolved_operations_list().stream();
        client.user_subscriptions_list().stream();
        client.user_subscriptions_list_invoices().subscription_id("subscription_id").stream();
        client.users_list_merchants().stream();
    }
    let asked = server.received_requests().await.expect("requests");
    let asked: BTreeSet<String> = asked
        .iter()
        .map(|one| format!("{} {}", one.method, one.url.path()))
        .collect();
    assert_eq!(asked, lists());
}
