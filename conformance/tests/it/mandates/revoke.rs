//! `POST /mandates/revoke/{mandate_id}`

use multirail_conformance::Shop;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::json;

use super::{charged, events, id, made, often, on, once, status};

#[tokio::test]
async fn a_revoked_mandate_is_charged_no_more() {
    let shop = Shop::open().await;
    let mandate = made(&shop, often()).await;
    let revoked = on(&shop, "mandates_revoke", &mandate).await.ok();
    let expected = json!({
        "mandate_id": mandate["mandate_id"], "status": "revoked", "error_code": null, "error_message": null,
    });
    assert_eq!(revoked, expected);
    let told = events(&shop, id(&mandate)).await;
    assert_eq!(told, ["mandate_active", "mandate_revoked"]);
    let message = shop
        .creates(charged(&mandate, 1))
        .await
        .refused(400, "HE_03");
    assert!(message.contains("revoked"), "{message}");
    let message = on(&shop, "mandates_revoke", &mandate)
        .await
        .refused(400, "HE_03");
    assert_eq!(message, "the mandate is revoked already");
    for operation in ["mandates_retrieve", "mandates_revoke"] {
        let unknown = json!({ "mandate_id": "man_unknown" });
        on(&shop, operation, &unknown).await.refused(404, "HE_02");
    }
    // A mandate whose charge is in progress can be revoked too, and the charge's end doesn't reactivate it.
    let mandate = made(&shop, once()).await;
    shop.next_call_meets(ScriptedCall::Authorize, Fault::LosesRequest);
    let open = shop.creates(charged(&mandate, 1)).await.ok();
    assert_eq!(status(&shop, &mandate).await, "inactive");
    on(&shop, "mandates_revoke", &mandate).await.ok();
    shop.time_passes(60).await;
    shop.asks_about(&open).await.ok();
    assert_eq!(status(&shop, &mandate).await, "revoked");
}

/// A mandate binds only charges that name it. The payer's consent to charge the card belongs to the card, and ends
/// with it.
#[tokio::test]
async fn a_charge_that_names_the_method_is_not_held_to_its_mandate() {
    let shop = Shop::open().await;
    let mandate = made(&shop, once()).await;
    let named = |amount: i64| {
        json!({
            "amount": amount, "currency": "EUR", "customer_id": "ada", "confirm": true, "off_session": true,
            "recurring_details": { "type": "payment_method_id", "data": mandate["payment_method_id"] },
        })
    };
    let paid = shop.creates(named(50_000)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(status(&shop, &mandate).await, "active");
    on(&shop, "mandates_revoke", &mandate).await.ok();
    let paid = shop.creates(named(50_000)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let method = mandate["payment_method_id"].as_str().expect("an id");
    let delete = shop.call("payment_methods_delete");
    delete.at("payment_method_id", method).await.ok();
    let gone = shop.creates(named(50_000)).await;
    assert_eq!(gone.status, 404, "{}", gone.message());
}
