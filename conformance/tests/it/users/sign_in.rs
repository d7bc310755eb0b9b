//! Signing in and out, and the validity of tokens.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use multirail_conformance::response::moment;
use multirail_conformance::{Shop, TestServer};
use serde_json::{Value, json};

use super::{PASSWORD, Person, sign_in, token};
use crate::servers::site::{Site, moved};

const TWO_DAYS: i64 = 172_800;

/// Decodes a part of a token: 0 is its header, 1 its claims.
fn part(token: &str, index: usize) -> Value {
    let text = token.split('.').nth(index).expect("three parts");
    let bytes = URL_SAFE_NO_PAD.decode(text).expect("base64");
    serde_json::from_slice(&bytes).expect("JSON")
}

#[tokio::test]
async fn wrong_is_wrong_whether_or_not_there_is_such_a_user() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let told = |email: &'static str, password: &'static str| {
        let call = sign_in(&server, email, password);
        async move { call.await.refused(401, "UR_01") }
    };
    let wrong = told("ada@books.example", "Correct-horse-2").await;
    assert_eq!(told("grace@books.example", PASSWORD).await, wrong);
    assert_eq!(told("no address", PASSWORD).await, wrong);
    assert_eq!(told("ada@books.example", "").await, wrong);
    let again = sign_in(&server, "Ada@BOOKS.example ", PASSWORD).await.ok();
    assert_eq!(again["token_type"], "user_info");
    let who = json!({ "email": ada.email, "password": PASSWORD });
    let other_path = server
        .wire
        .call("users_sign_in_alternative")
        .json(&who)
        .await
        .ok();
    assert_ne!(token(&other_path), token(&again), "each is one of its own");
}

#[tokio::test]
async fn a_token_says_where_its_user_acts_and_lapses() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let (details, says) = (ada.details().await, part(&ada.token, 1));
    for (claim, member) in [
        ("user_id", "user_id"),
        ("merchant_id", "merchant_id"),
        ("role_id", "role_id"),
        ("org_id", "org_id"),
        ("profile_id", "profile_id"),
    ] {
        assert_eq!(says[claim], details[member], "{claim}");
    }
    assert_eq!(says["tenant_id"], "public");
    let claims: BTreeSet<&str> = says
        .as_object()
        .expect("claims")
        .keys()
        .map(String::as_str)
        .collect();
    for claim in [
        "user_id",
        "merchant_id",
        "role_id",
        "exp",
        "org_id",
        "profile_id",
        "tenant_id",
    ] {
        assert!(claims.contains(claim), "{claim}: {claims:?}");
    }
    assert_eq!(part(&ada.token, 0)["alg"], "HS256");
    let now = server.time_passes(0).await;
    let now = moment(&now["now"]).timestamp();
    let left = says["exp"].as_i64().expect("a number") - now;
    assert!((TWO_DAYS - 60..=TWO_DAYS).contains(&left), "{left}");

    // A new data key signs later tokens; earlier ones stay valid.
    let change = json!({ "change": "data_keys" });
    server.operator("keys_rotate").json(&change).await.ok();
    let later = sign_in(&server, &ada.email, PASSWORD).await.ok();
    let kid = |token: &str| part(token, 0)["kid"].clone();
    assert_ne!(kid(&token(&later)), kid(&ada.token));
    ada.details().await;

    // Forged tokens, and other forms of the header.
    let (header, rest) = ada.token.split_once('.').expect("three parts");
    let forged = format!("{header}.{rest}x");
    for value in [
        format!("Bearer {forged}"),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        format!("Basic {}", ada.token),
        ada.token.clone(),
    ] {
        let call = server.wire.call("users_retrieve");
        call.header("authorization", &value)
            .await
            .refused(401, "IR_17");
    }
    let call = server.wire.call("users_retrieve").key(server.admin_key());
    call.await.refused(401, "IR_17");
    // A token in a cookie is ignored, because no setting enables cookies.
    let cookie = format!("login_token={}", ada.token);
    let call = server.wire.call("users_retrieve");
    call.header("cookie", &cookie).await.refused(401, "IR_17");
    let small = format!("bearer {}", ada.token);
    let call = server.wire.call("users_retrieve");
    call.header("authorization", &small).await.ok();

    server.time_passes(TWO_DAYS).await;
    ada.call("users_retrieve").await.refused(401, "IR_17");
    sign_in(&server, &ada.email, PASSWORD).await.ok();
}

