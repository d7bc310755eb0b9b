//! `multirail webhooks listen`: reads its options.

use multirail_webhooks::Verifier;

use super::arguments::ListenOptions;
use crate::config::{Problem, Problems};
use crate::webhook_listener::Manners;

/// The options of the receiver.
#[derive(Clone, Debug)]
pub struct WebhookListener {
    /// On 127.0.0.1; 0 takes a free one.
    pub port: u16,
    pub manners: Manners,
}

impl WebhookListener {
    pub(super) fn read(options: ListenOptions) -> Result<Self, Problems> {
        let mut by_secret = None;
        for secret in &options.secret {
            let read = match by_secret.take() {
                None => Verifier::with_secret(secret),
                Some(verifier) => Verifier::or_secret(verifier, secret),
            };
            by_secret = Some(read.map_err(|_| wrong("--secret", "whsec_ and base64"))?);
        }
        let by_hash_key = options.hash_key.map(Verifier::with_hash_key).transpose();
        Ok(WebhookListener {
            port: options.port,
            manners: Manners {
                by_secret,
                by_hash_key: by_hash_key.map_err(|_| wrong("--hash-key", "a text"))?,
                fail_next: options.fail_next,
                shows_body: options.show_body,
            },
        })
    }
}

/// Returns the problem of an option. The value isn't repeated: it may be a mistyped secret.
fn wrong(option: &str, form: &str) -> Problems {
    Problems(vec![Problem(format!("{option} has to be {form}"))])
}
