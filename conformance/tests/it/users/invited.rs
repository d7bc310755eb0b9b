//! Invitations by the operator.

use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::{PASSWORD, Person, sign_in};

const NEXT: &str = "Battery-staple-2";

fn invitation(email: &str, role: &str) -> Value {
    json!({ "email": email, "role_id": role, "merchant_id": "bookshop" })
}

#[tokio::test]
async fn an_invited_user_chooses_a_password_once_and_in_time() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let invites = |body: Value| server.operator("users_invite").json(&body);
    let invited = invites(invitation("Ada@books.example", "merchant_operator"));
    let invited = invited.await.ok();
    assert_eq!(invited["email"], "ada@books.example");
    sign_in(server, "ada@books.example", PASSWORD)
        .await
        .refused(401, "UR_01");
    let choose = |token: &Value, password: &str| {
        let body = json!({ "token": token, "password": password });
        server.wire.call("users_reset_password").json(&body)
    };
    let link = &invited["password_token"];
    choose(link, "short").await.refused(400, "UR_09");
    choose(&json!("pwl_unborn"), PASSWORD)
        .await
        .refused(401, "UR_04");
    // A second invitation before a password was chosen gives another token. Both are valid until one is used.
    let again = invites(invitation("ada@books.example", "merchant_operator"));
    let again = again.await.ok();
    assert_eq!(again["user_id"], invited["user_id"]);
    choose(link, PASSWORD).await.ok();
    choose(link, PASSWORD).await.refused(401, "UR_04");
    choose(&again["password_token"], PASSWORD)
        .await
        .refused(401, "UR_04");

    let late = invites(invitation("grace@books.example", "merchant_view_only"));
    let late = late.await.ok();
    server.time_passes(7 * 86_400).await;
    choose(&late["password_token"], PASSWORD)
        .await
        .refused(401, "UR_04");
    for (body, status, code) in [
        (invitation("ada", "merchant_operator"), 400, "UR_07"),
        (invitation("ada@books.example", "owner"), 400, "IR_06"),
        (
            json!({ "email": "ada@books.example", "role_id": "org_admin", "merchant_id": "unborn" }),
            404,
            "HE_02",
        ),
    ] {
        invites(body).await.refused(status, code);
    }
}

/// Signing up with the address proves nothing.
#[tokio::test]
async fn an_invitation_is_for_whoever_redeems_its_token() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let squatter = Person::new(server, "ada").await;
    let own = squatter.details().await;
    let factor = json!({ "password": PASSWORD });
    squatter.call("two_factor_begin").json(&factor).await.ok();
    let invites = |role: &str| {
        let body = invitation("ada@books.example", role);
        server.operator("users_invite").json(&body)
    };
    let invited = invites("org_admin").await.ok();
    assert_eq!(invited["user_id"], own["user_id"]);
    assert_eq!(invited["role_id"], "org_admin");
    let switches = |person: &Person| {
        let there = json!({ "merchant_id": "bookshop" });
        person.call("users_switch_merchant").json(&there)
    };
    switches(&squatter).await.refused(404, "HE_02");
    let again = sign_in(server, &squatter.email, PASSWORD).await.ok();
    let again = Person {
        server: server.clone(),
        email: squatter.email.clone(),
        token: super::token(&again),
    };
    switches(&again).await.refused(404, "HE_02");
    assert_eq!(again.details().await["merchant_id"], own["merchant_id"]);

    let mut ada = Person {
        server: server.clone(),
        email: squatter.email.clone(),
        token: String::new(),
    };
    ada.accepts(&invited, NEXT).await;
    sign_in(server, &ada.email, PASSWORD)
        .await
        .refused(401, "UR_01");
    for former in [&squatter, &again] {
        former.call("users_retrieve").await.refused(401, "IR_17");
    }
    let there = switches(&ada).await.ok();
    let call = server.wire.call("users_retrieve");
    let there = call.token(&super::token(&there)).await.ok();
    assert_eq!(there["role_id"], "org_admin");
}

/// Otherwise whoever invites a person could be accepted along with somebody else.
#[tokio::test]
async fn a_token_takes_up_only_the_offer_that_it_was_made_for() {
    let shop = Shop::open().await;
    let server = &shop.server;
    server.shop_without_connector("florist").await;
    let mut grace = Person {
        server: server.clone(),
        email: "grace@books.example".to_owned(),
        token: String::new(),
    };
    let here = invitation(&grace.email, "merchant_operator");
    let here = server.operator("users_invite").json(&here).await.ok();
    let there =
        json!({ "email": grace.email, "role_id": "merchant_view_only", "merchant_id": "florist" });
    let there = server.operator("users_invite").json(&there).await.ok();
    grace.accepts(&there, PASSWORD).await;
    assert_eq!(grace.details().await["merchant_id"], "florist");
    let switch = json!({ "merchant_id": "bookshop" });
    let early = grace.call("users_switch_merchant").json(&switch);
    early.await.refused(404, "HE_02");
    // The other offer still waits for its own token.
    grace.accepts(&here, NEXT).await;
    grace.in_account(&json!("bookshop")).await;
}

