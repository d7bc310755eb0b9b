//! Two merchants on one server: another merchant's object doesn't exist, and another merchant's id in a path is
//! refused. The operations come from the document, so a new one is tested at once.

mod reach;

use multirail_conformance::bodies::{APPROVED, DISPUTED, order_with, with};
use multirail_conformance::document::{Operation, document, operations};
use multirail_conformance::notice::webhook_details;
use multirail_conformance::request_log::{logged, request_id};
use multirail_conformance::shop::refund_id;
use multirail_conformance::{Shop, TestServer};
use serde_json::{Value, json};

use crate::billing;
use crate::customers;
use crate::disputes::{self, dispute_id};
use crate::mandates;
use crate::payment_methods::{self, method_id};
use crate::platforms::Hall;
use crate::refunds::paid_with;
use crate::routing;
use crate::subscriptions;

struct Street {
    /// The platform of the bookshop.
    hall: Hall,
    bookshop: Shop,
    florist: Shop,
    /// A payment of the florist.
    payment_id: String,
    /// The logged request that created it.
    request_id: String,
    /// A refund of another payment of the florist.
    refund: Value,
    /// A dispute of a third payment of the florist.
    dispute: Value,
    /// A customer of the florist.
    customer: Value,
    /// A saved method of that customer.
    method: Value,
    /// A mandate of that customer.
    mandate: Value,
    /// A routing configuration of the florist.
    routing: Value,
    /// A subscription of the florist.
    subscription: Value,
}

impl Street {
    async fn open() -> Self {
        let hall = Hall::open(&TestServer::start().await, "hall").await;
        let bookshop = hall.connects("bookshop").await;
        let florist = bookshop.server.shop("florist").await;
        let payment = florist.creates(order_with(APPROVED)).await;
        logged(|operation| florist.call(operation), &payment).await;
        let request_id = request_id(&payment);
        let payment = payment.ok();
        let payment_id = multirail_conformance::shop::id(&payment).to_owned();
        let paid = paid_with(&florist, APPROVED).await;
        let refund = florist.refunds(&paid, json!({})).await.ok();
        florist.reconnects(webhook_details()).await.ok();
        let disputed = paid_with(&florist, DISPUTED).await;
        let dispute = disputes::raised(&florist, &disputed, "dispute", "dispute_opened").await;
        let ada = json!({ "customer_id": "ada", "email": "ada@shopper.example" });
        let customer = florist.call("customers_create").json(&ada).await.ok();
        let mandate = mandates::made(&florist, mandates::once()).await;
        let method = payment_methods::saves(&florist, "ada", APPROVED).await.ok();
        let routing = routing::creates(&florist, routing::single("fauxpay"))
            .await
            .ok();
        for shop in [&bookshop, &florist] {
            billing::opens(shop).await;
        }
        billing::offers(&florist).await;
        subscriptions::offers(&florist).await;
        let subscription = subscriptions::subscribed(&florist, "reader_monthly").await;
        // The subscription's payment uses this method, and shows it.
        let method = payment_methods::on(&florist, "payment_methods_retrieve", &method);
        let method = method.await.ok();
        Self {
            hall,
            routing,
            subscription,
            customer,
            mandate,
            method,
            bookshop,
            florist,
            payment_id,
            request_id,
            refund,
            dispute,
        }
    }
}

fn with_a_merchants_key() -> impl Iterator<Item = &'static Operation> {
    operations()
        .iter()
        .filter(|operation| operation.takes("api_key"))
}

#[tokio::test]
async fn anothers_account_in_the_path_is_a_key_in_the_wrong_place() {
    let street = Street::open().await;
    let mut tried = 0;
    for operation in with_a_merchants_key() {
        let parameters = operation.path_parameters();
        if !parameters.contains(&"account_id") {
            continue;
        }
        let call = street
            .bookshop
            .wire
            .call(&operation.id)
            .key(&street.bookshop.api_key)
            .at("account_id", "florist")
            .at("profile_id", &street.florist.profile_id)
            .at(
                "merchant_connector_id",
                &street.florist.connector_account_id,
            )
            .at("routing_id", routing::id(&street.routing))
            .at("webhook_endpoint_id", "whe_unborn");
        let call = match operation.id.as_str() {
            "dynamic_routing_elimination_toggle" | "dynamic_routing_success_based_toggle" => {
                call.query("enable", "metrics")
            }
            "dynamic_routing_set_volume_split" => call.query("split", 50),
            _ => call,
        };
        let call = if operation.request.is_some() {
            call.json(&valid_body(operation))
        } else {
            call
        };
        // A platform can't change a merchant's settings, connected or not.
        for merchant_id in ["bookshop", "florist"] {
            let acting = street.hall.acts(merchant_id, call.clone());
            acting.await.refused(400, "IR_43");
        }
        call.await.refused(401, "IR_01");
        tried += 1;
    }
    assert!(tried >= 8, "{tried}");
}

