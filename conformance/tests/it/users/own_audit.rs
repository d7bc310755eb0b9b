//! The audit log of a merchant account, as its admin sees it.

use multirail_conformance::Shop;
use multirail_conformance::authenticator::Authenticator;
use serde_json::{Value, json};

use super::{PASSWORD, Person, sign_in};

const NEXT: &str = "Battery-staple-2";

#[tokio::test]
async fn an_admin_reads_the_audit_log_of_their_account_only() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "merchant_admin", "bookshop").await;
    server.shop_without_connector("florist").await;
    let flora = Person::invited(server, "flora", "merchant_admin", "florist").await;
    let body = json!({ "email": "grace@books.example", "role_id": "merchant_operator" });
    let offer = ada.call("team_invite").json(&body).await;
    let list = |person: &Person| person.call("audit_list_own");
    let seen = list(&ada).await.ok();
    let latest = &seen[0];
    assert_eq!(
        json!({
            "who": [latest["principal"], latest["principal_id"]],
            "what": latest["operation"],
            "objects": latest["objects"],
            "ip_address": latest["ip_address"],
            "request_id": latest["request_id"],
        }),
        json!({
            "who": ["user", ada.details().await["user_id"]],
            "what": "team_invite",
            "objects": [{ "name": "user", "id": offer.body["user_id"] }],
            "ip_address": "127.0.0.1",
            "request_id": offer.header("request-id"),
        })
    );
    assert_eq!(latest["merchant_id"], Value::Null);
    assert_eq!(latest["hash"], Value::Null);
    // The address of the operator, who invited the first admin, is not the merchant's business.
    let filtered = list(&ada).query("operation", "users_invite").await.ok();
    assert_eq!(filtered[0]["principal"], "admin");
    assert_eq!(filtered[0]["ip_address"], Value::Null);
    let older = list(&ada)
        .query("before", &latest["sequence"])
        .query("limit", 1);
    assert_eq!(older.await.ok()[0], seen[1]);
    list(&ada).query("limit", 101).await.refused(422, "IR_06");
    let theirs = list(&flora).query("operation", "team_invite").await.ok();
    assert_eq!(theirs, json!([]));
    let named = list(&flora).query("merchant_id", "bookshop").await;
    insta::assert_snapshot!(
        named.refused(400, "IR_06"),
        @"The query parameter `merchant_id` isn't known here."
    );
}

/// The account that invited a user first seals their data, and is not told what they do elsewhere.
#[tokio::test]
async fn an_account_sees_nothing_of_a_user_who_has_no_role_in_it() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "merchant_admin", "bookshop").await;
    server.shop_without_connector("florist").await;
    let flora = Person::invited(server, "flora", "merchant_admin", "florist").await;
    let email = "grace@books.example";
    let invites = |merchant_id: &str| {
        let body =
            json!({ "email": email, "role_id": "merchant_operator", "merchant_id": merchant_id });
        server.operator("users_invite").json(&body)
    };
    invites("bookshop").await.ok();
    let accepted = invites("florist").await.ok();
    let mut grace = Person {
        server: server.clone(),
        email: email.to_owned(),
        token: String::new(),
    };
    grace.accepts(&accepted, PASSWORD).await;
    let change = json!({ "old_password": PASSWORD, "new_password": NEXT });
    let call = grace.call("users_change_password").json(&change).await;
    assert_eq!(call.status, 200);
    let begin = json!({ "password": NEXT });
    let begun = grace.call("two_factor_begin").json(&begin).await.ok();
    let code = json!({ "totp": Authenticator::from_answer(&begun).code(0) });
    let confirmed = grace.call("two_factor_confirm").json(&code).await.ok();
    let codes = &confirmed["recovery_codes"];
    let first = sign_in(server, email, NEXT).await.ok();
    let step = json!({ "token": first["token"], "recovery_code": codes[0] });
    server
        .wire
        .call("two_factor_sign_in")
        .json(&step)
        .await
        .ok();

    let user_id = grace.details().await["user_id"].clone();
    let seen = async |person: &Person| {
        let list = person.call("audit_list_own");
        let list = list.query("principal_id", user_id.as_str().expect("an id"));
        let list = list.await.ok();
        let entries = list.as_array().expect("a list").iter().rev();
        let operations = entries.map(|entry| entry["operation"].as_str().unwrap_or_default());
        operations.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(seen(&ada).await, Vec::<String>::new());
    assert_eq!(
        seen(&flora).await,
        [
            "users_reset_password",
            "users_sign_in",
            "users_change_password",
            "two_factor_begin",
            "two_factor_confirm",
            "users_sign_in",
            "two_factor_sign_in",
        ]
    );
}
