//! The merchant accounts that a user may choose from.

use multirail_conformance::TestServer;
use serde_json::{Value, json};

use super::Person;

/// Returns the ids, roles and places of the listed accounts.
async fn listed(person: &Person) -> Value {
    let listed = person.call("users_list_merchants").await.ok();
    let listed = listed.as_array().expect("a list").iter();
    let parts = |one: &Value| json!([one["merchant_id"], one["role_id"], one["is_current"]]);
    listed.map(parts).collect()
}

#[tokio::test]
async fn a_user_sees_the_open_accounts_in_which_they_have_a_role() {
    let server = TestServer::start().await;
    let mut ada = Person::new(&server, "ada").await;
    let home = ada.details().await["merchant_id"].clone();
    assert_eq!(listed(&ada).await, json!([[home, "org_admin", true]]));
    let body = json!({ "company_name": "Stall" });
    let made = ada.call("users_create_merchant").json(&body).await.ok();
    let stall = &made["merchant_id"];
    let shop = server.shop_without_connector("bookshop").await;
    let role =
        json!({ "email": ada.email, "role_id": "merchant_view_only", "merchant_id": "bookshop" });
    let invited = server.operator("users_invite").json(&role).await.ok();
    // An offered role is none yet.
    assert_eq!(listed(&ada).await[2], Value::Null);
    ada.accepts(&invited, "Battery-staple-2").await;
    assert_eq!(
        listed(&ada).await,
        json!([
            [home, "org_admin", true],
            [stall, "org_admin", false],
            ["bookshop", "merchant_view_only", false],
        ])
    );
    let there = ada.in_account(&json!("bookshop")).await;
    let call = there.call("users_list_merchants");
    let page = call.clone().query("limit", 1).query("offset", 1);
    assert_eq!(
        page.await.ok(),
        json!([{
            "merchant_id": stall,
            "merchant_name": "Stall",
            "org_id": made["org_id"],
            "role_id": "org_admin",
            "is_current": false,
        }])
    );
    assert_eq!(listed(&there).await[2][2], true);
    call.query("limit", 101).await.refused(422, "IR_06");

    let closes = shop.operator("merchant_accounts_delete");
    closes.at("account_id", &shop.merchant_id).await.ok();
    assert_eq!(listed(&ada).await[2], Value::Null);
}

#[tokio::test]
async fn a_user_sees_no_account_of_another_user() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let home = ada.details().await;
    let merchant_id = home["merchant_id"].as_str().expect("an id");
    // Grace has a role in one account of Ada's organization, which has two.
    let body = json!({ "company_name": "Stall" });
    ada.call("users_create_merchant").json(&body).await.ok();
    let grace = Person::invited(&server, "grace", "merchant_developer", merchant_id).await;
    assert_eq!(
        listed(&grace).await,
        json!([[merchant_id, "merchant_developer", true]])
    );
    let stranger = Person::new(&server, "joan").await;
    let own = stranger.details().await["merchant_id"].clone();
    assert_eq!(listed(&stranger).await, json!([[own, "org_admin", true]]));
    let role = json!({ "email": grace.email, "role_id": "merchant_developer", "merchant_id": merchant_id });
    let removed = server.operator("users_remove_role").json(&role).await;
    removed.ok();
    let call = grace.call("users_list_merchants").await;
    call.refused(401, "IR_17");
}
