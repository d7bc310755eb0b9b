//! The sealing port over a key ring.

use std::sync::Arc;

use multirail_app::ports::Seal;
use multirail_app::ports::seal::Unopened;
use multirail_domain::random::Random;
use multirail_domain::secret::SecretText;

use super::{KeyRing, Sealer};

/// Hexadecimal digits of a fingerprint: 128 bits are plenty for telling two requests apart.
const FINGERPRINT_DIGITS: usize = 32;

/// Seals, opens and hashes with the keys of one ring.
pub struct RingSeal {
    ring: Arc<KeyRing>,
    sealer: Sealer,
}

impl RingSeal {
    /// The sealing port over an opened ring.
    pub fn new(ring: Arc<KeyRing>, random: Arc<dyn Random>) -> Self {
        RingSeal {
            sealer: Sealer::new(Arc::clone(&ring), random),
            ring,
        }
    }
}

impl Seal for RingSeal {
    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8> {
        self.sealer.seal(place, text.expose().as_bytes())
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened> {
        let plain = self.sealer.open(place, sealed).map_err(|_| Unopened)?;
        let text = std::str::from_utf8(&plain).map_err(|_| Unopened)?;
        Ok(SecretText::new(text))
    }

    fn hash_api_key(&self, key: &SecretText) -> String {
        self.ring.hash_api_key(key.expose())
    }

    fn fingerprint(&self, scope: &str, value: &str) -> String {
        let mut hash = self.ring.fingerprint(scope, value);
        hash.truncate(FINGERPRINT_DIGITS);
        hash
    }

    fn client_secret_suffix(&self, merchant_id: &str, payment_id: &str) -> SecretText {
        SecretText::new(self.ring.client_secret_suffix(merchant_id, payment_id))
    }

    fn visit_token(&self, about: &[&str]) -> SecretText {
        SecretText::new(self.ring.visit_token(about))
    }
}
