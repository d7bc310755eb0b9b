//! A user with an authenticator: set-up, sign-in, recovery codes, and turning it off.

use serde_json::{Value, json};

use crate::authenticator::Authenticator;
use crate::run::micros;
use crate::run::{Run, Stop};

const PASSWORD: &str = "Correct-horse-1";

pub(super) async fn asked_for(run: &mut Run) -> Result<(), Stop> {
    let email = format!("lin_{}@conformance.example", micros());
    let who = json!({ "email": email, "password": PASSWORD });
    let call = run.wire.call("users_sign_up").json(&who);
    let signed_up = run.works("another user signs up", call, &[]).await?;
    let token = text(&signed_up["token"]);
    let wire = run.wire.clone();
    let asks = |operation: &str| wire.call(operation).token(&token);
    let password = json!({ "password": PASSWORD });
    let call = asks("two_factor_begin").json(&password);
    let begun = run.works("with an authenticator", call, &[]).await?;
    if begun["secret"].as_str().is_none() {
        return Err(Stop);
    }
    let authenticator = Authenticator::from_answer(&begun);
    let code = json!({ "totp": authenticator.code(0) });
    let call = asks("two_factor_confirm").json(&code);
    let codes = run
        .works("which is asked for from now on", call, &[])
        .await?;
    let call = run.wire.call("users_sign_in").json(&who);
    let wanted = [("/token_type", json!("totp"))];
    let first = run.works("so the user signs in", call, &wanted).await?;
    let step = |totp: String| json!({ "token": first["token"], "totp": totp });
    let call = wire.call("two_factor_sign_in");
    let call = call.json(&step(authenticator.code(0)));
    run.is_refused("not by a code of before", call, 400, "UR_37")
        .await;
    let call = wire.call("two_factor_sign_in");
    let call = call.json(&step(authenticator.code(1)));
    let wanted = [("/token_type", json!("user_info"))];
    run.works("but by the next one", call, &wanted).await?;
    let proof = |codes: &Value| {
        let code = &codes["recovery_codes"][0];
        json!({ "password": PASSWORD, "recovery_code": code })
    };
    let call = asks("two_factor_renew_recovery_codes").json(&proof(&codes));
    let renewed = run.works("recovery codes are made anew", call, &[]).await?;
    let call = asks("two_factor_end").json(&proof(&renewed));
    run.works("and it is turned off", call, &[]).await?;
    Ok(())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
