//! Refusals that no other story meets.

use std::time::Instant;

use serde_json::{Value, json};

use crate::authenticator::Authenticator;
use crate::bodies::with;
use crate::report::{Kind, Outcome};
use crate::run::micros;
use crate::run::{Merchant, Run, Stop};
use crate::wire::{Call, Wire};

const PASSWORD: &str = "Correct-horse-1";
const OTHER_PASSWORD: &str = "Battery-staple-2";
/// A recovery code in the right form that belongs to nobody.
const RECOVERY_CODE: &str = "k3xq-7mzb-pf2a";
/// The number of tries that the server accepts at once.
const AT_ONCE: usize = 10;

pub(super) async fn people(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let email = format!("babbage_{}@conformance.example", micros());
    let wire = run.wire.clone();
    let who = |email: &str, password: &str| json!({ "email": email, "password": password });
    let call = wire.call("users_sign_in").json(&who(&email, PASSWORD));
    run.is_refused("nobody signs in", call, 401, "UR_01").await;
    let call = wire.call("users_sign_up").json(&who("babbage", PASSWORD));
    run.is_refused("without an address", call, 400, "UR_07")
        .await;
    let call = wire.call("users_sign_up").json(&who(&email, "engine"));
    run.is_refused("with a bad password", call, 400, "UR_09")
        .await;
    let chosen = json!({ "token": "nobody_was_given_this", "password": PASSWORD });
    let call = wire.call("users_reset_password").json(&chosen);
    run.is_refused("by a link of nobody's", call, 401, "UR_04")
        .await;
    let invite = |run: &Run, email: &str, merchant_id: &str| {
        let body =
            json!({ "email": email, "role_id": "merchant_operator", "merchant_id": merchant_id });
        run.operator("users_invite", merchant_id).json(&body)
    };
    let call = invite(run, "babbage", &merchant.id);
    run.is_refused("invited without an address", call, 400, "UR_07")
        .await;
    let call = invite(run, &email, "no_such_account");
    run.is_refused("invited to nowhere", call, 404, "HE_02")
        .await;
    Ok(())
}

/// A newly signed-up user.
struct Person {
    wire: Wire,
    email: String,
    token: String,
}

impl Person {
    async fn signs_up(run: &mut Run, name: &str) -> Result<Self, Stop> {
        let email = format!("{name}_{}@conformance.example", micros());
        let who = json!({ "email": email, "password": PASSWORD });
        let call = run.wire.call("users_sign_up").json(&who);
        let signed_up = run.works("one more user signs up", call, &[]).await?;
        Ok(Person {
            wire: run.wire.clone(),
            email,
            token: signed_up["token"].as_str().unwrap_or("-").to_owned(),
        })
    }

    fn asks(&self, operation: &str, body: &Value) -> Call {
        self.wire.call(operation).token(&self.token).json(body)
    }

    async fn begins(&self, run: &mut Run) -> Result<Authenticator, Stop> {
        let call = self.asks("two_factor_begin", &password(PASSWORD));
        let begun = run.works("with an authenticator", call, &[]).await?;
        begun["secret"].as_str().ok_or(Stop)?;
        Ok(Authenticator::from_answer(&begun))
    }

    /// Turns the second factor on.
    async fn confirms(&self, run: &mut Run, authenticator: &Authenticator) -> Result<(), Stop> {
        let call = self.asks("two_factor_confirm", &code(authenticator.code(0)));
        run.works("which is asked for", call, &[]).await.map(drop)
    }
}

fn password(text: &str) -> Value {
    json!({ "password": text })
}

fn code(text: String) -> Value {
    json!({ "totp": text })
}

