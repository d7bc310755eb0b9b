//! Verifies and reads webhooks.
//!
//! A delivery carries two signatures. Give the [`Verifier`] one or both values from the profile's settings:
//!
//! - A secret (`whsec_...`) for the signature of [Standard Webhooks](https://www.standardwebhooks.com), which also covers
//!   the time and the event's id. Prefer this one.
//! - The `payment_response_hash_key` for `x-webhook-signature-512`, which covers only the body: anyone who obtains such a
//!   delivery can replay it.
//!
//! With both values, both signatures must be valid.
//!
//! The client exports this crate as `multirail_client::webhooks`. A program that only receives webhooks can use it alone.
//!
//! ```
//! use http::HeaderMap;
//! use multirail_webhooks::{Content, Verifier};
//!
//! /// Returns the HTTP status. Unless it is 2xx, the delivery is repeated for about a day.
//! fn receive(verifier: &Verifier, headers: &HeaderMap, body: &[u8]) -> u16 {
//!     // Verify the received bytes: JSON that was parsed and written again has another signature.
//!     let event = match verifier.verify(headers, body) {
//!         Ok(event) => event,
//!         Err(error) => {
//!             eprintln!("refused: {error}");
//!             return 400;
//!         }
//!     };
//!     // The same event can come more than once: store `event.event_id`, and process it once.
//!     match event.content {
//!         Content::Payment(payment) => println!("{} is {}", payment.payment_id, payment.status),
//!         Content::Refund(refund) => println!("{} is {}", refund.refund_id, refund.status),
//!         _ => println!("{} is news to this program", event.event_type),
//!     }
//!     200
//! }
//!
//! let verifier = Verifier::with_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")?;
//! assert_eq!(receive(&verifier, &HeaderMap::new(), b"{}"), 400);
//! # Ok::<(), multirail_webhooks::UnusableSecret>(())
//! ```

mod event;

use std::fmt;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, Mac};
use http::HeaderMap;
use multirail_types::Secret;
use sha2::{Sha256, Sha512};
use zeroize::Zeroizing;

pub use event::{Content, Event};

/// The signature of the body.
pub const SIGNATURE_512: &str = "x-webhook-signature-512";
/// The id of the delivery, the same in every try.
pub const WEBHOOK_ID: &str = "webhook-id";
/// The time of the try, in seconds since 1970.
pub const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
/// The signatures of Standard Webhooks.
pub const WEBHOOK_SIGNATURE: &str = "webhook-signature";

/// The default tolerance between the clocks, including the delivery: five minutes, as in other libraries.
pub const DEFAULT_TOLERANCE: Duration = Duration::from_secs(300);

/// Verifies that deliveries come from the service. Its secrets don't print.
#[derive(Clone)]
pub struct Verifier {
    /// A signature by any of these keys is enough.
    keys: Vec<Zeroizing<Vec<u8>>>,
    hash_key: Option<Secret>,
    tolerance: Duration,
}

/// The error for an unusable secret. It doesn't contain the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret can't be used: a webhook secret is whsec_ and base64, a hash key isn't empty")]
pub struct UnusableSecret;

