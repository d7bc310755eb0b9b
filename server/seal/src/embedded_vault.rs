//! The vault that needs nothing beside us: card numbers under the data key of the ring.

use std::sync::Arc;

use multirail_app::ports::seal::Unopened;
use multirail_app::ports::vault::VaultEntry;
use multirail_domain::card::{CardFingerprint, CardNumber};
use multirail_domain::ids::MerchantId;
use multirail_domain::random::Random;
use zeroize::Zeroizing;

use super::{KeyRing, Sealer};

/// Hexadecimal digits of a fingerprint: 128 bits tell all cards that there are apart.
const FINGERPRINT_DIGITS: usize = 32;

/// Seals card numbers, each for its merchant and its fingerprint.
pub struct EmbeddedVault {
    ring: Arc<KeyRing>,
    sealer: Sealer,
}

impl EmbeddedVault {
    /// A vault over an opened ring.
    pub fn new(ring: Arc<KeyRing>, random: Arc<dyn Random>) -> Self {
        EmbeddedVault {
            sealer: Sealer::new(Arc::clone(&ring), random),
            ring,
        }
    }
}

impl multirail_app::ports::Vault for EmbeddedVault {
    fn fingerprint(&self, merchant_id: &MerchantId, number: &CardNumber) -> CardFingerprint {
        let scope = format!("card:{merchant_id}");
        let mut digits = self.ring.fingerprint(&scope, number.expose());
        digits.truncate(FINGERPRINT_DIGITS);
        CardFingerprint::parse(&digits).expect("a hash is written in hexadecimal digits")
    }

    fn seal(&self, merchant_id: &MerchantId, number: &CardNumber) -> VaultEntry {
        let fingerprint = self.fingerprint(merchant_id, number);
        let place = place(merchant_id, &fingerprint);
        let sealed = self.sealer.seal(&place, number.expose().as_bytes());
        let key_id = Sealer::key_id_of(&sealed).expect("what was just sealed names its key");
        VaultEntry {
            fingerprint,
            key_id: key_id.to_owned(),
            sealed,
        }
    }

    fn open(&self, merchant_id: &MerchantId, entry: &VaultEntry) -> Result<CardNumber, Unopened> {
        let place = place(merchant_id, &entry.fingerprint);
        let digits: Zeroizing<Vec<u8>> = self
            .sealer
            .open(&place, &entry.sealed)
            .map_err(|_| Unopened)?;
        let digits = std::str::from_utf8(&digits).map_err(|_| Unopened)?;
        CardNumber::parse(digits).map_err(|_| Unopened)
    }
}

/// Bound to merchant and card, not to a table: an entry may move between rows of its merchant.
fn place(merchant_id: &MerchantId, fingerprint: &CardFingerprint) -> String {
    format!("vault:{merchant_id}/{fingerprint}")
}

#[cfg(test)]
mod tests {
    use multirail_app::ports::Vault;
    use multirail_system::random::OsRandom;

    use super::*;
    use crate::MasterKey;

    const NUMBER: &str = "4111111111111111";

    fn vault() -> EmbeddedVault {
        let master = MasterKey::generate(&OsRandom);
        let (ring, _) = KeyRing::create(&master, &OsRandom, 0);
        EmbeddedVault::new(Arc::new(ring), Arc::new(OsRandom))
    }

    fn merchant(id: &str) -> MerchantId {
        MerchantId::parse(id).expect("an id")
    }

    fn number(digits: &str) -> CardNumber {
        CardNumber::parse(digits).expect("a number")
    }

    #[test]
    fn a_number_comes_back_as_it_was_kept() {
        let (vault, bookshop) = (vault(), merchant("bookshop"));
        let entry = vault.seal(&bookshop, &number(NUMBER));
        let opened = vault.open(&bookshop, &entry).expect("its own entry");
        assert_eq!(opened.expose(), NUMBER);
        let kept = &entry.sealed;
        assert!(!kept.windows(NUMBER.len()).any(|w| w == NUMBER.as_bytes()));
        assert_eq!(Sealer::key_id_of(kept), Some(entry.key_id.as_str()));
    }

    #[test]
    fn the_same_card_of_a_merchant_is_one_entry_and_another_merchants_is_another() {
        let vault = vault();
        let print = |shop: &str, digits: &str| vault.fingerprint(&merchant(shop), &number(digits));
        let first = print("bookshop", NUMBER);
        assert_eq!(first, print("bookshop", "4111 1111 1111 1111"));
        assert_ne!(first, print("flower_shop", NUMBER));
        assert_ne!(first, print("bookshop", "4242424242424242"));
        let sealed = |shop: &str| vault.seal(&merchant(shop), &number(NUMBER));
        assert_eq!(sealed("bookshop").fingerprint, first);
        assert_ne!(
            sealed("bookshop").sealed,
            sealed("bookshop").sealed,
            "fresh each time"
        );
    }

    #[test]
    fn what_was_moved_or_changed_does_not_open() {
        let (vault, bookshop) = (vault(), merchant("bookshop"));
        let entry = vault.seal(&bookshop, &number(NUMBER));
        assert!(vault.open(&merchant("flower_shop"), &entry).is_err());
        let other = vault.fingerprint(&bookshop, &number("4242424242424242"));
        let relabelled = VaultEntry {
            fingerprint: other,
            ..entry.clone()
        };
        assert!(vault.open(&bookshop, &relabelled).is_err());
        for index in 0..entry.sealed.len() {
            let mut changed = entry.clone();
            changed.sealed[index] ^= 1;
            assert!(vault.open(&bookshop, &changed).is_err(), "byte {index}");
        }
        assert!(
            self::vault().open(&bookshop, &entry).is_err(),
            "another ring"
        );
    }
}