/// Sets up second factors in the wrong order, and with wrong passwords and codes. Each user only uses up the tries
/// that are allowed at once, so that no other call is delayed.
pub(super) async fn second_factor(run: &mut Run) -> Result<(), Stop> {
    let lise = Person::signs_up(run, "lise").await?;
    let recovery = json!({ "recovery_code": RECOVERY_CODE });
    let proof = with(password(PASSWORD), recovery.clone());
    let call = lise.asks("two_factor_confirm", &code("287082".to_owned()));
    run.is_refused("what wasn't begun", call, 400, "UR_41")
        .await;
    let call = lise.asks("two_factor_renew_recovery_codes", &proof);
    run.is_refused("of no second factor", call, 400, "UR_41")
        .await;
    let begins = |password: &Value| lise.asks("two_factor_begin", password);
    let call = begins(&password(OTHER_PASSWORD));
    run.is_refused("by another password", call, 401, "UR_01")
        .await;
    let authenticator = lise.begins(run).await?;
    let call = lise.asks("two_factor_confirm", &code(authenticator.wrong()));
    run.is_refused("by another code", call, 400, "UR_37").await;
    lise.confirms(run, &authenticator).await?;
    let call = begins(&password(PASSWORD));
    run.is_refused("begun twice", call, 400, "IR_16").await;
    let confirm = lise.asks("two_factor_confirm", &code(authenticator.code(1)));
    run.is_refused("confirmed twice", confirm.clone(), 400, "IR_16")
        .await;
    let changes = |old: &str, new: &str| {
        let both = json!({ "old_password": old, "new_password": new });
        lise.asks("users_change_password", &both)
    };
    let call = changes(PASSWORD, PASSWORD);
    run.is_refused("to the former one", call, 400, "UR_09")
        .await;
    let call = changes(OTHER_PASSWORD, "Battery-staple-3");
    run.is_refused("from another one", call, 401, "UR_01").await;
    for call in [
        begins(&password(PASSWORD)),
        confirm,
        lise.asks("two_factor_renew_recovery_codes", &proof),
        changes(PASSWORD, OTHER_PASSWORD),
    ] {
        is_put_off(run, call).await;
    }

    let gerty = Person::signs_up(run, "gerty").await?;
    let authenticator = gerty.begins(run).await?;
    gerty.confirms(run, &authenticator).await?;
    let wrong = code(authenticator.wrong());
    let both = with(wrong.clone(), recovery.clone());
    let with_password = |more: &Value| with(password(PASSWORD), more.clone());
    let none = json!({});
    for (scenario, body, status, code) in [
        (
            "by another password",
            with(password(OTHER_PASSWORD), recovery.clone()),
            401,
            "UR_01",
        ),
        ("by no code", with_password(&none), 400, "UR_38"),
        ("by two codes", with_password(&both), 422, "IR_06"),
        ("by another code", with_password(&wrong), 400, "UR_37"),
        ("by another recovery code", proof, 400, "UR_39"),
    ] {
        let call = gerty.asks("two_factor_renew_recovery_codes", &body);
        run.is_refused(scenario, call, status, code).await;
    }
    let who = json!({ "email": gerty.email, "password": PASSWORD });
    let call = run.wire.call("users_sign_in").json(&who);
    let first = run.works("the first step", call, &[]).await?;
    let first = json!({ "token": first["token"] });
    let of_nobody = json!({ "token": "otp_of_nobody" });
    for (scenario, token, more, status, code) in [
        ("by no code", &first, none, 400, "UR_38"),
        ("by two codes", &first, both, 422, "IR_06"),
        (
            "by another recovery code",
            &first,
            recovery.clone(),
            400,
            "UR_39",
        ),
        ("after no first step", &of_nobody, recovery, 401, "IR_17"),
    ] {
        let call = run.wire.call("two_factor_sign_in");
        let call = call.json(&with(token.clone(), more));
        run.is_refused(scenario, call, status, code).await;
    }
    if run.admin_key.is_none() {
        return Ok(());
    }
    let call = gerty.wire.call("users_retrieve").token(&gerty.token);
    let user = run.works("where the user is", call, &[]).await?;
    let role = json!({
        "email": gerty.email, "role_id": user["role_id"], "merchant_id": user["merchant_id"],
    });
    let call = run.operator("users_remove_role", "-").json(&role);
    run.works("the user has no role any more", call, &[])
        .await?;
    let call = run.wire.call("users_sign_in").json(&who);
    let again = run
        .works("the first step is none of that", call, &[])
        .await?;
    let right = json!({ "token": again["token"], "totp": authenticator.code(1) });
    let call = run.wire.call("two_factor_sign_in").json(&right);
    run.is_refused("the second leads nowhere", call, 403, "IR_22")
        .await;
    Ok(())
}

