//! Builds notices of the simulated processor.

use aws_lc_rs::hmac;
use serde_json::{Value, json};

use crate::wire::Call;

/// The secret of notices in these stories.
pub const SECRET: &str = "what only the processor and we know";

/// Returns the member of a connector account with the notices' secret.
pub fn webhook_details() -> Value {
    json!({ "connector_webhook_details": { "merchant_secret": SECRET } })
}

/// Builds the notice "The authorization of this key was approved."
pub fn approved(key: &str, amount: i64) -> Value {
    notice(
        key,
        "authorize",
        "approved",
        json!({ "approved_amount": amount, "amount": amount }),
    )
}

/// Builds the notice "The authorization of this key was declined."
pub fn declined(key: &str, amount: i64) -> Value {
    let error = json!({ "code": "DC_02", "message": "the issuer said no" });
    notice(
        key,
        "authorize",
        "declined",
        json!({ "amount": amount, "error": error }),
    )
}

/// Builds the notice "The capture or refund of this key was done."
pub fn done(key: &str, operation: &str, amount: i64) -> Value {
    notice(key, operation, "done", json!({ "amount": amount }))
}

/// Builds the notice of a capture made at the processor itself: of this authorization, under a key of its own.
pub fn captured_elsewhere(authorization: &str, amount: i64) -> Value {
    let mut told = done("asked_for_elsewhere", "capture", amount);
    told["authorization"] = authorization.into();
    told
}

/// Builds the notice "The capture or refund of this key failed after all, whatever was said before."
pub fn failed_after_all(key: &str, operation: &str, amount: i64) -> Value {
    let error = json!({ "code": "DC_15", "message": "the bank sent it back" });
    notice(
        key,
        operation,
        "declined",
        json!({ "amount": amount, "error": error }),
    )
}

/// Builds the notice of a dispute with this stage and status, about a payment with the dispute card.
pub fn disputed(payment: &Value, stage: &str, status: &str) -> Value {
    let authorization = payment["connector_transaction_id"].as_str().unwrap_or("-");
    json!({
        "id": format!("{authorization}_{stage}_{status}"), "happened_at": "2026-11-21T10:15:00Z",
        "dispute": {
            "reference": format!("{authorization}_dispute"), "authorization": authorization, "stage": stage, "status": status,
            "amount": payment["amount"], "currency": payment["currency"], "reason": "fraudulent", "reason_code": "10.4",
        },
    })
}

fn notice(key: &str, operation: &str, status: &str, more: Value) -> Value {
    let mut answer = json!({
        "key": key, "reference": format!("sim_{key}"), "status": status, "currency": "USD",
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        answer[name] = value.clone();
    }
    // An authorization also has the processor's own reference.
    let authorization = (operation == "authorize").then(|| format!("sim_{key}"));
    json!({
        "id": format!("{key}_{status}"), "authorization": authorization, "operation": operation, "word": status, "key": key,
        "happened_at": "2026-11-21T10:15:00Z", "answer": answer,
    })
}

/// The header with the simulated processor's signature.
const SIGNATURE_HEADER: &str = "simulator-signature";

/// Signs a notice's body with the merchant's secret.
fn sign(secret: &str, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, body.as_bytes());
    let bytes = tag.as_ref().iter();
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// Builds a call of `notices_receive` with this body, signed with this secret.
pub fn signed(call: Call, secret: &str, body: &Value) -> Call {
    let body = body.to_string();
    call.header(SIGNATURE_HEADER, &sign(secret, &body))
        .text("application/json", body)
}
