//! A merchant's payments after some days: the content of the console's screens.

use multirail_conformance::bodies::{DECLINED, DISPUTED, HELD, paid_with, with};
use multirail_conformance::notice::{SECRET, disputed, signed, webhook_details};
use multirail_conformance::patience::until;
use multirail_conformance::shop::id;
use serde_json::{Value, json};

use super::clerk::Clerk;

/// Customers, each with the amount of an order in minor units and its currency.
const ORDERS: [(&str, &str, i64, &str); 8] = [
    ("ada", "Ada Okafor", 6540, "USD"),
    ("jonas", "Jonas Weber", 12_900, "EUR"),
    ("mei", "Mei Tanaka", 4980, "JPY"),
    ("luisa", "Luísa Prado", 23_450, "EUR"),
    ("omar", "Omar Haddad", 1995, "USD"),
    ("sofie", "Sofie Lindqvist", 8750, "EUR"),
    ("kwame", "Kwame Mensah", 31_200, "USD"),
    ("nora", "Nora Byrne", 5400, "GBP"),
];

/// The ids of what was made.
pub struct Life {
    pub payment: String,
    /// The payment with a link that waits for its payer.
    pub linked: String,
    pub dispute: String,
    pub event: String,
    pub request: String,
    /// The active configuration of routing.
    pub routing: String,
}

impl Life {
    /// Makes customers, payments, refunds, a dispute, and rules of routing between two processors.
    pub async fn make(clerk: &Clerk) -> Self {
        makes_customers(clerk).await;
        let order =
            json!({ "customer_id": "nora", "description": "An atlas", "session_expiry": 86_400 });
        let linked = clerk.is_sent_a_link(order).await;
        for (number, (customer, _, amount, currency)) in ORDERS.iter().enumerate().skip(1) {
            let order = json!({ "customer_id": customer, "amount": amount, "currency": currency });
            let number =
                json!({ "merchant_order_reference_id": format!("order {}", 1042 + number) });
            clerk.is_paid(with(order, number)).await;
        }
        for (card, amount) in [(DECLINED, 9900), (HELD, 74_000)] {
            let order = with(paid_with(card), json!({ "amount": amount }));
            clerk.shop.creates(order).await.ok();
        }
        let dispute = is_disputed(clerk).await;
        let order = json!({ "customer_id": "ada", "merchant_order_reference_id": "order 1042", "description": "Three books" });
        let payment = clerk.is_paid(order).await;
        let refund = json!({ "amount": 2000, "reason": "One book was damaged" });
        clerk.shop.refunds(&payment, refund).await.ok();
        Self {
            event: event(clerk, &payment).await,
            request: request(clerk, &payment).await,
            payment: id(&payment).to_owned(),
            linked: id(&linked).to_owned(),
            dispute,
            // Payments from now on may go elsewhere.
            routing: is_routed(clerk).await,
        }
    }
}

/// Connects a second processor, and sends large payments in euros there. Returns the id of the configuration.
async fn is_routed(clerk: &Clerk) -> String {
    let shop = &clerk.shop;
    let label = json!({ "connector_label": "stripe_europe" });
    let account = shop.connects("stripe_test", label).await.ok();
    let to = |accounts: Value| json!({ "type": "priority", "data": accounts });
    let first =
        json!({ "connector": "fauxpay", "merchant_connector_id": shop.connector_account_id });
    let second = json!({
        "connector": "stripe_test", "merchant_connector_id": account["merchant_connector_id"],
    });
    let is = |lhs: &str, comparison: &str, kind: &str, value: Value| {
        json!({
            "lhs": lhs, "comparison": comparison, "value": { "type": kind, "value": value }, "metadata": {},
        })
    };
    let condition = [
        is("currency", "equal", "enum_variant", json!("EUR")),
        is("amount", "greater_than", "number", json!(10_000)),
    ];
    let rule = json!({
        "name": "Large orders in euros", "connectorSelection": to(json!([second, first])),
        "statements": [{ "condition": condition }],
    });
    let body = json!({
        "name": "Europe first", "description": "Large orders in euros go to the account in Europe.",
        "profile_id": shop.profile_id,
        "algorithm": {
            "type": "advanced",
            "data": { "defaultSelection": to(json!([first, second])), "rules": [rule], "metadata": {} },
        },
    });
    let made = shop.call("routing_create").json(&body).await.ok();
    let routing = text(&made["id"]);
    let activate = shop.call("routing_activate").at("routing_id", &routing);
    activate.await.ok();
    routing
}

async fn makes_customers(clerk: &Clerk) {
    for (customer, name, ..) in &ORDERS {
        let email = format!("{customer}@books.example");
        let body = json!({ "customer_id": customer, "name": name, "email": email });
        let creates = clerk.shop.call("customers_create");
        creates.json(&body).await.ok();
    }
}

/// Has a payer claim a payment back, as the processor reports. Returns the dispute's id.
async fn is_disputed(clerk: &Clerk) -> String {
    let shop = &clerk.shop;
    shop.reconnects(webhook_details()).await.ok();
    let payment = shop.creates(paid_with(DISPUTED)).await.ok();
    let door = shop.server.wire.call("notices_receive");
    let door = door
        .at("merchant_id", &shop.merchant_id)
        .at("connector_account", &shop.connector_account_id);
    let notice = disputed(&payment, "dispute", "dispute_opened");
    signed(door, SECRET, &notice).await.ok();
    let listed = shop.call("disputes_list").query("payment_id", id(&payment));
    let opened = until(
        "a dispute",
        async || listed.clone().await.ok(),
        |listed| listed[0]["dispute_id"].is_string(),
    );
    text(&opened.await[0]["dispute_id"])
}

/// Returns the id of the payment's first event.
async fn event(clerk: &Clerk, payment: &Value) -> String {
    let shop = &clerk.shop;
    let listed = shop
        .operator("events_list")
        .at("merchant_id", &shop.merchant_id)
        .json(&json!({ "object_id": id(payment) }));
    let stored = until(
        "an event",
        async || listed.clone().await.ok(),
        |listed| listed["events"][0]["event_id"].is_string(),
    );
    text(&stored.await["events"][0]["event_id"])
}

/// Returns the id of the request that created the payment.
async fn request(clerk: &Clerk, payment: &Value) -> String {
    let listed = clerk
        .shop
        .call("request_log_list")
        .query("payment_id", id(payment))
        .query("operation", "payments_create");
    let logged = until(
        "an entry of the request log",
        async || listed.clone().await.ok(),
        |listed| listed[0]["request_id"].is_string(),
    );
    text(&logged.await[0]["request_id"])
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
