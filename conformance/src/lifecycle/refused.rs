//! What is refused, and no other story comes across.

use serde_json::{Value, json};

use super::accounts::micros;
use super::run::{Merchant, Run, Stop};

const PASSWORD: &str = "Correct-horse-1";

pub(super) async fn people(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let email = format!("babbage_{}@conformance.example", micros());
    let wire = run.wire.clone();
    let who = |email: &str, password: &str| json!({ "email": email, "password": password });
    let call = wire.call("users_sign_in").json(&who(&email, PASSWORD));
    run.is_refused("nobody signs in", call, 401, "UR_01")
        .await?;
    let call = wire.call("users_sign_up").json(&who("babbage", PASSWORD));
    run.is_refused("without an address", call, 400, "UR_07")
        .await?;
    let call = wire.call("users_sign_up").json(&who(&email, "engine"));
    run.is_refused("with a bad password", call, 400, "UR_09")
        .await?;
    let chosen = json!({ "token": "nobody_was_given_this", "password": PASSWORD });
    let call = wire.call("users_reset_password").json(&chosen);
    run.is_refused("by a link of nobody's", call, 401, "UR_04")
        .await?;
    let invite = |run: &Run, email: &str, merchant_id: &str| {
        let body =
            json!({ "email": email, "role_id": "merchant_operator", "merchant_id": merchant_id });
        run.operator("users_invite", merchant_id).json(&body)
    };
    let call = invite(run, "babbage", &merchant.id);
    run.is_refused("invited without an address", call, 400, "UR_07")
        .await?;
    let call = invite(run, &email, "no_such_account");
    run.is_refused("invited to nowhere", call, 404, "HE_02")
        .await
}

/// A code that no mapping is about.
pub(super) async fn mappings(run: &mut Run) -> Result<(), Stop> {
    let place = json!({
        "connector": "fauxpay", "flow": "Authorize", "sub_flow": "sub_flow", "code": "LIFE_404", "message": "",
    });
    let call = |run: &Run, operation: &str, body: &Value| run.operator(operation, "-").json(body);
    for operation in ["gsm_retrieve", "gsm_update", "gsm_delete"] {
        let call = call(run, operation, &place);
        run.is_refused("of no mapping", call, 404, "HE_02").await?;
    }
    Ok(())
}
