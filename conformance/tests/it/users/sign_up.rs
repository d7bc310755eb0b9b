//! Sign-up, and servers where it is closed.

use std::collections::BTreeSet;

use multirail_conformance::TestServer;
use multirail_server::config::Setting;
use serde_json::json;

use super::{PASSWORD, Person, sign_in};

#[tokio::test]
async fn a_user_comes_with_an_organization_a_merchant_account_and_a_role() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let details = ada.details().await;
    let names: BTreeSet<&str> = details
        .as_object()
        .expect("members")
        .keys()
        .map(String::as_str)
        .collect();
    for name in [
        "merchant_id",
        "name",
        "email",
        "role_id",
        "org_id",
        "is_two_factor_auth_setup",
        "recovery_codes_left",
        "profile_id",
        "entity_type",
    ] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    let merchant_id = details["merchant_id"].as_str().expect("an id");
    let seconds = merchant_id.strip_prefix("merchant_").expect("a prefix");
    assert!(seconds.parse::<i64>().is_ok(), "{merchant_id}");
    assert_eq!(details["email"], "ada@books.example");
    assert_eq!(details["name"], "ada");
    assert_eq!(details["role_id"], "org_admin");
    assert_eq!(details["entity_type"], "organization");
    let account = server
        .operator("merchant_accounts_retrieve")
        .at("account_id", merchant_id)
        .await
        .ok();
    assert_eq!(account["organization_id"], details["org_id"]);
    assert_eq!(account["merchant_account_type"], "standard");
    assert_eq!(account["default_profile"], details["profile_id"]);
    // Both sign up in the same second, which is a part of the id.
    let grace = Person::new(&server, "grace").await.details().await;
    assert_ne!(grace["merchant_id"], details["merchant_id"]);
    assert_ne!(grace["org_id"], details["org_id"]);

    // The address belongs to the same user in every spelling.
    let again = json!({ "email": " ADA@Books.example", "password": PASSWORD });
    let again = server.wire.call("users_sign_up").json(&again);
    again.await.refused(400, "UR_03");
    let longest = format!("Short-1{}", "x".repeat(63));
    let too_long = format!("{longest}x");
    for (email, password, code) in [
        ("ada", PASSWORD, "UR_07"),
        ("carol@books.example", "short-1A", "taken"),
        ("dan@books.example", &longest, "taken"),
        ("erin@books.example", &too_long, "UR_09"),
        ("carol@books.example", "Short-1", "UR_09"),
        ("carol@books.example", "no-capital-1", "UR_09"),
        ("carol@books.example", "NO-SMALL-1", "UR_09"),
        ("carol@books.example", "No-digit-here", "UR_09"),
        ("carol@books.example", "Nothing1else", "UR_09"),
        ("carol@books.example", "With a-blank1", "UR_09"),
    ] {
        let who = json!({ "email": email, "password": password });
        let answer = server.wire.call("users_sign_up").json(&who).await;
        if code == "taken" {
            let made = answer.ok();
            let members: Vec<&String> = made.as_object().expect("members").keys().collect();
            assert_eq!(members, ["token", "token_type"]);
            assert_eq!(made["token_type"], "user_info");
        } else {
            answer.refused(400, code);
        }
    }
    for (given, missing) in [
        (json!({ "email": "fay@books.example" }), "password"),
        (json!({ "password": PASSWORD }), "email"),
    ] {
        for operation in [
            "users_sign_up",
            "users_sign_in",
            "users_sign_in_alternative",
        ] {
            let refused = server.wire.call(operation).json(&given).await;
            assert!(refused.refused(400, "IR_04").contains(missing));
        }
    }
}

#[tokio::test]
async fn outside_the_sandbox_it_is_closed_unless_it_is_opened() {
    let closed = TestServer::start_in_production(|inputs| inputs).await;
    let who = json!({ "email": "ada@books.example", "password": PASSWORD });
    let refused = closed.wire.call("users_sign_up").json(&who).await;
    refused.refused(403, "IR_22");
    sign_in(&closed, "ada@books.example", PASSWORD)
        .await
        .refused(401, "UR_01");
    let opened =
        TestServer::start_in_production(|inputs| inputs.with(Setting::OpenSignUp, "true")).await;
    let ada = Person::new(&opened, "ada").await;
    // In production, ids of merchant accounts come from their names.
    let name = json!({ "organization_name": "Market Hall & Co." });
    let create = || ada.call("users_create_platform").json(&name);
    assert_eq!(create().await.ok()["merchant_id"], "market_hall_co");
    let again = create().await.ok();
    let id = again["merchant_id"].as_str().expect("an id");
    assert!(id.starts_with("market_hall_co_"), "{id}");
}
