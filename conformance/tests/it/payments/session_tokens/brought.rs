//! Credentials and settings in the call, which replace the account's own.

use multirail_conformance::bodies::{order, with};
use multirail_conformance::{Payer, Shop};
use serde_json::{Value, json};

use super::{all_wallets, names, only, shop_with};

async fn payer(shop: &Shop) -> Payer {
    let more = json!({ "payment_id": "pay_brought" });
    let payment = shop.creates(with(order(), more)).await.ok();
    shop.payer_of(&payment)
}

fn asks(payer: &Payer, encoded: Value, wallets: &[&str]) -> multirail_conformance::wire::Call {
    payer.call("payments_session_tokens").json(&json!({
        "payment_id": payer.payment_id, "client_secret": payer.client_secret, "wallets": wallets,
        "merchant_connector_details": { "creds_identifier": "mine", "encoded_data": encoded },
    }))
}

#[tokio::test]
async fn settings_take_the_place_of_the_accounts_own() {
    let own = json!({ "paypal_sdk": { "client_id": "stored" } });
    let shop =
        shop_with(json!({ "payment_methods_enabled": only("paypal"), "metadata": own })).await;
    let payer = payer(&shop).await;
    let brought = json!({ "metadata": { "paypal_sdk": { "client_id": "brought" } } });
    let session = asks(&payer, brought, &[]).await.ok();
    assert_eq!(session["session_token"][0]["session_token"], "brought");
    let session = payer.opens_session(&[]).await.ok();
    assert_eq!(session["session_token"][0]["session_token"], "stored");
}

/// The simulated processor separates accounts by key, so its sessions show which account opened them.
#[tokio::test]
async fn credentials_take_the_place_of_the_accounts_own() {
    let shop = shop_with(json!({ "payment_methods_enabled": all_wallets() })).await;
    let payer = payer(&shop).await;
    let key = |key: &str| json!({ "connector_account_details": { "auth_type": "HeaderKey", "api_key": key } });
    let stored = payer.opens_session(&["klarna"]).await.ok();
    let brought = asks(&payer, key("another key"), &["klarna"]).await.ok();
    assert_eq!(
        (names(&stored), names(&brought)),
        (vec!["klarna"], vec!["klarna"])
    );
    assert_ne!(stored["session_token"], brought["session_token"]);
    // The same key is the same account.
    let same = asks(&payer, key("simulator-key"), &["klarna"]).await.ok();
    assert_eq!(stored["session_token"], same["session_token"]);

    let message = asks(
        &payer,
        json!({ "connector_account_details": { "auth_type": "BodyKey", "api_key": "a", "key1": "b" } }),
        &["klarna"],
    )
    .await
    .refused(422, "IR_06");
    assert!(message.contains("auth_type"), "{message}");
    asks(&payer, json!({}), &["klarna"])
        .await
        .refused(422, "IR_06");
}

/// Credentials of one processor are sent to no other.
#[tokio::test]
async fn credentials_are_for_one_processor() {
    let klarna = json!([{ "payment_method": "pay_later", "payment_method_types": ["klarna"] }]);
    let shop = shop_with(json!({ "payment_methods_enabled": klarna })).await;
    let other = json!({ "payment_methods_enabled": [{
        "payment_method": "open_banking",
        "payment_method_types": ["open_banking_pis"],
    }] });
    shop.connects("stripe_test", other).await.ok();
    let payer = payer(&shop).await;
    let key =
        json!({ "connector_account_details": { "auth_type": "HeaderKey", "api_key": "mine" } });
    let both = payer.opens_session(&[]).await.ok();
    assert_eq!(names(&both), ["klarna", "open_banking"]);
    let refused = asks(&payer, key.clone(), &[]).await;
    let message = refused.refused(422, "IR_06");
    assert!(message.contains("fauxpay and stripe_test"), "{message}");
    let own = asks(&payer, key, &["klarna"]).await.ok();
    assert_eq!(names(&own), ["klarna"]);
}
