//! Checks the document's marks of who sets each member against answers. Members that the server or a processor sets
//! are set somewhere; unset ones nowhere. [`super::members`] covers the members of requests.

use std::collections::{BTreeMap, BTreeSet};

use multirail_conformance::bodies::{
    APPROVED, DECLINED, DEVICE_DATA, DISPUTED, HELD, SEPA_PAYS, THREE_DS, debit, order, order_with,
    paid_with, sepa, with,
};
use multirail_conformance::document::document;
use multirail_conformance::notice::webhook_details;
use multirail_conformance::{Browser, Shop};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use crate::disputes::raised;
use crate::mandates;
use crate::platforms::Hall;

/// Members that the simulated processor never sets in these stories; other tests cover them.
const HELD_ELSEWHERE: [&str; 12] = [
    // Only an operator's error mapping sets this.
    "UnifiedErrorDetails.description",
    // Real processors set these.
    "CardDetails.payment_checks",
    "Payment.connector_response_metadata",
    "Payment.connector_customer_id",
    "Payment.network_transaction_id",
    "PaymentCapture.error_reason",
    "Refund.issuer_error_code",
    "Refund.issuer_error_message",
    // Only the refund of a transfer's excess has these from the server.
    "Refund.reason",
    "Refund.returns_excess",
    // Set when the card's code is lost with the server's memory.
    "PaymentAttempt.card_code_missing",
    // Only a confirm by a payer's client sets this.
    "Payment.browser_info",
];

fn schema(component: &str) -> &'static Value {
    &document()["components"]["schemas"][component]
}

/// Returns the component that a member is, or is a list of.
fn component_of(member: &Value) -> Option<&str> {
    let direct = member["$ref"].as_str();
    let inside = ["allOf", "anyOf"].into_iter().find_map(|word| {
        let parts = member[word].as_array()?;
        parts.iter().find_map(|part| part["$ref"].as_str())
    });
    let found = direct.or(inside).or(member["items"]["$ref"].as_str())?;
    found.strip_prefix("#/components/schemas/")
}

/// Collects who sets each marked member of the component and of nested ones, by `Component.member`.
fn marks(component: &str, found: &mut BTreeMap<String, Vec<String>>) {
    let members = schema(component)["properties"].as_object();
    for (name, member) in members.into_iter().flatten() {
        let who = member["x-multirail-set-by"]["who"].as_array();
        let Some(who) = who else {
            continue;
        };
        let who = who.iter().filter_map(Value::as_str).map(str::to_owned);
        let is_new = found
            .insert(format!("{component}.{name}"), who.collect())
            .is_none();
        if let Some(inside) = component_of(member).filter(|_| is_new) {
            marks(inside, found);
        }
    }
}

/// Collects the members of a component that an answer sets.
fn see(component: &str, answer: &Value, seen: &mut BTreeSet<String>) {
    if let Some(items) = answer.as_array() {
        items.iter().for_each(|item| see(component, item, seen));
        return;
    }
    let members = schema(component)["properties"].as_object();
    for (name, member) in members.into_iter().flatten() {
        let value = &answer[name.as_str()];
        if value.is_null() {
            continue;
        }
        seen.insert(format!("{component}.{name}"));
        if let Some(inside) = component_of(member) {
            see(inside, value, seen);
        }
    }
}

fn declines() -> Fault {
    Fault::Declines {
        code: "DC_08".to_owned(),
        message: "Payment declined: Insufficient funds".to_owned(),
    }
}

