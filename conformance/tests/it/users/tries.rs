//! Limits on sign-in tries, by client network and by account.

use std::sync::Arc;

use multirail_conformance::mailbox::Mailbox;
use multirail_conformance::{Response, TestServer};
use multirail_server::config::Setting;
use serde_json::json;

use super::{PASSWORD, Person, sign_in};

const WRONG: &str = "Correct-horse-2";
const FORWARDED: &str = "X-Forwarded-For";

async fn behind_a_proxy(mailbox: &Mailbox) -> Arc<TestServer> {
    let mail = mailbox.setting();
    TestServer::start_with(move |inputs| {
        inputs
            .with(Setting::BehindProxy, "true")
            .with(Setting::MailServer, &mail)
            .with(Setting::MailFrom, "multirail@shop.example")
            .with(Setting::MailPasswordPage, "https://shop.example/password")
    })
    .await
}

async fn tries(server: &TestServer, email: &str, password: &str, from: &str) -> Response {
    sign_in(server, email, password)
        .header(FORWARDED, from)
        .await
}

/// Returns the number of wrong tries from these addresses that are checked before one is refused.
async fn judged(server: &TestServer, email: &str, places: impl Iterator<Item = String>) -> usize {
    let mut count = 0;
    for place in places {
        let answer = tries(server, email, WRONG, &place).await;
        if answer.status == 429 {
            break;
        }
        answer.refused(401, "UR_01");
        count += 1;
    }
    count
}

#[tokio::test]
async fn strangers_cannot_lock_a_user_out_of_a_known_network() {
    const HOME: &str = "2001:db8:1:7::7";
    let mailbox = Mailbox::open().await;
    let server = behind_a_proxy(&mailbox).await;
    let ada = Person::new(&server, "ada").await;
    tries(&server, &ada.email, PASSWORD, HOME).await.ok();
    // A provider's customer may have many /64 networks; all of them count as one.
    let of_one = (0..40).map(|n| format!("2001:db8:2:{n:x}::1"));
    assert_eq!(judged(&server, &ada.email, of_one).await, 10);
    for place in 3..10 {
        let of_many = (0..10).map(|n| format!("2001:db8:{place}:{n:x}::1"));
        judged(&server, &ada.email, of_many).await;
    }
    let elsewhere = tries(&server, &ada.email, PASSWORD, "2001:db8:ffff::1").await;
    elsewhere.refused(429, "MR_03");
    tries(&server, &ada.email, PASSWORD, "2001:db8:1:8::9")
        .await
        .ok();
    // Password resets aren't limited by this, from any address.
    let who = json!({ "email": ada.email });
    let forgot = server.wire.call("users_forgot_password").json(&who);
    assert_eq!(forgot.header(FORWARDED, "192.0.2.77").await.status, 200);
    assert_eq!(mailbox.letters(1).await[0].to, ada.email);
}

#[tokio::test]
async fn asking_for_mail_takes_nobodys_tries() {
    let mailbox = Mailbox::open().await;
    let server = behind_a_proxy(&mailbox).await;
    let ada = Person::new(&server, "ada").await;
    let who = json!({ "email": ada.email });
    let forgot = server.wire.call("users_forgot_password").json(&who);
    for _ in 0..10 {
        assert_eq!(forgot.clone().await.status, 200);
    }
    forgot.await.refused(429, "MR_03");
    sign_in(&server, &ada.email, PASSWORD).await.ok();
}

/// The text that a stranger sends as an address names no other count of a user.
#[tokio::test]
async fn a_sign_in_takes_no_other_tries_of_a_user() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let user_id = ada.details().await["user_id"].clone();
    let user_id = user_id.as_str().expect("an id");
    for scope in ["team_invite ", "new_account ", ""] {
        for _ in 0..10 {
            let guess = sign_in(&server, &format!("{scope}{user_id}"), WRONG);
            guess.await.refused(401, "UR_01");
        }
    }
    let invitation = json!({ "email": "grace@books.example", "role_id": "merchant_view_only" });
    ada.call("team_invite").json(&invitation).await.ok();
    let stall = json!({ "company_name": "Stall" });
    ada.call("users_create_merchant").json(&stall).await.ok();
    let passwords = json!({ "old_password": PASSWORD, "new_password": WRONG });
    let changed = ada.call("users_change_password").json(&passwords).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
}

#[tokio::test]
async fn a_proxy_may_tell_ports() {
    let mailbox = Mailbox::open().await;
    let server = behind_a_proxy(&mailbox).await;
    for place in ["192.0.2.1", "[2001:db8::1]"] {
        let email = format!("{}@books.example", place.len());
        let ports = (0..20).map(|port| format!("198.51.100.9, {place}:{}", 4000 + port));
        assert_eq!(judged(&server, &email, ports).await, 10, "{place}");
    }
    // Other networks have their own limit.
    let other = tries(&server, "9@books.example", WRONG, "192.0.2.2:4000").await;
    other.refused(401, "UR_01");
    let sixth = tries(
        &server,
        "13@books.example",
        WRONG,
        "[2001:db8:0:100::1]:4000",
    )
    .await;
    sixth.refused(401, "UR_01");
}

#[tokio::test]
async fn letters_that_only_look_alike_are_others() {
    let server = TestServer::start().await;
    let kim = Person::new(&server, "kim").await;
    let kelvin = "\u{212a}im@books.example";
    sign_in(&server, kelvin, PASSWORD)
        .await
        .refused(401, "UR_01");
    sign_in(&server, "KIM@books.example", PASSWORD).await.ok();
    // The Kelvin sign is a letter of its own, so the address belongs to somebody else.
    let who = json!({ "email": kelvin, "password": WRONG });
    server.wire.call("users_sign_up").json(&who).await.ok();
    sign_in(&server, kelvin, PASSWORD)
        .await
        .refused(401, "UR_01");
    sign_in(&server, &kim.email, PASSWORD).await.ok();
}

/// Earlier versions stored lower-case letters of any script.
#[tokio::test]
async fn lower_case_users_are_found_by_upper_case_addresses() {
    let server = TestServer::start().await;
    let who = json!({ "email": "m\u{fc}ller@books.example", "password": PASSWORD });
    server.wire.call("users_sign_up").json(&who).await.ok();
    for email in ["m\u{fc}ller@books.example", "M\u{dc}LLER@books.example"] {
        sign_in(&server, email, PASSWORD).await.ok();
    }
}
