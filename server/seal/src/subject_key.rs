//! Keys of merchants and customers. Each is stored wrapped by a data key of the ring, bound to its name and its subject.

use std::fmt;
use std::sync::Arc;

use multirail_app::platform::ports::seal::{DataKey, Subject, Unopened, WrappedDataKey};
use multirail_kernel::random::{Random, alphanumeric};
use multirail_kernel::secret::SecretText;

use super::envelope::{Cipher, KEY_BYTES, KeyBytes, fresh_key};
use super::sealer::{self, Sealer};

/// The beginning of these keys' names. The ring's keys are named by their purpose instead.
const PREFIX: &str = "sub_";
/// 119 bits: two keys never have the same name.
const NAME_CHARACTERS: usize = 20;

/// The open key of a subject.
pub(super) struct SubjectKey {
    key_id: String,
    /// Prepared: every payment of the subject is sealed and opened with it several times.
    cipher: Cipher,
    random: Arc<dyn Random>,
}

impl SubjectKey {
    /// Makes a key; the second part is for the store.
    pub(super) fn create(
        sealer: &Sealer,
        random: &Arc<dyn Random>,
        subject: &Subject,
    ) -> (Self, WrappedDataKey) {
        let bytes = fresh_key(random.as_ref());
        let key = SubjectKey {
            key_id: format!("{PREFIX}{}", alphanumeric(random.as_ref(), NAME_CHARACTERS)),
            cipher: Cipher::new(&bytes),
            random: Arc::clone(random),
        };
        let wrapped = sealer.seal(&place(&key.key_id, subject), bytes.as_slice());
        let wrapped = WrappedDataKey {
            key_id: key.key_id.clone(),
            wrapped,
        };
        (key, wrapped)
    }

    pub(super) fn unwrap(
        sealer: &Sealer,
        random: &Arc<dyn Random>,
        subject: &Subject,
        stored: &WrappedDataKey,
    ) -> Result<Self, Unopened> {
        let opened = sealer.open(&place(&stored.key_id, subject), &stored.wrapped);
        let opened = opened.map_err(|_| Unopened)?;
        let mut bytes = KeyBytes::new([0; KEY_BYTES]);
        if opened.len() != KEY_BYTES {
            return Err(Unopened);
        }
        bytes.copy_from_slice(&opened);
        Ok(SubjectKey {
            key_id: stored.key_id.clone(),
            cipher: Cipher::new(&bytes),
            random: Arc::clone(random),
        })
    }

    /// Wraps the stored key again, with the key of the ring that seals now.
    pub(super) fn rewrap(
        sealer: &Sealer,
        subject: &Subject,
        stored: &WrappedDataKey,
    ) -> Result<WrappedDataKey, Unopened> {
        let place = place(&stored.key_id, subject);
        let bytes = sealer.open(&place, &stored.wrapped).map_err(|_| Unopened)?;
        Ok(WrappedDataKey {
            key_id: stored.key_id.clone(),
            wrapped: sealer.seal(&place, &bytes),
        })
    }

    /// Returns whether a key of this name is a subject's.
    pub(super) fn is_named(key_id: &str) -> bool {
        key_id.starts_with(PREFIX)
    }
}

impl DataKey for SubjectKey {
    fn key_id(&self) -> &str {
        &self.key_id
    }

    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8> {
        let plain = text.expose().as_bytes();
        sealer::seal_by(
            &self.key_id,
            &self.cipher,
            self.random.as_ref(),
            place,
            plain,
        )
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened> {
        let (key_id, encrypted) = sealer::split(sealed).ok_or(Unopened)?;
        if key_id != self.key_id {
            return Err(Unopened);
        }
        let plain = sealer::open_by(key_id, &self.cipher, place, encrypted);
        let mut plain = plain.ok_or(Unopened)?;
        SecretText::of_utf8(std::mem::take(&mut *plain)).ok_or(Unopened)
    }
}

impl fmt::Debug for SubjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SubjectKey").field(&self.key_id).finish()
    }
}

/// Returns the place of a key. Ids have no slash, so no two subjects have the same place.
fn place(key_id: &str, subject: &Subject) -> String {
    let merchant_id = &subject.merchant_id;
    match &subject.customer_id {
        None => format!("subject_keys:{key_id}/{merchant_id}"),
        Some(customer_id) => format!("subject_keys:{key_id}/{merchant_id}/{customer_id}"),
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::ids::{CustomerId, MerchantId};
    use multirail_system::random::OsRandom;

    use super::*;
    use crate::{KeyRing, MasterKey};

    const PLACE: &str = "customers:bookshop/ann";

    fn sealer() -> Sealer {
        let master = MasterKey::generate(&OsRandom);
        let (ring, _) = KeyRing::create(&master, &OsRandom, 0);
        Sealer::new(ring, random())
    }

    fn random() -> Arc<dyn Random> {
        Arc::new(OsRandom)
    }

    fn customer(id: &str) -> Subject {
        let merchant_id = MerchantId::parse("bookshop").expect("an id");
        Subject::customer(&merchant_id, &CustomerId::parse(id).expect("an id"))
    }

    #[test]
    fn a_stored_key_opens_what_it_sealed_and_no_other_key_does() {
        let (sealer, ann, text) = (sealer(), customer("ann"), SecretText::new("Ann"));
        let (key, stored) = SubjectKey::create(&sealer, &random(), &ann);
        let sealed = key.seal(PLACE, &text);
        assert_eq!(Sealer::key_id_of(&sealed), Some(stored.key_id.as_str()));
        let again = SubjectKey::unwrap(&sealer, &random(), &ann, &stored).expect("its own key");
        assert_eq!(again.open(PLACE, &sealed), Ok(text));
        assert_eq!(again.open("customers:bookshop/bob", &sealed), Err(Unopened));
        let (other, _) = SubjectKey::create(&sealer, &random(), &ann);
        assert_eq!(other.open(PLACE, &sealed), Err(Unopened));
    }

    #[test]
    fn a_key_is_bound_to_its_subject_its_name_and_its_installation() {
        let (sealer, ann) = (sealer(), customer("ann"));
        let (_, stored) = SubjectKey::create(&sealer, &random(), &ann);
        let unwrap = |sealer: &Sealer, subject: &Subject, stored: &WrappedDataKey| {
            SubjectKey::unwrap(sealer, &random(), subject, stored).is_ok()
        };
        assert!(unwrap(&sealer, &ann, &stored));
        assert!(!unwrap(&sealer, &customer("bob"), &stored));
        assert!(!unwrap(
            &sealer,
            &Subject::merchant(&ann.merchant_id),
            &stored
        ));
        assert!(!unwrap(&self::sealer(), &ann, &stored));
        let mut renamed = stored.clone();
        renamed.key_id.push('x');
        assert!(!unwrap(&sealer, &ann, &renamed));
        let mut destroyed = stored;
        destroyed.wrapped.fill(0);
        assert!(!unwrap(&sealer, &ann, &destroyed));
    }

    #[test]
    fn it_does_not_print() {
        let (key, _) = SubjectKey::create(&sealer(), &random(), &customer("ann"));
        let printed = format!("{key:?}");
        assert_eq!(printed, format!("SubjectKey({:?})", key.key_id));
    }
}
