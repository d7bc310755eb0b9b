//! The keys that open each operation of the document. (Specification 5)

use multirail_conformance::document::{Operation, operations};
use multirail_conformance::{Call, Shop};
use serde_json::json;

/// Builds a call that reaches authentication. Its ids belong to the shop.
fn reaches(shop: &Shop, operation: &Operation) -> Call {
    let mut call = shop.wire.call(&operation.id);
    for parameter in operation.path_parameters() {
        let value = match parameter {
            "account_id" | "merchant_id" => &shop.merchant_id,
            "profile_id" => &shop.profile_id,
            "merchant_connector_id" => &shop.connector_account_id,
            _ => "unborn",
        };
        call = call.at(parameter, value);
    }
    if operation.request.is_some() {
        call.json(&json!({}))
    } else {
        call
    }
}

/// Returns the error code for a caller without a valid key.
fn code_without_key(operation: &Operation) -> &'static str {
    if operation.security == ["bearer"] {
        "IR_17"
    } else {
        "IR_01"
    }
}

#[tokio::test]
async fn no_key_opens_nothing() {
    let shop = Shop::open().await;
    for operation in operations() {
        let answer = reaches(&shop, operation).await;
        if operation.id == "notices_receive" {
            // The processor's signature replaces a key.
            answer.refused(401, "WE_01");
        } else if operation.security.is_empty() && operation.request.is_some() {
            // A sign-in carries its proof in the body.
            answer.refused(400, "IR_04");
        } else if operation.id == "oidc_begin" {
            // This server has no identity provider, and anybody may know that.
            answer.refused(403, "IR_22");
        } else if operation.security.is_empty() {
            answer.ok();
        } else {
            answer.refused(401, code_without_key(operation));
        }
    }
}

#[tokio::test]
async fn a_forged_key_opens_nothing() {
    let shop = Shop::open().await;
    let (prefix, _) = shop.api_key.split_at(20);
    let longer = format!("{}x", shop.api_key);
    for key in [
        "",
        "x",
        prefix,
        &longer,
        "pk_snd_00000000000000000000000000000000",
        "test_admin",
    ] {
        for operation in operations()
            .iter()
            .filter(|operation| !operation.security.is_empty())
        {
            reaches(&shop, operation)
                .key(key)
                .await
                .refused(401, code_without_key(operation));
        }
    }
}

#[tokio::test]
async fn keys_of_the_wrong_kind_open_nothing() {
    let shop = Shop::open().await;
    let keys = [
        ("api_key", shop.api_key.clone()),
        ("admin_api_key", shop.admin_key().to_owned()),
        ("publishable_key", shop.publishable_key.clone()),
    ];
    for operation in operations()
        .iter()
        .filter(|operation| !operation.security.is_empty())
    {
        for (scheme, key) in &keys {
            // The same key opens this operation with another secret.
            let is_subscribers =
                *scheme == "publishable_key" && operation.takes("subscription_client");
            if !operation.takes(scheme) && !is_subscribers {
                reaches(&shop, operation)
                    .key(key)
                    .await
                    .refused(401, code_without_key(operation));
            }
        }
    }
}

/// Deleting comes last, because it works.
#[tokio::test]
async fn keys_of_the_right_kind_get_past_the_door() {
    let shop = Shop::open().await;
    let mut all: Vec<&Operation> = operations().iter().collect();
    all.sort_by_key(|operation| {
        let ends_the_keys = operation.id == "merchant_accounts_delete";
        (operation.method == reqwest::Method::DELETE, ends_the_keys)
    });
    for operation in all {
        for (scheme, key) in [
            ("publishable_key", &shop.publishable_key),
            ("api_key", &shop.api_key),
            ("admin_api_key", &shop.admin_key().to_owned()),
        ] {
            if operation.takes(scheme) {
                let answer = reaches(&shop, operation).key(key).await;
                assert_ne!(
                    answer.status, 401,
                    "{} with {scheme}: {}",
                    operation.id, answer.body
                );
            }
        }
    }
}

#[tokio::test]
async fn an_unknown_profile_is_refused_wherever_a_secret_key_is_taken() {
    let shop = Shop::open().await;
    for operation in operations().iter().filter(|one| one.takes("api_key")) {
        let call = shop
            .call(&operation.id)
            .header("x-profile-id", "pro_unborn");
        let call = operation
            .path_parameters()
            .into_iter()
            .filter(|name| !matches!(*name, "account_id" | "merchant_id"))
            .fold(call, |call, name| call.at(name, "unborn"));
        let message = call.await.refused(404, "HE_02");
        assert!(message.contains("profile"), "{}: {message}", operation.id);
    }
}

#[tokio::test]
async fn a_key_may_be_narrowed_to_a_profile() {
    let shop = Shop::open().await;
    let second = shop
        .call("business_profiles_create")
        .json(&json!({ "profile_name": "second" }))
        .await
        .ok();
    let second = second["profile_id"].as_str().expect("an id");
    let first_order = shop
        .creates(json!({ "amount": 1, "currency": "USD" }))
        .await
        .ok();
    let call = shop
        .creates(json!({ "amount": 2, "currency": "USD" }))
        .header("x-profile-id", second);
    let second_order = call.await.ok();
    assert_eq!(second_order["profile_id"], second);
    let page = shop
        .call("payments_list")
        .header("x-profile-id", second)
        .await
        .ok();
    assert_eq!(
        (&page["size"], &page["data"][0]["amount"]),
        (&json!(1), &json!(2))
    );
    let page = shop
        .call("payments_filter")
        .header("x-profile-id", second)
        .await
        .ok();
    assert_eq!(page["total_count"], 1);
    shop.call("payments_list")
        .header("x-profile-id", second)
        .query(
            "starting_after",
            multirail_conformance::shop::id(&first_order),
        )
        .await
        .refused(404, "HE_02");
    for call in [
        shop.retrieves(&first_order),
        shop.updates(&first_order, json!({})),
        shop.confirms(&first_order, json!({})),
        shop.captures(&first_order, json!({})),
        shop.cancels(&first_order, json!({})),
    ] {
        call.header("x-profile-id", second)
            .await
            .refused(404, "HE_02");
    }
    shop.retrieves(&second_order)
        .header("x-profile-id", second)
        .await
        .ok();
    shop.call("payments_list")
        .header("x-profile-id", "pro_unborn")
        .await
        .refused(404, "HE_02");
    let stranger = shop.server.shop("flower_shop").await;
    shop.call("payments_list")
        .header("x-profile-id", &stranger.profile_id)
        .await
        .refused(404, "HE_02");
    let body = json!({ "amount": 1, "currency": "USD", "profile_id": shop.profile_id });
    shop.creates(body)
        .header("x-profile-id", second)
        .await
        .refused(404, "HE_02");
}
