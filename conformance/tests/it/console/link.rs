//! The link that a sandbox prints: it opens the console as the demo merchant's owner.

use std::sync::Arc;

use multirail_conformance::TestServer;
use multirail_conformance::authenticator::Authenticator;
use multirail_server::config::{Inputs, Setting};
use serde_json::{Value, json};

use super::Page;
use crate::users::{PASSWORD, Person, sign_in, token};

async fn printed(server: &TestServer) -> Value {
    let link = server.console_link().await;
    let (page, token) = link.split_once("#sign_in=").expect("a fragment");
    assert_eq!(page, format!("{}/console/", server.address()));
    json!({ "link": { "token": token } })
}

#[tokio::test]
async fn the_link_signs_the_owner_in_once() {
    let server = TestServer::start().await;
    let link = printed(&server).await;
    let mut page = Page::at(&server.address());
    let begun = page.begins(&link).await;
    assert_eq!(begun["status"], "signed_in");
    let user = page.gets("/user").await.ok();
    assert_eq!(user["merchant_id"], "demo");
    assert_eq!(user["role_id"], "org_admin");
    let again = page.posts("/user/console/session", &link).await;
    again.refused(401, "UR_04");
    // Another start prints another link for the same owner.
    let mut another = Page::at(&server.address());
    another.begins(&printed(&server).await).await;
    let same = another.gets("/user").await.ok();
    assert_eq!(same["user_id"], user["user_id"]);
    page.gets("/user").await.ok();
}

#[tokio::test]
async fn the_link_lapses_and_ends_with_the_sessions_of_its_user() {
    let server = TestServer::start().await;
    let old = printed(&server).await;
    server.time_passes(901).await;
    let mut page = Page::at(&server.address());
    let late = page.posts("/user/console/session", &old).await;
    late.refused(401, "UR_04");
    page.begins(&printed(&server).await).await;
    let pending = printed(&server).await;
    let others = page.posts("/user/signout/others", &json!({})).await;
    assert_eq!(others.status, 200, "{}", others.text);
    let ended = page.posts("/user/console/session", &pending).await;
    ended.refused(401, "UR_04");
}

#[tokio::test]
async fn an_owner_whose_role_was_removed_gets_it_back() {
    let server = TestServer::start().await;
    let mut page = Page::at(&server.address());
    page.begins(&printed(&server).await).await;
    let owner = page.gets("/user").await.ok();
    let role = json!({ "email": owner["email"], "role_id": "org_admin", "merchant_id": "demo" });
    let removed = server.operator("users_remove_role").json(&role).await;
    removed.ok();
    page.gets("/user").await.refused(401, "IR_17");
    page.begins(&printed(&server).await).await;
    let again = page.gets("/user").await.ok();
    assert_eq!(again["user_id"], owner["user_id"]);
    assert_eq!(again["role_id"], "org_admin");
}

/// Signing up with the owner's address proves nothing, not even with a second factor.
#[tokio::test]
async fn a_sign_up_with_the_owners_address_gives_no_role() {
    let server = TestServer::start().await;
    let who = json!({ "email": "owner@demo.example", "password": PASSWORD });
    let signed_up = server.wire.call("users_sign_up").json(&who).await.ok();
    let squatter = Person {
        server: Arc::clone(&server),
        email: "owner@demo.example".to_owned(),
        token: token(&signed_up),
    };
    let password = json!({ "password": PASSWORD });
    let begun = squatter.call("two_factor_begin").json(&password).await.ok();
    let code = json!({ "totp": Authenticator::from_answer(&begun).code(0) });
    squatter.call("two_factor_confirm").json(&code).await.ok();
    let there = json!({ "merchant_id": "demo" });
    let switches = async || squatter.call("users_switch_merchant").json(&there).await;
    let link = printed(&server).await;
    switches().await.refused(404, "HE_02");
    // The holder of the link takes the user over.
    let mut page = Page::at(&server.address());
    let begun = page.begins(&link).await;
    assert_eq!(begun["status"], "signed_in");
    switches().await.refused(401, "IR_17");
    let again = sign_in(&server, &squatter.email, PASSWORD).await;
    again.refused(401, "UR_01");
    let switched = page.posts("/user/console/switch_merchant", &there).await;
    page.keeps(&switched);
    let user = page.gets("/user").await.ok();
    assert_eq!(user["role_id"], "org_admin");
    assert_eq!(user["merchant_id"], "demo");
    assert_eq!(user["is_two_factor_auth_setup"], false);
}

/// A proxy on this machine may forward clients of elsewhere without the server knowing of it.
#[tokio::test]
async fn the_link_is_valid_on_this_machine_only() {
    let public = |inputs: Inputs| inputs.with(Setting::PublicUrl, "https://demo.example");
    let server = TestServer::start_with(public).await;
    let link = printed(&server).await;
    let page = Page::at(&server.address());
    let begins = || page.posts("/user/console/session", &link);
    for (name, value) in [
        ("x-forwarded-for", "127.0.0.1"),
        ("via", "1.1 proxy"),
        ("host", "demo.example"),
        ("origin", "https://demo.example"),
    ] {
        let far = begins().header(name, value).await;
        far.refused(401, "UR_04");
    }
    begins().await.ok();
}
