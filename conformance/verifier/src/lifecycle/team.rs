//! The team of a user's merchant account.

use serde_json::{Value, json};

use crate::run::micros;
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

const PASSWORD: &str = "Correct-horse-1";

/// Manages the team of a new user's account. Its session goes on, so that its calls can be repeated.
pub(super) async fn managed(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let email = address("hopper");
    let who = json!({ "email": email, "password": PASSWORD });
    let call = run.wire.call("users_sign_up").json(&who);
    let owner = run.works("the owner of a team signs up", call, &[]).await?;
    let wanted = [
        ("/0/email", json!(email)),
        ("/0/role_id", json!("org_admin")),
        ("/0/status", json!("active")),
    ];
    let call = asks(run, &owner, "team_list");
    run.works("and is alone in it", call.clone(), &wanted)
        .await?;
    let call = call.query("limit", 101);
    run.is_refused("on no longer page", call, 422, "IR_06")
        .await;
    invited(run, &owner, &email).await?;
    above(run, merchant).await
}

fn address(name: &str) -> String {
    format!("{name}_{}@conformance.example", micros())
}

/// Builds a call with the token of a sign-in.
fn asks(run: &Run, signed_in: &Value, operation: &str) -> Call {
    let token = signed_in["token"].as_str().unwrap_or("-");
    run.wire.call(operation).token(token)
}

/// Invites a person to the team, and nobody who can't be.
async fn invited(run: &mut Run, owner: &Value, email: &str) -> Result<(), Stop> {
    let invites = |run: &Run, email: &str| {
        let body = json!({ "email": email, "role_id": "merchant_operator" });
        asks(run, owner, "team_invite").json(&body)
    };
    let call = invites(run, &address("grace"));
    let wanted = [("/role_id", json!("merchant_operator"))];
    run.works("somebody joins it", call, &wanted).await?;
    let call = invites(run, "babbage");
    run.is_refused("but nobody without an address", call, 400, "UR_07")
        .await;
    let call = invites(run, email);
    run.is_refused("nor who is in it", call, 400, "IR_16").await;
    Ok(())
}

/// Lets the admin of an account try what is above their role.
async fn above(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let email = address("jones");
    let invitation =
        json!({ "email": email, "role_id": "merchant_admin", "merchant_id": merchant.id });
    let call = run.operator("users_invite", &merchant.id).json(&invitation);
    let link = run.works("an admin of a shop", call, &[]).await?;
    let chosen = json!({ "token": link["password_token"], "password": PASSWORD });
    let call = run.wire.call("users_reset_password").json(&chosen);
    run.works("who chooses a password", call, &[]).await?;
    let who = json!({ "email": email, "password": PASSWORD });
    let call = run.wire.call("users_sign_in").json(&who);
    let admin = run.works("and signs in", call, &[]).await?;
    let body = json!({ "email": address("ritchie"), "role_id": "org_admin" });
    let call = asks(run, &admin, "team_invite").json(&body);
    run.is_refused("invites nobody above", call, 403, "IR_22")
        .await;
    Ok(())
}
