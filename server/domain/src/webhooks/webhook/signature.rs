//! The two independent signatures by which a merchant verifies a delivery.
//!
//! - `x-webhook-signature-512` covers the body. Its key is the text of the profile's payment response hash key.
//! - `webhook-id`, `webhook-timestamp` and `webhook-signature` follow Standard Webhooks, whose libraries verify them. They
//!   cover id, time and body, so a recorded delivery can't be sent again later. While two secrets are valid there is a
//!   signature by each. (Standard Webhooks 1.0, scheme `v1`)

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use multirail_kernel::ids::EventId;
use multirail_kernel::timestamp::Timestamp;
use sha2::Sha256;

use crate::accounts::profile::ProfileSecrets;

/// Header with the lower-case hexadecimal HMAC-SHA512 of the body.
pub const SIGNATURE_512: &str = "x-webhook-signature-512";
/// Header with an id that is the same in all attempts of one delivery.
pub const WEBHOOK_ID: &str = "webhook-id";
/// Header with the time of the attempt, in whole seconds since 1970.
pub const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
/// Header with the signatures, each `v1,` and an HMAC-SHA256 in base64, separated by spaces.
pub const WEBHOOK_SIGNATURE: &str = "webhook-signature";

/// Returns the headers that sign one delivery attempt. `x-webhook-signature-512` needs the profile's key, the Standard Webhooks
/// headers need a valid secret. `now` is business time and decides which secrets are valid; `wall` is wall time and becomes
/// `webhook-timestamp`. In retries only the time and the Standard Webhooks signature differ.
pub fn signature_headers(
    secrets: &ProfileSecrets,
    initial_attempt_id: &EventId,
    body: &[u8],
    now: Timestamp,
    wall: Timestamp,
) -> Vec<(&'static str, String)> {
    let id = initial_attempt_id.as_str();
    let seconds = wall.unix_seconds();
    let mut headers = Vec::with_capacity(4);
    if let Some(signature) = secrets.signature_512(body) {
        headers.push((SIGNATURE_512, signature));
    }
    let valid = secrets.webhook_secrets.iter();
    let valid = valid.filter(|secret| secret.is_valid(now));
    let signatures: Vec<String> = valid
        .filter_map(|secret| Some(standard_signature(&secret.key()?, id, seconds, body)))
        .collect();
    if !signatures.is_empty() {
        headers.push((WEBHOOK_ID, id.to_owned()));
        headers.push((WEBHOOK_TIMESTAMP, seconds.to_string()));
        headers.push((WEBHOOK_SIGNATURE, signatures.join(" ")));
    }
    headers
}

/// Returns `v1,` and the base64 of HMAC-SHA256 over `id.seconds.body`.
fn standard_signature(key: &[u8], id: &str, seconds: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of HMAC has any length");
    mac.update(format!("{id}.{seconds}.").as_bytes());
    mac.update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests;
