//! The accounts whose notices may change a payment's disputes. First comes the account that captured the payment. If
//! no account of today did, another account of the same profile and connector may, if it names the processor's own
//! reference. Other notices are left to the operator.

use multirail_conformance::bodies::{DISPUTED, paid_with, with};
use multirail_conformance::notice::{disputed, webhook_details};
use multirail_conformance::patience::until_found;
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{paid, shop_with_notice_secret, stands, tells, tells_as};

const DAY: i64 = 86_400;

/// Creates a payment with credentials from the request.
async fn paid_with_own_credentials(shop: &Shop) -> Value {
    let mine = json!({ "merchant_connector_details": {
        "creds_identifier": "mine",
        "encoded_data": { "connector_account_details": { "auth_type": "HeaderKey", "api_key": "of my own account" } },
    } });
    shop.creates(with(paid_with(DISPUTED), mine)).await.ok()
}

fn deletes(shop: &Shop, account: &str) -> Call {
    shop.operator("connector_accounts_delete")
        .at("account_id", &shop.merchant_id)
        .at("merchant_connector_id", account)
}

/// Connects another account with the same secret for notices.
async fn connects(shop: &Shop, connector: &str, more: Value) -> String {
    let account = shop.connects(connector, with(webhook_details(), more));
    let account = account.await.ok();
    let id = account["merchant_connector_id"].as_str();
    id.expect("an id").to_owned()
}

/// Returns the operator's view of this account's last notice, once the server gave up on it.
async fn unmatched(shop: &Shop, account: &str) -> Value {
    until_found("its last notice is given up", async || {
        let listed = shop.server.operator("notices_list");
        let listed = listed.query("merchant_connector_id", account).await.ok();
        let last = &listed[0];
        // The notice was read once, so it is given up because of its age, not because nobody read it.
        if last["status"] == "waiting" && last["kinds"] != json!([]) {
            shop.server.time_passes(DAY).await;
        }
        match last["status"] == "unmatched" {
            true => Ok(last.clone()),
            false => Err(listed),
        }
    })
    .await
}

async fn disputes_of(shop: &Shop, payment: &Value) -> Value {
    shop.retrieves(payment).await.ok()["disputes"].clone()
}

#[tokio::test]
async fn notices_name_payments_with_credentials_from_requests() {
    let shop = shop_with_notice_secret().await;
    let payment = paid_with_own_credentials(&shop).await;
    assert_eq!(payment["status"], "succeeded");
    tells(&shop, &disputed(&payment, "dispute", "dispute_opened")).await;
    let dispute = stands(&shop, &payment, "dispute", "dispute_opened").await;
    let account = shop.connector_account_id.as_str();
    assert_eq!(dispute["merchant_connector_id"], account);
    let details = json!({ "creds_identifier": "mine",
        "encoded_data": { "connector_account_details": { "auth_type": "HeaderKey", "api_key": "of my own account" } } });
    shop.refunds(
        &payment,
        json!({ "amount": 1, "merchant_connector_details": details }),
    )
    .await
    .refused(400, "IR_13");

    // A reference that differs from the one that the processor returned.
    let other = paid_with_own_credentials(&shop).await;
    let mut named = other.clone();
    named["connector_transaction_id"] = json!("sim_of_somebody_else");
    tells(&shop, &disputed(&named, "dispute", "dispute_opened")).await;
    let left = unmatched(&shop, account).await;
    assert_eq!(left["kinds"], json!(["dispute_opened"]));
    assert_eq!(left["objects"], json!([]));
    assert_eq!(disputes_of(&shop, &other).await, json!(null));
}

#[tokio::test]
async fn the_successor_of_a_deleted_account_continues_its_disputes() {
    let shop = shop_with_notice_secret().await;
    let (known, heard_of_later) = (paid(&shop).await, paid(&shop).await);
    tells(&shop, &disputed(&known, "dispute", "dispute_opened")).await;
    let dispute = stands(&shop, &known, "dispute", "dispute_opened").await;
    deletes(&shop, &shop.connector_account_id).await.ok();
    let anew = connects(&shop, "fauxpay", json!({})).await;

    tells_as(
        &shop,
        &anew,
        &disputed(&heard_of_later, "dispute", "dispute_opened"),
    )
    .await;
    let raised = stands(&shop, &heard_of_later, "dispute", "dispute_opened").await;
    assert_eq!(raised["merchant_connector_id"], anew.as_str());

    // This is the same dispute, not another one about the same payment.
    tells_as(&shop, &anew, &disputed(&known, "dispute", "dispute_lost")).await;
    let lost = stands(&shop, &known, "dispute", "dispute_lost").await;
    assert_eq!(lost["dispute_id"], dispute["dispute_id"]);
    let listed = disputes_of(&shop, &known).await;
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    // Notices at the old account's address are still accepted.
    tells(
        &shop,
        &disputed(&heard_of_later, "dispute", "dispute_challenged"),
    )
    .await;
    let challenged = stands(&shop, &heard_of_later, "dispute", "dispute_challenged").await;
    assert_eq!(challenged["dispute_id"], raised["dispute_id"]);
}

#[tokio::test]
async fn no_account_tells_of_what_another_one_took() {
    let shop = shop_with_notice_secret().await;
    let of_an_account = paid(&shop).await;
    let of_nobody = paid_with_own_credentials(&shop).await;
    let beside = connects(&shop, "fauxpay", json!({ "connector_label": "beside" })).await;
    let of_another_name = connects(&shop, "stripe_test", json!({})).await;
    let profile = shop.call("business_profiles_create");
    let profile = profile.json(&json!({ "profile_name": "another" }));
    let profile = profile.await.ok();
    let profile = json!({ "profile_id": profile["profile_id"] });
    let of_another_profile = connects(&shop, "fauxpay", profile).await;
    for (account, payment) in [
        (&beside, &of_an_account),
        (&of_another_name, &of_nobody),
        (&of_another_profile, &of_nobody),
    ] {
        tells_as(
            &shop,
            account,
            &disputed(payment, "dispute", "dispute_opened"),
        )
        .await;
        let left = unmatched(&shop, account).await;
        assert_eq!(left["objects"], json!([]));
        assert_eq!(disputes_of(&shop, payment).await, json!(null));
        assert_eq!(shop.call("disputes_list").await.ok(), json!([]));
    }
}
