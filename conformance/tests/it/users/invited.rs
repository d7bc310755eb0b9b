//! Whom the operator invites.

use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::{PASSWORD, Person, sign_in};

fn invitation(email: &str, role: &str) -> Value {
    json!({ "email": email, "role_id": role, "merchant_id": "bookshop" })
}

#[tokio::test]
async fn who_is_invited_chooses_a_password_once_and_in_time() {
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
    // Invited again before a password was chosen: another token, and either is good until one was used.
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

#[tokio::test]
async fn a_role_holds_in_its_account_and_changes_at_once() {
    let shop = Shop::open().await;
    let ada = Person::invited(&shop.server, "ada", "merchant_operator", "bookshop").await;
    let details = ada.details().await;
    assert_eq!(details["merchant_id"], "bookshop");
    assert_eq!(details["role_id"], "merchant_operator");
    assert_eq!(details["entity_type"], "merchant");
    let opens = json!({ "organization_name": "Market hall" });
    let call = || ada.call("users_create_platform").json(&opens);
    call().await.refused(403, "IR_22");

    // A second account of another organization: known already, so that there is no token to choose a password with.
    shop.server.shop_without_connector("florist").await;
    let body = json!({ "email": ada.email, "role_id": "merchant_admin", "merchant_id": "florist" });
    let more = shop.server.operator("users_invite").json(&body).await.ok();
    assert_eq!(more["password_token"], Value::Null);
    let there = ada.in_account(&json!("florist")).await;
    assert_eq!(there.details().await["role_id"], "merchant_admin");
    assert_eq!(ada.details().await["role_id"], "merchant_operator");

    shop.server.shop_without_connector("bakery").await;
    for nowhere in ["bakery", "unborn"] {
        let there = json!({ "merchant_id": nowhere });
        let call = ada.call("users_switch_merchant").json(&there);
        call.await.refused(404, "HE_02");
    }

    // The token stays, what it opens changes.
    let body = json!({ "email": ada.email, "role_id": "org_admin", "merchant_id": "bookshop" });
    shop.server.operator("users_invite").json(&body).await.ok();
    call().await.ok();
}
