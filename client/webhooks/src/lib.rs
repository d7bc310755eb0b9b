//! Receiving webhooks: making sure that a delivery is the service's, and reading it.
//!
//! A delivery carries two signatures. Give the [`Verifier`] what the profile's settings show: a secret (`whsec_...`)
//! for the one of [Standard Webhooks](https://www.standardwebhooks.com), which also tells when and for which event it
//! was made, or the `payment_response_hash_key` for `x-webhook-signature-512`, which covers the body alone: whoever
//! gets hold of such a delivery can send it again later. Prefer the secret. With both, both have to fit.
//!
//! The client has all of it as `multirail_client::webhooks`. A program that only receives needs this crate alone.
//!
//! ```
//! use http::HeaderMap;
//! use multirail_webhooks::{Content, Verifier};
//!
//! /// Answers the HTTP status. Anything but 2xx is sent again, for about a day.
//! fn receive(verifier: &Verifier, headers: &HeaderMap, body: &[u8]) -> u16 {
//!     // The bytes as they came: JSON that was read and written again has another signature.
//!     let event = match verifier.verify(headers, body) {
//!         Ok(event) => event,
//!         Err(error) => {
//!             eprintln!("refused: {error}");
//!             return 400;
//!         }
//!     };
//!     // The same event can come more than once: remember `event.event_id`, and do its work once.
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
/// What is the same in every try of one delivery.
pub const WEBHOOK_ID: &str = "webhook-id";
/// When the try was made, in seconds since 1970.
pub const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
/// The signatures of Standard Webhooks.
pub const WEBHOOK_SIGNATURE: &str = "webhook-signature";

/// How far the clocks may be apart, delivery included: five minutes, as other libraries have it.
pub const DEFAULT_TOLERANCE: Duration = Duration::from_secs(300);

/// Tells the service's deliveries from others. Doesn't print what it knows.
#[derive(Clone)]
pub struct Verifier {
    /// Any of them will do.
    keys: Vec<Zeroizing<Vec<u8>>>,
    hash_key: Option<Secret>,
    tolerance: Duration,
}

/// A secret that isn't one. It isn't quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it can't be used: a webhook secret is whsec_ and base64, a hash key isn't empty")]
pub struct UnusableSecret;

/// Why a delivery is not to be believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookError {
    /// It isn't signed as it should be.
    #[error("the header {0} is missing")]
    MissingHeader(&'static str),
    /// It was signed by somebody else, or altered on its way.
    #[error("no signature in {0} fits")]
    WrongSignature(&'static str),
    /// It isn't said when it was signed.
    #[error("the header webhook-timestamp is no number of seconds")]
    UnreadableTimestamp,
    /// It was signed too long ago: it may be an old delivery that somebody sends again.
    #[error("the delivery was signed too long ago")]
    TooOld,
    /// It claims to be signed in the future. One of the clocks is wrong.
    #[error("the delivery was signed in the future")]
    TooNew,
    /// It is the service's, and still can't be read: the service is of another kind or version.
    #[error("the delivery can't be read: {0}")]
    Unreadable(String),
}

impl Verifier {
    /// Verifies by a secret of the profile: `whsec_` and base64.
    ///
    /// # Errors
    /// [`UnusableSecret`]
    pub fn with_secret(secret: &str) -> Result<Self, UnusableSecret> {
        Self::with_nothing().or_secret(secret)
    }

    /// Verifies by the profile's `payment_response_hash_key`. Without a secret beside it, deliveries may be of any age.
    ///
    /// # Errors
    /// [`UnusableSecret`] for an empty one.
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

    /// Another secret that may be the one: while a profile changes its secret, both are valid.
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

    /// Asks for the signature of the body besides.
    ///
    /// # Errors
    /// [`UnusableSecret`] for an empty one.
    pub fn and_hash_key(mut self, key: impl Into<Secret>) -> Result<Self, UnusableSecret> {
        let key = key.into();
        if key.expose().is_empty() {
            return Err(UnusableSecret);
        }
        self.hash_key = Some(key);
        Ok(self)
    }

    /// How far `webhook-timestamp` may be from this machine's time, before or after. Five minutes unless set.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Duration) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Checks a delivery and reads it. `body` is what came, byte for byte.
    ///
    /// # Errors
    /// [`WebhookError`]: the delivery is not to be believed, or can't be read.
    pub fn verify(&self, headers: &HeaderMap, body: &[u8]) -> Result<Event, WebhookError> {
        self.verify_at(headers, body, Utc::now())
    }

    /// As [`Verifier::verify`], at another time than now.
    ///
    /// # Errors
    /// As for [`Verifier::verify`].
    pub fn verify_at(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: DateTime<Utc>,
    ) -> Result<Event, WebhookError> {
        self.check_at(headers, body, now)?;
        Event::read(body)
    }

    /// Checks a delivery without reading it.
    ///
    /// # Errors
    /// [`WebhookError`]: the delivery is not to be believed.
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
            // Other versions may stand beside it.
            .filter_map(|signature| STANDARD.decode(signature.strip_prefix("v1,")?).ok())
            .any(|signature| {
                self.keys.iter().any(|key| {
                    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
                    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
                        mac.update(part);
                    }
                    // In constant time.
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
    // In constant time.
    mac.verify_slice(&signature).map_err(|_| wrong)
}

fn header<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<&'a str, WebhookError> {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.ok_or(WebhookError::MissingHeader(name))
}
