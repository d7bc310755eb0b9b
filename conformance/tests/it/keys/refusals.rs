//! Refusals of key operations, and callers who may not use them.

use multirail_conformance::{Shop, TestServer};
use multirail_seal::MasterKey;
use multirail_system::random::OsRandom;
use serde_json::json;

#[tokio::test]
async fn a_change_that_does_not_fit_is_refused_and_changes_nothing() {
    let server = TestServer::start().await;
    let before = super::keys(&server).await;
    assert_eq!(before["rotation"], json!(null));
    assert_eq!(before["next_master_key"], json!(null));
    let changes = |body| server.operator("keys_rotate").json(&body);
    let refused = async |body, status, code| changes(body).await.refused(status, code);
    let why = refused(json!({ "change": "master_key" }), 400, "IR_04").await;
    assert_eq!(why, "next_master_key is required and was not given");
    let null = json!({ "change": "master_key", "next_master_key": null });
    assert_eq!(refused(null, 400, "IR_04").await, why);
    let stranger = MasterKey::generate(&OsRandom);
    let handed_over = stranger.hand_over(&MasterKey::generate(&OsRandom), &OsRandom);
    for text in ["00", "no digits", handed_over.as_str()] {
        let body = json!({ "change": "master_key", "next_master_key": text });
        let why = refused(body, 422, "IR_06").await;
        assert_eq!(
            why,
            "next_master_key is no master key that was handed over with the present one"
        );
    }
    for change in ["data_keys", "finish_master_key"] {
        let body = json!({ "change": change, "next_master_key": "00" });
        refused(body, 422, "IR_06").await;
    }
    refused(json!({ "change": "finish_master_key" }), 400, "IR_16").await;
    refused(json!({ "change": "everything" }), 400, "IR_06").await;
    refused(json!({}), 400, "IR_04").await;
    assert_eq!(super::keys(&server).await, before);
}

#[tokio::test]
async fn keys_are_the_operators_affair() {
    let shop = Shop::open().await;
    let call = |operation| shop.server.wire.call(operation).key(&shop.api_key);
    call("keys_retrieve").await.refused(401, "IR_01");
    let change = json!({ "change": "data_keys" });
    call("keys_rotate")
        .json(&change)
        .await
        .refused(401, "IR_01");
    let keys = super::keys(&shop.server).await;
    assert_eq!(keys["rotation"], json!(null));
}
