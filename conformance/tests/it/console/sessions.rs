//! Sessions of the console: how they begin, what their cookie opens, and how they end.

use std::sync::Arc;

use chrono::DateTime;
use multirail_conformance::TestServer;
use multirail_conformance::authenticator::Authenticator;
use multirail_conformance::response::moment;
use reqwest::Method;
use serde_json::{Value, json};

use super::Page;
use crate::users::{PASSWORD, Person};

/// The cookie that makes the browser forget the session's.
const ENDED: &str =
    "multirail_console=; Path=/console/; Max-Age=0; HttpOnly; Secure; SameSite=Strict";

fn password(person: &Person) -> Value {
    json!({ "password": { "email": person.email, "password": PASSWORD } })
}

/// Returns a new user, and their page with a session.
async fn signed_in(server: &Arc<TestServer>) -> (Person, Page) {
    let ada = Person::new(server, "ada").await;
    let mut page = Page::at(&server.address());
    page.begins(&password(&ada)).await;
    (ada, page)
}

#[tokio::test]
async fn a_user_signs_in_and_no_script_gets_a_token() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let mut page = Page::at(&server.address());
    page.gets("/user").await.refused(401, "IR_17");
    let answer = page.posts("/user/console/session", &password(&ada)).await;
    let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.starts_with("multirail_console="), "{cookie}");
    assert!(
        cookie.ends_with("; Path=/console/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict"),
        "{cookie}"
    );
    page.keeps(&answer);
    let said = answer.ok();
    assert_eq!(said["status"], "signed_in");
    assert_eq!(said["second_step_token"], Value::Null);
    let user = page.gets("/user").await.ok();
    assert_eq!(user["email"], ada.email.as_str());

    let body = json!({ "company_name": "Stall" });
    let made = page.posts("/user/create_merchant", &body).await.ok();
    let there = json!({ "merchant_id": made["merchant_id"] });
    let token = page.posts("/user/switch/merchant", &there).await;
    token.refused(403, "IR_22");
}

/// The cookie counts below the console's path only, and its token is valid nowhere else.
#[tokio::test]
async fn the_cookie_opens_the_calls_of_the_console_only() {
    let server = TestServer::start().await;
    let (ada, page) = signed_in(&server).await;
    let cookie = page.cookie.clone().expect("a cookie");
    let elsewhere = server.wire.call("users_retrieve").header("cookie", &cookie);
    elsewhere.await.refused(401, "IR_17");
    let (_, token) = cookie.split_once('=').expect("a pair");
    let bearer = server.wire.call("users_retrieve").token(token);
    bearer.await.refused(401, "IR_17");
    let as_cookie = Page {
        cookie: Some(format!("multirail_console={}", ada.token)),
        ..Page::at(&server.address())
    };
    as_cookie.gets("/user").await.refused(401, "IR_17");
    let with_token = page.gets("/user").token(&ada.token).await;
    with_token.refused(401, "IR_01");
    let with_key = page.gets("/user").key(server.admin_key()).await;
    with_key.refused(401, "IR_01");
    // No user may call this operation.
    let operators = page.gets("/unresolved_operations").await;
    operators.refused(401, "IR_01");
    page.gets("/nothing").await.refused(404, "IR_02");
}

#[tokio::test]
async fn no_other_page_uses_the_cookie() {
    let server = TestServer::start().await;
    let (_, page) = signed_in(&server).await;
    for site in ["cross-site", "same-site", "none"] {
        let read = page.gets("/user").header_instead("sec-fetch-site", site);
        read.await.refused(403, "IR_22");
    }
    let unsaid = page.gets("/user").without_header("sec-fetch-site").await;
    unsaid.refused(403, "IR_22");
    let form = page.asks(Method::POST, "/user/signout");
    form.text("text/plain", "").await.refused(403, "IR_22");
    let bare = page.asks(Method::POST, "/user/signout").await;
    bare.refused(403, "IR_22");
    let preflight = page.asks(Method::OPTIONS, "/user").await;
    preflight.refused(403, "IR_22");
    page.gets("/user").await.ok();
}