/// Tries one address more often than a person mistypes.
pub(super) async fn guessing(run: &mut Run) {
    let email = format!("nobody_{}@conformance.example", micros());
    let asks = |run: &Run, operation: &str, body: &Value| run.wire.call(operation).json(body);
    let who = json!({ "email": email, "password": PASSWORD });
    let forgot = asks(run, "users_forgot_password", &json!({ "email": email }));
    for_long(run, &forgot).await;
    for call in [
        forgot,
        asks(run, "users_sign_in", &who),
        asks(run, "users_sign_up", &who),
    ] {
        is_put_off(run, call).await;
    }
    let token = format!("nobody_was_given_{}", micros());
    let chosen = json!({ "token": token, "password": PASSWORD });
    let chosen = asks(run, "users_reset_password", &chosen);
    for_long(run, &chosen).await;
    let proof = json!({ "token": token, "recovery_code": RECOVERY_CODE });
    let back = json!({ "token": token, "state": "s", "code": "c" });
    for call in [
        chosen,
        asks(run, "two_factor_sign_in", &proof),
        asks(run, "oidc_sign_in", &back),
    ] {
        is_put_off(run, call).await;
    }
    if let Ok(emmy) = Person::signs_up(run, "emmy").await {
        let call = emmy.asks("oidc_unlink", &password(OTHER_PASSWORD));
        for_long(run, &call).await;
        is_put_off(run, call).await;
    }
}

/// Makes a call as often as the server accepts at once.
pub(super) async fn for_long(run: &mut Run, call: &Call) {
    for _ in 0..AT_ONCE {
        if is_tried(run, call) {
            // The outcome doesn't matter, because the next call shows whether calls can be made.
            let _ = run.send(call.clone()).await;
        }
    }
}

/// Returns whether the refusals of the call's operation are checked.
fn is_tried(run: &Run, call: &Call) -> bool {
    let operation = call.operation();
    operation.is_none_or(|operation| run.plan.tries(operation))
}

/// Checks that too many tries are refused with a wait. The document names no limit, so a server that allows more also
/// passes.
pub(super) async fn is_put_off(run: &mut Run, call: Call) {
    if !is_tried(run, &call) {
        return;
    }
    let (operation, started) = (call.name(), Instant::now());
    let outcome = match run.send(call).await {
        Err(wrong) => Outcome::wrong(&wrong),
        Ok(answer) if answer.is_refusal(429, "MR_03") => Outcome::Passed,
        Ok(_) => Outcome::Skipped("the server lets one try more often".to_owned()),
    };
    let took = started.elapsed();
    run.row(operation, Kind::Refusals, "once more", outcome, took);
}

/// A code without a mapping.
pub(super) async fn mappings(run: &mut Run) -> Result<(), Stop> {
    let place = json!({
        "connector": "fauxpay", "flow": "Authorize", "sub_flow": "sub_flow", "code": "LIFE_404", "message": "",
    });
    let call = |run: &Run, operation: &str, body: &Value| run.operator(operation, "-").json(body);
    for operation in ["gsm_retrieve", "gsm_update", "gsm_delete"] {
        let call = call(run, operation, &place);
        run.is_refused("of no mapping", call, 404, "HE_02").await;
    }
    Ok(())
}
