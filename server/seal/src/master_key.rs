//! The operator's master key.

use std::fmt;

use multirail_kernel::random::Random;
use zeroize::{Zeroize, Zeroizing};

use super::envelope::{Cipher, KEY_BYTES, KeyBytes, decrypt, encrypt, fresh_key};

/// The 32 bytes that wrap all other keys. Written as 64 hexadecimal digits.
#[derive(Clone)]
pub struct MasterKey(pub(super) KeyBytes);

/// Why a text isn't a master key. The error doesn't contain the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum InvalidMasterKey {
    #[error("must be 32 bytes written as 64 hexadecimal digits")]
    Form,
    /// A forgotten placeholder looks like that; no random key does.
    #[error(
        "is one byte 32 times over, as in a placeholder; make a random key with `multirail keys generate`"
    )]
    Placeholder,
}

impl MasterKey {
    /// Makes a random key.
    pub fn generate(random: &dyn Random) -> Self {
        Self(fresh_key(random))
    }

    /// Parses 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, InvalidMasterKey> {
        let mut bytes = Zeroizing::new([0_u8; KEY_BYTES]);
        hex::decode_to_slice(text, bytes.as_mut_slice()).map_err(|_| InvalidMasterKey::Form)?;
        if bytes.iter().all(|byte| *byte == bytes[0]) {
            return Err(InvalidMasterKey::Placeholder);
        }
        Ok(Self(bytes))
    }

    /// Returns the key as 64 hexadecimal digits, for the operator's file or terminal.
    pub fn to_hex(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(self.0.as_slice()))
    }
}

/// The context that a handed over master key is bound to.
const NEXT_CONTEXT: &[u8] = b"multirail next master key 1";
const NAME_CONTEXT: &str = "multirail 2026-11 name of a master key";
/// 48 bits distinguish the few master keys of an installation.
const NAME_DIGITS: usize = 12;

impl MasterKey {
    /// Returns the name of the key, 12 hexadecimal digits, which reveals nothing of it.
    pub fn name(&self) -> String {
        let mut digits = blake3::derive_key(NAME_CONTEXT, self.0.as_slice());
        let mut name = hex::encode(digits);
        digits.zeroize();
        name.truncate(NAME_DIGITS);
        name
    }

    /// Encrypts `next` for servers with this key, in hexadecimal digits. A running server gets its next master key in this
    /// form.
    pub fn hand_over(&self, next: &MasterKey, random: &dyn Random) -> String {
        hex::encode(encrypt(
            &Cipher::new(&self.0),
            random,
            &[NEXT_CONTEXT],
            next.0.as_slice(),
        ))
    }

    /// Decrypts a key that was handed over with this key.
    pub(super) fn handed_over(&self, text: &str) -> Option<MasterKey> {
        let plain = decrypt(
            &Cipher::new(&self.0),
            &[NEXT_CONTEXT],
            &hex::decode(text).ok()?,
        )?;
        let mut bytes = Zeroizing::new([0_u8; KEY_BYTES]);
        if plain.len() != KEY_BYTES {
            return None;
        }
        bytes.copy_from_slice(&plain);
        Some(MasterKey(bytes))
    }

    pub(super) fn is(&self, other: &MasterKey) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(***)")
    }
}

#[cfg(test)]
mod tests {
    use multirail_system::random::OsRandom;

    use super::*;

    #[test]
    fn hexadecimal_digits_go_round() {
        let key = MasterKey::generate(&OsRandom);
        let again = MasterKey::from_hex(&key.to_hex()).unwrap();
        assert_eq!(key.0, again.0);
        assert_eq!(key.to_hex().len(), 64);
    }

    #[test]
    fn anything_else_is_refused_without_repeating_it() {
        let refusal = |text: &str| MasterKey::from_hex(text).unwrap_err().to_string();
        for text in ["", "abcd", &"g".repeat(64), &"a1".repeat(33)] {
            assert_eq!(
                refusal(text),
                "must be 32 bytes written as 64 hexadecimal digits"
            );
        }
        for text in ["0".repeat(64), "a1".repeat(32)] {
            assert!(refusal(&text).starts_with("is one byte 32 times over"));
        }
    }

    #[test]
    fn the_next_one_is_read_by_who_has_the_present_one() {
        let [present, next, other] = [(); 3].map(|()| MasterKey::generate(&OsRandom));
        let handed = present.hand_over(&next, &OsRandom);
        assert!(!handed.contains(next.to_hex().as_str()));
        let read = present.handed_over(&handed).expect("the next one");
        assert!(read.is(&next) && !read.is(&present));
        assert!(other.handed_over(&handed).is_none());
        assert!(present.handed_over("00").is_none());
        assert!(present.handed_over("no digits").is_none());
    }

    #[test]
    fn a_name_is_always_the_same_and_never_changes() {
        let key = MasterKey::from_hex(&"0f1e".repeat(16)).unwrap();
        assert_eq!(key.name(), "2e96e20e34fd");
        assert_ne!(key.name(), MasterKey::generate(&OsRandom).name());
    }

    #[test]
    fn it_does_not_print() {
        let key = MasterKey::generate(&OsRandom);
        assert_eq!(format!("{key:?}"), "MasterKey(***)");
    }
}
