//! The destination of card details: this service, unless the profile has the merchant's own vault.

use insta::assert_json_snapshot;
use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::session_of;

/// Creates a connector account of a vault; `more` overrides members.
async fn vault(shop: &Shop, more: Value) -> Value {
    let account = json!({
        "connector_type": "vault_processor",
        "connector_account_details": {
            "auth_type": "SignatureKey", "api_key": "user", "key1": "password", "api_secret": "tnt4kq7vbxe",
        },
    });
    let account = multirail_conformance::bodies::with(account, more);
    shop.connects("vgs", account).await.ok()
}

async fn uses(shop: &Shop, vault: &Value) {
    let details = json!({
        "is_external_vault_enabled": "enable",
        "external_vault_connector_details": {
            "vault_connector_id": vault["merchant_connector_id"], "vault_sdk": "vgs_sdk",
        },
    });
    let profile = shop.sets_up(details.clone()).await.ok();
    assert_eq!(profile["is_external_vault_enabled"], "enable");
    assert_eq!(
        profile["external_vault_connector_details"],
        details["external_vault_connector_details"]
    );
}

#[tokio::test]
async fn a_vault_of_the_merchants_own() {
    let shop = Shop::open().await;
    let before = session_of(&shop, json!({}), &[]).await;
    assert_eq!(before["vault_details"]["vault_type"], "internal_vault");

    let account = vault(&shop, json!({ "test_mode": true })).await;
    uses(&shop, &account).await;
    let session = session_of(&shop, json!({}), &[]).await;
    assert_json_snapshot!(session["vault_details"], @r#"
    {
      "vault_type": "external_vault",
      "vault_data": {
        "vgs": {
          "external_vault_id": "tnt4kq7vbxe",
          "sdk_env": "sandbox"
        }
      }
    }
    "#);

    let live = vault(&shop, json!({ "connector_label": "live" })).await;
    uses(&shop, &live).await;
    let session = session_of(&shop, json!({}), &[]).await;
    let vgs = &session["vault_details"]["vault_data"]["vgs"];
    assert_eq!(vgs["sdk_env"], "live");

    // If the profile switches the vault off, its account is remembered.
    shop.sets_up(json!({ "is_external_vault_enabled": "skip" }))
        .await
        .ok();
    let session = session_of(&shop, json!({}), &[]).await;
    assert_eq!(session["vault_details"]["vault_type"], "internal_vault");
    shop.sets_up(json!({ "is_external_vault_enabled": "enable" }))
        .await
        .ok();
    let session = session_of(&shop, json!({}), &[]).await;
    assert_eq!(session["vault_details"]["vault_type"], "external_vault");

    // Without the account, no card details go there.
    shop.call("connector_accounts_delete")
        .key(shop.admin_key())
        .at(
            "merchant_connector_id",
            live["merchant_connector_id"].as_str().expect("an id"),
        )
        .await
        .ok();
    let session = session_of(&shop, json!({}), &[]).await;
    assert_eq!(session["vault_details"]["vault_type"], "internal_vault");
}

#[tokio::test]
async fn a_vault_is_an_account_for_vaults_and_the_merchants() {
    let server = multirail_conformance::TestServer::start().await;
    let shop = server.shop("bookshop").await;
    let stranger = server.shop("flower_shop").await;
    let others = vault(&stranger, json!({})).await;
    let named =
        |id: &Value| json!({ "external_vault_connector_details": { "vault_connector_id": id } });
    for id in [
        &json!("mca_unborn"),
        &json!(shop.connector_account_id),
        &others["merchant_connector_id"],
    ] {
        shop.sets_up(named(id)).await.refused(404, "HE_02");
    }
    let bare = shop.sets_up(json!({ "is_external_vault_enabled": "enable" }));
    let message = bare.await.refused(400, "IR_04");
    assert!(message.contains("vault_connector_id"), "{message}");
    let wrong = shop.sets_up(json!({ "is_external_vault_enabled": "on" }));
    wrong.await.refused(400, "IR_06");
}

/// The server never calls a vault, so its account takes no payments and its credentials can't be checked.
#[tokio::test]
async fn the_server_never_calls_a_vault() {
    let shop = Shop::open().await;
    let account = vault(&shop, json!({})).await;
    let id = account["merchant_connector_id"].as_str().expect("an id");
    shop.call("connector_accounts_check")
        .at("merchant_connector_id", id)
        .await
        .refused(400, "IR_20");
    shop.connects("vgs", json!({ "connector_label": "for payments" }))
        .await
        .refused(422, "IR_06");
    let routed = json!({
        "confirm": true, "routing": { "type": "single", "data": { "connector": "vgs" } },
    });
    let order = multirail_conformance::bodies::order_with(multirail_conformance::bodies::APPROVED);
    shop.creates(multirail_conformance::bodies::with(order, routed))
        .await
        .refused(400, "IR_39");
}

/// Another form would send cards to the wrong place.
#[tokio::test]
async fn a_form_that_is_not_the_vaults_is_refused() {
    let shop = Shop::open().await;
    let account = vault(&shop, json!({})).await;
    let details = |sdk: Value| {
        json!({ "external_vault_connector_details": {
            "vault_connector_id": account["merchant_connector_id"], "vault_sdk": sdk,
        } })
    };
    let other = shop.sets_up(details(json!("hyperswitch_sdk"))).await;
    let message = other.refused(422, "IR_06");
    assert!(message.contains("vault_sdk"), "{message}");
    for own in [json!(null), json!("vgs_sdk")] {
        shop.sets_up(details(own)).await.ok();
    }
}
