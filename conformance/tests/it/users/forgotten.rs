//! Forgotten passwords, and the e-mail that resets them.

use std::sync::Arc;
use std::time::Duration;

use multirail_conformance::mailbox::{Letter, Mailbox};
use multirail_conformance::patience::until_found;
use multirail_conformance::{Call, Shop, TestServer};
use multirail_server::config::Setting;
use serde_json::json;
use tokio::time::timeout;

use super::{PASSWORD, Person, sign_in, token};

const NEXT: &str = "Battery-staple-2";

/// The time to wait for mail before the clock moves on.
const ROUND: Duration = Duration::from_millis(500);

pub(super) async fn with_mail(mailbox: &Mailbox) -> Arc<TestServer> {
    let server = mailbox.setting();
    TestServer::start_with(move |inputs| {
        inputs
            .with(Setting::MailServer, &server)
            .with(Setting::MailFrom, "multirail@shop.example")
            .with(Setting::MailPasswordPage, "https://shop.example/password")
    })
    .await
}

fn forgot(server: &TestServer, email: &str) -> Call {
    let who = json!({ "email": email });
    server.wire.call("users_forgot_password").json(&who)
}

fn choose(server: &TestServer, token: &str, password: &str) -> Call {
    let body = json!({ "token": token, "password": password });
    server.wire.call("users_reset_password").json(&body)
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_once_and_in_time() {
    let mailbox = Mailbox::open().await;
    let server = with_mail(&mailbox).await;
    let ada = Person::new(&server, "ada").await;
    // The answer doesn't reveal whether a user has the address.
    let known = forgot(&server, "Ada@books.example").await;
    let unknown = forgot(&server, "nobody@books.example").await;
    let none = forgot(&server, "no address").await;
    for answer in [&known, &unknown, &none] {
        assert_eq!((answer.status, answer.text.as_str()), (200, ""));
    }
    let letter = mailbox.letters(1).await.remove(0);
    assert_eq!(letter.to, "ada@books.example");
    assert!(letter.text.contains("From: multirail@shop.example"));
    let page = "https://shop.example/password#token";
    assert!(letter.text.contains(page), "{}", letter.text);
    let link = letter.token();
    choose(&server, &link, "short").await.refused(400, "UR_09");
    ada.details().await;
    let chosen = choose(&server, &link, NEXT).await;
    assert_eq!(chosen.status, 200);
    // The new password ends all sessions, and the token is used up.
    ada.call("users_retrieve").await.refused(401, "IR_17");
    sign_in(&server, &ada.email, PASSWORD)
        .await
        .refused(401, "UR_01");
    sign_in(&server, &ada.email, NEXT).await.ok();
    choose(&server, &link, PASSWORD).await.refused(401, "UR_04");

    // After five minutes another letter is sent, whose link expires in an hour. Unknown addresses get no letter.
    server.time_passes(300).await;
    forgot(&server, &ada.email).await;
    let letters = mailbox.letters(2).await;
    assert!(letters.iter().all(|letter| letter.to == ada.email));
    server.time_passes(3_600).await;
    choose(&server, &letters[1].token(), PASSWORD)
        .await
        .refused(401, "UR_04");
}

#[tokio::test]
async fn refused_mail_is_sent_again() {
    let mailbox = Mailbox::open().await;
    let server = with_mail(&mailbox).await;
    let ada = Person::new(&server, "ada").await;
    mailbox.refuse("451 come back later");
    forgot(&server, &ada.email).await;
    mailbox.refused(1).await;
    let letter = later(&server, &mailbox, 1, 60).await;
    choose(&server, &letter.token(), NEXT).await;
    let signed_in = sign_in(&server, &ada.email, NEXT).await.ok();
    assert!(!token(&signed_in).is_empty());
    // A permanent failure ends the delivery. Another request tries again.
    server.time_passes(300).await;
    mailbox.refuse("550 no such mailbox");
    forgot(&server, &ada.email).await;
    mailbox.refused(2).await;
    until_found("a second letter", async || {
        server.time_passes(300).await;
        forgot(&server, &ada.email).await;
        arrived(&mailbox, 2).await
    })
    .await;
}

/// Moves the clock until this many letters have come; returns the last one.
async fn later(server: &TestServer, mailbox: &Mailbox, count: usize, seconds: i64) -> Letter {
    let letters = until_found(format!("{count} letters"), async || {
        server.time_passes(seconds).await;
        arrived(mailbox, count).await
    });
    letters.await[count - 1].clone()
}

/// Returns the letters if this many have come by the end of a round.
async fn arrived(mailbox: &Mailbox, count: usize) -> Result<Vec<Letter>, &'static str> {
    let letters = timeout(ROUND, mailbox.letters(count)).await;
    letters.map_err(|_| "fewer letters")
}

#[tokio::test]
async fn an_invitation_is_sent_by_mail() {
    let mailbox = Mailbox::open().await;
    let server = with_mail(&mailbox).await;
    let shop: Shop = server.shop_without_connector("bookshop").await;
    let body = json!({
        "email": "grace@books.example", "role_id": "merchant_operator", "merchant_id": "bookshop",
    });
    shop.server.operator("users_invite").json(&body).await.ok();
    let letter = mailbox.letters(1).await.remove(0);
    assert_eq!(letter.to, "grace@books.example");
    assert!(letter.text.contains("Subject: You are invited"));
    let chosen = choose(&server, &letter.token(), PASSWORD).await;
    assert_eq!(chosen.status, 200);
    sign_in(&server, &letter.to, PASSWORD).await.ok();
    // Somebody has signed up with another person's address.
    let ada = Person::new(&server, "ada").await;
    let body = json!({
        "email": ada.email, "role_id": "merchant_operator", "merchant_id": "bookshop",
    });
    shop.server.operator("users_invite").json(&body).await.ok();
    let there = json!({ "merchant_id": "bookshop" });
    let early = ada.call("users_switch_merchant").json(&there);
    early.await.refused(404, "HE_02");
    let letter = mailbox.letters(2).await.remove(1);
    assert_eq!(letter.to, ada.email);
    assert!(letter.text.contains("the merchant account bookshop"));
    // Another password is no answer to the offer.
    forgot(&server, &ada.email).await;
    let reset = mailbox.letters(3).await.remove(2);
    let other = "Lamp-and-oyster-3";
    choose(&server, &reset.token(), other).await.ok();
    let signed_in = sign_in(&server, &ada.email, other).await.ok();
    let early = server.wire.call("users_switch_merchant").json(&there);
    early.token(&token(&signed_in)).await.refused(404, "HE_02");
    choose(&server, &letter.token(), NEXT).await.ok();
    ada.call("users_retrieve").await.refused(401, "IR_17");
    let signed_in = sign_in(&server, &ada.email, NEXT).await.ok();
    let call = server.wire.call("users_switch_merchant").json(&there);
    call.token(&token(&signed_in)).await.ok();
}
