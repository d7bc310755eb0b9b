//! Sessions of the operator at the console: the admin key begins them, and they only read.

use multirail_conformance::{Call, TestServer};
use multirail_server::config::Setting;
use reqwest::Method;
use serde_json::{Value, json};

use super::Page;
use crate::audit_log::entries_of;
use crate::servers::site::Site;
use crate::users::{PASSWORD, Person};

const SESSION: &str = "/user/console/session";

/// The cookie that makes the browser forget the session's.
const ENDED: &str =
    "multirail_console=; Path=/console/; Max-Age=0; HttpOnly; Secure; SameSite=Strict";

fn key(text: &str) -> Value {
    json!({ "operator": { "admin_api_key": text } })
}

/// Returns a page at which the operator is signed in.
async fn signed_in(server: &TestServer) -> Page {
    let mut page = Page::at(&server.address());
    page.begins(&key(server.admin_key())).await;
    page
}

/// Builds the call that ends the operator's session.
fn ends(page: &Page) -> Call {
    let call = page.asks(Method::DELETE, SESSION);
    call.header("content-type", "application/json")
}

#[tokio::test]
async fn the_operator_looks_around_and_no_script_gets_a_key() {
    let server = TestServer::start().await;
    let mut page = Page::at(&server.address());
    page.gets("/unresolved_operations")
        .await
        .refused(401, "IR_01");
    let answer = page.posts(SESSION, &key(server.admin_key())).await;
    let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.starts_with("multirail_console=ops_"), "{cookie}");
    assert!(
        cookie.ends_with("; Path=/console/; Max-Age=1800; HttpOnly; Secure; SameSite=Strict"),
        "{cookie}"
    );
    page.keeps(&answer);
    let said = answer.ok();
    assert_eq!(said["status"], "signed_in");
    assert_eq!(said["second_step_token"], Value::Null);

    let found = page.gets("/accounts").query("search", "dem").await.ok();
    assert_eq!(found[0]["merchant_id"], "demo");
    let none = page.gets("/accounts").query("search", "emo").await.ok();
    assert_eq!(none, json!([]));
    let organization_id = found[0]["organization_id"].as_str().expect("an id");
    let organizations = page.gets("/organization").await.ok();
    let mut listed = organizations.as_array().expect("a list").iter();
    assert!(listed.any(|one| one["organization_id"] == organization_id));
    let path = format!("/organization/{organization_id}/accounts");
    let accounts = page.gets(&path).await.ok();
    assert_eq!(accounts[0]["merchant_id"], "demo");
    let account = page.gets("/accounts/demo").await.ok();
    assert_eq!(account["organization_id"], organization_id);
    let waiting = page.gets("/unresolved_operations").await.ok();
    assert_eq!(waiting, json!([]));
    let details = page.gets("/health/details").await.ok();
    assert_eq!(details["is_sandbox"], true);
    assert_eq!(details["public_url"], server.url());
    let kept = json!({ "idempotency_hours": 72, "change_set_days": 30, "request_log_days": 7, "event_days": 90 });
    assert_eq!(details["retention"], kept);
    page.gets("/keys").await.ok();
}

/// A page that somebody took over can't open, close or move anything.
#[tokio::test]
async fn a_session_of_the_operator_changes_nothing() {
    let server = TestServer::start().await;
    let page = signed_in(&server).await;
    let body = json!({ "organization_name": "Books Inc." });
    let made = page.posts("/organization", &body).await;
    let message = made.refused(403, "IR_22");
    assert!(message.contains("only reads"), "{message}");
    let close = page.asks(Method::DELETE, "/accounts/demo");
    let close = close.header("content-type", "application/json");
    close.await.refused(403, "IR_22");
    page.gets("/accounts/demo").await.ok();
    // It opens nothing of users, and is valid nowhere else.
    page.gets("/user").await.refused(403, "IR_22");
    let cookie = page.cookie.clone().expect("a cookie");
    let elsewhere = server.wire.call("unresolved_operations_list");
    let elsewhere = elsewhere.header("cookie", &cookie).await;
    elsewhere.refused(401, "IR_01");
    let (_, token) = cookie.split_once('=').expect("a pair");
    let as_key = server.wire.call("unresolved_operations_list").key(token);
    as_key.await.refused(401, "IR_01");
    let as_token = server.wire.call("users_retrieve").token(token);
    as_token.await.refused(401, "IR_17");
}

/// A page that somebody took over can't sign webhooks in the name of the server.
#[tokio::test]
async fn a_session_of_the_operator_sees_no_secret() {
    let server = TestServer::start().await;
    let shop = server.shop_without_connector("bookshop").await;
    let profile = server
        .operator("business_profiles_retrieve")
        .at("account_id", "bookshop")
        .at("profile_id", &shop.profile_id);
    let account = server
        .operator("merchant_accounts_retrieve")
        .at("account_id", "bookshop");
    let by_key = [account.await.ok(), profile.await.ok()];
    let page = signed_in(&server).await;
    let path = format!("/account/bookshop/business_profile/{}", shop.profile_id);
    let seen = [
        page.gets("/accounts/bookshop").await.ok(),
        page.gets(&path).await.ok(),
    ];
    for (of_key, of_page) in by_key.iter().zip(&seen) {
        let key = of_key["payment_response_hash_key"].as_str();
        assert!(key.is_some_and(|key| key.len() >= 32), "{of_key}");
        assert_eq!(of_page["payment_response_hash_key"], "", "{of_page}");
    }
    let secrets = |profile: &Value| profile["webhook_secrets"].as_array().map(Vec::len);
    assert_eq!(by_key.each_ref().map(secrets), [None, Some(1)]);
    assert_eq!(seen.each_ref().map(secrets), [None, Some(0)]);
}

