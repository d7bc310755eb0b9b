//! A payment with `mandate_data`.

use multirail_conformance::bodies::{APPROVED, DECLINED, card, paid_with, with, without};
use multirail_conformance::{Receiver, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{asked, charged, events, id, often, once, retrieved, setting_up, shown};

#[tokio::test]
async fn an_approval_makes_the_mandate_and_tells_of_it() {
    let shop = Shop::open().await;
    let receiver = Receiver::open().await;
    shop.sets_up(json!({ "webhook_details": { "webhook_url": receiver.url() } }))
        .await
        .ok();
    let paid = shop.creates(setting_up(APPROVED, once())).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["setup_future_usage"], "off_session", "it follows");
    insta::assert_json_snapshot!(paid["mandate_data"], @r#"
    {
      "customer_acceptance": {
        "acceptance_type": "online",
        "accepted_at": "2026-01-05T10:11:12.345Z",
        "online": {
          "ip_address": "192.0.2.7",
          "user_agent": "Browser/1.0"
        }
      },
      "mandate_type": {
        "single_use": {
          "amount": 6540,
          "currency": "USD"
        }
      }
    }
    "#);
    let mandate = retrieved(&shop, &paid).await;
    assert_eq!(mandate["payment_id"], paid["payment_id"]);
    assert_eq!(mandate["payment_method_id"], paid["payment_method_id"]);
    insta::assert_json_snapshot!(shown(&mandate), @r#"
    {
      "mandate_id": "[mandate_id]",
      "status": "active",
      "payment_method_id": "[payment_method_id]",
      "payment_method": "card",
      "payment_method_type": "credit",
      "card": {
        "last4_digits": "1111",
        "card_exp_month": "10",
        "card_exp_year": "2035",
        "card_holder_name": "Ada Okafor",
        "card_token": null,
        "scheme": "Visa",
        "issuer_country": null,
        "card_isin": "411111",
        "card_issuer": null,
        "card_network": "Visa",
        "card_type": null,
        "nick_name": null
      },
      "customer_acceptance": {
        "acceptance_type": "online",
        "accepted_at": "2026-01-05T10:11:12.345Z",
        "online": {
          "ip_address": "192.0.2.7",
          "user_agent": "Browser/1.0"
        }
      },
      "customer_id": "ada",
      "payment_id": "[payment_id]",
      "mandate_type": {
        "single_use": {
          "amount": 6540,
          "currency": "USD"
        }
      },
      "connector": "fauxpay",
      "created_at": "[created_at]"
    }
    "#);
    // The event has the same content as the API, and arrives although the endpoint subscribes to nothing.
    assert_eq!(events(&shop, id(&mandate)).await, ["mandate_active"]);
    let told = receiver.has(2).await.into_iter();
    let told: Vec<Value> = told.map(|delivery| delivery.json()).collect();
    let of_mandate = told
        .iter()
        .find(|body| body["event_type"] == "mandate_active");
    let content = &of_mandate.expect("it was told")["content"];
    assert_eq!(content["type"], "mandate_details");
    assert_eq!(content["object"], mandate);
    let shown = shop
        .retrieves(&paid)
        .query("expand_attempts", true)
        .await
        .ok();
    assert_eq!(shown["attempts"][0]["mandate_id"], mandate["mandate_id"]);
}

#[tokio::test]
async fn it_is_made_by_whatever_approves() {
    let shop = Shop::open().await;
    // The payment is only authorized.
    let manual = json!({ "capture_method": "manual" });
    let paid = shop
        .creates(with(setting_up(APPROVED, often()), manual))
        .await
        .ok();
    assert_eq!(paid["status"], "requires_capture");
    assert_eq!(retrieved(&shop, &paid).await["status"], "active");
    // The amount is zero.
    let nothing = json!({ "amount": 0 });
    let paid = shop
        .creates(with(setting_up(APPROVED, often()), nothing))
        .await
        .ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(retrieved(&shop, &paid).await["status"], "active");
    // The merchant asks for the mandate; the payer consents and pays later, in their own browser.
    let order = json!({ "amount": 6540, "currency": "USD", "customer_id": "ada" });
    let order = with(order, asked(often()));
    let order = without(order, "mandate_data.customer_acceptance");
    let payment = shop.creates(order).await.ok();
    assert_eq!(payment["mandate_id"], Value::Null);
    let consent = json!({ "customer_acceptance": { "acceptance_type": "offline" } });
    let payer = shop.payer_of(&payment);
    payer.confirms(with(card(APPROVED), consent)).await.ok();
    let paid = shop.retrieves(&payment).await.ok();
    assert_eq!(
        retrieved(&shop, &paid).await["customer_acceptance"]["acceptance_type"],
        "offline"
    );
    // The outcome is unknown at first.
    shop.next_call_meets(ScriptedCall::Authorize, Fault::LosesAnswer);
    let late = shop.creates(setting_up(APPROVED, once())).await.ok();
    assert_eq!(late["mandate_id"], Value::Null);
    shop.time_passes(1).await;
    let late = shop.asks_about(&late).await.ok();
    assert_eq!(events(&shop, id(&late)).await, ["mandate_active"]);
    // A saved method is charged at the processor that keeps it.
    let listed = shop
        .call("customer_payment_methods_list")
        .at("customer_id", "ada")
        .await
        .ok();
    let method = &listed["customer_payment_methods"][0];
    let by_token = json!({
        "amount": 6540, "currency": "USD", "customer_id": "ada", "confirm": true,
        "payment_method": "card", "payment_token": method["payment_token"], "card_cvc": "123",
    });
    let paid = shop.creates(with(by_token, asked(once()))).await.ok();
    let mandate = retrieved(&shop, &paid).await;
    assert_eq!(mandate["payment_method_id"], method["payment_method_id"]);
    let paid = shop.creates(charged(&mandate, 6540)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // A declined payment creates no mandate.
    let failed = shop.creates(setting_up(DECLINED, once())).await.ok();
    assert_eq!(failed["status"], "failed");
    assert_eq!(failed["mandate_id"], Value::Null);
}

#[tokio::test]
async fn wrong_mandates_are_refused_before_anything_is_charged() {
    let shop = Shop::open().await;
    let good = || setting_up(APPROVED, once());
    let type_of = |terms: Value| json!({ "mandate_data": { "mandate_type": terms } });
    let replaced =
        |terms: Value| with(without(good(), "mandate_data.mandate_type"), type_of(terms));
    let dates = json!({ "multi_use": {
        "start_date": "2026-02-01T00:00:00Z", "end_date": "2026-01-01T00:00:00Z",
    } });
    let twice = json!({ "customer_acceptance": { "acceptance_type": "offline" } });
    let table = [
        (without(good(), "customer_id"), 400, "IR_16"),
        (
            without(good(), "mandate_data.customer_acceptance"),
            400,
            "IR_04",
        ),
        (without(good(), "mandate_data.mandate_type"), 400, "IR_04"),
        (replaced(json!({})), 422, "IR_06"),
        (replaced(json!({ "multi_use": null })), 422, "IR_06"),
        (with(good(), type_of(often())), 422, "IR_06"),
        (replaced(json!({ "single_use": {} })), 400, "IR_04"),
        (
            replaced(json!({ "single_use": { "amount": 0, "currency": "USD" } })),
            422,
            "IR_05",
        ),
        (
            replaced(json!({ "multi_use": { "amount": 1 } })),
            400,
            "IR_04",
        ),
        (replaced(dates), 400, "IR_16"),
        (
            replaced(json!({ "multi_use": { "end_date": "2020-01-01T00:00:00Z" } })),
            422,
            "IR_06",
        ),
        (
            with(good(), json!({ "setup_future_usage": "on_session" })),
            400,
            "IR_16",
        ),
        (with(good(), twice), 400, "IR_16"),
        (
            with(
                good(),
                json!({ "mandate_data": { "update_mandate_id": "man_unknown" } }),
            ),
            404,
            "HE_02",
        ),
    ];
    for (body, http, code) in table {
        shop.creates(body).await.refused(http, code);
    }
    let charges = shop.processor().ledger().authorizations();
    assert!(charges.expect("the ledger can be read").is_empty());
    // Empty mandate data asks for nothing.
    for nothing in [json!({}), json!({ "mandate_type": null })] {
        let body = with(paid_with(APPROVED), json!({ "mandate_data": nothing }));
        let paid = shop.creates(body).await.ok();
        assert_eq!(paid["status"], "succeeded");
        assert_eq!(paid["mandate_data"], Value::Null);
    }
}

#[tokio::test]
async fn a_payer_changes_what_a_mandate_charges() {
    let shop = Shop::open().await;
    let mandate = super::made(&shop, often()).await;
    let changes = |terms: Option<Value>| {
        let mut said = asked(once());
        said["mandate_data"]["update_mandate_id"] = mandate["mandate_id"].clone();
        said["mandate_data"]["mandate_type"] = terms.unwrap_or_default();
        with(
            with(paid_with("4242424242424242"), said),
            json!({ "customer_id": "ada" }),
        )
    };
    let paid = shop.creates(changes(None)).await.ok();
    assert_eq!(paid["mandate_id"], mandate["mandate_id"]);
    let changed = retrieved(&shop, &mandate).await;
    assert_eq!(changed["card"]["last4_digits"], "4242");
    assert_eq!(changed["payment_id"], paid["payment_id"]);
    assert_eq!(changed["mandate_type"], mandate["mandate_type"]);
    let paid = shop.creates(charged(&mandate, 6540)).await.ok();
    assert_eq!(paid["payment_method_data"]["card"]["last4"], "4242");
    // The payer can change the limits.
    shop.creates(changes(Some(
        json!({ "single_use": { "amount": 100, "currency": "USD" } }),
    )))
    .await
    .ok();
    shop.creates(charged(&mandate, 101))
        .await
        .refused(400, "HE_03");
    shop.creates(charged(&mandate, 100)).await.ok();
    assert_eq!(super::status(&shop, &mandate).await, "inactive");
    // The mandate is announced once, and only its own customer can change it while it is active.
    assert_eq!(events(&shop, id(&mandate)).await, ["mandate_active"]);
    shop.creates(changes(None)).await.refused(400, "HE_03");
    let grace = with(changes(None), json!({ "customer_id": "grace" }));
    shop.creates(grace).await.refused(400, "IR_46");
}
