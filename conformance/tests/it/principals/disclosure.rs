//! A caller who only reads must not be able to pay. Every kind of caller calls each operation about objects with
//! known secrets. No answer shows a secret to a caller who may not use it.

use std::collections::BTreeSet;

use multirail_conformance::bodies::{APPROVED, THREE_DS, order, order_with, with};
use multirail_conformance::document::{Operation, operation, operations};
use multirail_conformance::patience::until_found;
use multirail_conformance::request_log::{logged, request_id};
use multirail_conformance::{Call, Receiver, Shop, shop};
use serde_json::{Value, json};

use super::{Door, Fair, Who, order as moment, wanted};
use crate::payment_methods::method_id;
use crate::{billing, mandates, payment_methods, refunds, routing, subscriptions};

/// The use of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// Paying this payment.
    Pays,
    /// Signing webhooks, and calling the merchant's endpoint.
    Signs,
    /// Changing a customer's saved methods.
    Opens,
}

struct Secret {
    name: String,
    text: String,
    good_for: Use,
    /// The payment that the secret's holder can pay.
    payment_id: String,
}

/// The shop and callers, with objects whose secrets are known.
struct Vault {
    fair: Fair,
    /// Payments to be confirmed by link, waiting for the payer, and paid.
    payments: Vec<Value>,
    event_id: String,
    /// The logged request of the paid payment.
    request_id: String,
    subscription: Value,
    refund: Value,
    method: Value,
    mandate: Value,
    routing: Value,
    secrets: Vec<Secret>,
}

const HEADER: &str = "sesame-of-the-bookshop";
const KEY: &str = "made-once";

