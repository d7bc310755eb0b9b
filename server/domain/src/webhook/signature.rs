//! How a merchant knows that a delivery is ours: two signatures, independent of each other.
//!
//! - `x-webhook-signature-512` covers the body. Its key is the profile's payment response hash key, as it is written.
//! - `webhook-id`, `webhook-timestamp` and `webhook-signature` are those of Standard Webhooks, which every library of
//!   that name verifies. They cover id, time and body, so that a delivery that somebody kept can't be sent again later.
//!   While two secrets are valid there is a signature by each. (Standard Webhooks 1.0, scheme `v1`)

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

use crate::ids::EventId;
use crate::profile::ProfileSecrets;
use crate::random::Random;
use crate::secret::SecretText;
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;

/// Header with the lower-case hexadecimal HMAC-SHA512 of the body.
pub const SIGNATURE_512: &str = "x-webhook-signature-512";
/// Header with what is the same in every try of one delivery.
pub const WEBHOOK_ID: &str = "webhook-id";
/// Header with the moment of the try, in whole seconds since 1970.
pub const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
/// Header with the signatures, each `v1,` and a HMAC-SHA256 in base64, a space between two.
pub const WEBHOOK_SIGNATURE: &str = "webhook-signature";

/// How a secret begins; base64 of the key follows.
const SECRET_PREFIX: &str = "whsec_";
/// Bytes of a new key; the scheme allows 24 to 64.
const KEY_BYTES: usize = 32;

/// A secret that signs deliveries until it ends. Doesn't print.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookSecret {
    /// `whsec_` and the key in base64: what merchants give to the library that verifies.
    #[serde(with = "crate::secret::sealed")]
    pub secret: SecretText,
    pub created_at: Timestamp,
    /// From then on it signs no more; `None` while no newer one has taken its place. Business time.
    pub expires_at: Option<Timestamp>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl WebhookSecret {
    /// A new one without an end.
    pub fn generate(now: Timestamp, random: &dyn Random) -> Self {
        let mut key = [0_u8; KEY_BYTES];
        random.fill(&mut key);
        // Room for all of it: a text that grows leaves copies behind.
        let mut secret = String::with_capacity(SECRET_PREFIX.len() + KEY_BYTES.div_ceil(3) * 4);
        secret.push_str(SECRET_PREFIX);
        STANDARD.encode_string(key, &mut secret);
        key.zeroize();
        WebhookSecret {
            secret: SecretText::new(secret),
            created_at: now,
            expires_at: None,
            unread: UnreadMembers::default(),
        }
    }

    /// Whether it signs at this moment.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }

    /// Ends it then, unless it ends earlier anyway.
    pub fn ends_at(&mut self, end: Timestamp) {
        self.expires_at = Some(self.expires_at.map_or(end, |earlier| earlier.min(end)));
    }

    /// `None` for what [`WebhookSecret::generate`] didn't write.
    fn key(&self) -> Option<Zeroizing<Vec<u8>>> {
        let encoded = self.secret.expose().strip_prefix(SECRET_PREFIX)?;
        STANDARD.decode(encoded).ok().map(Zeroizing::new)
    }
}

/// The headers that sign one try of a delivery: `x-webhook-signature-512` where the profile has a key for it, then those
/// of Standard Webhooks where it has a valid secret. `now` is business time and tells which secrets are valid, `wall` is
/// wall time and becomes `webhook-timestamp`. Retries have the same headers but for time and Standard Webhooks signature.
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

/// `v1,` and base64 of HMAC-SHA256 over `id.seconds.body`.
fn standard_signature(key: &[u8], id: &str, seconds: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of HMAC has any length");
    mac.update(format!("{id}.{seconds}.").as_bytes());
    mac.update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests;
