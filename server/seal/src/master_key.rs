//! The operator's master key.

use std::fmt;

use multirail_domain::random::Random;
use zeroize::Zeroizing;

use super::envelope::{KEY_BYTES, KeyBytes, fresh_key};

/// The 32 bytes that wrap all other keys. Written as 64 hexadecimal digits.
#[derive(Clone)]
pub struct MasterKey(pub(super) KeyBytes);

/// Why a text isn't a master key. Says nothing of the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum InvalidMasterKey {
    #[error("must be 32 bytes written as 64 hexadecimal digits")]
    Form,
    /// What a forgotten placeholder looks like; no random key does.
    #[error(
        "is one byte 32 times over, as in a placeholder; make a random key with `multirail keys generate`"
    )]
    Placeholder,
}

impl MasterKey {
    /// Makes a new one.
    pub fn generate(random: &dyn Random) -> Self {
        Self(fresh_key(random))
    }

    /// Reads 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, InvalidMasterKey> {
        let mut bytes = Zeroizing::new([0_u8; KEY_BYTES]);
        hex::decode_to_slice(text, bytes.as_mut_slice()).map_err(|_| InvalidMasterKey::Form)?;
        if bytes.iter().all(|byte| *byte == bytes[0]) {
            return Err(InvalidMasterKey::Placeholder);
        }
        Ok(Self(bytes))
    }

    /// The key as 64 hexadecimal digits, for the file or terminal of whoever made it.
    pub fn to_hex(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(self.0.as_slice()))
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
    fn it_does_not_print() {
        let key = MasterKey::generate(&OsRandom);
        assert_eq!(format!("{key:?}"), "MasterKey(***)");
    }
}
