//! The operator resets the sign-in of locked-out users, and removes users.

use multirail_conformance::authenticator::Authenticator;
use multirail_conformance::{Call, Shop, TestServer};
use serde_json::{Value, json};

use super::{PASSWORD, Person, sign_in};
use crate::audit_log::entries_of;
use crate::servers::site::{Site, moved};

fn reset(server: &TestServer, body: &Value) -> Call {
    server.operator("users_reset_sign_in").json(body)
}

fn takes_away(server: &TestServer, email: &str, role: &str, merchant_id: &str) -> Call {
    let body = json!({ "email": email, "role_id": role, "merchant_id": merchant_id });
    server.operator("users_remove_role").json(&body)
}

#[tokio::test]
async fn the_operator_resets_a_lost_second_factor() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let user_id = ada.details().await["user_id"].clone();
    let password = json!({ "password": PASSWORD });
    let begun = ada.call("two_factor_begin").json(&password).await.ok();
    let code = json!({ "totp": Authenticator::from_answer(&begun).code(0) });
    ada.call("two_factor_confirm").json(&code).await.ok();
    let first = sign_in(&server, &ada.email, PASSWORD).await.ok();
    assert_eq!(first["token_type"], "totp");

    for (body, status, code) in [
        (json!({ "email": ada.email }), 400, "IR_04"),
        (
            json!({ "email": ada.email, "two_factor": false, "oidc": false }),
            400,
            "IR_04",
        ),
        (
            json!({ "email": "grace@books.example", "two_factor": true }),
            404,
            "HE_02",
        ),
        (json!({ "email": "ada", "two_factor": true }), 400, "UR_07"),
    ] {
        reset(&server, &body).await.refused(status, code);
    }
    let asked = json!({ "email": "Ada@books.example", "two_factor": true });
    let told = reset(&server, &asked).await.ok();
    let done = json!({ "user_id": user_id, "two_factor": true, "oidc": false });
    assert_eq!(told, done);
    // All sessions end, and a sign-in in progress fails.
    ada.call("users_retrieve").await.refused(401, "IR_17");
    let step = json!({ "token": first["token"], "recovery_code": "k3xq-7mzb-pf2a" });
    let call = server.wire.call("two_factor_sign_in").json(&step);
    call.await.refused(401, "IR_17");
    let again = sign_in(&server, &ada.email, PASSWORD).await.ok();
    assert_eq!(again["token_type"], "user_info");
    let told = reset(&server, &asked).await.ok();
    assert_eq!(told["two_factor"], false, "there was nothing left");
    let entry = entries_of(&server, "users_reset_sign_in").await.remove(0);
    assert_eq!(entry["principal"], "admin");
    assert_eq!(entry["objects"], json!([{ "name": "user", "id": user_id }]));
}

#[tokio::test]
async fn a_role_is_taken_away_at_once_and_no_other_one_with_it() {
    let shop = Shop::open().await;
    let server = &shop.server;
    server.shop_without_connector("florist").await;
    let mut ada = Person::invited(server, "ada", "merchant_operator", "bookshop").await;
    let more = json!({ "email": ada.email, "role_id": "merchant_admin", "merchant_id": "florist" });
    let invited = server.operator("users_invite").json(&more).await.ok();
    ada.accepts(&invited, PASSWORD).await;
    let there = ada.in_account(&json!("florist")).await;

    for (email, role, merchant_id, status, code) in [
        (
            ada.email.as_str(),
            "merchant_admin",
            "bookshop",
            404,
            "HE_02",
        ),
        (ada.email.as_str(), "org_admin", "bookshop", 404, "HE_02"),
        (
            ada.email.as_str(),
            "merchant_operator",
            "florist",
            404,
            "HE_02",
        ),
        (
            ada.email.as_str(),
            "merchant_operator",
            "unborn",
            404,
            "HE_02",
        ),
        (
            "grace@books.example",
            "merchant_operator",
            "bookshop",
            404,
            "HE_02",
        ),
        (ada.email.as_str(), "owner", "bookshop", 400, "IR_06"),
        ("ada", "merchant_operator", "bookshop", 400, "UR_07"),
    ] {
        let call = takes_away(server, email, role, merchant_id);
        call.await.refused(status, code);
    }
    let details = ada.details().await;
    let call = takes_away(server, &ada.email, "merchant_operator", "bookshop");
    assert_eq!(
        call.await.ok(),
        json!({
            "user_id": details["user_id"], "role_id": "merchant_operator", "merchant_id": "bookshop",
            "org_id": details["org_id"],
        })
    );
    ada.call("users_retrieve").await.refused(401, "IR_17");
    assert_eq!(there.details().await["role_id"], "merchant_admin");
    // The next sign-in starts at an account where Ada has a role.
    let signed_in = sign_in(server, &ada.email, PASSWORD).await.ok();
    let call = server
        .wire
        .call("users_retrieve")
        .token(&super::token(&signed_in));
    assert_eq!(call.await.ok()["merchant_id"], "florist");
    takes_away(server, &ada.email, "merchant_admin", "florist")
        .await
        .ok();
    sign_in(server, &ada.email, PASSWORD)
        .await
        .refused(403, "IR_22");
    let call = takes_away(server, &ada.email, "merchant_admin", "florist");
    call.await.refused(404, "HE_02");
}

#[tokio::test]
async fn a_role_removed_at_one_server_is_gone_at_all() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here: Shop = site.server("one").await.shop("bookshop").await;
    let ada = Person::invited(&here.server, "ada", "org_admin", "bookshop").await;
    let (there, here) = moved(here, site.server("two").await);
    let call = there.server.wire.call("users_retrieve").token(&ada.token);
    call.await.ok();
    takes_away(&here, &ada.email, "org_admin", "bookshop")
        .await
        .ok();
    let call = there.server.wire.call("users_retrieve").token(&ada.token);
    call.await.refused(401, "IR_17");
}