/// Returns methods whose next step the merchant shows, one for each form.
fn shown() -> [(&'static str, &'static str, &'static str, Value); 5] {
    let ada = json!({ "email": "ada@example.com", "address": { "first_name": "Ada", "last_name": "Okafor", "country": "BR" } });
    let boleto = json!({ "boleto": { "social_security_number": "12345678909" } });
    let multibanco = json!({ "billing_details": { "email": "ada@example.com" } });
    let sepa = json!({ "country": "NL", "billing_details": { "name": "Ada Okafor" } });
    [
        (
            "BRL",
            "bank_transfer",
            "pix",
            json!({ "bank_transfer": { "pix": {} } }),
        ),
        (
            "PLN",
            "bank_redirect",
            "blik",
            json!({ "bank_redirect": { "blik": { "blik_code": "123456" } } }),
        ),
        (
            "BRL",
            "voucher",
            "boleto",
            json!({ "voucher": boleto, "billing": ada }),
        ),
        (
            "EUR",
            "bank_transfer",
            "multibanco",
            json!({ "bank_transfer": { "multibanco_bank_transfer": multibanco } }),
        ),
        (
            "EUR",
            "bank_transfer",
            "sepa_bank_transfer",
            json!({ "bank_transfer": { "sepa_bank_transfer": sepa } }),
        ),
    ]
}

/// Returns a debit of each scheme, from an account that pays.
fn debits() -> [Value; 4] {
    let ach = json!({ "account_number": "000123456789", "routing_number": "110000000" });
    let bacs = json!({ "account_number": "00012345", "sort_code": "108800" });
    let becs = json!({ "account_number": "000123456", "bsb_number": "000-000" });
    [
        debit("ach", "USD", ach),
        debit("bacs", "GBP", bacs),
        debit("becs", "AUD", becs),
        sepa(SEPA_PAYS),
    ]
}

/// Creates payments with different histories, as a merchant reads them.
async fn payments(shop: &Shop) -> Vec<Value> {
    let mut all = vec![
        shop.creates(paid_with(DECLINED)).await.ok(),
        shop.creates(with(order(), json!({ "payment_link": true })))
            .await
            .ok(),
    ];
    let known = json!({
        "customer_id": "ada", "name": "Ada", "email": "ada@shopper.example", "phone": "2025550132", "phone_country_code": "+1",
    });
    shop.call("customers_create").json(&known).await.ok();
    let by_id = json!({ "customer_id": "ada" });
    all.push(shop.creates(with(order(), by_id)).await.ok());
    let kept = json!({ "customer_id": "ada", "setup_future_usage": "on_session" });
    all.push(shop.creates(with(paid_with(APPROVED), kept)).await.ok());
    let agreed = json!({
        "customer_id": "ada", "setup_future_usage": "off_session", "customer_acceptance": { "acceptance_type": "offline" },
    });
    all.push(shop.creates(with(paid_with(APPROVED), agreed)).await.ok());
    let at_once = json!({ "confirm": true, "return_url": "https://shop.example/thanks" });
    let asked = shop.creates(with(order_with(THREE_DS), at_once)).await.ok();
    let browser = Browser::new(&shop.wire);
    let address = asked["next_action"]["redirect_to_url"].as_str();
    let page = browser.opens(address.expect("an address")).await;
    let page = page.expect("a page");
    browser.presses(&page, "Approve").await.expect("the end");
    all.extend([asked.clone(), shop.retrieves(&asked).await.ok()]);
    all.push(shop.creates(paid_with(DEVICE_DATA)).await.ok());
    let of_network = super::wallets::by_network_token(APPROVED);
    all.push(shop.creates(with(order(), of_network)).await.ok());
    let by_bank = json!({
        "currency": "EUR", "confirm": true, "return_url": "https://shop.example/thanks",
        "payment_method": "bank_redirect", "payment_method_type": "bancontact_card",
        "payment_method_data": { "bank_redirect": { "bancontact_card": {
            "card_number": APPROVED, "card_exp_month": "10", "card_exp_year": "2035",
        } } },
    });
    all.push(shop.creates(with(order(), by_bank)).await.ok());
    for (currency, method, kind, data) in shown() {
        let by_method = json!({
            "currency": currency, "confirm": true, "return_url": "https://shop.example/thanks",
            "payment_method": method, "payment_method_type": kind, "payment_method_data": data,
        });
        all.push(shop.creates(with(order(), by_method)).await.ok());
    }
    let at_once =
        json!({ "confirm": true, "customer_acceptance": { "acceptance_type": "offline" } });
    for debit in debits() {
        all.push(shop.creates(with(debit, at_once.clone())).await.ok());
    }
    let to_decide = shop.creates(paid_with(HELD)).await.ok();
    all.push(shop.approves(&to_decide).await.ok());

    let more = json!({
        "confirm": true, "capture_method": "manual_multiple", "request_incremental_authorization": true,
        "order_tax_amount": 60, "payment_experience": "redirect_to_url",
    });
    let held = shop.creates(with(order_with(APPROVED), more)).await.ok();
    shop.next_call_meets(Call::Increment, declines());
    shop.raises(&held, 9000).await.ok();
    shop.captures(&held, json!({ "amount_to_capture": 4000 }))
        .await
        .ok();
    shop.next_call_meets(Call::Capture, declines());
    shop.captures(&held, json!({ "amount_to_capture": 100 }))
        .await
        .ok();
    let granted = json!({
        "confirm": true, "capture_method": "manual", "request_extended_authorization": true, "enable_overcapture": true,
    });
    all.push(shop.creates(with(order_with(APPROVED), granted)).await.ok());
    let refunded = shop.creates(paid_with(APPROVED)).await.ok();
    shop.refunds(&refunded, json!({ "amount": 100 })).await.ok();
    shop.next_call_meets(Call::Refund, declines());
    shop.refunds(&refunded, json!({ "amount": 200 })).await.ok();
    let voided = shop.creates(paid_with(APPROVED)).await.ok();
    shop.next_call_meets(Call::Void, declines());
    all.push(shop.cancels_post_capture(&voided, json!({})).await.ok());
    shop.cancels_post_capture(&voided, json!({})).await.ok();
    let disputed = shop.creates(paid_with(DISPUTED)).await.ok();
    raised(shop, &disputed, "dispute", "dispute_lost").await;
    let permitting = mandates::setting_up(APPROVED, mandates::once());
    let permitting = shop.creates(permitting).await.ok();
    shop.next_call_meets(Call::Authorize, Fault::LosesAnswer);
    let unknown = shop.creates(paid_with(APPROVED)).await.ok();
    all.push(unknown);
    let first = all[0].clone();
    for payment in [held, refunded, voided, disputed, permitting, first] {
        let read = shop.retrieves(&payment).query("expand_routing", true);
        all.push(read.await.ok());
    }
    all
}

#[tokio::test]
async fn answers_match_the_table() {
    let shop = Shop::open().await;
    shop.reconnects(webhook_details()).await.ok();
    let mut seen = BTreeSet::new();
    for payment in payments(&shop).await {
        see("Payment", &payment, &mut seen);
    }
    let hall = Hall::open(&shop.server, "hall").await;
    let connected = hall.connects("stall").await.creates(order()).await.ok();
    see("Payment", &connected, &mut seen);
    let mut table = BTreeMap::new();
    marks("Payment", &mut table);
    let is_ours = |who: &str| who == "server" || who == "connector";
    for (member, who) in &table {
        if who.iter().any(|one| one == "nobody") {
            assert!(!seen.contains(member), "{member} is set, and nobody does");
        } else if who.iter().any(|one| is_ours(one)) && !HELD_ELSEWHERE.contains(&member.as_str()) {
            assert!(
                seen.contains(member),
                "{member} is set by {who:?}, and never seen"
            );
        }
    }
    for member in HELD_ELSEWHERE {
        assert!(table.contains_key(member), "{member} has no mark");
    }
}
