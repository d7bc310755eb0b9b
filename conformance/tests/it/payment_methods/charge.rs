//! Charging what was saved without its payer.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{
    APPROVED, DECLINED, PENDING, THREE_DS, card, paid_with, with, without,
};
use multirail_conformance::evidence::evidence_of_what_is_set;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{kept, known, listed, method_id, on, order_of, paid_by_token, saves};

/// Approved, too.
const OTHER: &str = "4242424242424242";

/// Has a customer pay with a card, and agree to be charged with it again without being there.
pub async fn agrees(shop: &Shop, customer: &str, number: &str) -> Value {
    let body = with(
        with(paid_with(number), kept("off_session")),
        json!({ "customer_id": customer }),
    );
    shop.creates(body).await.ok()
}

/// What charges a saved method.
pub fn by_merchant(method: &Value) -> Value {
    json!({
        "off_session": true,
        "recurring_details": { "type": "payment_method_id", "data": method_id(method) },
    })
}

/// The same at once, for a customer.
pub fn charged(customer: &str, method: &Value) -> Value {
    let confirm = with(by_merchant(method), json!({ "confirm": true }));
    with(order_of(customer), confirm)
}

/// What the processor was told of who began the payment.
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
    // With the confirm.
    let payment = shop.creates(order_of("ada")).await.ok();
    let paid = shop.confirms(&payment, by_merchant(&method)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // With the create, and nothing but a confirm after it.
    let payment = shop
        .creates(with(order_of("ada"), by_merchant(&method)))
        .await
        .ok();
    assert_eq!(payment["status"], "requires_confirmation");
    assert_eq!(payment["payment_method_id"], method["payment_method_id"]);
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(initiation(&shop, &paid)["off_session"], true);
    // With an update, in place of a typed card.
    let payment = shop
        .creates(with(order_of("ada"), card(DECLINED)))
        .await
        .ok();
    shop.updates(&payment, by_merchant(&method)).await.ok();
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // A card in its place pays instead, and is no charge without the payer.
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
    // Deleted before the confirm, it charges nobody.
    let payment = shop
        .creates(with(order_of("ada"), by_merchant(&method)))
        .await
        .ok();
    on(&shop, "payment_methods_delete", &method).await.ok();
    shop.confirms(&payment, json!({}))
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn only_what_the_payer_agreed_to_is_charged() {
    let shop = Shop::open().await;
    agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    let charge = || charged("ada", &method);
    // The payer's part of it.
    let here = with(charge(), json!({ "off_session": false }));
    let message = shop.creates(here).await.refused(400, "IR_16");
    assert!(message.contains("off_session"), "{message}");
    shop.creates(without(charge(), "off_session"))
        .await
        .refused(400, "IR_16");
    let coded = with(charge(), json!({ "card_cvc": "123" }));
    shop.creates(coded).await.refused(422, "IR_06");
    let saving = with(charge(), kept("off_session"));
    shop.creates(saving).await.refused(400, "IR_16");
    // Two things that pay.
    let typed = with(charge(), card(APPROVED));
    shop.creates(typed).await.refused(422, "IR_06");
    let token = with(charge(), paid_by_token("ada", &method));
    shop.creates(without(token, "card_cvc"))
        .await
        .refused(422, "IR_06");
    // Somebody's, and whose.
    let message = shop
        .creates(without(charge(), "customer_id"))
        .await
        .refused(400, "IR_04");
    assert!(message.contains("customer_id"), "{message}");
    known(&shop, "grace").await;
    shop.creates(charged("grace", &method))
        .await
        .refused(404, "HE_02");
    let unknown = json!({ "recurring_details": { "data": "pm_unknown" } });
    shop.creates(with(charge(), unknown))
        .await
        .refused(404, "HE_02");
    // What is in another form.
    let odd = json!({ "recurring_details": { "data": { "id": method_id(&method) } } });
    shop.creates(with(charge(), odd))
        .await
        .refused(400, "IR_06");
    let kind = json!({ "recurring_details": { "type": "processor_payment_token" } });
    shop.creates(with(charge(), kind))
        .await
        .refused(400, "IR_06");
    let category = with(paid_with(APPROVED), json!({ "mit_category": "recurring" }));
    shop.creates(category).await.refused(400, "IR_16");
    // Saved with its payer there only, by paying or without a payment.
    let of = json!({ "customer_id": "grace" });
    let here = with(with(paid_with(APPROVED), kept("on_session")), of);
    shop.creates(here).await.ok();
    saves(&shop, "grace", PENDING).await.ok();
    for method in listed(&shop, "grace").await {
        assert_eq!(method["recurring_enabled"], false);
        let message = shop
            .creates(charged("grace", &method))
            .await
            .refused(400, "HE_03");
        assert!(message.contains("consent"), "{message}");
    }
    // A payer's client never does.
    let payment = shop.creates(order_of("ada")).await.ok();
    let payer = shop.payer_of(&payment);
    payer
        .confirms(by_merchant(&method))
        .await
        .refused(422, "IR_06");
    let left = shop
        .creates(with(order_of("ada"), by_merchant(&method)))
        .await
        .ok();
    for brought in [json!({}), card(OTHER)] {
        let payer = shop.payer_of(&left);
        let message = payer.confirms(brought).await.refused(400, "IR_16");
        assert!(message.contains("secret key"), "{message}");
    }
    // Nobody is there who could authenticate.
    let asked = with(charge(), json!({ "authentication_type": "three_ds" }));
    shop.creates(asked).await.refused(400, "IR_16");
}

/// The next account's processor keeps nothing of the card. It is told of the first payment all the same.
#[tokio::test]
async fn a_charge_that_goes_on_through_another_account_stays_what_it_is() {
    let shop = Shop::open().await;
    let first = agrees(&shop, "ada", APPROVED).await;
    let method = listed(&shop, "ada").await.remove(0);
    shop.connects("stripe_test", json!({})).await.ok();
    shop.sets_up(json!({ "is_auto_retries_enabled": true }))
        .await
        .ok();
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

#[tokio::test]
async fn what_was_agreed_once_holds_in_whatever_order_it_is_heard_of() {
    let shop = Shop::open().await;
    let of = json!({ "customer_id": "ada" });
    let here = || with(with(paid_with(APPROVED), kept("on_session")), of.clone());
    let method = async || listed(&shop, "ada").await.remove(0);
    shop.creates(here()).await.ok();
    let id = method().await["payment_method_id"].clone();
    assert_eq!(method().await["recurring_enabled"], false);
    // Agreed to, and its processor's word comes late: after the card was saved once more with the payer there.
    shop.next_call_meets(ScriptedCall::Authorize, Fault::LosesAnswer);
    let late = agrees(&shop, "ada", APPROVED).await;
    assert_eq!(late["status"], "processing");
    shop.time_passes(1).await;
    shop.creates(here()).await.ok();
    assert_eq!(method().await["recurring_enabled"], false, "not yet");
    shop.asks_about(&late).await.ok();
    assert_eq!(method().await["recurring_enabled"], true);
    assert_eq!(method().await["payment_method_id"], id);
    // It stays so whatever comes.
    shop.creates(here()).await.ok();
    saves(&shop, "ada", APPROVED).await.ok();
    assert_eq!(method().await["recurring_enabled"], true);
    let paid = shop.creates(charged("ada", &method().await)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // Until it is deleted.
    let status = async || shop.retrieves(&paid).await.ok()["payment_method_status"].clone();
    assert_eq!(status().await, "active");
    on(&shop, "payment_methods_delete", &method().await)
        .await
        .ok();
    assert_eq!(status().await, "inactive");
    saves(&shop, "ada", APPROVED).await.ok();
    assert_eq!(method().await["recurring_enabled"], false);
}

#[tokio::test]
async fn a_late_approval_does_not_bring_back_what_was_renewed_since() {
    let shop = Shop::open().await;
    let expiring = |year: &str| {
        let card = json!({ "payment_method_data": { "card": { "card_exp_year": year } } });
        let body = with(paid_with(APPROVED), kept("off_session"));
        with(with(body, json!({ "customer_id": "ada" })), card)
    };
    shop.next_call_meets(ScriptedCall::Authorize, Fault::LosesAnswer);
    let late = shop.creates(expiring("2031")).await.ok();
    shop.time_passes(1).await;
    shop.creates(expiring("2035")).await.ok();
    shop.asks_about(&late).await.ok();
    let methods = listed(&shop, "ada").await;
    assert_eq!(methods.len(), 1);
    assert_eq!(methods[0]["card"]["expiry_year"], "2035");
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
    // A card of the merchant's own store says which payment it follows, and is declined where it says nothing.
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
    // It waits for a confirm as a typed card does.
    let waiting = with(of_series(known), json!({ "confirm": false }));
    let waiting = shop.creates(waiting).await.ok();
    assert_eq!(waiting["status"], "requires_confirmation");
    let paid = shop.confirms(&waiting, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    for (data, code) in [
        (json!({ "card_number": "4111111111111112" }), "IR_06"),
        (json!({ "card_exp_year": "20" }), "IR_16"),
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
    // Where it is kept it is charged by that name, without being told to go there.
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

/// What nobody agreed to is no payment that a charge without the payer follows.
#[tokio::test]
async fn a_charge_follows_the_payment_by_which_its_payer_agreed() {
    let shop = Shop::open().await;
    shop.connects("pretendpay", json!({})).await.ok();
    let first = agrees(&shop, "ada", APPROVED).await;
    let here = with(paid_with(APPROVED), kept("on_session"));
    let here = with(here, json!({ "customer_id": "ada" }));
    let later = shop.creates(here).await.ok();
    assert_ne!(
        later["network_transaction_id"],
        first["network_transaction_id"]
    );
    let method = listed(&shop, "ada").await.remove(0);
    let charged_elsewhere = async || {
        let elsewhere = json!({ "connector": ["pretendpay"] });
        let paid = shop.creates(with(charged("ada", &method), elsewhere)).await;
        let paid = paid.ok();
        assert_eq!(paid["status"], "succeeded");
        initiation(&shop, &paid)["network_transaction_id"].clone()
    };
    assert_eq!(charged_elsewhere().await, first["network_transaction_id"]);
    let again = agrees(&shop, "ada", APPROVED).await;
    assert_eq!(charged_elsewhere().await, again["network_transaction_id"]);
}

/// A card that is saved already is agreed to as one that is typed.
#[tokio::test]
async fn a_payer_agrees_while_he_pays_by_token() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let method = async || listed(&shop, "ada").await.remove(0);
    let by_token = |method: &Value, usage: &str| {
        let paid = paid_by_token("ada", method);
        shop.creates(with(paid, kept(usage)))
    };
    by_token(&method().await, "on_session").await.ok();
    assert_eq!(method().await["recurring_enabled"], false);
    let first = by_token(&method().await, "off_session").await.ok();
    assert_eq!(first["status"], "succeeded");
    assert_eq!(method().await["recurring_enabled"], true);
    let paid = shop.creates(charged("ada", &method().await)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let told = initiation(&shop, &paid);
    assert_eq!(
        told["network_transaction_id"],
        first["network_transaction_id"]
    );
    assert_eq!(
        told["mandate"]["connector_mandate_id"],
        first["connector_mandate_id"]
    );
    // A refusal agrees to nothing.
    saves(&shop, "ada", DECLINED).await.ok();
    let declined = || async {
        let all = listed(&shop, "ada").await.into_iter();
        let mut declined = all.filter(|method| method["recurring_enabled"] == false);
        declined.next().expect("the other card")
    };
    let failed = by_token(&declined().await, "off_session").await.ok();
    assert_eq!(failed["status"], "failed");
    let message = shop.creates(charged("ada", &declined().await)).await;
    message.refused(400, "HE_03");
}

/// What is kept in one account at a processor is no name in another.
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
    // What is saved with them is kept in that account, and the stored one isn't asked for it.
    let body = with(paid_with(OTHER), kept("off_session"));
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
