//! The team of a merchant account, as its admin sees and changes it.

use multirail_conformance::mailbox::Mailbox;
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::forgotten::with_mail;
use super::two_factor::turned_on;
use super::{PASSWORD, Person, sign_in, token};

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

#[tokio::test]
async fn an_admin_invites_by_mail() {
    let mailbox = Mailbox::open().await;
    let server = with_mail(&mailbox).await;
    let ada = Person::new(&server, "ada").await;
    let invites = |email: &str| {
        let body = json!({ "email": email, "role_id": "merchant_operator" });
        ada.call("team_invite").json(&body)
    };
    let invited = invites("Grace@books.example").await.ok();
    assert_eq!(invited["email"], "grace@books.example");
    assert_eq!(invited["role_id"], "merchant_operator");
    // The token would make the admin the invited user.
    assert_eq!(invited["password_token"], Value::Null);
    let again = invites("grace@books.example").await.ok();
    assert_eq!(again["user_id"], invited["user_id"]);
    let letter = mailbox.letters(1).await.remove(0);
    assert_eq!(letter.to, "grace@books.example");
    let chosen = json!({ "token": letter.token(), "password": PASSWORD });
    let call = server.wire.call("users_reset_password").json(&chosen);
    call.await.ok();
    let signed_in = sign_in(&server, "grace@books.example", PASSWORD).await.ok();
    let grace = Person {
        token: token(&signed_in),
        email: letter.to,
        server: server.clone(),
    };
    let (own, home) = (grace.details().await, ada.details().await);
    assert_eq!(own["role_id"], "merchant_operator");
    assert_eq!(own["merchant_id"], home["merchant_id"]);

    // A lower offer would take effect at once. That is a change of the role.
    for member in ["grace@books.example", "ada@books.example"] {
        invites(member).await.refused(400, "IR_16");
    }
}

#[tokio::test]
async fn no_admin_invites_to_a_role_above_their_own() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "merchant_admin", "bookshop").await;
    let invites = |email: &str, role: &str| {
        let body = json!({ "email": email, "role_id": role });
        ada.call("team_invite").json(&body)
    };
    let address = "grace@books.example";
    for (email, role, status, code) in [
        (address, "org_admin", 403, "IR_22"),
        (address, "owner", 400, "IR_06"),
        ("grace", "merchant_operator", 400, "UR_07"),
    ] {
        invites(email, role).await.refused(status, code);
    }
    assert_eq!(team(&ada).await.len(), 1);
    invites(address, "merchant_admin").await.ok();
    assert_eq!(team(&ada).await[1]["offered_role_id"], "merchant_admin");
}

/// Builds a call about a member of the person's team.
fn about(person: &Person, operation: &str, user_id: &Value) -> Call {
    let user_id = user_id.as_str().expect("an id");
    person.call(operation).at("user_id", user_id)
}

fn to(role: &str) -> Value {
    json!({ "role_id": role })
}

#[tokio::test]
async fn an_admin_changes_roles_and_removes_members() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "org_admin", "bookshop").await;
    let grace = Person::invited(server, "grace", "merchant_view_only", "bookshop").await;
    let own = grace.details().await;
    let update = |role: &str| about(&ada, "team_update", &own["user_id"]).json(&to(role));
    let changed = update("merchant_admin").await.ok();
    let wanted = json!({ "user_id": own["user_id"], "role_id": "merchant_admin" });
    assert_eq!(changed, wanted);
    // The token has the new role at once, and an unchanged one stays.
    assert_eq!(team(&grace).await.len(), 2);
    update("merchant_admin").await.ok();

    // No admin manages a person above them.
    let boss = ada.details().await["user_id"].clone();
    let down = about(&grace, "team_update", &boss).json(&to("merchant_view_only"));
    down.await.refused(403, "IR_22");
    let away = about(&grace, "team_remove", &boss);
    away.await.refused(403, "IR_22");
    let up = about(&grace, "team_update", &own["user_id"]).json(&to("org_admin"));
    up.await.refused(403, "IR_22");
    // The organization keeps an admin, although the account has another one.
    let down = about(&ada, "team_update", &boss).json(&to("merchant_admin"));
    down.await.refused(400, "IR_16");
    let away = about(&ada, "team_remove", &boss);
    away.await.refused(400, "IR_16");

    update("org_admin").await.ok();
    assert_eq!(grace.details().await["entity_type"], "organization");
    let stall = json!({ "company_name": "Stall" });
    let stall = ada.call("users_create_merchant").json(&stall).await.ok();
    let elsewhere = grace.in_account(&stall["merchant_id"]).await;
    elsewhere.details().await;
    update("merchant_operator").await.ok();
    // Her session there ends, and doesn't come back with the role.
    update("org_admin").await.ok();
    elsewhere.call("users_retrieve").await.refused(401, "IR_17");
    grace.in_account(&stall["merchant_id"]).await;
    update("merchant_operator").await.ok();
    assert_eq!(grace.details().await["role_id"], "merchant_operator");
    grace.call("team_list").await.refused(403, "IR_22");
    let remove = || about(&ada, "team_remove", &own["user_id"]);
    let removed = remove().await;
    assert_eq!((removed.status, removed.text.as_str()), (200, ""));
    grace.call("users_retrieve").await.refused(401, "IR_17");
    remove().await.refused(404, "HE_02");
    update("merchant_operator").await.refused(404, "HE_02");
    assert_eq!(team(&ada).await.len(), 1);
}

