//! Rows of facts 2.6, 3.13 and 7.11 about requests and answers that no other scenario covers.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, with};
use serde_json::{Value, json};

use crate::billing::opens;

use super::{
    call, id, invoice_becomes, now, offers, on, operations_on_a_subscription, pays_with,
    subscribed, wanted, wanted_with,
};

/// A trial can be paused too; the first paid period begins when it is resumed.
#[tokio::test]
async fn a_trial_is_paused_and_resumed() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let trial = subscribed(&shop, "reader_trial").await;
    assert_eq!(trial["status"], "trial");
    let paused = on(&shop, "subscriptions_pause", &trial).await.ok();
    assert_eq!(paused["status"], "paused");
    shop.time_passes(20 * super::DAY).await;
    assert_eq!(shop.money().captured, 0);
    let resumed = on(&shop, "subscriptions_resume", &trial).json(&json!({}));
    assert_eq!(resumed.await.ok()["status"], "active");
    let first = invoice_becomes(&shop, &trial, 2, "invoice_paid").await;
    assert_eq!(first["amount"], 990);
}

/// No operation finds an unknown subscription, or one of another profile.
#[tokio::test]
async fn an_unknown_one_is_found_by_nothing() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let invoice = active["invoice"]["id"].as_str().expect("an id");
    let second = json!({ "profile_name": "second" });
    let second = shop.call("business_profiles_create").json(&second).await;
    let second = second.ok()["profile_id"].clone();
    let second = second.as_str().expect("an id");
    for (operation, body) in operations_on_a_subscription() {
        for (profile, named) in [
            (shop.profile_id.as_str(), "sub_none"),
            (second, id(&active)),
        ] {
            let bare = shop.call(operation).header("X-Profile-Id", profile);
            let bare = bare.at("subscription_id", named).at("invoice_id", invoice);
            let bare = match &body {
                Some(body) => bare.json(body),
                None => bare,
            };
            let said = bare.await.refused(404, "IR_37");
            let expected = format!("subscription not found for id: {named}");
            assert_eq!(said, expected, "{operation}");
        }
    }
    assert_eq!(now(&shop, &active).await["status"], "active");
}

/// The profile needs a billing account.
#[tokio::test]
async fn nothing_is_subscribed_to_without_a_billing_account() {
    let shop = Shop::open().await;
    let ada = json!({ "customer_id": "ada" });
    shop.call("customers_create").json(&ada).await.ok();
    let creates = [
        ("subscriptions_create", wanted("reader_monthly")),
        (
            "subscriptions_create_and_confirm",
            wanted_with("reader_monthly", APPROVED),
        ),
    ];
    for (operation, body) in &creates {
        let said = call(&shop, operation).json(body);
        let said = said.await.refused(400, "IR_16");
        assert!(said.contains("billing_processor_id"), "{said}");
    }
    opens(&shop).await;
    let profile = shop.sets_up(json!({ "session_expiry": 900 })).await.ok();
    let account = profile["billing_processor_id"].as_str().expect("an id");
    let disabled = json!({ "connector_type": "billing_processor", "disabled": true });
    shop.call("connector_accounts_update")
        .at("merchant_connector_id", account)
        .json(&disabled)
        .await
        .ok();
    for (operation, body) in &creates {
        let gone = call(&shop, operation).json(body);
        gone.await.refused(404, "HE_02");
    }
    assert_eq!(shop.call("payments_list").await.ok()["size"], 0);
}

/// Members about the first payment and its customer go to the payment. The answer has every member of the table.
#[tokio::test]
async fn members_of_a_create_are_stored_and_answered() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let address =
        json!({ "address": { "line1": "1 Main Street", "city": "Springfield", "country": "US" } });
    let body = with(
        wanted("reader_monthly"),
        json!({
            "plan_id": "reader", "coupon_code": "TENTH", "merchant_reference_id": "4711",
            "billing": address, "shipping": address,
            "payment_details": {
                "return_url": "https://bookshop.example/thanks", "setup_future_usage": "off_session",
                "capture_method": "manual", "authentication_type": "no_three_ds", "payment_type": "normal",
            },
        }),
    );
    let made = call(&shop, "subscriptions_create").json(&body);
    let made = made.await.ok();
    for (member, value) in [
        ("status", "created"),
        ("profile_id", shop.profile_id.as_str()),
        ("merchant_id", shop.merchant_id.as_str()),
        ("customer_id", "ada"),
        ("merchant_reference_id", "4711"),
        ("plan_id", "reader"),
        ("item_price_id", "reader_monthly"),
        ("coupon_code", "TENTH"),
    ] {
        assert_eq!(made[member], value, "{member}");
    }
    assert!(made["id"].is_string() && made["client_secret"].is_string());
    let invoice = &made["invoice"];
    assert_eq!(invoice["status"], "invoice_created");
    assert_eq!(invoice["subscription_id"], made["id"]);
    assert_eq!(invoice["payment_intent_id"], made["payment"]["payment_id"]);
    assert_eq!(invoice["billing_processor_invoice_id"], invoice["id"]);
    assert_eq!(
        (&invoice["amount"], &invoice["currency"]),
        (&json!(891), &json!("EUR"))
    );
    assert!(invoice["merchant_connector_id"].is_string());
    let payment = shop.retrieves(&made["payment"]).await.ok();
    for (member, value) in [
        ("status", "requires_payment_method"),
        ("return_url", "https://bookshop.example/thanks"),
        ("setup_future_usage", "off_session"),
        ("capture_method", "manual"),
        ("authentication_type", "no_three_ds"),
        ("customer_id", "ada"),
    ] {
        assert_eq!(payment[member], value, "{member}");
    }
    for member in ["billing", "shipping"] {
        assert_eq!(
            payment[member]["address"]["city"], "Springfield",
            "{member}"
        );
    }
    let confirm = json!({ "payment_details": pays_with(APPROVED) });
    let confirmed = on(&shop, "subscriptions_confirm", &made).json(&confirm);
    let confirmed = confirmed.await.ok();
    assert_eq!(confirmed["status"], "pending");
    assert_eq!(confirmed["billing_processor_subscription_id"], made["id"]);
    let paid: &Value = &confirmed["payment"];
    assert_eq!(paid["status"], "requires_capture");
    let on_session = json!({ "setup_future_usage": "on_session" });
    let mut refused = wanted("reader_monthly");
    refused["payment_details"] = with(refused["payment_details"].clone(), on_session);
    let refused = call(&shop, "subscriptions_create").json(&refused);
    refused.await.refused(422, "IR_06");
}