/// Other spellings of a call's path lead to the page or nowhere.
#[tokio::test]
async fn a_call_has_one_spelling() {
    let server = TestServer::start().await;
    let (_, page) = signed_in(&server).await;
    let cookie = page.cookie.clone().expect("a cookie");
    for path in [
        "/CONSOLE/api/user",
        "/console/API/user",
        "//console/api/user",
        "/console//api/user",
        "/console/api//user",
        "/console/api/user/",
        "/console%2Fapi/user",
        "/console/api%2Fuser",
        "/console/%61pi/user",
        "/console/api/console/api/user",
    ] {
        let call = page.wire.request(Method::HEAD, path);
        let call = call.header("sec-fetch-site", "same-origin");
        let answer = call.header("cookie", &cookie).await;
        let is_page = answer.header("content-type") == Some("text/html; charset=utf-8");
        assert!(is_page || answer.status == 404, "{path}: {}", answer.status);
    }
    let asks = || page.asks(Method::HEAD, "/user");
    assert_eq!(asks().await.status, 200);
    let elsewhere = asks().header_instead("sec-fetch-site", "cross-site");
    assert_eq!(elsewhere.await.status, 403);
}

#[tokio::test]
async fn a_session_ends_without_use_and_after_twelve_hours() {
    let server = TestServer::start().await;
    let (ada, mut page) = signed_in(&server).await;
    for _ in 0..12 {
        server.time_passes(3_500).await;
        page.gets("/user").await.ok();
    }
    // Eleven hours and forty minutes have passed.
    server.time_passes(1_300).await;
    page.gets("/user").await.refused(401, "IR_17");
    page.begins(&password(&ada)).await;
    server.time_passes(3_599).await;
    page.gets("/user").await.ok();
    server.time_passes(3_601).await;
    page.gets("/user").await.refused(401, "IR_17");
}

/// Returns the seconds by which the last use of the page's session is ahead of the answer's `Date`.
async fn seconds_ahead(page: &Page) -> i64 {
    let answer = page.gets("/user/sessions").await;
    let date = answer.header("date").expect("a date");
    let date = DateTime::parse_from_rfc2822(date).expect("a date of HTTP");
    let listed = answer.ok();
    let mut listed = listed.as_array().expect("a list").iter();
    let own = listed.find(|one| one["is_current"] == true);
    let used = moment(&own.expect("the page's")["last_used_at"]);
    (used - date).num_seconds()
}

/// The console takes the clock of a sandbox from there, because only the admin key may ask for it.
#[tokio::test]
async fn a_moved_clock_shows_in_the_last_use_of_the_session() {
    let server = TestServer::start().await;
    let (_, page) = signed_in(&server).await;
    let before = seconds_ahead(&page).await;
    assert!(before <= 1, "{before}");
    server.time_passes(1_800).await;
    let after = seconds_ahead(&page).await;
    assert!((1_000..=1_801).contains(&after), "{after}");
}

#[tokio::test]
async fn sessions_of_the_console_are_listed_and_ended_with_the_others() {
    let server = TestServer::start().await;
    let (ada, page) = signed_in(&server).await;
    let listed = page.gets("/user/sessions").await.ok();
    let listed = listed.as_array().expect("a list");
    assert_eq!(listed.len(), 2, "{listed:?}");
    let own = listed.iter().find(|one| one["is_current"] == true);
    let own = own.expect("the page's");
    assert_eq!(own["kind"], "console");
    let other = listed.iter().find(|one| one["is_current"] == false);
    assert_eq!(other.expect("the program's")["kind"], "token");
    let id = own["session_id"].as_str();
    let end = ada.call("user_sessions_end");
    let ended = end.at("session_id", id.expect("an id")).await;
    assert_eq!((ended.status, ended.header("set-cookie")), (200, None));
    page.gets("/user").await.refused(401, "IR_17");

    let mut again = Page::at(&server.address());
    again.begins(&password(&ada)).await;
    let out = again.asks(Method::POST, "/user/signout");
    let out = out.header("content-type", "application/json").await;
    assert_eq!(out.status, 200, "{}", out.text);
    assert_eq!(out.header("set-cookie"), Some(ENDED));
    again.gets("/user").await.refused(401, "IR_17");
    let listed = ada.call("user_sessions_list").await.ok();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
}

#[tokio::test]
async fn ending_the_own_session_forgets_the_cookie() {
    let server = TestServer::start().await;
    let (_, page) = signed_in(&server).await;
    let listed = page.gets("/user/sessions").await.ok();
    let listed = listed.as_array().expect("a list").clone();
    for (is_own, cookie) in [(false, None), (true, Some(ENDED))] {
        let one = listed.iter().find(|one| one["is_current"] == is_own);
        let id = one.expect("a session")["session_id"].as_str();
        let path = format!("/user/sessions/{}", id.expect("an id"));
        let end = page.asks(Method::DELETE, &path);
        let ended = end.header("content-type", "application/json").await;
        assert_eq!((ended.status, ended.header("set-cookie")), (200, cookie));
    }
    page.gets("/user").await.refused(401, "IR_17");
}

