//! A person signs in to the console by password, and signs in again after their session was ended elsewhere.

use multirail_conformance::shop::id;
use serde_json::{Value, json};

use super::clerk::{Clerk, usd};
use super::payer::Payer;

pub const EMAIL: &str = "ada@books.example";
pub const PASSWORD: &str = "Correct-horse-1";

/// Invites an admin to the demo merchant's account, who chooses a password.
pub async fn is_invited(clerk: &Clerk) {
    let invitation = json!({ "email": EMAIL, "role_id": "merchant_admin", "merchant_id": clerk.shop.merchant_id });
    let invites = clerk.shop.operator("users_invite");
    let invited = invites.json(&invitation).await.ok();
    let chosen = json!({ "token": invited["password_token"], "password": PASSWORD });
    let chooses = clerk.shop.server.wire.call("users_reset_password");
    chooses.json(&chosen).await.ok();
}

pub async fn signs_in(clerk: &Clerk, password: &str) {
    clerk.writes("E-mail address", EMAIL).await;
    clerk.writes("Password", password).await;
    clerk.clicks_exactly("main//button", "Sign in").await;
}

/// Ends every other session of the person with the token of a session elsewhere.
async fn ends_the_others(clerk: &Clerk) {
    let wire = &clerk.shop.server.wire;
    let who = json!({ "email": EMAIL, "password": PASSWORD });
    let signed_in = wire.call("users_sign_in").json(&who).await.ok();
    let token = signed_in["token"].as_str().expect("a token");
    let ended = wire.call("user_sessions_end_others").token(token).await;
    assert_eq!(ended.status, 200, "{}", ended.text);
}

/// Returns how many places of the browser hold something that scripts can read, besides the look and the language.
async fn stored(clerk: &Clerk) -> Value {
    let kept = "return document.cookie.length + sessionStorage.length
        + Object.keys(localStorage).filter((name) => !/^multirail\\.(theme|language)$/.test(name)).length";
    clerk.asks(kept).await
}

pub async fn a_session_that_ended_continues_where_it_was(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    is_invited(&clerk).await;
    let payment = clerk.is_paid(json!({})).await;
    clerk.goes_to(&format!("/payments/{}", id(&payment))).await;
    clerk.is_at("Sign in").await;
    signs_in(&clerk, "Wrong-horse-1").await;
    let wrong = "The address or the password is wrong.";
    clerk.finds_text("*[@role='alert']", wrong).await;
    signs_in(&clerk, PASSWORD).await;
    clerk.is_at(&usd("65.40")).await;
    assert_eq!(stored(&clerk).await, json!(0));

    ends_the_others(&clerk).await;
    clerk.clicks_exactly("main//button", "Refresh").await;
    clerk.is_at("Sign in").await;
    let ended = "Your session has ended. Sign in to continue where you were.";
    clerk.finds_text("*[@role='status']", ended).await;
    let shown = clerk.asks("return document.body.innerText").await;
    let shown = shown.as_str().expect("a text");
    assert!(!shown.contains(id(&payment)), "{shown}");
    signs_in(&clerk, PASSWORD).await;
    clerk.is_at(&usd("65.40")).await;
    let address = clerk.browser.current_url().await.expect("an address");
    let path = format!("/console/payments/{}", id(&payment));
    assert_eq!(address.path(), path);
    clerk.heard_refusals_only().await;
}

pub async fn a_person_signs_out(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    clerk.opens_the_link().await;
    clerk.clicks_labelled("Account of owner@demo.example").await;
    clerk
        .clicks_exactly("*[@role='menuitem']", "Sign out")
        .await;
    clerk.is_at("Sign in").await;
    clerk
        .finds_text("*[@role='status']", "You are signed out.")
        .await;
    clerk.goes_to("/payments").await;
    clerk.is_at("Sign in").await;
    clerk.heard_refusals_only().await;
}
