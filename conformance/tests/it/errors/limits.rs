//! The limit of every list: a negative one is refused, and 0 returns an empty page.

use multirail_conformance::document::{Operation, document, operations, target};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use crate::billing;
use crate::users::Person;

/// A user who may read all lists of users.
async fn admin(shop: &Shop) -> Person {
    Person::invited(&shop.server, "admin", "merchant_admin", &shop.merchant_id).await
}

/// Returns the lists with a limit, and whether the limit stands in their body.
fn lists() -> Vec<(&'static Operation, bool)> {
    let lists: Vec<_> = operations()
        .iter()
        .filter_map(|operation| {
            let method = operation.method.as_str().to_ascii_lowercase();
            let parameters = document()["paths"][&operation.path][&method]["parameters"].as_array();
            let by_query = parameters.into_iter().flatten().any(|parameter| {
                let place = target(parameter).and_then(|place| document().pointer(place));
                place.unwrap_or(parameter)["name"] == "limit"
            });
            let by_body = operation.request.as_ref().is_some_and(|request| {
                let body = &document()["components"]["schemas"][request];
                !body["properties"]["limit"].is_null()
            });
            (by_query || by_body).then_some((operation, by_body))
        })
        .collect();
    assert!(lists.len() > 20, "{}", lists.len());
    lists
}

/// Builds a call of the list with this limit and a key that opens it.
fn asks(shop: &Shop, who: &Person, operation: &Operation, by_body: bool, limit: i64) -> Call {
    let call = if operation.security == ["bearer"] {
        who.call(&operation.id)
    } else if operation.takes("admin_api_key") {
        let merchant = shop.server.operator(&operation.id);
        merchant.at("merchant_id", &shop.merchant_id)
    } else if operation.id.starts_with("subscription") {
        billing::asks(shop, &operation.id)
    } else {
        shop.call(&operation.id)
    };
    let call = match operation.id.as_str() {
        "subscription_items_list" => call.query("item_type", "plan"),
        _ => call,
    };
    match by_body {
        true => call.json(&json!({ "limit": limit })),
        false => call.query("limit", limit),
    }
}

#[tokio::test]
async fn a_negative_one_is_refused_by_every_list() {
    let shop = Shop::open().await;
    let admin = admin(&shop).await;
    for (operation, by_body) in lists() {
        if operation.id == "payer_payment_methods_list" {
            continue;
        }
        let mut call = asks(&shop, &admin, operation, by_body, -1);
        for name in operation.path_parameters() {
            if call.parameter(name).is_none() {
                call = call.at(name, "nobody");
            }
        }
        let message = call.await.refused(400, "IR_06");
        assert!(message.contains("limit"), "{}: {message}", operation.id);
    }
}

#[tokio::test]
async fn none_is_an_empty_page_of_every_list() {
    let shop = Shop::open().await;
    let admin = admin(&shop).await;
    billing::opens(&shop).await;
    let customer = json!({ "customer_id": "ada" });
    shop.call("customers_create").json(&customer).await.ok();
    for (operation, by_body) in lists() {
        // These need a token, a subscription or an organization. The same function reads their limit.
        if matches!(
            operation.id.as_str(),
            "payer_payment_methods_list"
                | "subscriptions_list_invoices"
                | "user_subscriptions_list_invoices"
                | "organization_accounts_list"
        ) {
            continue;
        }
        let call = asks(&shop, &admin, operation, by_body, 0);
        let call = match operation.path_parameters().contains(&"customer_id") {
            true => call.at("customer_id", "ada"),
            false => call,
        };
        if operation.id == "audit_export" {
            assert_eq!(call.await.text, "", "no line");
            continue;
        }
        let answer = call.await.ok();
        if operation.id == "audit_verify" {
            assert_eq!(answer["until"], 0, "{answer}");
            continue;
        }
        let page = [
            "data",
            "records",
            "events",
            "customer_payment_methods",
            "payment_methods",
        ];
        let page = page
            .iter()
            .map(|name| &answer[name])
            .find(|one| one.is_array());
        assert_eq!(page.unwrap_or(&answer), &json!([]), "{}", operation.id);
    }
}

#[tokio::test]
async fn a_list_that_counts_says_how_many_there_are() {
    let shop = Shop::open().await;
    let order = multirail_conformance::bodies::order_with(multirail_conformance::bodies::APPROVED);
    shop.creates(order).await.ok();
    let none = json!({ "limit": 0 });
    let found = shop.call("payments_filter").json(&none).await.ok();
    assert_eq!(
        (&found["count"], &found["total_count"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(found["data"], Value::Array(vec![]));
}