#[tokio::test]
async fn a_team_is_of_one_account_and_an_offer_can_be_withdrawn() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "merchant_admin", "bookshop").await;
    server.shop_without_connector("florist").await;
    let flora = Person::invited(server, "flora", "merchant_admin", "florist").await;
    let stranger = flora.details().await["user_id"].clone();
    let update = about(&ada, "team_update", &stranger).json(&to("merchant_view_only"));
    update.await.refused(404, "HE_02");
    let remove = about(&ada, "team_remove", &stranger);
    remove.await.refused(404, "HE_02");

    // An offer makes her no member whose role could be changed.
    let body = json!({ "email": flora.email, "role_id": "merchant_operator" });
    let offer = ada.call("team_invite").json(&body).await.ok();
    assert_eq!(offer["user_id"], stranger);
    let update = about(&ada, "team_update", &stranger).json(&to("merchant_view_only"));
    update.await.refused(400, "IR_16");
    let remove = about(&ada, "team_remove", &stranger);
    assert_eq!(remove.await.status, 200);
    assert_eq!(team(&ada).await.len(), 1);
    assert_eq!(flora.details().await["role_id"], "merchant_admin");
}

#[tokio::test]
async fn an_admin_ends_the_sessions_of_a_member() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "merchant_admin", "bookshop").await;
    let mut grace = Person::invited(server, "grace", "merchant_operator", "bookshop").await;
    server.shop_without_connector("florist").await;
    let role =
        json!({ "email": grace.email, "role_id": "merchant_view_only", "merchant_id": "florist" });
    let offer = server.operator("users_invite").json(&role).await.ok();
    grace.accepts(&offer, "Battery-staple-2").await;
    let elsewhere = grace.in_account(&json!("florist")).await;
    let user_id = grace.details().await["user_id"].clone();
    let ended = about(&ada, "team_end_sessions", &user_id).await;
    assert_eq!((ended.status, ended.text.as_str()), (200, ""));
    grace.call("users_retrieve").await.refused(401, "IR_17");
    // Her session at the florist's is none of the bookshop's.
    elsewhere.details().await;
    // The admin's own session goes on.
    let own = ada.details().await["user_id"].clone();
    assert_eq!(about(&ada, "team_end_sessions", &own).await.status, 200);
    ada.details().await;

    let boss = Person::invited(server, "joan", "org_admin", "bookshop").await;
    let above = boss.details().await["user_id"].clone();
    let end = about(&ada, "team_end_sessions", &above);
    end.await.refused(403, "IR_22");
    let end = about(&boss, "team_end_sessions", &json!("user_unborn"));
    end.await.refused(404, "HE_02");
    boss.details().await;
}

#[tokio::test]
async fn an_account_can_require_a_second_factor() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let ada = Person::invited(server, "ada", "merchant_admin", "bookshop").await;
    let grace = Person::invited(server, "grace", "merchant_operator", "bookshop").await;
    let requires = |is_required: bool| {
        let body = json!({ "two_factor_required": is_required });
        ada.call("team_settings_update").json(&body)
    };
    requires(true).await.refused(400, "IR_16");
    requires(false).await.ok();
    turned_on(&ada).await;
    let required = json!({ "two_factor_required": true });
    assert_eq!(requires(true).await.ok(), required);
    assert_eq!(requires(true).await.ok(), required);
    assert_eq!(ada.call("team_settings_retrieve").await.ok(), required);

    // It holds for sessions that have begun, and for new ones.
    let again = sign_in(server, &grace.email, PASSWORD).await.ok();
    let again = Person {
        token: token(&again),
        email: grace.email.clone(),
        server: server.clone(),
    };
    for person in [&grace, &again] {
        person.call("payments_list").await.refused(403, "IR_22");
        person
            .call("user_sessions_list")
            .await
            .refused(403, "IR_22");
        let details = person.details().await;
        assert_eq!(details["is_two_factor_auth_required"], true);
        assert_eq!(details["is_two_factor_auth_setup"], false);
    }
    turned_on(&again).await;
    again.call("payments_list").await.ok();
    // Other accounts have their own rule, and keys of the merchant go on.
    let stranger = Person::new(server, "flora").await;
    let own = stranger.details().await;
    assert_eq!(own["is_two_factor_auth_required"], false);
    stranger.call("payments_list").await.ok();
    shop.call("payments_list").await.ok();
    requires(false).await.ok();
    let viewer = Person::invited(server, "joan", "merchant_view_only", "bookshop").await;
    viewer.call("payments_list").await.ok();
}
