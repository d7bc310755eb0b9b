//! Sealing of data: encrypted, bound to its place, with the name of its key.

use std::fmt;
use std::sync::Arc;

use multirail_kernel::random::Random;
use zeroize::Zeroizing;

use super::envelope::{Cipher, decrypt, encrypt_after};
use super::shared_ring::SharedRing;

const SEAL_CONTEXT: &[u8] = b"multirail sealed data 1";
/// The first byte of every sealed blob, for the day when the form changes.
const FORM: u8 = 1;

/// Why sealed bytes don't open. The error reveals nothing of their content.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum SealError {
    /// The bytes don't have the form that a [`Sealer`] writes.
    #[error("the bytes at {place} were not sealed by this software")]
    UnknownForm {
        /// The place of the bytes.
        place: String,
    },
    /// The ring has no key of that name.
    #[error("the bytes at {place} were sealed with the key {key_id}, which is not in the key ring")]
    UnknownKey {
        /// The place of the bytes.
        place: String,
        /// The key that is missing.
        key_id: String,
    },
    /// The bytes were changed, or were sealed for another place.
    #[error("the bytes at {place} were changed, or were sealed for another place")]
    Refused {
        /// The place of the bytes.
        place: String,
    },
}

/// Seals and opens data that must not be stored in plaintext.
///
/// A sealed blob is: form byte, length of the key id, key id, nonce, ciphertext, tag.
#[derive(Clone)]
pub struct Sealer {
    ring: SharedRing,
    random: Arc<dyn Random>,
}

impl Sealer {
    /// Returns a sealer that uses the data keys of `ring`.
    pub fn new(ring: impl Into<SharedRing>, random: Arc<dyn Random>) -> Self {
        let ring = ring.into();
        Self { ring, random }
    }

    /// Encrypts `plain` for one place, such as `held_card:<merchant>/<payment>`.
    ///
    /// The place isn't stored: the caller of [`Self::open`] must know it.
    pub fn seal(&self, place: &str, plain: &[u8]) -> Vec<u8> {
        let ring = self.ring.now();
        let key = ring.sealing_key();
        let cipher = Cipher::new(&key.bytes);
        seal_by(&key.key_id, &cipher, &*self.random, place, plain)
    }

    /// Decrypts bytes that were sealed for this place.
    pub fn open(&self, place: &str, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let place_name = || place.to_owned();
        let (key_id, encrypted) = split(sealed).ok_or_else(|| SealError::UnknownForm {
            place: place_name(),
        })?;
        let ring = self.ring.now();
        let key = ring.data_key(key_id).ok_or_else(|| SealError::UnknownKey {
            place: place_name(),
            key_id: key_id.to_owned(),
        })?;
        let cipher = Cipher::new(&key.bytes);
        open_by(key_id, &cipher, place, encrypted).ok_or_else(|| SealError::Refused {
            place: place_name(),
        })
    }

    /// Returns the id of the key that sealed these bytes, for a column beside them; `None` if they aren't a sealed blob.
    pub fn key_id_of(sealed: &[u8]) -> Option<&str> {
        split(sealed).map(|(key_id, _)| key_id)
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer")
            .field("ring", &self.ring)
            .finish_non_exhaustive()
    }
}

/// Encrypts for one place, with the key's name in front.
pub(super) fn seal_by(
    key_id: &str,
    cipher: &Cipher,
    random: &dyn Random,
    place: &str,
    plain: &[u8],
) -> Vec<u8> {
    let length = u8::try_from(key_id.len()).expect("key ids have at most 64 characters");
    let before: [&[u8]; 2] = [&[FORM, length], key_id.as_bytes()];
    encrypt_after(&before, cipher, random, &bound_to(key_id, place), plain)
}

/// Decrypts the bytes after the key's name; returns `None` if the key, the bytes or the place differ.
pub(super) fn open_by(
    key_id: &str,
    cipher: &Cipher,
    place: &str,
    encrypted: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    decrypt(cipher, &bound_to(key_id, place), encrypted)
}

/// Returns the key id and the rest.
pub(super) fn split(sealed: &[u8]) -> Option<(&str, &[u8])> {
    let (&[form, length], rest) = sealed.split_first_chunk::<2>()?;
    if form != FORM {
        return None;
    }
    let (key_id, encrypted) = rest.split_at_checked(usize::from(length))?;
    Some((std::str::from_utf8(key_id).ok()?, encrypted))
}

fn bound_to<'a>(key_id: &'a str, place: &'a str) -> [&'a [u8]; 3] {
    [SEAL_CONTEXT, key_id.as_bytes(), place.as_bytes()]
}

#[cfg(test)]
mod tests {
    use multirail_system::random::OsRandom;

    use super::*;
    use crate::{KeyRing, MasterKey};

    const PLACE: &str = "held_card:merchant_1/pay_1";
    const CARD: &[u8] = b"4111111111111111";

    fn sealer() -> Sealer {
        let master = MasterKey::generate(&OsRandom);
        let (ring, _) = KeyRing::create(&master, &OsRandom, 0);
        Sealer::new(ring, Arc::new(OsRandom))
    }

    #[test]
    fn what_is_sealed_opens_at_its_place() {
        let sealer = sealer();
        for plain in [CARD, b"", &[7; 100_000]] {
            let sealed = sealer.seal(PLACE, plain);
            assert_eq!(&**sealer.open(PLACE, &sealed).unwrap(), plain);
        }
    }

    #[test]
    fn sealing_twice_gives_different_bytes_and_never_the_plain_ones() {
        let sealer = sealer();
        let (first, second) = (sealer.seal(PLACE, CARD), sealer.seal(PLACE, CARD));
        assert_ne!(first, second);
        assert!(!first.windows(CARD.len()).any(|window| window == CARD));
    }

    #[test]
    fn another_place_does_not_open_it() {
        let sealer = sealer();
        let sealed = sealer.seal(PLACE, CARD);
        let error = sealer
            .open("held_card:merchant_1/pay_2", &sealed)
            .unwrap_err();
        assert!(matches!(error, SealError::Refused { .. }), "{error}");
    }

    #[test]
    fn any_changed_byte_is_noticed() {
        let sealer = sealer();
        let sealed = sealer.seal(PLACE, CARD);
        for index in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[index] ^= 1;
            assert!(sealer.open(PLACE, &changed).is_err(), "byte {index}");
        }
        for length in 0..sealed.len() {
            let cut = &sealed[..length];
            assert!(sealer.open(PLACE, cut).is_err(), "cut to {length}");
        }
    }

    #[test]
    fn the_blob_names_its_key_and_another_ring_says_it_lacks_it() {
        let sealer = sealer();
        let sealed = sealer.seal(PLACE, CARD);
        let key_id = Sealer::key_id_of(&sealed).unwrap();
        assert_eq!(key_id, sealer.ring.now().sealing_key().key_id);
        let error = self::sealer().open(PLACE, &sealed).unwrap_err();
        assert!(
            matches!(&error, SealError::UnknownKey { key_id: named, .. } if named == key_id),
            "{error}"
        );
        assert_eq!(Sealer::key_id_of(b"plain text"), None);
    }
}
