//! Reading, changing, listing and deleting connector accounts. (Specification 4.14)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

#[tokio::test]
async fn listed_oldest_first_without_credentials() {
    let shop = Shop::open().await;
    let off = json!({ "disabled": true, "metadata": { "region": "west" }, "connector_webhook_details": { "merchant_secret": "a secret" } });
    shop.connects("stripe_test", off).await.ok();
    let profile = shop
        .call("business_profiles_create")
        .json(&json!({ "profile_name": "other" }))
        .await
        .ok();
    shop.connects("adyen_test", json!({ "profile_id": profile["profile_id"] }))
        .await
        .ok();
    let list = shop.call("connector_accounts_list").await.ok();
    let names: Vec<_> = list
        .as_array()
        .expect("accounts")
        .iter()
        .map(|a| &a["connector_name"])
        .collect();
    assert_eq!(
        names,
        ["fauxpay", "stripe_test", "adyen_test"],
        "all profiles, disabled ones too"
    );
    let text = list.to_string();
    for secret in [
        "connector_account_details",
        "simulator-key",
        "a secret",
        "west",
    ] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[tokio::test]
async fn disabled_and_enabled_at_any_time() {
    let shop = Shop::open().await;
    let pay = || shop.creates(with(order_with(APPROVED), json!({ "confirm": true })));
    pay().await.ok();
    let off = shop.reconnects(json!({ "disabled": true })).await.ok();
    assert_eq!(
        (&off["status"], &off["disabled"]),
        (&json!("active"), &json!(true))
    );
    pay().await.refused(400, "IR_39");
    let on = shop.reconnects(json!({ "disabled": false })).await.ok();
    assert_eq!(
        (&on["status"], &on["disabled"]),
        (&json!("active"), &json!(false))
    );
    assert_eq!(pay().await.ok()["status"], "succeeded");
    let inactive = shop.reconnects(json!({ "status": "inactive" })).await.ok();
    assert_eq!(
        (&inactive["status"], &inactive["disabled"]),
        (&json!("inactive"), &json!(true))
    );
    pay().await.refused(400, "IR_39");
    shop.reconnects(json!({ "disabled": false }))
        .await
        .refused(422, "IR_06");
    let active = shop.reconnects(json!({ "status": "active" })).await.ok();
    assert_eq!(
        (&active["status"], &active["disabled"]),
        (&json!("active"), &json!(false))
    );
}

#[tokio::test]
async fn authorized_payments_are_finished_through_a_disabled_account() {
    let shop = Shop::open().await;
    let body = with(
        order_with(APPROVED),
        json!({ "confirm": true, "capture_method": "manual" }),
    );
    let payment = shop.creates(body).await.ok();
    shop.reconnects(json!({ "disabled": true })).await.ok();
    assert_eq!(
        shop.captures(&payment, json!({})).await.ok()["status"],
        "succeeded"
    );
}

#[tokio::test]
async fn changed_in_part() {
    let shop = Shop::open().await;
    let read = || {
        shop.call("connector_accounts_retrieve")
            .at("merchant_connector_id", &shop.connector_account_id)
    };
    let before = read().await.ok();
    let changed = shop
        .reconnects(json!({ "connector_label": "main", "metadata": { "region": "west" } }))
        .await
        .ok();
    assert_eq!(changed["connector_label"], "main");
    assert_eq!(changed["connector_name"], before["connector_name"]);
    assert_eq!(read().await.ok(), changed);
    shop.connects("stripe_test", json!({})).await.ok();
    shop.reconnects(json!({ "connector_label": "stripe_test_default" }))
        .await
        .refused(400, "HE_01");
    let unborn = shop
        .call("connector_accounts_update")
        .at("merchant_connector_id", "mca_unborn");
    unborn
        .json(&json!({ "connector_type": "payment_processor" }))
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn its_credentials_are_checked_with_the_processor() {
    let shop = Shop::open().await;
    let check = || {
        let call = shop.call("connector_accounts_check");
        call.at("merchant_connector_id", &shop.connector_account_id)
    };
    let mut told = Vec::new();
    let mut says = |story: &str, answer: Value| {
        assert_eq!(answer["merchant_connector_id"], shop.connector_account_id);
        told.push(format!(
            "{story}: {} {}",
            answer["result"], answer["message"]
        ));
    };
    says("a good key", check().await.ok());
    shop.next_call_meets(Call::Account, Fault::FailsBefore(503));
    says("a processor in trouble", check().await.ok());
    let refused = json!({ "auth_type": "HeaderKey", "api_key": "refused_key" });
    let refused = json!({ "connector_account_details": refused });
    shop.reconnects(refused).await.ok();
    says("a refused key", check().await.ok());
    insta::assert_snapshot!(told.join("\n"), @r#"
    a good key: "accepted" null
    a processor in trouble: "not_known" "processor_error"
    a refused key: "refused" "DC_14: This API key opens no account"
    "#);

    let paid = with(order_with(APPROVED), json!({ "confirm": true }));
    let failed = shop.creates(paid).await.ok();
    assert_eq!(
        (&failed["status"], &failed["unified_code"]),
        (&json!("failed"), &json!("UE_3000"))
    );
    let unborn = shop.call("connector_accounts_check");
    let unborn = unborn.at("merchant_connector_id", "mca_unborn").await;
    unborn.refused(404, "HE_02");
}

#[tokio::test]
async fn deleted_for_good() {
    let shop = Shop::open().await;
    let delete = || {
        let call = shop
            .server
            .operator("connector_accounts_delete")
            .at("account_id", "bookshop");
        call.at("merchant_connector_id", &shop.connector_account_id)
    };
    let gone = delete().await.ok();
    let wanted = json!({ "merchant_id": "bookshop", "merchant_connector_id": shop.connector_account_id, "deleted": true });
    assert_eq!(gone, wanted);
    delete().await.refused(404, "HE_02");
    assert_eq!(shop.call("connector_accounts_list").await.ok(), json!([]));
    let pay = shop.creates(with(order_with(APPROVED), json!({ "confirm": true })));
    pay.await.refused(400, "IR_39");
}

/// Deleting an account strands no money: its open payments are still synced, captured and voided.
#[tokio::test]
async fn open_payments_of_a_deleted_account_are_finished() {
    let shop = Shop::open().await;
    let held = json!({ "confirm": true, "capture_method": "manual" });
    let pay = || shop.creates(with(order_with(APPROVED), held.clone()));
    let (taken, freed) = (pay().await.ok(), pay().await.ok());
    shop.next_call_meets(Call::Authorize, Fault::LosesAnswer);
    let unknown = pay().await.ok();
    assert_eq!(unknown["status"], "processing");
    let delete = shop
        .server
        .operator("connector_accounts_delete")
        .at("account_id", &shop.merchant_id);
    delete
        .at("merchant_connector_id", &shop.connector_account_id)
        .await
        .ok();

    let asked = shop.asks_about(&unknown).await.ok();
    assert_eq!(asked["status"], "requires_capture", "{asked}");
    let captured = shop.captures(&taken, json!({})).await.ok();
    assert_eq!(captured["status"], "succeeded", "{captured}");
    for payment in [&freed, &unknown] {
        let cancelled = shop.cancels(payment, json!({})).await.ok();
        assert_eq!(cancelled["status"], "cancelled", "{cancelled}");
    }
    let money = shop.money();
    assert_eq!((money.captured, money.released), (6540, 2 * 6540));
}

#[tokio::test]
async fn after_a_deletion_the_label_is_free_and_the_id_is_not() {
    let shop = Shop::open().await;
    let named = |id: &str| {
        shop.connects(
            "stripe_test",
            json!({ "connector_label": "main", "merchant_connector_id": id }),
        )
    };
    named("mca_first").await.ok();
    named("mca_second").await.refused(400, "HE_01");
    let on = |operation: &str| {
        let call = shop.server.operator(operation).at("account_id", "bookshop");
        call.at("merchant_connector_id", "mca_first")
    };
    on("connector_accounts_delete").await.ok();
    on("connector_accounts_retrieve")
        .await
        .refused(404, "HE_02");
    let change = json!({ "connector_type": "payment_processor" });
    on("connector_accounts_update")
        .json(&change)
        .await
        .refused(404, "HE_02");
    named("mca_first").await.refused(400, "HE_01");
    assert_eq!(named("mca_second").await.ok()["connector_label"], "main");
}
