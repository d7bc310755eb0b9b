//! Payments with saved methods.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, HELD, PENDING, card, with, without};
use multirail_conformance::evidence::evidence_of_what_is_set;
use serde_json::{Value, json};

use super::{by_token, known, listed, order_of, paid_by_token, saves};

async fn saved(shop: &Shop, number: &str) -> Value {
    known(shop, "ada").await;
    saves(shop, "ada", number).await.ok();
    listed(shop, "ada").await.remove(0)
}

#[tokio::test]
async fn a_saved_card_pays_like_one_that_is_typed() {
    let shop = Shop::open().await;
    let method = saved(&shop, APPROVED).await;
    let paid = shop.creates(paid_by_token("ada", &method)).await.ok();
    assert_eq!(paid["payment_token"], method["payment_token"]);
    assert_eq!(paid["payment_method_id"], method["payment_method_id"]);
    let shown = without(paid.clone(), "ephemeral_key");
    let mut seen = evidence_of_what_is_set(&shown);
    seen["payment_token"] = json!("[token]");
    seen["payment_method_id"] = json!("[id]");
    insta::assert_json_snapshot!(seen, @r#"
    {
      "payment_id": "pay_[20]",
      "merchant_id": "bookshop",
      "processor_merchant_id": "bookshop",
      "profile_id": "pro_[20]",
      "merchant_connector_id": "mca_[20]",
      "customer_id": "ada",
      "client_secret": "pay_[20]_secret_[20]",
      "sdk_authorization": "cHJvZmlsZV9pZD1wcm9f[...]",
      "connector": "fauxpay",
      "connector_label": "fauxpay_default",
      "reference_id": "sim_[24]",
      "amount": 6540,
      "net_amount": 6540,
      "amount_capturable": 0,
      "amount_received": 6540,
      "currency": "USD",
      "incremental_authorization_allowed": false,
      "status": "succeeded",
      "attempt_count": 1,
      "created": "[moment]",
      "modified_at": "[moment]",
      "updated": "[moment]",
      "expires_on": "[moment]",
      "capture_method": "automatic",
      "manual_retry_allowed": false,
      "customer": {
        "id": "ada"
      },
      "payment_method": "card",
      "payment_method_type": "credit",
      "payment_method_data": {
        "card": {
          "last4": "1111",
          "card_network": "Visa",
          "card_isin": "411111",
          "card_extended_bin": "41111111",
          "card_exp_month": "10",
          "card_exp_year": "2035",
          "card_holder_name": "Ada Okafor",
          "auth_code": "006540"
        }
      },
      "payment_token": "[token]",
      "payment_method_id": "[id]",
      "payment_method_status": "active",
      "authentication_type": "no_three_ds",
      "card_discovery": "saved_card",
      "external_3ds_authentication_attempted": false,
      "connector_transaction_id": "sim_[24]"
    }
    "#);
    let shown = shop
        .retrieves(&paid)
        .query("expand_attempts", true)
        .await
        .ok();
    let attempt = &shown["attempts"][0];
    assert_eq!(attempt["payment_token"], method["payment_token"]);
    assert_eq!(
        attempt["card_code_missing"],
        Value::Null,
        "the code went along"
    );
}

#[tokio::test]
async fn the_code_is_needed_and_may_come_in_two_places() {
    let shop = Shop::open().await;
    let method = saved(&shop, HELD).await;
    let payment = shop.creates(order_of("ada")).await.ok();
    let token = json!({ "payment_method": "card", "payment_token": method["payment_token"] });
    let message = shop
        .confirms(&payment, token.clone())
        .await
        .refused(400, "IR_04");
    assert!(message.contains("card_cvc"), "{message}");
    let wrong = with(token.clone(), json!({ "card_cvc": "12" }));
    shop.confirms(&payment, wrong).await.refused(400, "IR_16");
    let inside =
        |code: &str| json!({ "payment_method_data": { "card_token": { "card_cvc": code } } });
    let both = with(
        with(token.clone(), inside("123")),
        json!({ "card_cvc": "456" }),
    );
    shop.confirms(&payment, both).await.refused(422, "IR_06");
    let both_cards = with(token.clone(), card(APPROVED));
    shop.confirms(&payment, both_cards)
        .await
        .refused(422, "IR_06");
    // Card data given with the token counts for this payment only.
    let named =
        json!({ "payment_method_data": { "card_token": { "card_holder_name": "Grace Okafor" } } });
    let confirmed = shop
        .confirms(&payment, with(with(token, inside("123")), named))
        .await
        .ok();
    assert_eq!(confirmed["status"], "requires_merchant_action");
    let shown = &confirmed["payment_method_data"]["card"]["card_holder_name"];
    assert_eq!(shown, "Grace Okafor");
    let other = shop.creates(order_of("ada")).await.ok();
    shop.confirms(&other, json!({ "card_cvc": "123" }))
        .await
        .refused(422, "IR_06");
    let stray = with(
        card(APPROVED),
        json!({ "payment_method_data": { "card_token": { "card_cvc": "123" } } }),
    );
    shop.confirms(&other, stray).await.refused(422, "IR_06");
}

#[tokio::test]
async fn a_token_given_before_waits_for_the_confirm() {
    let shop = Shop::open().await;
    let method = saved(&shop, APPROVED).await;
    let of_create = shop
        .creates(with(order_of("ada"), by_token(&method)))
        .await
        .ok();
    assert_eq!(of_create["status"], "requires_confirmation");
    assert_eq!(of_create["payment_method_data"]["card"]["last4"], "1111");
    assert_eq!(of_create["payment_method_id"], method["payment_method_id"]);
    let paid = shop.confirms(&of_create, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let method = listed(&shop, "ada").await.remove(0);
    // The code comes with the confirm; the token comes with an update and replaces a card.
    let of_update = shop
        .creates(with(order_of("ada"), card(PENDING)))
        .await
        .ok();
    let token = json!({ "payment_method": "card", "payment_token": method["payment_token"] });
    let updated = shop.updates(&of_update, token).await.ok();
    assert_eq!(updated["payment_method_data"]["card"]["last4"], "1111");
    shop.confirms(&of_update, json!({}))
        .await
        .refused(400, "IR_04");
    let paid = shop
        .confirms(&of_update, json!({ "card_cvc": "123" }))
        .await
        .ok();
    assert_eq!(paid["status"], "succeeded");
    // A card that replaces the token pays.
    let method = listed(&shop, "ada").await.remove(0);
    let replaced = shop
        .creates(with(order_of("ada"), by_token(&method)))
        .await
        .ok();
    let updated = shop.updates(&replaced, card(HELD)).await.ok();
    assert_eq!(updated["payment_token"], Value::Null);
    let paid = shop.confirms(&replaced, json!({})).await.ok();
    assert_eq!(paid["status"], "requires_merchant_action");
    assert_eq!(paid["card_discovery"], "manual");
}

#[tokio::test]
async fn a_payer_pays_with_a_saved_method() {
    let shop = Shop::open().await;
    saved(&shop, APPROVED).await;
    let payment = shop.creates(order_of("ada")).await.ok();
    let payer = shop.payer_of(&payment);
    let listing = payer
        .call("customer_payment_methods_list")
        .at("customer_id", "ada");
    let listing = listing
        .query("client_secret", &payer.client_secret)
        .await
        .ok();
    let method = &listing["customer_payment_methods"][0];
    let paid = payer.confirms(by_token(method)).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

#[tokio::test]
async fn lists_of_payments_show_the_saved_method() {
    let shop = Shop::open().await;
    let method = saved(&shop, APPROVED).await;
    shop.creates(paid_by_token("ada", &method)).await.ok();
    let typed = with(
        order_of("ada"),
        with(card(APPROVED), json!({ "confirm": true })),
    );
    shop.creates(typed).await.ok();
    for (asked, count) in [
        (json!(["saved_card"]), 1),
        (json!(["manual"]), 1),
        (json!(["manual", "saved_card"]), 2),
        (json!(["click_to_pay"]), 0),
    ] {
        let filter = json!({ "card_discovery": asked });
        let found = shop.call("payments_filter").json(&filter).await.ok();
        assert_eq!(found["count"], count, "{filter}");
    }
}

/// Processors replace expired cards, so the issuer decides about saved ones. A typed card must be valid.
#[tokio::test]
async fn an_expired_card_is_for_its_issuer_to_judge() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let now = shop.time_passes(0).await["now"]
        .as_str()
        .expect("a moment")
        .to_owned();
    let (year, month) = (&now[..4], &now[5..7]);
    let this_month = json!({ "card": { "card_exp_month": month, "card_exp_year": year } });
    let body = with(super::card_of("ada", APPROVED), this_month.clone());
    shop.call("payment_methods_create").json(&body).await.ok();
    shop.time_passes(32 * 86_400).await;
    let method = listed(&shop, "ada").await.remove(0);
    let paid = shop.creates(paid_by_token("ada", &method)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let typed = with(card(APPROVED), json!({ "confirm": true }));
    let expired = json!({ "payment_method_data": this_month });
    let typed = with(order_of("ada"), with(typed, expired));
    let message = shop.creates(typed).await.refused(400, "IR_16");
    assert!(message.contains("expired"), "{message}");
}

/// The card's data at the confirm counts, not the data at the time of its token.
#[tokio::test]
async fn a_card_that_is_renewed_before_the_confirm_pays_as_it_is_then() {
    let shop = Shop::open().await;
    let billing = |line1: &str| json!({ "billing": { "address": { "line1": line1 } } });
    let saved_with = async |line1: &str| {
        let body = with(super::card_of("ada", APPROVED), billing(line1));
        shop.call("payment_methods_create").json(&body).await.ok()
    };
    known(&shop, "ada").await;
    let method = saved_with("Old Row").await;
    let own = json!({
        "payment_method_data": {
            "card_token": { "card_holder_name": "Said with it" },
            "billing": { "address": { "line1": "Said Row" } },
        },
    });
    let mut begun = Vec::new();
    for said in [json!({}), own] {
        let token = listed(&shop, "ada").await.remove(0);
        let order = with(with(order_of("ada"), by_token(&token)), said);
        begun.push(shop.creates(order).await.ok());
    }
    shop.time_passes(60).await;
    saved_with("New Row").await;
    let renewed = json!({ "card": { "card_exp_month": "11", "card_exp_year": "2038", "card_holder_name": "Renewed" } });
    let update = super::on(&shop, "payment_methods_update", &method);
    update.json(&renewed).await.ok();
    for (payment, holder, line1) in [
        (&begun[0], "Renewed", "New Row"),
        (&begun[1], "Said with it", "Said Row"),
    ] {
        let paid = shop.confirms(payment, json!({})).await.ok();
        assert_eq!(paid["status"], "succeeded");
        let data = &paid["payment_method_data"];
        assert_eq!(data["card"]["card_exp_year"], "2038");
        assert_eq!(data["card"]["card_holder_name"], holder);
        assert_eq!(data["billing"]["address"]["line1"], line1);
    }
}