#[tokio::test]
async fn signing_in_again_ends_the_session_of_the_former_cookie() {
    let server = TestServer::start().await;
    let (ada, mut page) = signed_in(&server).await;
    let grace = Person::new(&server, "grace").await;
    let of_ada = page.clone();
    let wrong = json!({ "password": { "email": ada.email, "password": "Wrong-horse-1" } });
    let refused = page.posts("/user/console/session", &wrong).await;
    refused.refused(401, "UR_01");
    of_ada.gets("/user").await.ok();
    page.begins(&password(&ada)).await;
    of_ada.gets("/user").await.refused(401, "IR_17");
    let listed = page.gets("/user/sessions").await.ok();
    assert_eq!(listed.as_array().map(Vec::len), Some(2), "{listed}");
    // Another person takes the browser over.
    let of_ada = page.clone();
    page.begins(&password(&grace)).await;
    of_ada.gets("/user").await.refused(401, "IR_17");
    // The cookie counts below the console's path only.
    let cookie = page.cookie.clone().expect("a cookie");
    let elsewhere = server.wire.call("console_sessions_begin");
    let begun = elsewhere.header("cookie", &cookie).json(&password(&ada));
    begun.await.ok();
    page.gets("/user").await.ok();
}

#[tokio::test]
async fn another_merchant_account_replaces_the_session() {
    let server = TestServer::start().await;
    let (_, mut page) = signed_in(&server).await;
    let body = json!({ "company_name": "Stall" });
    let made = page.posts("/user/create_merchant", &body).await.ok();
    let former = page.clone();
    let listed = page.gets("/user/merchants").await.ok();
    assert_eq!(listed[1]["merchant_id"], made["merchant_id"]);
    let to = async |merchant_id: &Value| {
        let there = json!({ "merchant_id": merchant_id });
        page.posts("/user/console/switch_merchant", &there).await
    };
    to(&json!("demo")).await.refused(404, "HE_02");
    let switched = to(&made["merchant_id"]).await;
    page.keeps(&switched);
    assert_eq!(switched.ok()["status"], "signed_in");
    let user = page.gets("/user").await.ok();
    assert_eq!(user["merchant_id"], made["merchant_id"]);
    former.gets("/user").await.refused(401, "IR_17");
}

/// The new session continues the sign-in of the former one.
#[tokio::test]
async fn switching_renews_no_sign_in() {
    let server = TestServer::start().await;
    let (_, mut page) = signed_in(&server).await;
    let user = page.gets("/user").await.ok();
    let there = json!({ "merchant_id": user["merchant_id"] });
    for _ in 0..12 {
        server.time_passes(3_500).await;
        let switched = page.posts("/user/console/switch_merchant", &there).await;
        page.keeps(&switched);
        assert_eq!(switched.ok()["status"], "signed_in");
    }
    // Eleven hours and forty minutes have passed.
    server.time_passes(1_300).await;
    page.gets("/user").await.refused(401, "IR_17");
}

#[tokio::test]
async fn a_second_factor_is_asked_for_at_the_console_too() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let begin = json!({ "password": PASSWORD });
    let begun = ada.call("two_factor_begin").json(&begin).await.ok();
    let authenticator = Authenticator::from_answer(&begun);
    let code = json!({ "totp": authenticator.code(0) });
    ada.call("two_factor_confirm").json(&code).await.ok();
    let mut page = Page::at(&server.address());
    let first = page.begins(&password(&ada)).await;
    assert_eq!(first["status"], "second_step_required");
    assert_eq!(page.cookie, None);
    let step = |code: String| {
        let token = &first["second_step_token"];
        json!({ "second_step": { "token": token, "totp": code } })
    };
    let wrong = step(authenticator.wrong());
    let refused = page.posts("/user/console/session", &wrong).await;
    refused.refused(400, "UR_37");
    let second = page.begins(&step(authenticator.code(1))).await;
    assert_eq!(second["status"], "signed_in");
    page.gets("/user").await.ok();
    let neither = page.posts("/user/console/session", &json!({})).await;
    neither.refused(400, "IR_04");
}