#[tokio::test]
async fn anothers_object_does_not_exist() {
    let street = Street::open().await;
    let (mut tried, mut acted) = (0, 0);
    for operation in with_a_merchants_key() {
        let objects: Vec<&str> = operation
            .path_parameters()
            .into_iter()
            .filter(|name| *name != "account_id")
            .collect();
        if objects.is_empty() {
            continue;
        }
        let mut call = street.bookshop.call(&operation.id);
        for object in objects {
            call = match object {
                "payment_id" => call.at(object, &street.payment_id),
                "refund_id" => call.at(object, refund_id(&street.refund)),
                "request_id" => call.at(object, &street.request_id),
                "dispute_id" => call.at(object, dispute_id(&street.dispute)),
                "customer_id" => call.at(object, customers::id(&street.customer)),
                "routing_id" => call.at(object, routing::id(&street.routing)),
                "mandate_id" => call.at(object, mandates::id(&street.mandate)),
                "payment_method_id" => call.at(object, method_id(&street.method)),
                "profile_id" => call.at(object, &street.florist.profile_id),
                "merchant_connector_id" => call.at(object, &street.florist.connector_account_id),
                "webhook_endpoint_id" => call.at(object, "whe_unborn"),
                "product_id" | "item_id" | "item_price_id" | "coupon_code" => {
                    billing::for_profile(&street.bookshop, call).at(object, billing::id(object))
                }
                "subscription_id" => billing::for_profile(&street.bookshop, call)
                    .at(object, subscriptions::id(&street.subscription)),
                "invoice_id" => {
                    let invoice = &street.subscription["invoice"]["id"];
                    call.at(object, invoice.as_str().expect("an id"))
                }
                other => panic!("{}: whose is {other}?", operation.id),
            };
        }
        if operation.id.starts_with("dynamic_routing_") && operation.id.ends_with("_toggle") {
            call = call.query("enable", "metrics");
        }
        if operation.id == "dynamic_routing_set_volume_split" {
            call = call.query("split", 50);
        }
        if operation.id == "disputes_delete_evidence" {
            call = call.query("evidence_type", "receipt");
        }
        if operation.id == "disputes_fetch" {
            let day = |day: u8| format!("2026-11-{day}T00:00:00Z");
            call = call
                .query("fetch_from", day(20))
                .query("fetch_till", day(21));
        }
        let call = if operation.request.is_some() {
            call.json(&valid_body(operation))
        } else {
            call
        };
        let code = if operation.path_parameters().contains(&"dispute_id") {
            "HE_04"
        } else if operation.path_parameters().contains(&"subscription_id") {
            "IR_37"
        } else {
            "HE_02"
        };
        // The bookshop's platform can't reach these objects either, and it can't act for the florist.
        let [own, others] = ["bookshop", "florist"].map(|one| street.hall.acts(one, call.clone()));
        match operation.for_platforms {
            true => {
                own.await.refused(404, code);
                others.await.refused(401, "IR_44");
                acted += 1;
            }
            false => {
                own.await.refused(400, "IR_43");
                others.await.refused(400, "IR_43");
            }
        }
        call.await.refused(404, code);
        tried += 1;
    }
    assert!(tried >= 16, "{tried}");
    assert!(acted >= 16, "{acted}");
    let refund = street.florist.retrieves_refund(&street.refund).await.ok();
    assert_eq!(refund, street.refund);
    let dispute = disputes::on(&street.florist, "disputes_retrieve", &street.dispute);
    assert_eq!(dispute.await.ok(), street.dispute);
    let customer = customers::on(&street.florist, "customers_retrieve", &street.customer);
    let with_default = json!({ "default_payment_method_id": street.method["payment_method_id"] });
    let wanted = with(street.customer.clone(), with_default);
    assert_eq!(customer.await.ok(), wanted);
    let method = payment_methods::on(&street.florist, "payment_methods_retrieve", &street.method);
    assert_eq!(method.await.ok(), street.method);
    let untouched = street
        .florist
        .retrieves(&json!({ "payment_id": street.payment_id }))
        .await
        .ok();
    assert_eq!(untouched["status"], "requires_confirmation");
}

