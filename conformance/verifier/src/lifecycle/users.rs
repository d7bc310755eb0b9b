//! Users: sign-up, their accounts, invitations, and sign-out.

use serde_json::{Value, json};

use super::platforms;
use crate::run::micros;
use crate::run::{Merchant, Run, Stop};

const PASSWORD: &str = "Correct-horse-1";
const NEXT_PASSWORD: &str = "Battery-staple-2";

pub(super) async fn signed_in(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let email = format!("ada_{}@conformance.example", micros());
    let who = json!({ "email": email, "password": PASSWORD });
    let wanted = [("/token_type", json!("user_info"))];
    let call = run.wire.call("users_sign_up").json(&who);
    run.works("a user signs up", call.clone(), &wanted).await?;
    run.is_refused("and once only", call, 400, "UR_03").await;
    let call = run.wire.call("users_sign_in").json(&who);
    let token = token(&run.works("and signs in", call, &wanted).await?);
    let call = run.wire.call("users_sign_in_alternative").json(&who);
    run.works("by the other path too", call, &wanted).await?;
    at_the_console(run, &who).await?;

    let wire = run.wire.clone();
    let asks = |operation: &str| wire.call(operation).token(&token);
    let wanted = [("/email", json!(email)), ("/role_id", json!("org_admin"))];
    run.works("who it is", asks("users_retrieve"), &wanted)
        .await?;
    let nameless = json!({ "organization_name": "" });
    let call = asks("users_create_platform").json(&nameless);
    run.is_refused("a platform of no name", call, 400, "IR_07")
        .await;
    for (scenario, body, status, code) in [
        (
            "a shop of no name",
            json!({ "company_name": "" }),
            400,
            "UR_14",
        ),
        (
            "a shop of no platform",
            json!({ "company_name": "Stall", "merchant_account_type": "connected" }),
            422,
            "IR_06",
        ),
    ] {
        let call = asks("users_create_merchant").json(&body);
        run.is_refused(scenario, call, status, code).await;
    }
    let call = asks("events_list").at("merchant_id", &merchant.id);
    run.is_refused(
        "what another merchant is told",
        call.json(&json!({})),
        403,
        "IR_22",
    )
    .await;
    let call = asks("users_create_platform").json(&json!({ "organization_name": "Market hall" }));
    let wanted = [
        ("/org_name", json!("Market hall")),
        ("/org_type", json!("platform")),
        ("/merchant_account_type", json!("platform")),
    ];
    let platform = run.works("a platform is made", call, &wanted).await?;
    platforms::acting(run, &platform).await?;
    let call = asks("users_create_merchant").json(&json!({ "company_name": "Flower shop" }));
    let wanted = [("/merchant_name", json!("Flower shop"))];
    let shop = run.works("a second shop", call, &wanted).await?;
    let call = asks("users_list_merchants");
    let wanted = [
        ("/0/is_current", json!(true)),
        // The platform and its connected account are between them.
        ("/3/merchant_id", shop["merchant_id"].clone()),
        ("/3/role_id", json!("org_admin")),
    ];
    run.works("all of them are listed", call.clone(), &wanted)
        .await?;
    let call = call.query("limit", 101);
    run.is_refused("but not that many", call, 422, "IR_06")
        .await;
    let there = json!({ "merchant_id": shop["merchant_id"] });
    let call = asks("users_switch_merchant").json(&there);
    run.works("which the user goes to", call, &[]).await?;
    let call = asks("console_sessions_switch_merchant").json(&there);
    let wanted = [("/status", json!("signed_in"))];
    run.works("at the console too", call, &wanted).await?;
    let call = asks("events_profile_list").json(&json!({}));
    let wanted = [("/total_count", json!(0))];
    run.works("nothing has happened there", call, &wanted)
        .await?;
    let seen = asks("user_sessions_list");
    let wanted = [
        ("/0/is_current", json!(false)),
        ("/0/kind", json!("console")),
    ];
    let seen = run
        .works("where the user is signed in", seen, &wanted)
        .await?;
    let other = seen[0]["session_id"].as_str().unwrap_or("-");
    let call = asks("user_sessions_end").at("session_id", other);
    run.works("which the user ends there", call, &[]).await?;
    let call = asks("user_sessions_end_others");
    run.works("and everywhere else", call, &[]).await?;
    let next = json!({ "old_password": PASSWORD, "new_password": NEXT_PASSWORD });
    let call = asks("users_change_password").json(&next);
    run.works("another password", call, &[]).await?;

    let invited = format!("grace_{}@conformance.example", micros());
    let invitation =
        json!({ "email": invited, "role_id": "merchant_developer", "merchant_id": merchant.id });
    let call = run.operator("users_invite", &merchant.id).json(&invitation);
    let wanted = [("/role_id", json!("merchant_developer"))];
    let link = run.works("somebody is invited", call, &wanted).await?;
    let chosen = json!({ "token": link["password_token"], "password": PASSWORD });
    let call = run.wire.call("users_reset_password").json(&chosen);
    run.works("who chooses a password", call, &[]).await?;
    let who = json!({ "email": invited, "password": PASSWORD });
    let call = run.wire.call("users_sign_in").json(&who);
    let theirs = self::token(&run.works("and signs in", call, &[]).await?);
    let hall = json!({ "organization_name": "Market hall" });
    let call = wire.call("users_create_platform").token(&theirs);
    run.is_refused("but makes no platform", call.json(&hall), 403, "IR_22")
        .await;
    let everything = json!({ "name": "everything", "expiration": "never" });
    let of_key = |operation: &str, body: &Value| {
        let call = wire.call(operation).token(&theirs);
        let call = call.at("merchant_id", &merchant.id);
        call.at("key_id", &merchant.key_id).json(body)
    };
    let call = of_key("api_keys_create", &everything);
    run.is_refused("nor a key to everything", call, 403, "IR_22")
        .await;
    let call = of_key("api_keys_update", &json!({ "name": "mine" }));
    run.is_refused("nor takes one over", call, 403, "IR_22")
        .await;
    let call = run.wire.call("users_forgot_password");
    let call = call.json(&json!({ "email": invited }));
    run.works("and forgets it", call, &[]).await?;
    let lost = json!({ "email": invited, "two_factor": true });
    let call = run
        .operator("users_reset_sign_in", &merchant.id)
        .json(&lost);
    let wanted = [("/two_factor", json!(false))];
    run.works("and lost what was not there", call, &wanted)
        .await?;
    let call = run
        .operator("users_remove_role", &merchant.id)
        .json(&invitation);
    let wanted = [("/role_id", json!("merchant_developer"))];
    run.works("who leaves has no role any more", call, &wanted)
        .await?;
    let call = run.wire.call("users_sign_in").json(&who);
    run.is_refused("and is let in nowhere", call, 403, "IR_22")
        .await;

    run.works("the user signs out", asks("users_sign_out"), &[])
        .await?;
    run.is_refused(
        "and the token is good for nothing",
        asks("users_retrieve"),
        401,
        "IR_17",
    )
    .await;
    Ok(())
}

