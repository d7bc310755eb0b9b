//! Merchant accounts.

use multirail_conformance::bodies::{order, with};
use multirail_conformance::evidence::evidence_of_what_is_set;
use multirail_conformance::{Shop, TestServer};
use serde_json::{Value, json};

#[tokio::test]
async fn opened_with_a_profile_and_a_publishable_key() {
    let server = TestServer::start().await;
    let account = server
        .operator("merchant_accounts_create")
        .json(&json!({ "merchant_id": "bookshop" }))
        .await
        .ok();
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&evidence_of_what_is_set(&account)).expect("JSON")
    );
    let call = server
        .operator("merchant_accounts_retrieve")
        .at("account_id", "bookshop");
    assert_eq!(call.await.ok(), account);
    let profiles = server
        .operator("business_profiles_list")
        .at("account_id", "bookshop")
        .await
        .ok();
    assert_eq!(profiles.as_array().map(Vec::len), Some(1));
    assert_eq!(profiles[0]["profile_id"], account["default_profile"]);
    assert_eq!(profiles[0]["profile_name"], "default");
}

#[tokio::test]
async fn ids_are_chosen_once() {
    let server = TestServer::start().await;
    let open = |id: &str| {
        server
            .operator("merchant_accounts_create")
            .json(&json!({ "merchant_id": id }))
    };
    open("bookshop").await.ok();
    open("bookshop").await.refused(400, "HE_01");
    for id in ["book shop", "bücher", "a/b"] {
        assert!(
            open(id).await.refused(422, "IR_05").contains("merchant_id"),
            "{id}"
        );
    }
    assert!(
        open(&"x".repeat(65))
            .await
            .refused(422, "IR_05")
            .contains("merchant_id")
    );
    open(&"x".repeat(64)).await.ok();
    let body = json!({ "merchant_id": "other", "organization_id": "org_unborn" });
    server
        .operator("merchant_accounts_create")
        .json(&body)
        .await
        .refused(404, "IR_37");
}

#[tokio::test]
async fn accounts_may_share_an_organization() {
    let server = TestServer::start().await;
    let first = server
        .operator("merchant_accounts_create")
        .json(&json!({ "merchant_id": "one" }))
        .await
        .ok();
    let body = json!({ "merchant_id": "two", "organization_id": first["organization_id"] });
    let second = server
        .operator("merchant_accounts_create")
        .json(&body)
        .await
        .ok();
    assert_eq!(second["organization_id"], first["organization_id"]);
}

#[tokio::test]
async fn several_lines_of_business_make_several_profiles() {
    let server = TestServer::start().await;
    let body = json!({ "merchant_id": "mall", "primary_business_details": [
        { "country": "US", "business": "shoes" },
        { "country": "NG", "business": "books" },
    ] });
    let account = server
        .operator("merchant_accounts_create")
        .json(&body)
        .await
        .ok();
    assert_eq!(
        account["default_profile"],
        json!(null),
        "none is the default"
    );
    let profiles = server
        .operator("business_profiles_list")
        .at("account_id", "mall")
        .await
        .ok();
    let names: Vec<_> = profiles
        .as_array()
        .expect("profiles")
        .iter()
        .map(|p| &p["profile_name"])
        .collect();
    assert_eq!(names, ["US_shoes", "NG_books"]);
}

#[tokio::test]
async fn settings_change_and_stay() {
    let shop = Shop::open().await;
    let update = |body| {
        shop.server
            .operator("merchant_accounts_update")
            .at("account_id", "bookshop")
            .json(&body)
    };
    let settings = json!({
        "merchant_name": "Book shop",
        "metadata": { "region": "west" },
        "return_url": "https://shop.example/thanks",
        "merchant_details": { "primary_email": "ada@example.com" },
    });
    let updated = update(settings).await.ok();
    assert_eq!(updated["merchant_name"], "Book shop");
    assert_eq!(
        update(json!({})).await.ok()["metadata"],
        json!({ "region": "west" })
    );
    assert_eq!(
        shop.call("merchant_accounts_retrieve").await.ok()["merchant_name"],
        "Book shop"
    );
    update(json!({ "default_profile": "pro_unborn" }))
        .await
        .refused(404, "HE_02");
    let missing = shop
        .server
        .operator("merchant_accounts_update")
        .at("account_id", "unborn")
        .json(&json!({}));
    missing.await.refused(404, "HE_02");
}

#[tokio::test]
async fn closed_for_good() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    let close = || {
        shop.server
            .operator("merchant_accounts_delete")
            .at("account_id", "bookshop")
    };
    let closed = close().await.ok();
    assert_eq!(
        closed,
        json!({ "merchant_id": "bookshop", "deleted": true })
    );
    close().await.refused(404, "HE_02");
    shop.retrieves(&payment).await.refused(401, "IR_01");
    payer.retrieves().await.refused(401, "IR_01");
    for operation in ["merchant_accounts_retrieve", "business_profiles_list"] {
        shop.server
            .operator(operation)
            .at("account_id", "bookshop")
            .await
            .refused(404, "HE_02");
    }
    let key = json!({ "name": "late", "expiration": "never" });
    let call = shop
        .server
        .operator("api_keys_create")
        .at("merchant_id", "bookshop")
        .json(&key);
    call.await.refused(404, "HE_02");
}

#[tokio::test]
async fn members_of_an_account_are_shown_or_refused() {
    let server = TestServer::start().await;
    let open = |id: &str, said: Value| {
        let body = with(json!({ "merchant_id": id }), said);
        server.operator("merchant_accounts_create").json(&body)
    };
    let update = |said: Value| {
        server
            .operator("merchant_accounts_update")
            .at("account_id", "bookshop")
            .json(&said)
    };
    let read = || {
        server
            .operator("merchant_accounts_retrieve")
            .at("account_id", "bookshop")
    };
    let said = json!({ "locker_id": "m0010", "product_type": "orchestration" });
    let opened = open("bookshop", said.clone()).await.ok();
    for member in ["locker_id", "product_type"] {
        assert_eq!(opened[member], said[member]);
    }
    assert_eq!(read().await.ok(), opened);

    // No sub-merchant and no parent; empty members count as absent.
    let nothing = json!({
        "sub_merchants_enabled": false,
        "parent_merchant_id": "mall",
        "publishable_key": "",
        "product_type": "",
    });
    assert_eq!(update(nothing.clone()).await.ok(), opened);
    open("flower_shop", nothing).await.ok();
    let moved = update(json!({ "locker_id": "m0020" })).await.ok();
    assert_eq!(moved["locker_id"], "m0020");
    assert_eq!(moved["product_type"], "orchestration");

    for asked in [
        json!({ "sub_merchants_enabled": true }),
        json!({ "parent_merchant_id": "mall" }),
        json!({ "publishable_key": "pk_snd_0b7e4c2d9f31486a8d5e6f70c1a2b394" }),
        json!({ "product_type": "vault" }),
    ] {
        let (member, _) = asked.as_object().expect("one").iter().next().expect("one");
        for answer in [
            open("second", asked.clone()).await,
            update(asked.clone()).await,
        ] {
            let message = answer.refused(400, "IR_20");
            assert!(message.contains(member), "{message}");
        }
    }
    assert_eq!(read().await.ok(), moved);
}