/// Returns a valid body, so that only the owner is wrong.
pub fn valid_body(operation: &Operation) -> Value {
    match operation.id.as_str() {
        "connector_accounts_create" => {
            json!({ "connector_type": "payment_processor", "connector_name": "fauxpay" })
        }
        "subscriptions_confirm" => json!({ "payment_details": { "payment_method": "card" } }),
        "connector_accounts_update" => json!({ "connector_type": "payment_processor" }),
        "routing_default_update_of_profile" => json!({ "connectors": [] }),
        "webhook_endpoints_replay" => json!({ "created_after": "2026-01-01T00:00:00Z" }),
        "dynamic_routing_elimination_create" => {
            json!({ "decision_engine_configs": { "threshold": 0.35 } })
        }
        _ => {
            let name = operation.request.as_deref().expect("a body");
            least(&document()["components"]["schemas"][name])
        }
    }
}

/// Returns the smallest value of a schema: of an object only the required members.
fn least(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten();
            let names = required.filter_map(Value::as_str);
            let member = |name: &str| (name.to_owned(), least(&schema["properties"][name]));
            Value::Object(names.map(member).collect())
        }
        Some("integer") => json!(1),
        Some("string") => json!("a"),
        other => panic!("what is the least {other:?}? {schema}"),
    }
}

#[tokio::test]
async fn anothers_object_inside_a_body_does_not_exist() {
    let street = Street::open().await;
    let Street {
        bookshop, florist, ..
    } = &street;
    bookshop
        .connects("stripe_test", json!({ "profile_id": florist.profile_id }))
        .await
        .refused(404, "HE_02");
    let routing = json!({ "routing": { "type": "single", "data": {
        "connector": "fauxpay", "merchant_connector_id": florist.connector_account_id,
    } } });
    let payment = bookshop.creates(order_with(APPROVED)).await.ok();
    bookshop
        .confirms(&payment, routing)
        .await
        .refused(400, "IR_39");
    for operation in ["payments_filter", "refunds_list"] {
        let call = bookshop
            .call(operation)
            .json(&json!({ "profile_id": florist.profile_id }));
        let answer = call.await;
        assert!(
            answer.status == 404 || answer.body["total_count"] == 0,
            "{answer:?}"
        );
    }
    let sold = json!({ "payment_id": street.refund["payment_id"] });
    bookshop
        .refunds(&sold, json!({}))
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn lists_show_what_is_ones_own() {
    let street = Street::open().await;
    let bookshop = &street.bookshop;
    assert_eq!(bookshop.call("payments_list").await.ok()["size"], 0);
    for operation in ["payments_filter", "refunds_list"] {
        assert_eq!(bookshop.call(operation).await.ok()["total_count"], 0);
    }
    let customers = bookshop.call("customers_list");
    for list in [
        customers.clone(),
        customers.query("email", "ada@shopper.example"),
    ] {
        assert_eq!(list.await.ok(), json!([]));
    }
    for operation in ["mandates_list", "payments_list"] {
        assert!(
            !bookshop
                .call(operation)
                .await
                .ok()
                .to_string()
                .contains("man_")
        );
    }
    // Ids and tokens belong to one merchant.
    let ada = json!({ "customer_id": customers::id(&street.customer) });
    bookshop.call("customers_create").json(&ada).await.ok();
    let lists = |shop: &Shop| {
        shop.call("customer_payment_methods_list")
            .at("customer_id", "ada")
    };
    let own = lists(bookshop).await.ok();
    assert_eq!(own["customer_payment_methods"], json!([]));
    let others = lists(&street.florist).await.ok();
    let token = &others["customer_payment_methods"][0]["payment_token"];
    let by_token = json!({
        "amount": 6540, "currency": "USD", "customer_id": "ada", "confirm": true, "payment_token": token, "card_cvc": "123",
    });
    bookshop
        .creates(by_token.clone())
        .await
        .refused(422, "IR_29");
    street.florist.creates(by_token).await.ok();
    let key = json!({ "customer_id": "ada" });
    let key = street
        .florist
        .call("ephemeral_keys_create")
        .json(&key)
        .await
        .ok();
    let by_key = lists(bookshop)
        .key(key["secret"].as_str().expect("a key"))
        .await
        .ok();
    let listed = &by_key["customer_payment_methods"][0]["payment_method_id"];
    assert_eq!(
        *listed, street.method["payment_method_id"],
        "a key names its own merchant"
    );
    let accounts = bookshop.call("connector_accounts_list").await.ok();
    let account = &accounts[0]["merchant_connector_id"];
    assert_eq!(*account, bookshop.connector_account_id.as_str());
    assert_eq!(accounts[1]["connector_name"], "multirail_billing");
    assert_eq!(accounts[2], Value::Null, "{accounts}");
    let profiles = bookshop.call("business_profiles_list").await.ok();
    assert_eq!(profiles[0]["profile_id"], bookshop.profile_id.as_str());
    assert_eq!(profiles[1], Value::Null, "{profiles}");
}
