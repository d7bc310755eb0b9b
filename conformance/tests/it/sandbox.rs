//! Features of the sandbox.

use multirail_conformance::bodies::{APPROVED, order, paid_with};
use multirail_conformance::{Shop, TestServer};
use multirail_server::config::Setting;
use serde_json::json;

#[tokio::test]
async fn time_moves_forward_only() {
    let server = TestServer::start().await;
    let before = server.time_passes(0).await;
    assert_eq!(before["advanced_seconds"], 0);
    assert_eq!(server.time_passes(900).await["advanced_seconds"], 900);
    let after = server.time_passes(100).await;
    assert_eq!(after["advanced_seconds"], 1000, "moves add up");
    let moment = |value: &serde_json::Value| {
        chrono::DateTime::parse_from_rfc3339(value["now"].as_str().expect("a text"))
            .expect("a moment")
    };
    let passed = (moment(&after) - moment(&before)).num_seconds();
    assert!((1000..1060).contains(&passed), "{passed}");
    let advance = |seconds: serde_json::Value| {
        server
            .operator("sandbox_clock_advance")
            .json(&json!({ "advance_seconds": seconds }))
    };
    advance(json!(-1)).await.refused(400, "IR_06");
    advance(json!("900")).await.refused(400, "IR_06");
    advance(json!(i64::MAX)).await.refused(422, "IR_06");
    server
        .operator("sandbox_clock_advance")
        .await
        .refused(400, "IR_04");
    assert_eq!(
        server.time_passes(0).await["advanced_seconds"],
        1000,
        "refusals move nothing"
    );
}

#[tokio::test]
async fn payments_live_by_its_clock() {
    let shop = Shop::open().await;
    let early = shop.creates(order()).await.ok();
    shop.time_passes(86_400).await;
    let late = shop.creates(order()).await.ok();
    assert!(late["created"].as_str() > early["expires_on"].as_str());
}

/// If the keys are configured and the database is PostgreSQL, only the simulator needs a file there.
#[tokio::test]
async fn the_folder_of_its_data_need_not_be_there() {
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("not/there/yet");
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(
                Setting::AdminApiKey,
                "an-admin-key-for-a-folder-that-is-missing",
            )
            .with(
                Setting::MasterKey,
                "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
            )
            .with(Setting::DataDirectory, folder.to_string_lossy())
    })
    .await;
    let shop = server.shop("bookshop").await;
    let paid = shop.creates(paid_with(APPROVED)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert!(folder.join("simulator.sqlite").is_file());
}

#[tokio::test]
async fn production_has_no_clock_and_no_simulator() {
    let key = "an-admin-key-that-is-long-enough-for-production-1234567890";
    let server = TestServer::start_with(|inputs| {
        let mut inputs = inputs
            .with(Setting::AdminApiKey, key)
            .with(
                Setting::MasterKey,
                "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
            )
            .with(Setting::BehindProxy, "true");
        inputs
            .options
            .retain(|(setting, _)| *setting != Setting::Sandbox);
        inputs
    })
    .await;
    let clock = server
        .wire
        .call("sandbox_clock_advance")
        .key(key)
        .json(&json!({ "advance_seconds": 1 }));
    clock.clone().await.refused(404, "IR_02");
    clock.without_key().await.refused(404, "IR_02");
    let page = server
        .wire
        .request(reqwest::Method::GET, "/dummy-connector/authorize/x")
        .await;
    page.refused(404, "IR_02");
    server
        .wire
        .call("merchant_accounts_create")
        .key(key)
        .json(&json!({ "merchant_id": "shop" }))
        .await
        .ok();
    let account = json!({
        "connector_type": "payment_processor",
        "connector_name": "fauxpay",
        "connector_account_details": { "auth_type": "HeaderKey", "api_key": "k" },
    });
    let call = server
        .wire
        .call("connector_accounts_create")
        .key(key)
        .at("account_id", "shop")
        .json(&account);
    call.await.refused(422, "IR_06");
}

#[tokio::test]
async fn a_new_sandbox_shows_google_pay_and_apple_pay() {
    let server = TestServer::start().await;
    let demo = server.demo();
    let create = server.wire.call("payments_create");
    let payment = create.key(demo.api_key.expose()).json(&order()).await.ok();
    let asked = json!({
        "payment_id": payment["payment_id"], "client_secret": payment["client_secret"],
        "wallets": ["google_pay", "apple_pay"],
    });
    let tokens = server.wire.call("payments_session_tokens");
    let session = tokens.key(&demo.publishable_key).json(&asked).await.ok();
    let names: Vec<_> = session["session_token"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|token| token["wallet_name"].as_str())
        .collect();
    assert_eq!(names, [Some("apple_pay"), Some("google_pay")], "{session}");
}
