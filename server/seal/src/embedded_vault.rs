//! The built-in vault: card numbers, sealed with the data key of their merchant.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::customers::ports::Vault;
use multirail_app::customers::ports::vault::VaultEntry;
use multirail_app::platform::ports::seal::Subject;
use multirail_app::platform::ports::{StoreFailure, SubjectSeal};
use multirail_domain::customers::saved_method::bank_account::BankAccount;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::{CardFingerprint, CardNumber};

use super::{KeyRing, Sealer, SharedRing};

/// Hexadecimal digits of a fingerprint: 128 bits distinguish all existing cards.
const FINGERPRINT_DIGITS: usize = 32;

/// Seals card numbers, each for its merchant and its fingerprint.
pub struct EmbeddedVault {
    ring: SharedRing,
    keys: Arc<dyn SubjectSeal>,
}

impl EmbeddedVault {
    /// Returns a vault with the ring's fingerprints, whose entries are sealed with the keys of merchants.
    pub fn new(ring: impl Into<SharedRing>, keys: Arc<dyn SubjectSeal>) -> Self {
        EmbeddedVault {
            ring: ring.into(),
            keys,
        }
    }
}

#[async_trait]
impl Vault for EmbeddedVault {
    fn fingerprint(&self, merchant_id: &MerchantId, number: &CardNumber) -> CardFingerprint {
        fingerprint(&self.ring.now(), merchant_id, number)
    }

    fn account_hash(&self, merchant_id: &MerchantId, account: &BankAccount) -> String {
        let scope = format!("bank_account:{merchant_id}");
        let ring = self.ring.now();
        let mut digits = ring.fingerprint(&scope, account.identity().expose());
        digits.truncate(FINGERPRINT_DIGITS);
        digits
    }

    async fn seal(
        &self,
        merchant_id: &MerchantId,
        number: &CardNumber,
        now: Timestamp,
    ) -> Result<VaultEntry, StoreFailure> {
        let fingerprint = self.fingerprint(merchant_id, number);
        let place = place(merchant_id, &fingerprint);
        let text = SecretText::new(number.expose());
        let subject = Subject::merchant(merchant_id);
        let sealed = self.keys.seal_for(&subject, &place, &text, now).await?;
        let key_id = Sealer::key_id_of(&sealed).unwrap_or_default().to_owned();
        Ok(VaultEntry {
            fingerprint,
            key_id,
            sealed,
        })
    }

    async fn open(
        &self,
        merchant_id: &MerchantId,
        entry: &VaultEntry,
    ) -> Result<CardNumber, StoreFailure> {
        let place = place(merchant_id, &entry.fingerprint);
        let digits = self.keys.open_for(&place, &entry.sealed).await?;
        CardNumber::parse(digits.expose())
            .map_err(|_| StoreFailure::Broken(format!("{place} holds no card number")))
    }
}

pub(super) fn fingerprint(
    ring: &KeyRing,
    merchant_id: &MerchantId,
    number: &CardNumber,
) -> CardFingerprint {
    let scope = format!("card:{merchant_id}");
    let mut digits = ring.fingerprint(&scope, number.expose());
    digits.truncate(FINGERPRINT_DIGITS);
    CardFingerprint::parse(&digits).expect("a hash is written in hexadecimal digits")
}