/// The reason why a delivery is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookError {
    /// A signature's header is missing.
    #[error("the header {0} is missing")]
    MissingHeader(&'static str),
    /// The signature is wrong: the delivery is forged or was altered.
    #[error("no signature in {0} fits")]
    WrongSignature(&'static str),
    /// The time of the signature is missing or unreadable.
    #[error("the header webhook-timestamp is no number of seconds")]
    UnreadableTimestamp,
    /// The signature is too old: the delivery may be a replay.
    #[error("the delivery was signed too long ago")]
    TooOld,
    /// The signature is from the future, so one of the clocks is wrong.
    #[error("the delivery was signed in the future")]
    TooNew,
    /// The delivery is genuine but unreadable, because the service is of another kind or version.
    #[error("the delivery can't be read: {0}")]
    Unreadable(String),
}

impl Verifier {
    /// Creates a verifier with a secret of the profile: `whsec_` and base64.
    ///
    /// # Errors
    /// [`UnusableSecret`]
    pub fn with_secret(secret: &str) -> Result<Self, UnusableSecret> {
        Self::with_nothing().or_secret(secret)
    }

    /// Creates a verifier with the profile's `payment_response_hash_key`. Without an additional secret, deliveries of
    /// any age are accepted.
    ///
    /// # Errors
    /// [`UnusableSecret`] for an empty key.
    pub fn with_hash_key(key: impl Into<Secret>) -> Result<Self, UnusableSecret> {
        Self::with_nothing().and_hash_key(key)
    }

    fn with_nothing() -> Self {
        Verifier {
            keys: Vec::new(),
            hash_key: None,
            tolerance: DEFAULT_TOLERANCE,
        }
    }

    /// Also accepts another secret. While a profile changes its secret, both are valid.
    ///
    /// # Errors
    /// [`UnusableSecret`]
    pub fn or_secret(mut self, secret: &str) -> Result<Self, UnusableSecret> {
        let encoded = secret.strip_prefix("whsec_").ok_or(UnusableSecret)?;
        let key = STANDARD.decode(encoded).map_err(|_| UnusableSecret)?;
        if key.is_empty() {
            return Err(UnusableSecret);
        }
        self.keys.push(Zeroizing::new(key));
        Ok(self)
    }

    /// Also requires the signature of the body.
    ///
    /// # Errors
    /// [`UnusableSecret`] for an empty key.
    pub fn and_hash_key(mut self, key: impl Into<Secret>) -> Result<Self, UnusableSecret> {
        let key = key.into();
        if key.expose().is_empty() {
            return Err(UnusableSecret);
        }
        self.hash_key = Some(key);
        Ok(self)
    }

    /// Sets the tolerance between `webhook-timestamp` and this machine's time. The default is five minutes.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Duration) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Verifies a delivery and reads it. `body` must be the received bytes.
    ///
    /// # Errors
    /// [`WebhookError`] if the delivery is refused or unreadable.
    pub fn verify(&self, headers: &HeaderMap, body: &[u8]) -> Result<Event, WebhookError> {
        self.verify_at(headers, body, Utc::now())
    }

    /// Does the same as [`Verifier::verify`] at another time than now.
    ///
    /// # Errors
    /// The same as [`Verifier::verify`].
    pub fn verify_at(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: DateTime<Utc>,
    ) -> Result<Event, WebhookError> {
        self.check_at(headers, body, now)?;
        Event::read(body)
    }

    /// Verifies a delivery without reading it.
    ///
    /// # Errors
    /// [`WebhookError`] if the delivery is refused.
    pub fn check_at(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: DateTime<Utc>,
    ) -> Result<(), WebhookError> {
        if let Some(key) = &self.hash_key {
            check_512(key, headers, body)?;
        }
        if self.keys.is_empty() {
            return Ok(());
        }
        self.check_standard(headers, body, now)
    }

    fn check_standard(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: DateTime<Utc>,
    ) -> Result<(), WebhookError> {
        let id = header(headers, WEBHOOK_ID)?;
        let timestamp = header(headers, WEBHOOK_TIMESTAMP)?;
        let signatures = header(headers, WEBHOOK_SIGNATURE)?;
        let made: i64 = timestamp
            .parse()
            .map_err(|_| WebhookError::UnreadableTimestamp)?;
        let fits = signatures
            .split(' ')
            // The header may contain signatures of other versions.
            .filter_map(|signature| STANDARD.decode(signature.strip_prefix("v1,")?).ok())
            .any(|signature| {
                self.keys.iter().any(|key| {
                    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
                    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
                        mac.update(part);
                    }
                    // Compares in constant time.
                    mac.verify_slice(&signature).is_ok()
                })
            });
        if !fits {
            return Err(WebhookError::WrongSignature(WEBHOOK_SIGNATURE));
        }
        let tolerance = i64::try_from(self.tolerance.as_secs()).unwrap_or(i64::MAX);
        let age = now.timestamp().saturating_sub(made);
        if age > tolerance {
            return Err(WebhookError::TooOld);
        }
        if age < -tolerance {
            return Err(WebhookError::TooNew);
        }
        Ok(())
    }
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier")
            .field("secrets", &self.keys.len())
            .field("hash_key", &self.hash_key)
            .field("tolerance", &self.tolerance)
            .finish()
    }
}

fn check_512(key: &Secret, headers: &HeaderMap, body: &[u8]) -> Result<(), WebhookError> {
    let wrong = WebhookError::WrongSignature(SIGNATURE_512);
    let signature = header(headers, SIGNATURE_512)?;
    let Ok(signature) = hex::decode(signature) else {
        return Err(wrong);
    };
    let key = key.expose().as_bytes();
    let mut mac = Hmac::<Sha512>::new_from_slice(key).expect("HMAC takes any key");
    mac.update(body);
    // Compares in constant time.
    mac.verify_slice(&signature).map_err(|_| wrong)
}

fn header<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<&'a str, WebhookError> {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.ok_or(WebhookError::MissingHeader(name))
}
