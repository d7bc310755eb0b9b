//! The callers whose requests are logged, and those who may read them.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, card, order, paid_with};
use multirail_conformance::request_log::{logged, request_id};
use serde_json::json;

use super::{list, operations};

#[tokio::test]
async fn another_merchant_sees_nothing() {
    let shop = Shop::open().await;
    let made = shop.creates(order()).await;
    logged(|operation| shop.call(operation), &made).await;
    let other = shop.server.shop("teashop").await;
    let id = request_id(&made);
    assert!(list(&other, &[("request_id", &id)]).await.is_empty());
    let payment = made.body["payment_id"].as_str().expect("an id");
    assert!(list(&other, &[("payment_id", payment)]).await.is_empty());
    let retrieved = other.call("request_log_retrieve").at("request_id", &id);
    retrieved.await.refused(404, "HE_02");
}

#[tokio::test]
async fn a_profile_sees_its_own_requests() {
    let shop = Shop::open().await;
    let made = shop.creates(paid_with(APPROVED)).await;
    logged(|operation| shop.call(operation), &made).await;
    let second = shop.second_profile().await;
    let retrieves = |profile: &str| {
        let call = shop.call("request_log_retrieve");
        let call = call.at("request_id", &request_id(&made));
        call.header("X-Profile-Id", profile)
    };
    retrieves(&shop.profile_id).await.ok();
    retrieves(&second).await.refused(404, "HE_02");
    let listed = shop
        .call("request_log_list")
        .header("X-Profile-Id", &second);
    let listed = listed.query("operation", "payments_create").await.ok();
    assert_eq!(listed, json!([]));
}

#[tokio::test]
async fn a_payer_is_logged_without_their_browser() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let confirmed = shop.payer_of(&payment).confirms(card(APPROVED));
    let confirmed = confirmed.header("user-agent", "Mozilla/5.0").await;
    let found = logged(|operation| shop.call(operation), &confirmed).await;
    let who = ["caller", "caller_id", "user_agent", "payment_id"].map(|name| found[name].clone());
    let wanted = [
        json!("client"),
        json!(null),
        json!(null),
        payment["payment_id"].clone(),
    ];
    assert_eq!(who, wanted);
}

#[tokio::test]
async fn the_operator_and_reads_of_the_log_are_not_logged() {
    let shop = Shop::open().await;
    let accounts = shop.server.operator("merchant_accounts_retrieve");
    accounts.at("account_id", &shop.merchant_id).await.ok();
    shop.call("request_log_list").await.ok();
    let last = shop.creates(order()).await;
    logged(|operation| shop.call(operation), &last).await;
    let all = list(&shop, &[]).await;
    let logged = operations(&all);
    for read in [
        "merchant_accounts_retrieve",
        "request_log_list",
        "request_log_retrieve",
    ] {
        assert!(!logged.contains(&read), "{logged:?}");
    }
}

#[tokio::test]
async fn a_restricted_key_needs_the_group() {
    let shop = Shop::open().await;
    let issue = |groups| {
        let body = json!({ "name": "clerk", "expiration": "never", "operation_groups": [groups] });
        shop.server
            .operator("api_keys_create")
            .at("merchant_id", &shop.merchant_id)
            .json(&body)
    };
    for (group, status) in [("payments", 403), ("request_log", 200)] {
        let key = issue(group).await.ok();
        let key = key["api_key"].as_str().expect("a key");
        let list = shop.call("request_log_list").key(key).await;
        assert_eq!(list.status, status, "{group}: {}", list.text);
    }
}
