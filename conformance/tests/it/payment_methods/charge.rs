//! Charging saved methods without the payer.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, THREE_DS, card, paid_with, with, without};
use multirail_conformance::evidence::evidence_of_what_is_set;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{listed, method_id, on, order_of, saved_for};

/// Another card that is approved.
pub const OTHER: &str = "4242424242424242";

/// Makes a customer pay with a card and consent to later charges without the payer.
pub async fn agrees(shop: &Shop, customer: &str, number: &str) -> Value {
    let body = with(
        with(paid_with(number), saved_for("off_session")),
        json!({ "customer_id": customer }),
    );
    shop.creates(body).await.ok()
}

/// Members that charge a saved method.
pub fn by_merchant(method: &Value) -> Value {
    json!({
        "off_session": true,
        "recurring_details": { "type": "payment_method_id", "data": method_id(method) },
    })
}

/// A customer's charge, confirmed at once.
pub fn charged(customer: &str, method: &Value) -> Value {
    let confirm = with(by_merchant(method), json!({ "confirm": true }));
    with(order_of(customer), confirm)
}

/// Returns what the processor was told about the initiator of the payment.
pub fn initiation(shop: &Shop, payment: &Value) -> Value {
    let filed = shop.processor().ledger().authorizations();
    let filed = json!(filed.expect("the ledger can be read"));
    let filed = filed.as_array().expect("a list").iter();
    let mut of_payment =
        filed.filter(|filed| filed["reference"] == payment["connector_transaction_id"]);
    let found = of_payment.next_back().expect("an authorization");
    found["details"]["initiation"].clone()
}