#[tokio::test]
async fn only_the_admin_key_begins_a_session() {
    let server = TestServer::start().await;
    let shop = server.shop_without_connector("bookshop").await;
    let page = Page::at(&server.address());
    for other in ["", "test_admin", &shop.api_key, &shop.publishable_key] {
        let refused = page.posts(SESSION, &key(other)).await;
        assert_eq!(refused.header("set-cookie"), None);
        refused.refused(401, "IR_01");
    }
    let both = json!({
        "operator": { "admin_api_key": server.admin_key() }, "link": { "token": "sil_of_nobody" },
    });
    page.posts(SESSION, &both).await.refused(422, "IR_06");
    let elsewhere = page.posts(SESSION, &key(server.admin_key()));
    let elsewhere = elsewhere.header_instead("sec-fetch-site", "cross-site");
    elsewhere.await.refused(403, "IR_22");
}

#[tokio::test]
async fn a_session_of_the_operator_ends_by_time_and_by_hand() {
    let server = TestServer::start().await;
    let page = signed_in(&server).await;
    server.time_passes(1_790).await;
    page.gets("/unresolved_operations").await.ok();
    // Use doesn't renew it.
    server.time_passes(10).await;
    page.gets("/unresolved_operations")
        .await
        .refused(401, "IR_17");

    let page = signed_in(&server).await;
    let ended = ends(&page).await;
    assert_eq!(ended.status, 200, "{}", ended.text);
    assert_eq!(ended.header("set-cookie"), Some(ENDED));
    page.gets("/unresolved_operations")
        .await
        .refused(401, "IR_17");
    for operation in ["console_sessions_begin", "console_sessions_end_operator"] {
        let entry = entries_of(&server, operation).await.remove(0);
        assert_eq!(entry["principal"], "admin", "{operation}");
    }
    // A call with the key has no session to end.
    let by_key = server.operator("console_sessions_end_operator").await;
    assert_eq!((by_key.status, by_key.header("set-cookie")), (200, None));
}

/// The limit is the place's, so nobody elsewhere can lock the operator out.
#[tokio::test]
async fn one_place_tries_keys_only_so_often() {
    let server = TestServer::start().await;
    let page = Page::at(&server.address());
    // The limit allows sixty at once, and one more every two seconds.
    for _ in 0..200 {
        let answer = page.posts(SESSION, &key("a guess")).await;
        if answer.status == 401 {
            continue;
        }
        assert!(answer.header("retry-after").is_some());
        answer.refused(429, "MR_03");
        return;
    }
    panic!("nobody was kept waiting");
}

/// People who knew the former key see nothing any more, not even by a session that it began.
#[tokio::test]
async fn a_session_of_the_operator_ends_with_its_key() {
    let seen = "an-admin-key-that-somebody-may-have-seen-1234567890";
    let next = "an-admin-key-that-nobody-else-has-seen-0987654321";
    let site = Site::on_sqlite();
    let server = site
        .server_with("one", |inputs| inputs.with(Setting::AdminApiKey, seen))
        .await;
    let cookie = signed_in(&server).await.cookie;
    let page_at = |server: &TestServer| Page {
        cookie: cookie.clone(),
        ..Page::at(&server.address())
    };
    page_at(&server).gets("/unresolved_operations").await.ok();
    server.stops().await.expect("it stops");
    // The former key is valid for a while, and so are its sessions.
    let server = site
        .server_with("one", |inputs| {
            let inputs = inputs.with(Setting::AdminApiKey, next);
            inputs.with(Setting::FormerAdminApiKey, seen)
        })
        .await;
    page_at(&server).gets("/unresolved_operations").await.ok();
    server.stops().await.expect("it stops");
    let server = site
        .server_with("one", |inputs| inputs.with(Setting::AdminApiKey, next))
        .await;
    let ended = page_at(&server).gets("/unresolved_operations").await;
    ended.refused(401, "IR_17");
    let begins = page_at(&server).posts(SESSION, &key(seen)).await;
    begins.refused(401, "IR_01");
}

/// One browser has one session, so nobody acts as two.
#[tokio::test]
async fn a_new_session_ends_the_former_one_of_the_browser() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let password = json!({ "password": { "email": ada.email, "password": PASSWORD } });
    let mut page = Page::at(&server.address());
    page.begins(&password).await;
    let of_ada = page.clone();
    page.begins(&key(server.admin_key())).await;
    of_ada.gets("/user").await.refused(401, "IR_17");
    let of_operator = page.clone();
    page.begins(&password).await;
    let operators = of_operator.gets("/unresolved_operations").await;
    operators.refused(401, "IR_17");
    page.gets("/user").await.ok();
    page.gets("/unresolved_operations")
        .await
        .refused(401, "IR_01");
}
