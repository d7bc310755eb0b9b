//! The second factor: authenticator codes, recovery codes, and the second step of a sign-in.

use std::future::IntoFuture;

use multirail_conformance::authenticator::Authenticator;
use multirail_conformance::{Call, Shop, TestServer};
use serde_json::{Value, json};

use super::{PASSWORD, Person, sign_in, token};
use crate::servers::site::{Site, moved};

async fn begun(person: &Person) -> Authenticator {
    let call = person.call("two_factor_begin");
    Authenticator::from_answer(&call.json(&json!({ "password": PASSWORD })).await.ok())
}

/// Turns the second factor on with the first time step's code; returns the recovery codes.
pub(super) async fn turned_on(person: &Person) -> (Authenticator, Vec<String>) {
    let authenticator = begun(person).await;
    let code = json!({ "totp": authenticator.code(0) });
    let codes = person.call("two_factor_confirm").json(&code).await.ok();
    let codes = codes["recovery_codes"].as_array().expect("codes");
    let codes = codes.iter().filter_map(Value::as_str).map(str::to_owned);
    (authenticator, codes.collect())
}

/// Signs in with the password and returns the token of the second step.
async fn asked(server: &TestServer, email: &str) -> String {
    let first = sign_in(server, email, PASSWORD).await.ok();
    assert_eq!(first["token_type"], "totp");
    token(&first)
}

fn second_step(server: &TestServer, token: &str, name: &str, code: &str) -> Call {
    let body = json!({ "token": token, name: code });
    server.wire.call("two_factor_sign_in").json(&body)
}

#[tokio::test]
async fn nothing_is_asked_for_until_a_code_was_shown() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let begin = |password: &str| {
        let body = json!({ "password": password });
        ada.call("two_factor_begin").json(&body)
    };
    let confirm = |code: &str| {
        let body = json!({ "totp": code });
        ada.call("two_factor_confirm").json(&body)
    };
    confirm("287082").await.refused(400, "UR_41");
    begin("Correct-horse-2").await.refused(401, "UR_01");
    let former = Authenticator::from_answer(&begin(PASSWORD).await.ok());
    let begun = begin(PASSWORD).await.ok();
    let url = begun["totp_url"].as_str().expect("an address");
    let secret = begun["secret"].as_str().expect("a secret");
    assert_eq!(secret.len(), 32);
    assert_eq!(
        url,
        format!("otpauth://totp/multirail:ada%40books.example?secret={secret}&issuer=multirail")
    );
    let authenticator = Authenticator::from_answer(&begun);
    let phone = sign_in(&server, &ada.email, PASSWORD).await.ok();
    assert_eq!(phone["token_type"], "user_info");
    let phone = Person {
        token: token(&phone),
        email: ada.email.clone(),
        server: server.clone(),
    };
    let details = phone.details().await;
    assert_eq!(details["is_two_factor_auth_setup"], false);
    assert_eq!(details["recovery_codes_left"], 0);

    confirm(&authenticator.wrong()).await.refused(400, "UR_37");
    if former.code(0) != authenticator.code(0) {
        confirm(&former.code(0)).await.refused(400, "UR_37");
    }
    let codes = confirm(&authenticator.code(0)).await.ok();
    assert_eq!(codes["recovery_codes"].as_array().map(Vec::len), Some(10));
    // Sessions with only a password end, except the one that has just shown a code.
    phone.call("users_retrieve").await.refused(401, "IR_17");
    let details = ada.details().await;
    assert_eq!(details["is_two_factor_auth_setup"], true);
    assert_eq!(details["recovery_codes_left"], 10);
    begin(PASSWORD).await.refused(400, "IR_16");
    confirm(&authenticator.code(1)).await.refused(400, "IR_16");
}

#[tokio::test]
async fn signing_in_takes_two_steps_and_each_code_once() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let (authenticator, recovery) = turned_on(&ada).await;
    sign_in(&server, &ada.email, "Correct-horse-2")
        .await
        .refused(401, "UR_01");
    let first = asked(&server, &ada.email).await;
    let call = server.wire.call("users_retrieve").token(&first);
    call.await.refused(401, "IR_17");
    let step = |name: &str, code: &str| second_step(&server, &first, name, code);
    // The code that turned the second factor on is used up.
    let used = authenticator.code(0);
    step("totp", &used).await.refused(400, "UR_37");
    let none = json!({ "token": first });
    let call = server.wire.call("two_factor_sign_in").json(&none);
    call.await.refused(400, "UR_38");
    let both = json!({ "token": first, "totp": used, "recovery_code": recovery[0] });
    let call = server.wire.call("two_factor_sign_in").json(&both);
    call.await.refused(422, "IR_06");
    let signed_in = step("totp", &authenticator.code(1)).await.ok();
    assert_eq!(signed_in["token_type"], "user_info");
    let ada = Person {
        token: token(&signed_in),
        ..ada
    };
    ada.details().await;
    step("totp", &authenticator.code(1))
        .await
        .refused(401, "IR_17");
    let again = asked(&server, &ada.email).await;
    let call = second_step(&server, &again, "totp", &authenticator.code(1));
    call.await.refused(400, "UR_37");

    // A recovery code works once, in any spelling.
    let written = recovery[0].to_uppercase().replace('-', " ");
    let call = second_step(&server, &again, "recovery_code", &written);
    call.await.ok();
    assert_eq!(ada.details().await["recovery_codes_left"], 9);
    let once_more = asked(&server, &ada.email).await;
    let call = second_step(&server, &once_more, "recovery_code", &recovery[0]);
    call.await.refused(400, "UR_39");
    // The second step expires after five minutes, or with a new password.
    server.time_passes(300).await;
    let call = second_step(&server, &once_more, "recovery_code", &recovery[1]);
    call.await.refused(401, "IR_17");
    let begun = asked(&server, &ada.email).await;
    let next = json!({ "old_password": PASSWORD, "new_password": "Battery-staple-2" });
    ada.call("users_change_password").json(&next).await;
    let call = second_step(&server, &begun, "recovery_code", &recovery[1]);
    call.await.refused(401, "IR_17");
}

