//! Charging under a mandate, within its limits.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, card, with, without};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{asked, charged, id, made, often, on, once, setting_up, status, under};

fn declines() -> Fault {
    Fault::Declines {
        code: "DC_08".to_owned(),
        message: "declined".to_owned(),
    }
}

#[tokio::test]
async fn any_number_of_charges_within_the_limits() {
    let shop = Shop::open().await;
    let mandate = made(&shop, often()).await;
    let paid = shop.creates(charged(&mandate, 6540)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["mandate_id"], mandate["mandate_id"]);
    assert_eq!(paid["mandate_data"], Value::Null);
    assert_eq!(paid["card_discovery"], "saved_card");
    // The mandate can also be named in `recurring_details`, at the create or at the confirm.
    let details = json!({
        "off_session": true, "recurring_details": { "type": "mandate_id", "data": id(&mandate) },
    });
    let order = json!({ "amount": 6540, "currency": "USD", "customer_id": "ada" });
    let payment = shop.creates(with(order.clone(), details)).await.ok();
    assert_eq!(payment["status"], "requires_confirmation");
    assert_eq!(payment["mandate_id"], mandate["mandate_id"]);
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let payment = shop.creates(order.clone()).await.ok();
    let paid = shop.confirms(&payment, under(&mandate)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    // Charges above the limit are refused. Shipping counts, and so does an update before the confirm.
    let message = shop
        .creates(charged(&mandate, 6541))
        .await
        .refused(400, "HE_03");
    assert!(message.contains("6541 is above"), "{message}");
    let shipped = with(charged(&mandate, 6540), json!({ "shipping_cost": 1 }));
    shop.creates(shipped).await.refused(400, "HE_03");
    let payment = shop
        .creates(with(order.clone(), under(&mandate)))
        .await
        .ok();
    shop.updates(&payment, json!({ "amount": 7000 })).await.ok();
    shop.confirms(&payment, json!({}))
        .await
        .refused(400, "HE_03");
    // An authorization can't be raised above the limit either.
    let raised = with(
        charged(&mandate, 6000),
        json!({ "capture_method": "manual", "request_incremental_authorization": true }),
    );
    let reserved = shop.creates(raised).await.ok();
    shop.raises(&reserved, 6541).await.refused(400, "HE_03");
    shop.raises(&reserved, 6540).await.ok();
    let more = json!({ "capture_method": "manual", "enable_overcapture": true });
    shop.creates(with(charged(&mandate, 6000), more))
        .await
        .refused(400, "IR_16");
    // Charges that the payer didn't agree to, or contradictory requests.
    let euros = with(charged(&mandate, 6540), json!({ "currency": "EUR" }));
    let message = shop.creates(euros).await.refused(400, "IR_46");
    assert!(message.contains("currency"), "{message}");
    let grace = with(charged(&mandate, 6540), json!({ "customer_id": "grace" }));
    shop.creates(grace).await.refused(400, "IR_46");
    let table = [
        (without(charged(&mandate, 1), "customer_id"), 400, "IR_04"),
        (without(charged(&mandate, 1), "off_session"), 400, "IR_16"),
        (
            with(charged(&mandate, 1), json!({ "mandate_id": "man_unknown" })),
            404,
            "HE_02",
        ),
        (with(charged(&mandate, 1), card(APPROVED)), 422, "IR_06"),
        (with(charged(&mandate, 1), asked(once())), 400, "IR_16"),
        (
            with(
                charged(&mandate, 1),
                json!({ "authentication_type": "three_ds" }),
            ),
            400,
            "IR_16",
        ),
        (
            with(
                charged(&mandate, 1),
                json!({ "recurring_details": { "type": "mandate_id", "data": "man_other" } }),
            ),
            422,
            "IR_06",
        ),
    ];
    for (body, http, code) in table {
        shop.creates(body).await.refused(http, code);
    }
    // Another merchant can't use the mandate.
    let florist = shop.server.shop("florist").await;
    florist
        .creates(charged(&mandate, 1))
        .await
        .refused(404, "HE_02");
    assert_eq!(status(&shop, &mandate).await, "active");
}

/// A capture may take everything that is authorized. A raise is a new charge, which a revoked mandate doesn't permit.
#[tokio::test]
async fn a_raise_is_a_charge_of_its_own() {
    let shop = Shop::open().await;
    let mandate = made(&shop, often()).await;
    let manual = json!({ "capture_method": "manual", "request_incremental_authorization": true });
    let order = |mandate| with(charged(mandate, 500), manual.clone());
    let reserved = shop.creates(order(&mandate)).await.ok();
    shop.raises(&reserved, 600).await.ok();
    on(&shop, "mandates_revoke", &mandate).await.ok();
    let message = shop.raises(&reserved, 700).await.refused(400, "HE_03");
    assert!(message.contains("revoked"), "{message}");
    let captured = shop.captures(&reserved, json!({})).await.ok();
    assert_eq!(captured["amount_received"], 600);
    // A single-use mandate was used up by this very payment, which may still be raised.
    let mandate = made(&shop, once()).await;
    let reserved = shop.creates(order(&mandate)).await.ok();
    assert_eq!(status(&shop, &mandate).await, "inactive");
    shop.raises(&reserved, 600).await.ok();
}

#[tokio::test]
async fn it_is_charged_within_its_dates() {
    let shop = Shop::open().await;
    let now = shop
        .creates(json!({ "amount": 1, "currency": "USD" }))
        .await
        .ok();
    let now = now["created"].as_str().expect("a date");
    let now = chrono::DateTime::parse_from_rfc3339(now).expect("a date");
    let later = |hours| (now + chrono::Duration::hours(hours)).to_rfc3339();
    let terms = json!({ "multi_use": { "start_date": later(1), "end_date": later(3) } });
    let mandate = made(&shop, terms).await;
    let charge = || shop.creates(charged(&mandate, 999_999));
    let message = charge().await.refused(400, "HE_03");
    assert!(message.contains("start_date"), "{message}");
    shop.time_passes(2 * 3600).await;
    charge().await.ok();
    shop.time_passes(2 * 3600).await;
    let message = charge().await.refused(400, "HE_03");
    assert!(message.contains("end_date"), "{message}");
}

#[tokio::test]
async fn a_single_use_is_used_up_unless_it_comes_to_nothing() {
    let shop = Shop::open().await;
    let mandate = made(&shop, once()).await;
    // A decline makes the mandate usable again.
    shop.next_call_meets(ScriptedCall::Authorize, declines());
    let failed = shop.creates(charged(&mandate, 6540)).await.ok();
    assert_eq!(failed["status"], "failed");
    assert_eq!(status(&shop, &mandate).await, "active");
    // While the outcome is unknown, the mandate can't be used.
    shop.next_call_meets(ScriptedCall::Authorize, Fault::LosesRequest);
    let unknown = shop.creates(charged(&mandate, 6540)).await.ok();
    assert_eq!(unknown["status"], "processing");
    assert_eq!(status(&shop, &mandate).await, "inactive");
    let message = shop
        .creates(charged(&mandate, 1))
        .await
        .refused(400, "HE_03");
    assert!(message.contains("one charge"), "{message}");
    shop.time_passes(60).await;
    shop.asks_about(&unknown).await.ok();
    assert_eq!(status(&shop, &mandate).await, "active");
    // A successful charge uses the mandate up, even if the outcome arrives late.
    shop.next_call_meets(ScriptedCall::Authorize, Fault::LosesAnswer);
    let late = shop.creates(charged(&mandate, 6540)).await.ok();
    shop.time_passes(60).await;
    let late = shop.asks_about(&late).await.ok();
    assert_eq!(late["status"], "succeeded");
    assert_eq!(status(&shop, &mandate).await, "inactive");
    shop.creates(charged(&mandate, 1))
        .await
        .refused(400, "HE_03");
    // An authorization that was cancelled counts as a charge.
    let mandate = made(&shop, once()).await;
    let manual = json!({ "capture_method": "manual" });
    let reserved = shop
        .creates(with(charged(&mandate, 6540), manual))
        .await
        .ok();
    shop.cancels(&reserved, json!({})).await.ok();
    assert_eq!(status(&shop, &mandate).await, "inactive");
    // A retry through the next account is the same charge.
    let mandate = made(&shop, once()).await;
    shop.connects("stripe_test", json!({})).await.ok();
    let retries = json!({
        "is_auto_retries_enabled": true, "is_manual_retry_enabled": true, "is_connector_agnostic_mit_enabled": true,
    });
    shop.sets_up(retries).await.ok();
    shop.next_call_meets(ScriptedCall::Authorize, Fault::Throttles);
    let paid = shop.creates(charged(&mandate, 6540)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["attempt_count"], 2);
    assert_eq!(status(&shop, &mandate).await, "inactive");
    // A manual retry charges the mandate again, unless another payment has used it.
    let mandate = made(&shop, once()).await;
    let decline = || {
        shop.next_call_meets(ScriptedCall::Authorize, declines());
        shop.creates(charged(&mandate, 6540))
    };
    let failed = decline().await.ok();
    let other = decline().await.ok();
    let paid = shop.confirms(&failed, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(status(&shop, &mandate).await, "inactive");
    shop.confirms(&other, json!({})).await.refused(400, "HE_03");
}

#[tokio::test]
async fn it_goes_first_to_who_keeps_what_it_charges() {
    let shop = Shop::open().await;
    let other = shop.connects("pretendpay", json!({})).await.ok();
    let first = shop.creates(setting_up(APPROVED, often())).await.ok();
    let elsewhere = json!({ "connector": ["pretendpay"] });
    let paid = shop
        .creates(with(charged(&first, 6540), elsewhere.clone()))
        .await
        .ok();
    assert_eq!(paid["connector"], first["connector"], "a mandate beats all");
    let read = shop.retrieves(&paid).query("expand_routing", true);
    let trace = read.await.ok()["attempts"][0]["routing"].clone();
    assert_eq!(trace["routed_by"], "mandate", "{trace}");
    // A saved method is charged at the connector that the merchant names.
    let method = json!({
        "mandate_id": null, "recurring_details": { "type": "payment_method_id", "data": first["payment_method_id"] },
    });
    let by_method = with(charged(&first, 6540), method);
    let paid = shop.creates(with(by_method.clone(), elsewhere)).await.ok();
    assert_eq!(paid["connector"], other["connector_name"]);
    let paid = shop.creates(by_method).await.ok();
    let read = shop.retrieves(&paid).query("expand_routing", true);
    let trace = read.await.ok()["attempts"][0]["routing"].clone();
    assert_eq!(trace["routed_by"], "mandate", "{trace}");
    on(&shop, "mandates_revoke", &first).await.ok();
    shop.creates(charged(&first, 1)).await.refused(400, "HE_03");
}

#[tokio::test]
async fn a_mandate_is_charged_without_the_payer() {
    let shop = Shop::open().await;
    let mandate = made(&shop, often()).await;
    for off_session in [json!(null), json!(false)] {
        let there = with(charged(&mandate, 1), json!({ "off_session": off_session }));
        let message = shop.creates(there).await.refused(400, "IR_16");
        assert!(message.starts_with("mandate_id "), "{message}");
        assert!(message.contains("off_session"), "{message}");
    }
}
