//! Lists of disputes.

use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::{on, paid, raised, shop_with_notice_secret};

/// Returns the payments whose disputes this query lists.
async fn listed(shop: &Shop, query: &[(&str, &str)]) -> Vec<Value> {
    let mut call = shop.call("disputes_profile_list");
    for (name, value) in query {
        call = call.query(name, value);
    }
    let listed = call.await.ok();
    let disputes = listed.as_array().expect("a list").iter();
    disputes.map(|one| one["payment_id"].clone()).collect()
}

#[tokio::test]
async fn every_filter_lets_through_what_it_names() {
    let shop = shop_with_notice_secret().await;
    let (first, second) = (paid(&shop).await, paid(&shop).await);
    let opened = raised(&shop, &first, "pre_dispute", "dispute_opened").await;
    raised(&shop, &second, "arbitration", "dispute_lost").await;
    let (one, two) = (&first["payment_id"], &second["payment_id"]);
    let created = opened["created_at"].as_str().expect("a time");
    let both = vec![two.clone(), one.clone()];
    for (query, expected) in [
        (vec![], both.clone()),
        (vec![("limit", "1")], vec![two.clone()]),
        (vec![("limit", "1"), ("offset", "1")], vec![one.clone()]),
        (vec![("dispute_stage", "pre_dispute")], vec![one.clone()]),
        (vec![("dispute_status", "dispute_lost")], vec![two.clone()]),
        (
            vec![("dispute_status", "dispute_lost,dispute_opened")],
            both.clone(),
        ),
        (vec![("connector", "fauxpay,stripe_test")], both.clone()),
        (vec![("connector", "adyen")], vec![]),
        (vec![("currency", "EUR")], vec![]),
        (vec![("reason", "fraudulent")], both.clone()),
        (vec![("reason", "fraud")], vec![]),
        (vec![("received_time", created)], vec![one.clone()]),
        (vec![("received_time.gt", created)], vec![two.clone()]),
        (vec![("received_time.lte", created)], vec![one.clone()]),
        (vec![("received_time.lt", created)], vec![]),
        (vec![("received_time.gte", created)], both.clone()),
        (
            vec![("start_time", created), ("end_time", created)],
            vec![one.clone()],
        ),
        (
            vec![("payment_id", two.as_str().expect("an id"))],
            vec![two.clone()],
        ),
        (
            vec![("dispute_id", opened["dispute_id"].as_str().expect("an id"))],
            vec![one.clone()],
        ),
        (
            vec![("profile_id", opened["profile_id"].as_str().expect("an id"))],
            both.clone(),
        ),
        (vec![("profile_id", "pro_other")], vec![]),
        (
            vec![("merchant_connector_id", shop.connector_account_id.as_str())],
            both.clone(),
        ),
        (vec![("merchant_connector_id", "mca_other")], vec![]),
        (vec![("currency", "EUR,USD")], both.clone()),
        (
            vec![("dispute_stage", "arbitration,pre_arbitration")],
            vec![two.clone()],
        ),
    ] {
        assert_eq!(listed(&shop, &query).await, expected, "{query:?}");
    }
    for (name, value, status, code) in [
        ("limit", "101", 422, "IR_06"),
        ("dispute_status", "won", 400, "IR_06"),
        ("status", "dispute_won", 400, "IR_06"),
    ] {
        let call = shop.call("disputes_list").query(name, value).unjudged();
        let refused = call.await;
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (status, &json!(code)),
            "{name}"
        );
    }
}

#[tokio::test]
async fn the_last_change_comes_first() {
    let shop = shop_with_notice_secret().await;
    let (first, second) = (paid(&shop).await, paid(&shop).await);
    let one = raised(&shop, &first, "dispute", "dispute_opened").await;
    raised(&shop, &second, "dispute", "dispute_opened").await;
    on(&shop, "disputes_accept", &one).await.ok();
    let (one, two) = (first["payment_id"].clone(), second["payment_id"].clone());
    assert_eq!(listed(&shop, &[]).await, [one, two]);
}

#[tokio::test]
async fn a_key_that_is_narrowed_sees_the_disputes_of_its_profile() {
    let shop = shop_with_notice_secret().await;
    let second = &shop.second_profile().await;
    let payment = paid(&shop).await;
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    for (profile_id, expected) in [
        (shop.profile_id.as_str(), json!([dispute])),
        (second.as_str(), json!([])),
    ] {
        for operation in ["disputes_list", "disputes_profile_list"] {
            let own = shop.call(operation).header("x-profile-id", profile_id);
            assert_eq!(own.await.ok(), expected, "{operation} of {profile_id}");
            let asked = shop.call(operation).query("profile_id", profile_id);
            assert_eq!(asked.await.ok(), expected, "{operation} of {profile_id}");
        }
    }
    let id = dispute["dispute_id"].as_str().expect("an id");
    let found = listed(&shop, &[("dispute_id", id)]).await;
    assert_eq!(found, [payment["payment_id"].clone()]);
    for operation in ["disputes_retrieve", "disputes_accept"] {
        let others = on(&shop, operation, &dispute).header("x-profile-id", second);
        others.await.refused(404, "HE_04");
    }
    let still = on(&shop, "disputes_retrieve", &dispute).await.ok();
    assert_eq!(still, dispute);
}