#[tokio::test]
async fn recovery_codes_are_renewed_and_the_second_factor_turned_off_by_password_and_code() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let proof = |password: &str, code: &str| json!({ "password": password, "recovery_code": code });
    let call = ada.call("two_factor_end");
    call.json(&proof(PASSWORD, "k3xq-7mzb-pf2a"))
        .await
        .refused(400, "UR_41");
    let (_, former) = turned_on(&ada).await;
    // The limit allows ten tries at once, enough for both operations.
    let none = json!({ "password": PASSWORD });
    for (operation, body, status, code) in [
        (
            "two_factor_end",
            proof("Correct-horse-2", &former[0]),
            401,
            "UR_01",
        ),
        (
            "two_factor_renew_recovery_codes",
            proof("Correct-horse-2", &former[0]),
            401,
            "UR_01",
        ),
        (
            "two_factor_renew_recovery_codes",
            proof(PASSWORD, "k3xq-7mzb-pf2a"),
            400,
            "UR_39",
        ),
        ("two_factor_end", none, 400, "UR_38"),
    ] {
        let call = ada.call(operation).json(&body);
        call.await.refused(status, code);
    }
    let call = ada.call("two_factor_renew_recovery_codes");
    let renewed = call.json(&proof(PASSWORD, &former[0])).await.ok();
    let renewed = renewed["recovery_codes"].as_array().expect("codes");
    let fresh = renewed[0].as_str().expect("a code");
    assert_eq!(ada.details().await["recovery_codes_left"], 10);
    let first = asked(&server, &ada.email).await;
    let call = second_step(&server, &first, "recovery_code", &former[1]);
    call.await.refused(400, "UR_39");

    let call = ada.call("two_factor_end").json(&proof(PASSWORD, fresh));
    let ended = call.await;
    assert_eq!((ended.status, ended.text.as_str()), (200, ""));
    let call = second_step(&server, &first, "recovery_code", fresh);
    call.await.refused(401, "IR_17");
    let signed_in = sign_in(&server, &ada.email, PASSWORD).await.ok();
    assert_eq!(signed_in["token_type"], "user_info");
    assert_eq!(ada.details().await["is_two_factor_auth_setup"], false);
}

#[tokio::test]
async fn all_servers_share_the_limit_on_guesses() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here: Shop = site.server("one").await.shop("bookshop").await;
    let ada = Person::new(&here.server, "ada").await;
    let (authenticator, recovery) = turned_on(&ada).await;
    let (there, here) = moved(here, site.server("two").await);
    let first = asked(&there.server, &ada.email).await;
    let wrong = authenticator.wrong();
    for server in [&ada.server, &there.server, &ada.server, &there.server] {
        let call = second_step(server, &first, "totp", &wrong);
        call.await.refused(400, "UR_37");
    }
    let call = second_step(&ada.server, &first, "recovery_code", "k3xq-7mzb-pf2a");
    call.await.refused(400, "UR_39");
    for (server, code) in [(&there.server, &recovery[0]), (&ada.server, &recovery[1])] {
        let refused = second_step(server, &first, "recovery_code", code).await;
        let wait: Option<u64> = refused
            .header("retry-after")
            .and_then(|text| text.parse().ok());
        assert!(
            wait.is_some_and(|wait| (200..=300).contains(&wait)),
            "{wait:?}"
        );
        refused.refused(429, "MR_03");
    }
    there.server.time_passes(300).await;
    // Refused recovery codes aren't used up.
    let first = asked(&there.server, &ada.email).await;
    let call = second_step(&there.server, &first, "recovery_code", &recovery[0]);
    call.await.ok();
    drop(here);
}

#[tokio::test]
async fn one_code_is_taken_by_one_of_two_servers() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here: Shop = site.server("one").await.shop("bookshop").await;
    let ada = Person::new(&here.server, "ada").await;
    let (authenticator, recovery) = turned_on(&ada).await;
    let (there, here) = moved(here, site.server("two").await);
    for (name, code, refused) in [
        ("totp", authenticator.code(1), "UR_37"),
        ("recovery_code", recovery[0].clone(), "UR_39"),
    ] {
        let (one, two) = (
            asked(&ada.server, &ada.email).await,
            asked(&there.server, &ada.email).await,
        );
        let (one, two) = tokio::join!(
            second_step(&ada.server, &one, name, &code).into_future(),
            second_step(&there.server, &two, name, &code).into_future(),
        );
        let (taken, other) = if one.status == 200 {
            (one, two)
        } else {
            (two, one)
        };
        assert_eq!(taken.status, 200, "{name}");
        other.refused(400, refused);
    }
    drop(here);
}