/// Returns the place of a card, bound to merchant and card, not to a table: an entry may move between rows of its merchant.
fn place(merchant_id: &MerchantId, fingerprint: &CardFingerprint) -> String {
    format!("vault:{merchant_id}/{fingerprint}")
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Mutex;

    use multirail_app::platform::ports::Seal;
    use multirail_app::platform::ports::seal::DataKey;
    use multirail_kernel::random::Random;
    use multirail_system::random::OsRandom;

    use super::*;
    use crate::{MasterKey, RingSeal};

    const NUMBER: &str = "4111111111111111";
    const NOW: Timestamp = Timestamp::EPOCH;

    /// The keys of merchants, in memory.
    struct Keys {
        seal: RingSeal,
        made: Mutex<HashMap<Subject, Arc<dyn DataKey>>>,
    }

    #[async_trait]
    impl SubjectSeal for Keys {
        async fn seal_for(
            &self,
            subject: &Subject,
            place: &str,
            text: &SecretText,
            _now: Timestamp,
        ) -> Result<Vec<u8>, StoreFailure> {
            let mut made = self.made.lock().expect("no panic");
            let make = || self.seal.make_key(subject).0;
            let key = made.entry(subject.clone()).or_insert_with(make);
            Ok(key.seal(place, text))
        }

        async fn open_for(&self, place: &str, sealed: &[u8]) -> Result<SecretText, StoreFailure> {
            let made = self.made.lock().expect("no panic");
            let opened = made.values().find_map(|key| key.open(place, sealed).ok());
            opened.ok_or_else(|| StoreFailure::Broken("no key opens it".to_owned()))
        }
    }

    fn vault() -> EmbeddedVault {
        let master = MasterKey::generate(&OsRandom);
        let (ring, _) = KeyRing::create(&master, &OsRandom, 0);
        let (ring, random): (_, Arc<dyn Random>) = (SharedRing::from(ring), Arc::new(OsRandom));
        let keys = Keys {
            seal: RingSeal::new(ring.clone(), random),
            made: Mutex::default(),
        };
        EmbeddedVault::new(ring, Arc::new(keys))
    }

    fn merchant(id: &str) -> MerchantId {
        MerchantId::parse(id).expect("an id")
    }

    fn number(digits: &str) -> CardNumber {
        CardNumber::parse(digits).expect("a number")
    }

    async fn sealed(vault: &EmbeddedVault, shop: &str) -> VaultEntry {
        let entry = vault.seal(&merchant(shop), &number(NUMBER), NOW).await;
        entry.expect("an entry")
    }

    #[tokio::test]
    async fn a_number_comes_back_as_it_was_sealed() {
        let vault = vault();
        let entry = sealed(&vault, "bookshop").await;
        let opened = vault.open(&merchant("bookshop"), &entry).await;
        assert_eq!(opened.expect("its own entry").expose(), NUMBER);
        let sealed = &entry.sealed;
        assert!(!sealed.windows(NUMBER.len()).any(|w| w == NUMBER.as_bytes()));
        assert_eq!(Sealer::key_id_of(sealed), Some(entry.key_id.as_str()));
    }

    #[tokio::test]
    async fn the_same_card_of_a_merchant_is_one_entry_and_another_merchants_is_another() {
        let vault = vault();
        let print = |shop: &str, digits: &str| vault.fingerprint(&merchant(shop), &number(digits));
        let first = print("bookshop", NUMBER);
        assert_eq!(first, print("bookshop", "4111 1111 1111 1111"));
        assert_ne!(first, print("flower_shop", NUMBER));
        assert_ne!(first, print("bookshop", "4242424242424242"));
        let (one, again) = (
            sealed(&vault, "bookshop").await,
            sealed(&vault, "bookshop").await,
        );
        assert_eq!((&one.fingerprint, &one.key_id), (&first, &again.key_id));
        assert_ne!(one.sealed, again.sealed, "fresh each time");
        let elsewhere = sealed(&vault, "flower_shop").await;
        assert_ne!(
            one.key_id, elsewhere.key_id,
            "each merchant has a key of his own"
        );
    }

    #[tokio::test]
    async fn what_was_moved_or_changed_does_not_open() {
        let (vault, bookshop) = (vault(), merchant("bookshop"));
        let entry = sealed(&vault, "bookshop").await;
        assert!(vault.open(&merchant("flower_shop"), &entry).await.is_err());
        let other = vault.fingerprint(&bookshop, &number("4242424242424242"));
        let relabelled = VaultEntry {
            fingerprint: other,
            ..entry.clone()
        };
        assert!(vault.open(&bookshop, &relabelled).await.is_err());
        for index in 0..entry.sealed.len() {
            let mut changed = entry.clone();
            changed.sealed[index] ^= 1;
            assert!(
                vault.open(&bookshop, &changed).await.is_err(),
                "byte {index}"
            );
        }
        let elsewhere = self::vault();
        assert!(
            elsewhere.open(&bookshop, &entry).await.is_err(),
            "another ring"
        );
    }
}