#[tokio::test]
async fn signing_out_ends_one_token_and_closing_an_account_ends_all_of_its_tokens() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let elsewhere = token(&sign_in(&server, &ada.email, PASSWORD).await.ok());
    let out = ada.call("users_sign_out").await;
    assert_eq!((out.status, out.text.as_str()), (200, ""));
    ada.call("users_retrieve").await.refused(401, "IR_17");
    ada.call("users_sign_out").await.refused(401, "IR_17");
    let elsewhere = Person {
        token: elsewhere,
        ..ada
    };
    let merchant_id = elsewhere.details().await["merchant_id"].clone();
    let close = server.operator("merchant_accounts_delete");
    let close = close.at("account_id", merchant_id.as_str().expect("an id"));
    close.await.ok();
    elsewhere.call("users_retrieve").await.refused(401, "IR_17");
    sign_in(&server, &elsewhere.email, PASSWORD)
        .await
        .refused(403, "IR_22");

    // If a user's account is closed, the next sign-in starts at another account of the organization.
    let grace = Person::new(&server, "grace").await;
    let second = json!({ "company_name": "Second" });
    let second = grace.call("users_create_merchant").json(&second).await.ok();
    let close = |merchant_id: &Value| {
        let call = server.operator("merchant_accounts_delete");
        call.at("account_id", merchant_id.as_str().expect("an id"))
    };
    close(&grace.details().await["merchant_id"]).await.ok();
    let again = token(&sign_in(&server, &grace.email, PASSWORD).await.ok());
    let grace = Person {
        token: again,
        ..grace
    };
    assert_eq!(grace.details().await["merchant_id"], second["merchant_id"]);
}

#[tokio::test]
async fn signing_out_at_one_server_signs_out_at_all() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here: Shop = site.server("one").await.shop("bookshop").await;
    let ada = Person::new(&here.server, "ada").await;
    let (there, here) = moved(here, site.server("two").await);
    let there = Person {
        server: there.server,
        email: ada.email.clone(),
        token: ada.token.clone(),
    };
    there.details().await;
    ada.call("users_sign_out").await.ok();
    there.call("users_retrieve").await.refused(401, "IR_17");
    drop(here);
}

#[tokio::test]
async fn after_too_many_tries_the_right_password_has_to_wait_too() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    for _ in 0..10 {
        let wrong = sign_in(&server, &ada.email, "Correct-horse-2").await;
        wrong.refused(401, "UR_01");
    }
    let answer = sign_in(&server, &ada.email, PASSWORD).await;
    let wait: Option<u64> = answer
        .header("retry-after")
        .and_then(|text| text.parse().ok());
    assert!(
        wait.is_some_and(|wait| (1..=30).contains(&wait)),
        "{wait:?}"
    );
    answer.refused(429, "MR_03");
    // Other users aren't delayed, and Ada's session goes on.
    Person::new(&server, "grace").await;
    ada.details().await;
}

#[tokio::test]
async fn tries_about_one_account_count_at_all_servers_together() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here: Shop = site.server("one").await.shop("bookshop").await;
    let ada = Person::new(&here.server, "ada").await;
    let (there, here) = moved(here, site.server("two").await);
    // Each server alone would accept ten.
    for count in 0..10 {
        let server = if count % 2 == 0 { &here } else { &there.server };
        let wrong = sign_in(server, &ada.email, "Correct-horse-2").await;
        wrong.refused(401, "UR_01");
    }
    for server in [&here, &there.server] {
        let answer = sign_in(server, " ADA@books.example", PASSWORD).await;
        let wait: Option<u64> = answer
            .header("retry-after")
            .and_then(|text| text.parse().ok());
        assert!(
            wait.is_some_and(|wait| (1..=30).contains(&wait)),
            "{wait:?}"
        );
        answer.refused(429, "MR_03");
    }
    there.server.time_passes(30).await;
    sign_in(&there.server, &ada.email, PASSWORD).await.ok();
}
