//! The team of a merchant account, as its admin sees and changes it.

use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::Person;

/// Returns the team of the person's account.
async fn team(person: &Person) -> Vec<Value> {
    let listed = person.call("team_list").await.ok();
    listed.as_array().expect("a list").clone()
}

#[tokio::test]
async fn an_admin_sees_the_team_of_their_account() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "merchant_admin", "bookshop").await;
    server.time_passes(1).await;
    let viewer = Person::invited(server, "joan", "merchant_view_only", "bookshop").await;
    viewer.call("team_list").await.refused(403, "IR_22");
    server.time_passes(1).await;
    // Grace is a user elsewhere, of whom the bookshop learns nothing before she accepts.
    let mut grace = Person::new(server, "grace").await;
    let role =
        json!({ "email": grace.email, "role_id": "merchant_operator", "merchant_id": "bookshop" });
    let invited = server.operator("users_invite").json(&role).await.ok();
    let seen = team(&ada).await;
    let addresses: Vec<&Value> = seen.iter().map(|one| &one["email"]).collect();
    assert_eq!(
        addresses,
        [
            "ada@books.example",
            "joan@books.example",
            "grace@books.example"
        ]
    );
    assert_eq!(seen[0]["role_id"], "merchant_admin");
    assert_eq!(seen[0]["status"], "active");
    assert_eq!(seen[0]["name"], "ada");
    assert_eq!(seen[0]["is_two_factor_auth_setup"], false);
    assert!(seen[0]["last_sign_in_at"].is_string(), "{seen:?}");
    assert_eq!(
        seen[2],
        json!({
            "user_id": invited["user_id"],
            "email": "grace@books.example",
            "name": null,
            "role_id": "merchant_operator",
            "offered_role_id": "merchant_operator",
            "status": "invited",
            "is_two_factor_auth_setup": null,
            "last_sign_in_at": null,
        })
    );
    let call = ada.call("team_list");
    let page = call.clone().query("limit", 1).query("offset", 2);
    assert_eq!(page.await.ok(), json!([seen[2]]));
    call.query("limit", 101).await.refused(422, "IR_06");

    // She signs in to her own account, which is none of the bookshop's business.
    grace.accepts(&invited, "Battery-staple-2").await;
    let accepted = team(&ada).await[2].clone();
    assert_eq!(accepted["status"], "active");
    assert_eq!(accepted["offered_role_id"], Value::Null);
    assert_eq!(accepted["last_sign_in_at"], Value::Null);
    grace.in_account(&json!("bookshop")).await;
    assert!(team(&ada).await[2]["last_sign_in_at"].is_string());

    let stranger = Person::new(server, "flora").await;
    let own = team(&stranger).await;
    assert_eq!(own.len(), 1, "{own:?}");
    assert_eq!(own[0]["email"], stranger.email.as_str());
}
