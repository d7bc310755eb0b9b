//! The team of a user's merchant account.

use serde_json::{Value, json};

use super::saved_views;
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
    let own = run
        .works(
            "whose account it is",
            asks(run, &owner, "users_retrieve"),
            &[],
        )
        .await?;
    let call = asks(run, &owner, "events_follow");
    run.works("its changes are followed", call, &[]).await?;
    invited(run, &owner, &email).await?;
    let call = asks(run, &owner, "audit_list_own");
    let invitations = call.clone().query("operation", "team_invite");
    let wanted = [("/0/principal_id", own["user_id"].clone())];
    run.works("which the log of the account has", invitations, &wanted)
        .await?;
    let call = call.query("limit", 101);
    run.is_refused("on no longer page either", call, 422, "IR_06")
        .await;
    changed(run, &owner, &own).await?;
    required(run, &owner).await?;
    saved_views::kept(run, &owner).await?;
    above(run, merchant).await
}

fn address(name: &str) -> String {
    format!("{name}_{}@conformance.example", micros())
}

/// Builds a call with the token of a sign-in.
pub(super) fn asks(run: &Run, signed_in: &Value, operation: &str) -> Call {
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

/// Builds a call about a member of the team.
fn about(run: &Run, signed_in: &Value, operation: &str, user: &Value) -> Call {
    let user_id = user["user_id"].as_str().unwrap_or("-");
    asks(run, signed_in, operation).at("user_id", user_id)
}

/// Makes a person a user with a role in an account; returns them signed in, and their user.
pub(super) async fn joined(
    run: &mut Run,
    role: &str,
    merchant_id: &str,
    name: &str,
) -> Result<(Value, Value), Stop> {
    let email = address(name);
    let invitation = json!({ "email": email, "role_id": role, "merchant_id": merchant_id });
    let call = run.operator("users_invite", merchant_id).json(&invitation);
    let user = run.works("one more member is invited", call, &[]).await?;
    let chosen = json!({ "token": user["password_token"], "password": PASSWORD });
    let call = run.wire.call("users_reset_password").json(&chosen);
    run.works("who chooses a password", call, &[]).await?;
    let who = json!({ "email": email, "password": PASSWORD });
    let call = run.wire.call("users_sign_in").json(&who);
    let signed_in = run.works("and signs in", call, &[]).await?;
    Ok((signed_in, user))
}

/// Changes the role of a member and removes them, but not the last admin.
async fn changed(run: &mut Run, owner: &Value, own: &Value) -> Result<(), Stop> {
    let merchant_id = own["merchant_id"].as_str().unwrap_or("-");
    let (_, user) = joined(run, "merchant_operator", merchant_id, "perlman").await?;
    let viewer = json!({ "role_id": "merchant_view_only" });
    let wanted = [("/role_id", json!("merchant_view_only"))];
    let call = about(run, owner, "team_update", &user).json(&viewer);
    run.works("only reads from now on", call, &wanted).await?;
    let call = about(run, owner, "team_end_sessions", &user);
    run.works("but not in the open sessions", call.clone(), &[])
        .await?;
    let call = call.moved("user_id", "user_unborn");
    run.is_refused("nobody else does", call, 404, "HE_02").await;
    let call = about(run, owner, "team_remove", &user);
    run.works("and leaves", call.clone(), &[]).await?;
    run.is_refused("but only once", call, 404, "HE_02").await;
    let call = about(run, owner, "team_update", &user).json(&viewer);
    run.is_refused("with no role to come back to", call, 404, "HE_02")
        .await;
    let call = about(run, owner, "team_update", own).json(&viewer);
    run.is_refused("the owner stays the admin", call, 400, "IR_16")
        .await;
    let call = about(run, owner, "team_remove", own);
    run.is_refused("and in the team", call, 400, "IR_16").await;
    Ok(())
}

/// Requires a second factor of the team, which its owner lacks.
async fn required(run: &mut Run, owner: &Value) -> Result<(), Stop> {
    let wanted = [("/two_factor_required", json!(false))];
    let call = asks(run, owner, "team_settings_retrieve");
    run.works("the password is enough", call, &wanted).await?;
    let sets = |run: &Run, is_required: bool| {
        let body = json!({ "two_factor_required": is_required });
        asks(run, owner, "team_settings_update").json(&body)
    };
    let call = sets(run, true);
    run.is_refused("for an owner without more", call, 400, "IR_16")
        .await;
    let call = sets(run, false);
    run.works("and stays so", call, &wanted).await?;
    Ok(())
}

/// Lets the admin of an account try what is above their role.
async fn above(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let (admin, _) = joined(run, "merchant_admin", &merchant.id, "jones").await?;
    let email = address("ritchie");
    let offer = json!({ "email": email, "role_id": "org_admin" });
    let call = asks(run, &admin, "team_invite").json(&offer);
    run.is_refused("invites nobody above", call, 403, "IR_22")
        .await;
    let (_, boss) = joined(run, "org_admin", &merchant.id, "dijkstra").await?;
    let call = about(run, &admin, "team_update", &boss);
    let viewer = json!({ "role_id": "merchant_view_only" });
    run.is_refused("lowers nobody above", call.json(&viewer), 403, "IR_22")
        .await;
    let call = about(run, &admin, "team_end_sessions", &boss);
    run.is_refused("signs out nobody above", call, 403, "IR_22")
        .await;
    let call = about(run, &admin, "team_remove", &boss);
    run.is_refused("and removes nobody above", call, 403, "IR_22")
        .await;
    Ok(())
}
