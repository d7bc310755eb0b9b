//! A sign-in with the server's identity provider, if it has one. Only a stand-in signs in a test's members; with any
//! other provider the story ends at its page.

use serde_json::{Value, json};

use crate::identity_provider::{IdentityProvider, Member};
use crate::run::micros;
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

const PASSWORD: &str = "Correct-horse-1";

pub(super) async fn let_in(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let provider = run.provider.clone();
    let email = format!("mary_{}@conformance.example", micros());
    let who = json!({ "email": email, "password": PASSWORD });
    let call = run.wire.call("users_sign_up").json(&who);
    let signed_up = run.works("a third user signs up", call, &[]).await?;
    let token = text(&signed_up["token"]);
    let wire = run.wire.clone();
    let asks = |operation: &str| wire.call(operation).token(&token);
    let wanted = [("/0/auth_method/type", json!("password"))];
    let call = wire.call("oidc_methods");
    let ways = run.works("ways to sign in", call, &wanted).await?;
    let is_known = ways.as_array().is_some_and(|ways| ways.len() > 1);
    at_the_console(run, is_known).await?;
    let begins = wire.call("oidc_begin");
    let answer = json!({ "token": "oidc_unborn", "state": "s", "code": "c" });
    let password = json!({ "password": PASSWORD });
    let Some(provider) = provider.as_deref().filter(|_| is_known) else {
        let (status, code) = if is_known {
            (401, "IR_17")
        } else {
            (403, "IR_22")
        };
        if is_known {
            run.works("the provider's page", begins, &[]).await?;
        } else {
            run.is_refused("there is no provider", begins, status, code)
                .await;
        }
        let call = wire.call("oidc_sign_in").json(&answer);
        run.is_refused("nothing was begun", call, status, code)
            .await;
        let call = asks("oidc_link").json(&joined(&answer, &password));
        run.is_refused("nor to link with", call, status, code).await;
        let call = asks("oidc_unlink").json(&password);
        run.is_refused("and nothing is linked", call, 400, "IR_16")
            .await;
        return Ok(());
    };

    let call = wire.call("oidc_sign_in").json(&answer);
    run.is_refused("nothing was begun", call, 401, "IR_17")
        .await;
    let sub = format!("sub-{email}");
    provider.knows(Member::new(&sub, &email));
    let forged = back(run, begins.clone(), provider, &sub).await?;
    let forged = joined(&forged, &json!({ "code": "of_nobody" }));
    let call = wire.call("oidc_sign_in").json(&forged);
    run.is_refused("by a code of nobody's", call, 400, "UR_46")
        .await;
    let back = back(run, begins.clone(), provider, &sub).await?;
    let call = wire.call("oidc_sign_in").json(&back);
    run.is_refused("who has a password has to link", call, 403, "IR_22")
        .await;
    let other = json!({ "password": "Battery-staple-2" });
    let proof = back_with(run, begins.clone(), provider, &sub, &other).await?;
    let call = asks("oidc_link").json(&proof);
    run.is_refused("by another password", call, 401, "UR_01")
        .await;
    let proof = back_with(run, begins.clone(), provider, &sub, &password).await?;
    let call = asks("oidc_link").json(&proof);
    run.works("which takes the password", call, &[]).await?;
    let proof = back_with(run, begins.clone(), provider, &sub, &password).await?;
    let call = asks("oidc_link").json(&proof);
    run.is_refused("and is not done twice", call, 400, "IR_16")
        .await;
    let answer = self::back(run, begins.clone(), provider, &sub).await?;
    let call = wire.call("oidc_sign_in").json(&answer);
    let wanted = [("/token_type", json!("user_info"))];
    run.works("and is let in from then on", call, &wanted)
        .await?;
    let call = asks("oidc_unlink").json(&other);
    run.is_refused("by another password", call, 401, "UR_01")
        .await;
    let call = asks("oidc_unlink").json(&password);
    run.works("until it is undone", call, &[]).await?;

    let invited = format!("emmy_{}@conformance.example", micros());
    let role =
        json!({ "email": invited, "role_id": "merchant_operator", "merchant_id": merchant.id });
    let call = run.operator("users_invite", &merchant.id).json(&role);
    run.works("somebody is invited without a password", call, &[])
        .await?;
    let sub = format!("sub-{invited}");
    provider.knows(Member::new(&sub, &invited));
    let answer = self::back(run, begins, provider, &sub).await?;
    let call = wire.call("oidc_sign_in").json(&answer);
    run.works("and needs none", call, &wanted).await?;
    Ok(())
}

/// Begins a sign-in to the console, as a browser does. The cookie that finishes it counts for the console's page only.
async fn at_the_console(run: &mut Run, is_known: bool) -> Result<(), Stop> {
    let call = run.wire.call("console_sessions_begin_oidc");
    let begins = call.json(&json!({ "screen": "/payments" }));
    let elsewhere = begins.clone().header("sec-fetch-site", "cross-site");
    run.is_refused(
        "the console sends to no other page",
        elsewhere,
        403,
        "IR_22",
    )
    .await;
    if is_known {
        run.works("the console sends to the provider", begins, &[])
            .await?;
    } else {
        run.is_refused("the console has no provider", begins, 403, "IR_22")
            .await;
    }
    Ok(())
}

/// Builds the parameters that a browser brings back from the provider.
async fn back(
    run: &mut Run,
    begins: Call,
    provider: &IdentityProvider,
    sub: &str,
) -> Result<Value, Stop> {
    back_with(run, begins, provider, sub, &json!({})).await
}

/// Builds these parameters with changes.
async fn back_with(
    run: &mut Run,
    begins: Call,
    provider: &IdentityProvider,
    sub: &str,
    more: &Value,
) -> Result<Value, Stop> {
    let begun = run.works("a visit to the provider", begins, &[]).await?;
    let page = begun["auth_url"].as_str().ok_or(Stop)?;
    let back = provider.visit(page, sub).await;
    let answer = json!({ "token": begun["token"], "state": back.state, "code": back.code });
    Ok(joined(&answer, more))
}

fn joined(one: &Value, more: &Value) -> Value {
    let members = one.as_object().into_iter().chain(more.as_object());
    let members = members
        .flatten()
        .map(|(name, value)| (name.clone(), value.clone()));
    Value::Object(members.collect())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