#[tokio::test]
async fn a_card_is_charged_without_its_payer_and_without_its_code() {
    let shop = Shop::open().await;
    let first = agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    assert_eq!(method["recurring_enabled"], true);
    let more = json!({ "mit_category": "recurring" });
    let paid = shop.creates(with(charged("ada", &method), more)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["payment_method_id"], method["payment_method_id"]);
    assert_eq!(paid["payment_method_data"]["card"]["last4"], "1111");
    assert_eq!(paid["mit_category"], "recurring");
    let mut seen = evidence_of_what_is_set(&json!({
        "card_discovery": paid["card_discovery"], "off_session": paid["off_session"],
        "payment_token": paid["payment_token"], "told": initiation(&shop, &paid),
    }));
    assert_eq!(
        seen["told"]["network_transaction_id"],
        first["network_transaction_id"]
    );
    seen["told"]["network_transaction_id"] = json!("[reference]");
    assert_eq!(
        seen["told"]["mandate"],
        json!({ "connector_mandate_id": first["connector_mandate_id"] })
    );
    seen["told"]["mandate"] = json!("[kept]");
    insta::assert_json_snapshot!(seen, @r#"
    {
      "card_discovery": "saved_card",
      "off_session": true,
      "told": {
        "off_session": true,
        "is_stored_credential": true,
        "mit_category": "recurring",
        "network_transaction_id": "[reference]",
        "mandate": "[kept]"
      }
    }
    "#);
    let shown = shop
        .retrieves(&paid)
        .query("expand_attempts", true)
        .await
        .ok();
    assert_eq!(
        shown["attempts"][0]["card_code_missing"],
        Value::Null,
        "there is none to miss"
    );
    let used = listed(&shop, "ada").await.remove(0);
    assert!(used["last_used_at"].as_str() >= method["last_used_at"].as_str());
}

#[tokio::test]
async fn it_may_be_confirmed_later_and_named_by_any_request() {
    let shop = Shop::open().await;
    agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    // The method comes with the confirm.
    let payment = shop.creates(order_of("ada")).await.ok();
    let paid = shop.confirms(&payment, by_merchant(&method)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // The method comes with the create, and the confirm adds nothing.
    let payment = shop
        .creates(with(order_of("ada"), by_merchant(&method)))
        .await
        .ok();
    assert_eq!(payment["status"], "requires_confirmation");
    assert_eq!(payment["payment_method_id"], method["payment_method_id"]);
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(initiation(&shop, &paid)["off_session"], true);
    // The method comes with an update and replaces a typed card.
    let payment = shop
        .creates(with(order_of("ada"), card(DECLINED)))
        .await
        .ok();
    shop.updates(&payment, by_merchant(&method)).await.ok();
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // A card that replaces the method pays, and the payer is present.
    let payment = shop
        .creates(with(order_of("ada"), by_merchant(&method)))
        .await
        .ok();
    shop.updates(&payment, with(card(OTHER), json!({ "off_session": false })))
        .await
        .ok();
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(paid["payment_method_data"]["card"]["last4"], "4242");
    assert_eq!(
        initiation(&shop, &paid)["network_transaction_id"],
        Value::Null
    );
    // A method that was deleted before the confirm isn't charged.
    let payment = shop
        .creates(with(order_of("ada"), by_merchant(&method)))
        .await
        .ok();
    on(&shop, "payment_methods_delete", &method).await.ok();
    shop.confirms(&payment, json!({}))
        .await
        .refused(404, "HE_02");
}

/// The next account's processor doesn't have the card, but is told of the first payment.
#[tokio::test]
async fn a_charge_that_goes_on_through_another_account_stays_what_it_is() {
    let shop = Shop::open().await;
    let first = agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    shop.connects("stripe_test", json!({})).await.ok();
    let anywhere =
        json!({ "is_auto_retries_enabled": true, "is_connector_agnostic_mit_enabled": true });
    shop.sets_up(anywhere).await.ok();
    shop.next_call_meets(ScriptedCall::Authorize, Fault::Throttles);
    let paid = shop.creates(charged("ada", &method)).await.ok();
    assert_eq!(
        (&paid["attempt_count"], &paid["connector"]),
        (&json!(2), &json!("stripe_test"))
    );
    let told = initiation(&shop, &paid);
    assert_eq!(told["off_session"], true);
    assert_eq!(
        told["network_transaction_id"],
        first["network_transaction_id"]
    );
    assert_eq!(
        told["mandate"],
        Value::Null,
        "that is the first account's own"
    );
}

/// The profile allows no other account, unless the payment itself names one.
#[tokio::test]
async fn a_charge_stays_with_the_account_that_keeps_the_card() {
    let shop = Shop::open().await;
    let first = agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    shop.connects("stripe_test", json!({})).await.ok();
    let retries = json!({ "is_auto_retries_enabled": true });
    let profile = shop.sets_up(retries).await.ok();
    assert_eq!(profile["is_connector_agnostic_mit_enabled"], false);
    shop.next_call_meets(ScriptedCall::Authorize, Fault::Throttles);
    let failed = shop.creates(charged("ada", &method)).await.ok();
    assert_eq!(
        (&failed["status"], &failed["attempt_count"]),
        (&json!("failed"), &json!(1))
    );
    let shown = shop.retrieves(&failed).query("expand_routing", true);
    let trace = shown.await.ok()["attempts"][0]["routing"].clone();
    let considered = trace["candidates"].as_array().expect("a list").iter();
    let considered: Vec<_> = considered
        .map(|one| (one["connector"].clone(), one["dropped_because"].clone()))
        .collect();
    assert_eq!(
        considered,
        [
            (first["connector"].clone(), Value::Null),
            (
                json!("stripe_test"),
                json!("is_connector_agnostic_mit_enabled")
            )
        ],
        "{trace}"
    );
    let disable = json!({ "disabled": true });
    shop.reconnects(disable).await.ok();
    let refused = shop.creates(charged("ada", &method));
    refused.await.refused(400, "IR_39");
    let named = json!({ "connector": ["stripe_test"] });
    let paid = shop.creates(with(charged("ada", &method), named)).await;
    assert_eq!(paid.ok()["connector"], "stripe_test", "as it says itself");
    let anywhere = json!({ "is_connector_agnostic_mit_enabled": true });
    shop.sets_up(anywhere).await.ok();
    let paid = shop.creates(charged("ada", &method)).await.ok();
    assert_eq!(paid["connector"], "stripe_test");
}

#[tokio::test]
async fn the_issuer_knows_the_payment_that_a_charge_follows() {
    let shop = Shop::open().await;
    let asked = agrees(&shop, "ada", THREE_DS).await;
    assert_eq!(asked["status"], "requires_customer_action");
    let address = asked["next_action"]["redirect_to_url"].as_str();
    let browser = multirail_conformance::Browser::new(&shop.wire);
    let page = browser.opens(address.expect("an address")).await;
    let page = page.expect("the processor's page");
    browser
        .presses(&page, "Approve")
        .await
        .expect("the way back");
    shop.asks_about(&asked).await.ok();
    let first = shop.retrieves(&asked).await.ok();
    let method = listed(&shop, "ada").await.remove(0);
    let paid = shop.creates(charged("ada", &method)).await.ok();
    assert_eq!(paid["status"], "succeeded", "nobody is asked");
    // A card from the merchant's own vault must name the payment that it follows; otherwise it is declined.
    let of_series = |reference: &Value| {
        with(
            without(charged("ada", &method), "customer_id"),
            json!({ "recurring_details": {
                "type": "network_transaction_id_and_card_details",
                "data": {
                    "card_number": THREE_DS, "card_exp_month": "10", "card_exp_year": "35",
                    "card_holder_name": "Ada Okafor", "network_transaction_id": reference,
                },
            } }),
        )
    };
    let known = &first["network_transaction_id"];
    let paid = shop.creates(of_series(known)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["payment_method_id"], Value::Null);
    assert_eq!(paid["card_discovery"], "manual");
    let foreign = shop.creates(of_series(&json!("MCC123"))).await.ok();
    assert_eq!(foreign["status"], "failed");
    assert_eq!(foreign["unified_code"], "UE_2000");
    assert_eq!(foreign["issuer_error_code"], "1A");
    // Issuers replace cards, so the issuer decides about an expired one.
    let expired = json!({ "recurring_details": { "data": { "card_exp_year": "20" } } });
    let paid = shop.creates(with(of_series(known), expired)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // The card waits for a confirm as a typed card does.
    let waiting = with(of_series(known), json!({ "confirm": false }));
    let waiting = shop.creates(waiting).await.ok();
    assert_eq!(waiting["status"], "requires_confirmation");
    let paid = shop.confirms(&waiting, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    for (data, code) in [
        (json!({ "card_number": "4111111111111112" }), "IR_06"),
        (json!({ "network_transaction_id": "" }), "IR_06"),
        (json!({ "network_transaction_id": "two words" }), "IR_06"),
        (json!({ "network_transaction_id": 1 }), "IR_06"),
        (json!({ "card_cvc": "123" }), "IR_06"),
        (json!({ "card_network": "Unheard" }), "IR_06"),
        (json!({ "nick_name": "n".repeat(256) }), "IR_06"),
    ] {
        let wrong = with(
            of_series(known),
            json!({ "recurring_details": { "data": data } }),
        );
        let message = shop.creates(wrong).await.refused(400, code);
        assert!(!message.contains("4111"), "{message}");
    }
}

#[tokio::test]
async fn a_card_that_one_processor_saved_is_charged_by_another() {
    let shop = Shop::open().await;
    let first = agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    let kept = first["connector_mandate_id"].as_str().expect("an id");
    shop.connects("pretendpay", json!({})).await.ok();
    // The account that keeps the card charges it by its reference, without being chosen.
    let paid = shop.creates(charged("ada", &method)).await.ok();
    assert_eq!(paid["connector"], first["connector"]);
    let mandate = &initiation(&shop, &paid)["mandate"];
    assert_eq!(mandate["connector_mandate_id"], kept);
    assert_eq!(paid["connector_mandate_id"], kept);
    let elsewhere = json!({ "connector": ["pretendpay"] });
    let paid = shop
        .creates(with(charged("ada", &method), elsewhere))
        .await
        .ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["connector"], "pretendpay");
    assert_eq!(initiation(&shop, &paid)["mandate"], Value::Null);
    assert_eq!(
        initiation(&shop, &paid)["network_transaction_id"],
        first["network_transaction_id"]
    );
}

/// A reference from one account at a processor means nothing in another.
#[tokio::test]
async fn a_mandate_stays_in_the_account_that_has_it() {
    let shop = Shop::open().await;
    let brought = json!({ "merchant_connector_details": {
        "creds_identifier": "mine",
        "encoded_data": { "connector_account_details": { "auth_type": "HeaderKey", "api_key": "another key" } },
    } });
    let first = agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    let elsewhere = with(charged("ada", &method), brought.clone());
    let paid = shop.creates(elsewhere).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let told = initiation(&shop, &paid);
    assert_eq!(told["mandate"], Value::Null);
    assert_eq!(
        told["network_transaction_id"],
        first["network_transaction_id"]
    );
    // A card saved with credentials from the request is kept in that account, so the stored account isn't given the
    // reference.
    let body = with(paid_with(OTHER), saved_for("off_session"));
    let body = with(with(body, brought), json!({ "customer_id": "grace" }));
    shop.creates(body).await.ok();
    let method = listed(&shop, "grace").await.remove(0);
    let paid = shop.creates(charged("grace", &method)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(initiation(&shop, &paid)["mandate"], Value::Null);
}

#[tokio::test]
async fn the_same_request_charges_once() {
    let shop = Shop::open().await;
    agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    let charge = || {
        shop.creates(charged("ada", &method))
            .header("idempotency-key", "rent-of-may")
    };
    let first = charge().await.ok();
    let again = charge().await.ok();
    assert_eq!(first, again);
    let charges = shop.processor().ledger().authorizations();
    assert_eq!(charges.expect("the ledger can be read").len(), 2);
    let other = json!({ "mit_category": "unscheduled" });
    shop.creates(with(charged("ada", &method), other))
        .header("idempotency-key", "rent-of-may")
        .await
        .refused(422, "MR_01");
}