/// A create that is repeated with the key [`KEY`].
fn repeated() -> Value {
    with(order(), json!({ "customer_id": "ada" }))
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

impl Vault {
    async fn open() -> Self {
        let fair = Fair::open().await;
        let shop = fair.shop.clone();
        let receiver = Receiver::open().await;
        billing::opens(&shop).await;
        subscriptions::offers(&shop).await;
        let headers = json!({ "x-shop-key": HEADER });
        let details =
            json!({ "webhook_url": receiver.url(), "payment_statuses_enabled": ["succeeded"] });
        let profile = json!({
            "webhook_details": details, "outgoing_webhook_custom_http_headers": headers,
        });
        let profile = shop.sets_up(profile).await.ok();

        // The payment of the payers among the callers comes first.
        let first = shop.retrieves(&json!({ "payment_id": fair.payment_id }));
        let mut payments = vec![first.await.ok()];
        let by_link = json!({ "customer_id": "ada", "payment_link": true });
        let by_link = shop.creates(with(order_with(APPROVED), by_link)).await.ok();
        let own_words = json!({ "seen": by_link["client_secret"], "client_secret": "mine" });
        let waiting = json!({
            "confirm": true, "description": format!("see {}", text(&by_link["payment_link"]["link"])),
            "metadata": own_words,
        });
        let waiting = shop.creates(with(order_with(THREE_DS), waiting)).await.ok();
        let paid = json!({ "confirm": true });
        let paid = shop.creates(with(order_with(APPROVED), paid)).await;
        logged(|operation| shop.call(operation), &paid).await;
        let request_id = request_id(&paid);
        let paid = paid.ok();
        let refund = refunds::paid_with(&shop, APPROVED).await;
        let refund = shop.refunds(&refund, json!({})).await.ok();
        payments.extend([by_link, waiting, paid.clone()]);
        let subscription = subscriptions::subscribed(&shop, "reader_monthly").await;
        let invoice = subscriptions::invoices(&shop, &subscription)
            .await
            .remove(0);
        let method = payment_methods::saves(&shop, "ada", APPROVED).await.ok();
        let made = shop.call("payments_create").json(&repeated());
        let made = made.header("idempotency-key", KEY).await.ok();

        let mut secrets = Vec::new();
        let mut know = |name: &str, value: &Value, good_for: Use, payment_id: &Value| {
            secrets.push(Secret {
                name: name.to_owned(),
                text: text(value),
                good_for,
                payment_id: payment_id.as_str().unwrap_or_default().to_owned(),
            });
        };
        for payment in payments.iter().chain([&made]) {
            let id = &payment["payment_id"];
            know("client_secret", &payment["client_secret"], Use::Pays, id);
            know(
                "sdk_authorization",
                &payment["sdk_authorization"],
                Use::Pays,
                id,
            );
        }
        let id = &payments[1]["payment_id"];
        know("link", &payments[1]["payment_link"]["link"], Use::Pays, id);
        let redirect = &payments[2]["next_action"]["redirect_to_url"];
        know("redirect", redirect, Use::Pays, &payments[2]["payment_id"]);
        let of_payment = &subscription["payment"];
        know(
            "subscription",
            &subscription["client_secret"],
            Use::Pays,
            &Value::Null,
        );
        know(
            "its payment",
            &of_payment["client_secret"],
            Use::Pays,
            &of_payment["payment_id"],
        );
        know("invoice", &invoice["invoice_link"], Use::Pays, &Value::Null);
        let ephemeral = &made["ephemeral_key"]["secret"];
        know("ephemeral key", ephemeral, Use::Opens, &Value::Null);
        let hash_key = &profile["payment_response_hash_key"];
        know("hash key", hash_key, Use::Signs, &Value::Null);
        let webhook_secret = &profile["webhook_secrets"][0]["secret"];
        know("webhook secret", webhook_secret, Use::Signs, &Value::Null);
        know("header", &json!(HEADER), Use::Signs, &Value::Null);
        let event_id = delivered(&shop, &paid).await;
        let mandate = mandates::made(&shop, mandates::once()).await;
        let routing = routing::creates(&shop, routing::single("fauxpay"))
            .await
            .ok();
        Self {
            fair,
            payments,
            event_id,
            request_id,
            subscription,
            refund,
            method,
            mandate,
            routing,
            secrets,
        }
    }

    /// Returns this caller's calls of the operation, one for each payment if the path names one.
    fn calls(&self, operation: &Operation, who: &Who) -> Vec<Call> {
        let about_payments = operation.path_parameters().contains(&"payment_id");
        let payments = match about_payments {
            true => &self.payments[..],
            false => &self.payments[..1],
        };
        let call = |payment: &Value| who.calls(self.about(operation, who, payment));
        payments.iter().map(call).collect()
    }

    fn about(&self, operation: &Operation, who: &Who, payment: &Value) -> Call {
        let shop = &self.fair.shop;
        let mut call = shop.server.wire.call(&operation.id);
        for parameter in operation.path_parameters() {
            let value = match parameter {
                "account_id" | "merchant_id" => &shop.merchant_id,
                "organization_id" => &self.fair.organization_id,
                "profile_id" => &shop.profile_id,
                "merchant_connector_id" | "connector_account" => &shop.connector_account_id,
                "payment_id" => shop::id(payment),
                "event_id" => &self.event_id,
                "request_id" => &self.request_id,
                "refund_id" => shop::refund_id(&self.refund),
                "customer_id" => "ada",
                "payment_method_id" => method_id(&self.method),
                "mandate_id" => mandates::id(&self.mandate),
                "routing_id" => routing::id(&self.routing),
                "subscription_id" => subscriptions::id(&self.subscription),
                "invoice_id" => self.subscription["invoice"]["id"].as_str().expect("an id"),
                "product_id" | "item_id" | "item_price_id" | "coupon_code" => {
                    billing::id(parameter)
                }
                // These objects hold none of the secrets.
                "dispute_id"
                | "key_id"
                | "notice_id"
                | "saved_view_id"
                | "session_id"
                | "user_id"
                | "webhook_endpoint_id" => "unborn",
                other => panic!("{}: give the test an object for {other}", operation.id),
            };
            call = call.at(parameter, value);
        }
        // The create is repeated unchanged.
        if operation.place_of("X-Profile-Id").is_some() && operation.id != "payments_create" {
            call = call.header("X-Profile-Id", &shop.profile_id);
        }
        let is_payer = matches!(who, Who::Key("publishable_key", _) | Who::Sdk(_));
        let secret = json!({ "client_secret": self.fair.client_secret });
        call = match operation.id.as_str() {
            "dynamic_routing_elimination_toggle" | "dynamic_routing_success_based_toggle" => {
                call.query("enable", "metrics")
            }
            "dynamic_routing_set_volume_split" => call.query("split", 50),
            "subscription_estimate" => call.query("item_price_id", "reader_monthly"),
            "user_subscriptions_estimate" => call
                .query("plan_id", "reader")
                .query("item_price_id", "reader_monthly"),
            "payments_retrieve" | "user_payments_retrieve" => call.query("expand_attempts", true),
            _ => call,
        };
        match (&operation.request, is_payer) {
            (Some(_), true) if operation.takes("publishable_key") => call.json(&secret),
            (Some(_), _) if operation.id == "payments_create" => {
                call.header("idempotency-key", KEY).json(&repeated())
            }
            (Some(_), _) if operation.id == "refunds_create" => {
                call.json(&json!({ "payment_id": self.payments[3]["payment_id"], "amount": 1 }))
            }
            (Some(_), _) => call.json(&json!({})),
            (None, true) if operation.takes("publishable_key") => {
                call.query("client_secret", &self.fair.client_secret)
            }
            (None, _) => call,
        }
    }

    /// Returns whether the caller may use the secret, judged by the operations that the document allows them.
    fn may_use(&self, who: &Who, secret: &Secret) -> bool {
        let may = |id: &str| wanted(operation(id), who) == Door::Open;
        match who {
            Who::Nobody | Who::OtherShop(_) | Who::OtherUser(_) | Who::PlatformElsewhere(_) => {
                false
            }
            Who::Key("publishable_key", _) | Who::Sdk(_) => {
                secret.payment_id == self.fair.payment_id
            }
            Who::Key("ephemeral_key", _) => false,
            // These callers can create keys that open everything.
            Who::Key("admin_api_key", _) | Who::User("org_admin" | "merchant_admin", _) => true,
            Who::Key(..)
            | Who::Reader(_)
            | Who::Clerk(_)
            | Who::Cashier(_)
            | Who::User(..)
            | Who::Platform(_) => match secret.good_for {
                Use::Pays => may("payments_confirm") || may("subscriptions_confirm"),
                Use::Opens => may("ephemeral_keys_create"),
                Use::Signs => may("business_profiles_update"),
            },
        }
    }
}

/// Returns the payment's event after its delivery.
async fn delivered(shop: &Shop, payment: &Value) -> String {
    let list = || {
        let call = shop.operator("events_list");
        let about = json!({ "object_id": payment["payment_id"], "is_delivered": true });
        call.at("merchant_id", &shop.merchant_id).json(&about)
    };
    until_found("the delivery of a webhook", async || {
        let page = list().await.ok();
        let event = page["events"][0]["event_id"].as_str().map(str::to_owned);
        event.ok_or(page)
    })
    .await
}

/// Orders reads before changes. Operations that end callers come last.
fn turn(operation: &Operation) -> (bool, u8) {
    (operation.mutates(), moment(operation))
}

#[tokio::test]
async fn no_answer_tells_a_secret_to_whoever_may_not_use_it() {
    let vault = Vault::open().await;
    let mut all: Vec<&Operation> = operations().iter().collect();
    all.sort_by_key(|operation| turn(operation));
    let mut told = BTreeSet::new();
    let mut leaks = BTreeSet::new();
    for operation in all {
        for who in &vault.fair.everybody {
            for call in vault.calls(operation, who) {
                let answer = call.await;
                for secret in &vault.secrets {
                    let Secret { name, text, .. } = secret;
                    let is_told = answer.text.contains(text.as_str());
                    if is_told && vault.may_use(who, secret) {
                        told.insert(name.as_str());
                    } else if is_told {
                        leaks.insert(format!("{}, {}: {name}", operation.id, who.name()));
                    }
                }
            }
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
    // A secret that no caller is shown would prove nothing.
    let known: BTreeSet<&str> = vault.secrets.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(told, known);
}

/// These are the secrets of a payment link's page, a redirect and a payment.
#[tokio::test]
async fn a_reader_sees_how_payments_stand_all_the_same() {
    let vault = Vault::open().await;
    let reader = vault.fair.everybody.iter();
    let mut readers = reader.filter(|who| matches!(who, Who::User("merchant_view_only", _)));
    let reader = readers.next().expect("somebody who reads");
    let list = vault.fair.shop.server.wire.call("payments_list");
    let list = reader.calls(list).await.ok();
    let waiting = &vault.payments[2];
    let mut shown = list["data"].as_array().expect("payments").iter();
    let shown = shown.find(|one| one["payment_id"] == waiting["payment_id"]);
    let shown = shown.expect("the waiting payment");
    assert_eq!(shown["client_secret"], "");
    assert_eq!(shown["sdk_authorization"], Value::Null);
    assert_eq!(
        shown["next_action"],
        json!({ "type": "redirect_to_url", "redirect_to_url": "" })
    );
    let description = text(&shown["description"]);
    assert!(description.ends_with("/visit_***"), "{description}");
    assert_eq!(shown["metadata"]["client_secret"], "mine");
    let seen = text(&shown["metadata"]["seen"]);
    assert!(seen.ends_with("_secret_***"), "{seen}");
    assert_eq!(shown["status"], "requires_customer_action");
    assert_eq!(shown["amount"], waiting["amount"]);
}
