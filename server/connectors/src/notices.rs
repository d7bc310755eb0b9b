//! Verification of notices by a keyed hash over their bytes, as most processors sign them.

use hmac::{Hmac, Mac};
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::WebhookSecrets;
use sha2::Sha256;

/// Returns the account's secrets: one, or two while one is being replaced. Empty secrets are
/// skipped because they prove nothing.
pub fn secrets(secrets: Option<&WebhookSecrets>) -> impl Iterator<Item = &SecretText> {
    let both = secrets.into_iter().flat_map(|secrets| {
        std::iter::once(&secrets.merchant_secret).chain(&secrets.additional_secret)
    });
    both.filter(|secret| !secret.expose().is_empty())
}

/// The HMAC-SHA256 of these parts in sequence, under one key. It is computed once for all
/// comparisons.
pub struct Expected(Hmac<Sha256>);

impl Expected {
    pub fn new(key: &[u8], parts: &[&[u8]]) -> Self {
        let mut mac = Hmac::new_from_slice(key).expect("a key of HMAC has any length");
        for part in parts {
            mac.update(part);
        }
        Expected(mac)
    }

    /// Compares in constant time.
    pub fn is(&self, mac: &[u8]) -> bool {
        self.0.clone().verify_slice(mac).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::unread::UnreadMembers;

    /// RFC 4231, test case 2.
    #[test]
    fn a_mac_is_that_of_its_key_and_parts() {
        let mac = hex::decode("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        let mac = mac.expect("hex");
        let is_hmac_sha256 =
            |key: &[u8], parts: &[&[u8]], mac: &[u8]| Expected::new(key, parts).is(mac);
        assert!(is_hmac_sha256(
            b"Jefe",
            &[b"what do ya want ", b"for nothing?"],
            &mac
        ));
        assert!(!is_hmac_sha256(b"Jefe", &[b"what do ya want"], &mac));
        assert!(!is_hmac_sha256(
            b"jefe",
            &[b"what do ya want for nothing?"],
            &mac
        ));
        assert!(!is_hmac_sha256(
            b"Jefe",
            &[b"what do ya want for nothing?"],
            &mac[..16]
        ));
    }

    #[test]
    fn an_empty_secret_proves_nothing() {
        let of = |merchant: &str, additional: Option<&str>| {
            let both = WebhookSecrets {
                merchant_secret: SecretText::new(merchant),
                additional_secret: additional.map(SecretText::new),
                unread: UnreadMembers::default(),
            };
            secrets(Some(&both)).count()
        };
        assert_eq!(secrets(None).count(), 0);
        assert_eq!(of("", None), 0);
        assert_eq!(of("", Some("")), 0);
        assert_eq!(of("a", None), 1);
        assert_eq!(of("a", Some("b")), 2);
    }
}
