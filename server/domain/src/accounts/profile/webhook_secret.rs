//! The secrets that sign webhook deliveries.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use multirail_kernel::random::Random;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

/// Prefix of a secret; the key in base64 follows.
const SECRET_PREFIX: &str = "whsec_";
/// Bytes of a new key; the scheme allows 24 to 64.
const KEY_BYTES: usize = 32;

/// A secret that signs deliveries until it expires. `Debug` doesn't print it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookSecret {
    /// `whsec_` and the key in base64: the text that merchants give to their verifying library.
    #[serde(with = "multirail_kernel::secret::sealed")]
    pub secret: SecretText,
    pub created_at: Timestamp,
    /// The moment from which it signs no more; `None` while it is the newest. Business time.
    pub expires_at: Option<Timestamp>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl WebhookSecret {
    /// Generates a secret that doesn't expire.
    pub fn generate(now: Timestamp, random: &dyn Random) -> Self {
        let mut key = [0_u8; KEY_BYTES];
        random.fill(&mut key);
        // The buffer has room for all of the text: a text that grows leaves copies in memory.
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

    /// Returns whether the secret signs at this moment.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }

    /// Makes the secret expire at `end`, unless it expires earlier.
    pub fn ends_at(&mut self, end: Timestamp) {
        self.expires_at = Some(self.expires_at.map_or(end, |earlier| earlier.min(end)));
    }

    /// Returns the key; `None` for a text that [`WebhookSecret::generate`] didn't write.
    pub(crate) fn key(&self) -> Option<Zeroizing<Vec<u8>>> {
        let encoded = self.secret.expose().strip_prefix(SECRET_PREFIX)?;
        STANDARD.decode(encoded).ok().map(Zeroizing::new)
    }
}