/// Begins sessions of the console, as a browser does.
async fn at_the_console(run: &mut Run, who: &Value) -> Result<(), Stop> {
    let wire = run.wire.clone();
    let begins = |body: &Value| wire.call("console_sessions_begin").json(body);
    let right = begins(&json!({ "password": who }));
    let wanted = [
        ("/status", json!("signed_in")),
        ("/second_step_token", Value::Null),
    ];
    run.works("and at the console", right.clone(), &wanted)
        .await?;
    let elsewhere = right.header("sec-fetch-site", "cross-site");
    run.is_refused("but from no other page", elsewhere, 403, "IR_22")
        .await;
    let wrong = json!({ "email": who["email"], "password": NEXT_PASSWORD });
    let step = json!({ "token": "otp_of_nobody", "totp": "287082" });
    for (scenario, body, status, code) in [
        ("by nothing", json!({}), 400, "IR_04"),
        (
            "by two ways",
            json!({ "password": who, "second_step": step }),
            422,
            "IR_06",
        ),
        (
            "by another password",
            json!({ "password": wrong }),
            401,
            "UR_01",
        ),
        (
            "after no first step",
            json!({ "second_step": step }),
            401,
            "IR_17",
        ),
        (
            "by a link of nobody's",
            json!({ "link": { "token": "sil_of_nobody" } }),
            401,
            "UR_04",
        ),
        (
            "by no admin key",
            json!({ "operator": { "admin_api_key": "key_of_nobody" } }),
            401,
            "IR_01",
        ),
        (
            "by a provider to which nobody went",
            json!({ "oidc": { "state": "s", "code": "c" } }),
            401,
            "IR_17",
        ),
    ] {
        run.is_refused(scenario, begins(&body), status, code).await;
    }
    let call = run.operator("console_sessions_end_operator", "-");
    run.works("the operator has no session to end", call, &[])
        .await?;
    Ok(())
}

/// Invites an administrator of the merchant's organization; returns their token.
pub(super) async fn invited(run: &mut Run, merchant: &Merchant) -> Result<String, Stop> {
    let email = format!("lovelace_{}@conformance.example", micros());
    let invitation = json!({ "email": email, "role_id": "org_admin", "merchant_id": merchant.id });
    let call = run.operator("users_invite", &merchant.id).json(&invitation);
    let wanted = [("/role_id", json!("org_admin"))];
    let link = run
        .works("an administrator is invited", call, &wanted)
        .await?;
    let chosen = json!({ "token": link["password_token"], "password": PASSWORD });
    let call = run.wire.call("users_reset_password").json(&chosen);
    run.works("and chooses a password", call, &[]).await?;
    let who = json!({ "email": email, "password": PASSWORD });
    let call = run.wire.call("users_sign_in").json(&who);
    Ok(token(&run.works("and signs in", call, &[]).await?))
}

fn token(signed_in: &Value) -> String {
    signed_in["token"].as_str().unwrap_or_default().to_owned()
}
