//! `X-Profile-Id` must name one of the merchant's profiles, whoever the caller is.

use multirail_conformance::bodies::order;
use multirail_conformance::document::operations;
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

/// Returns calls of the operations that list the header and take the operator's key.
fn by_the_operator(shop: &Shop) -> Vec<Call> {
    let listing = operations().iter().filter(|operation| {
        let parameters = operation.parameters();
        operation.takes("admin_api_key")
            && parameters
                .iter()
                .any(|(_, one)| one["name"] == "X-Profile-Id")
    });
    let calls = listing.map(|operation| {
        shop.server
            .operator(&operation.id)
            .at("account_id", &shop.merchant_id)
            .at("profile_id", &shop.profile_id)
            .at("merchant_connector_id", &shop.connector_account_id)
    });
    calls.collect()
}

#[tokio::test]
async fn a_profile_that_is_not_the_merchants_is_unknown_to_the_operator_too() {
    let shop = Shop::open().await;
    let stranger = shop.server.shop("flower_shop").await;
    let calls = by_the_operator(&shop);
    assert!(calls.len() > 5);
    for call in calls {
        for named in ["no id!", "pro_unknown", &stranger.profile_id] {
            let message = call.clone().header("X-Profile-Id", named).await;
            let message = message.refused(404, "HE_02");
            assert!(message.contains("profile"), "{}: {message}", call.name());
        }
    }
}

#[tokio::test]
async fn it_narrows_the_operators_call_as_the_merchants() {
    let shop = Shop::open().await;
    let second = shop.second_profile().await;
    let account = || {
        shop.server
            .operator("connector_accounts_retrieve")
            .at("account_id", &shop.merchant_id)
            .at("merchant_connector_id", &shop.connector_account_id)
    };
    let own = account()
        .header("X-Profile-Id", &shop.profile_id)
        .await
        .ok();
    assert_eq!(own, account().await.ok());
    // The account id in the path may be percent-encoded.
    let bytes = shop.merchant_id.bytes();
    let written: String = bytes.map(|byte| format!("%{byte:02X}")).collect();
    let written = account()
        .moved("account_id", &written)
        .header("X-Profile-Id", &shop.profile_id);
    assert_eq!(own, written.await.ok());
    account()
        .header("X-Profile-Id", &second)
        .await
        .refused(404, "HE_02");
    let listed = shop
        .server
        .operator("business_profiles_list")
        .at("account_id", &shop.merchant_id)
        .header("X-Profile-Id", &second);
    let listed = listed.await.ok();
    let ids: Vec<&Value> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["profile_id"])
        .collect();
    assert_eq!(ids, [&json!(second)]);
    // The header narrows the call to one profile, as it does with the secret key.
    shop.call("connector_accounts_retrieve")
        .at("merchant_connector_id", &shop.connector_account_id)
        .header("X-Profile-Id", &second)
        .await
        .refused(404, "HE_02");
}

/// With a client secret the header may only name the payment's own profile.
#[tokio::test]
async fn it_narrows_the_call_of_a_payers_client() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    let second = shop.second_profile().await;
    let retrieves = |named: &str| payer.retrieves().header("X-Profile-Id", named);
    let own = retrieves(&shop.profile_id).await.ok();
    assert_eq!(own, payer.retrieves().await.ok());
    for (named, unknown) in [("@", "profile"), (&second, "payment")] {
        let message = retrieves(named).await.refused(404, "HE_02");
        assert!(message.to_lowercase().contains(unknown), "{message}");
    }
}
