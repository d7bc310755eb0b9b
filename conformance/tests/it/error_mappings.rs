//! The operator's mappings from processors' codes to unified errors.

use multirail_conformance::bodies::{DECLINED, order_with, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

/// Builds a mapping's key: a processor's code with this message, or with any message if it is empty.
pub fn about(connector: &str, code: &str, message: &str) -> Value {
    json!({
        "connector": connector, "flow": "Authorize", "sub_flow": "sub_flow", "code": code, "message": message,
    })
}

/// Builds the operator's call with this body.
pub fn asks(shop: &Shop, operation: &str, body: Value) -> Call {
    let call = shop.server.wire.call(operation);
    call.key(shop.server.admin_key()).json(&body)
}

fn said(decision: &str) -> Value {
    json!({
        "status": "failure", "decision": decision, "step_up_possible": false, "clear_pan_possible": false,
    })
}

#[tokio::test]
async fn made_changed_and_taken_away() {
    let shop = Shop::open().await;
    let place = about("fauxpay", "DC_08", "Payment declined: Card declined");
    let asked = |operation: &str, more: Value| asks(&shop, operation, with(place.clone(), more));
    let said_more = with(
        said("do_default"),
        json!({
            "unified_code": "SHOP_1", "unified_message": "No luck", "description": "the usual refusal",
            "user_guidance_message": "Try another card", "standardised_code": "insufficient_funds",
            "error_category": "soft_decline", "router_error": "E1",
        }),
    );
    let made = asked("gsm_create", said_more).await.ok();
    assert_eq!(made["feature_data"]["retry"]["decision"], "do_default");
    assert_eq!(asked("gsm_retrieve", json!({})).await.ok(), made);
    asked("gsm_create", said("retry"))
        .await
        .refused(400, "HE_01");

    let pays = || shop.creates(with(order_with(DECLINED), json!({ "confirm": true })));
    let failed = pays().await.ok();
    let unified = &failed["error_details"]["unified_details"];
    assert_eq!(failed["unified_code"], "SHOP_1");
    assert_eq!(failed["unified_message"], "No luck");
    assert_eq!(unified["description"], "the usual refusal");
    assert_eq!(unified["user_guidance_message"], "Try another card");
    assert_eq!(unified["standardised_code"], "insufficient_funds");

    let updated = asked("gsm_update", json!({ "decision": "retry" }))
        .await
        .ok();
    assert_eq!(
        (&updated["decision"], &updated["router_error"]),
        (&json!("retry"), &json!("E1"))
    );
    assert_eq!(asked("gsm_delete", json!({})).await.ok(), updated);
    asked("gsm_retrieve", json!({})).await.refused(404, "HE_02");
    asked("gsm_update", json!({})).await.refused(404, "HE_02");
    asked("gsm_delete", json!({})).await.refused(404, "HE_02");
    assert_eq!(pays().await.ok()["unified_code"], "UE_1000");
    let kept = shop.retrieves(&failed).await.ok();
    assert_eq!(kept["unified_code"], "SHOP_1", "what was told stays");
}

#[tokio::test]
async fn connectors_bring_theirs_along() {
    let shop = Shop::open().await;
    let place = about("adyen", "9", "");
    let asked = |operation: &str, more: Value| asks(&shop, operation, with(place.clone(), more));
    let own = asked("gsm_retrieve", json!({})).await.ok();
    assert_eq!(own["standardised_code"], "issuer_unavailable");
    assert_eq!(own["decision"], "retry");
    asked("gsm_create", said("retry"))
        .await
        .refused(400, "HE_01");
    let updated = asked("gsm_update", json!({ "decision": "do_default" }))
        .await
        .ok();
    assert_eq!(updated["standardised_code"], "issuer_unavailable");
    asked("gsm_delete", json!({})).await.ok();
    asked("gsm_retrieve", json!({})).await.refused(404, "HE_02");
    let again = asked("gsm_create", said("do_default")).await.ok();
    assert_eq!(asked("gsm_retrieve", json!({})).await.ok(), again);
    let nobodys = about("adyen", "9", "Issuer Unavailable");
    asks(&shop, "gsm_retrieve", nobodys)
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn wrong_requests_are_refused() {
    let shop = Shop::open().await;
    let create = |more: Value| {
        let body = with(about("fauxpay", "X_1", ""), said("retry"));
        asks(&shop, "gsm_create", with(body, more))
    };
    let retry = |more: Value| {
        let all = json!({
            "decision": "retry", "step_up_possible": false, "clear_pan_possible": false,
            "alternate_network_possible": false,
        });
        json!({ "feature": "retry", "feature_data": { "retry": with(all, more) } })
    };
    create(json!({ "clear_pan_possible": true }))
        .await
        .refused(400, "IR_20");
    create(retry(json!({ "alternate_network_possible": true })))
        .await
        .refused(400, "IR_20");
    create(retry(json!({ "decision": "do_default" })))
        .await
        .refused(422, "IR_06");
    create(retry(json!({ "step_up_possible": true })))
        .await
        .refused(422, "IR_06");
    create(json!({ "decision": "requeue" }))
        .await
        .refused(400, "IR_06");
    create(json!({ "flow": "Refund" }))
        .await
        .refused(400, "IR_06");
    create(json!({ "code": "x".repeat(129) }))
        .await
        .refused(422, "IR_05");
    create(retry(json!({}))).await.ok();
    let body = with(about("fauxpay", "X_2", ""), said("retry"));
    shop.call("gsm_create")
        .json(&body)
        .await
        .refused(401, "IR_01");
}