/// Otherwise the token of a low offer would give a high one.
#[tokio::test]
async fn a_token_takes_up_no_later_offer_of_another_role() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let mut grace = Person {
        server: server.clone(),
        email: "grace@books.example".to_owned(),
        token: String::new(),
    };
    let invites = |role: &str| {
        let body = invitation("grace@books.example", role);
        server.operator("users_invite").json(&body)
    };
    let low = invites("merchant_view_only").await.ok();
    let high = invites("merchant_admin").await.ok();
    // The earlier token only chooses a password.
    let chosen = json!({ "token": low["password_token"], "password": PASSWORD });
    let call = server.wire.call("users_reset_password").json(&chosen);
    call.await.ok();
    sign_in(server, &grace.email, PASSWORD)
        .await
        .refused(403, "IR_22");
    grace.accepts(&high, NEXT).await;
    assert_eq!(grace.details().await["role_id"], "merchant_admin");
}

#[tokio::test]
async fn an_offered_role_lapses_and_can_be_withdrawn() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let mut ada = Person::new(server, "ada").await;
    let body = invitation(&ada.email, "merchant_operator");
    let invites = || server.operator("users_invite").json(&body);
    let there = json!({ "merchant_id": "bookshop" });
    let takes_away = || server.operator("users_remove_role").json(&body);
    // After a withdrawn invitation the token only changes the password.
    let withdrawn = invites().await.ok();
    let told = takes_away().await.ok();
    assert_eq!(told["role_id"], "merchant_operator");
    takes_away().await.refused(404, "HE_02");
    ada.accepts(&withdrawn, NEXT).await;
    let switches = |ada: &Person| ada.call("users_switch_merchant").json(&there);
    switches(&ada).await.refused(404, "HE_02");
    // One invitation has expired, another one is accepted.
    invites().await.ok();
    server.time_passes(4 * 86_400).await;
    server.shop_without_connector("florist").await;
    let second =
        json!({ "email": ada.email, "role_id": "merchant_view_only", "merchant_id": "florist" });
    let second = server.operator("users_invite").json(&second).await.ok();
    server.time_passes(4 * 86_400).await;
    ada.accepts(&second, PASSWORD).await;
    switches(&ada).await.refused(404, "HE_02");
    let florist = ada.in_account(&json!("florist")).await;
    assert_eq!(florist.details().await["role_id"], "merchant_view_only");
}

#[tokio::test]
async fn a_role_holds_in_its_account_and_a_lower_one_at_once() {
    let shop = Shop::open().await;
    let mut ada = Person::invited(&shop.server, "ada", "merchant_operator", "bookshop").await;
    let details = ada.details().await;
    assert_eq!(details["merchant_id"], "bookshop");
    assert_eq!(details["role_id"], "merchant_operator");
    assert_eq!(details["entity_type"], "merchant");
    let opens = json!({ "organization_name": "Market hall" });
    let call = ada.call("users_create_platform").json(&opens);
    call.await.refused(403, "IR_22");

    // An account of another organization.
    shop.server.shop_without_connector("florist").await;
    let body = json!({ "email": ada.email, "role_id": "merchant_admin", "merchant_id": "florist" });
    let more = shop.server.operator("users_invite").json(&body).await.ok();
    let there = json!({ "merchant_id": "florist" });
    let early = ada.call("users_switch_merchant").json(&there);
    early.await.refused(404, "HE_02");
    ada.accepts(&more, NEXT).await;
    let there = ada.in_account(&json!("florist")).await;
    assert_eq!(there.details().await["role_id"], "merchant_admin");
    assert_eq!(ada.details().await["role_id"], "merchant_operator");

    shop.server.shop_without_connector("bakery").await;
    for nowhere in ["bakery", "unborn"] {
        let there = json!({ "merchant_id": nowhere });
        let call = ada.call("users_switch_merchant").json(&there);
        call.await.refused(404, "HE_02");
    }

    let email = ada.email.clone();
    let invites = |role: &str| {
        let body = invitation(&email, role);
        shop.server.operator("users_invite").json(&body)
    };
    // The token stays valid, but for a weaker role; the earlier offer is gone.
    let offered = invites("merchant_admin").await.ok();
    assert!(offered["password_token"].is_string());
    assert_eq!(ada.details().await["role_id"], "merchant_operator");
    let lowered = invites("merchant_view_only").await.ok();
    assert_eq!(lowered["password_token"], Value::Null);
    assert_eq!(ada.details().await["role_id"], "merchant_view_only");
    let higher = invites("org_admin").await.ok();
    let call = ada.call("users_create_platform").json(&opens);
    call.await.refused(403, "IR_22");
    ada.accepts(&higher, PASSWORD).await;
    ada.call("users_create_platform").json(&opens).await.ok();
    let body = invitation(&ada.email, "merchant_view_only");
    let taken = shop.server.operator("users_remove_role").json(&body);
    assert_eq!(taken.await.ok()["role_id"], "merchant_view_only");
}
