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
#[error("must be 32 bytes written as 64 hexadecimal digits")]
pub struct InvalidMasterKey;

impl MasterKey {
    /// Makes a new one.
    pub fn generate(random: &dyn Random) -> Self {
        Self(fresh_key(random))
    }

    /// Reads 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, InvalidMasterKey> {
        let mut bytes = Zeroizing::new([0_u8; KEY_BYTES]);
        hex::decode_to_slice(text, bytes.as_mut_slice()).map_err(|_| InvalidMasterKey)?;
        // What a forgotten placeholder looks like; no random key does.
        if bytes.iter().all(|byte| *byte == bytes[0]) {
            return Err(InvalidMasterKey);
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
    use super::*;
    use crate::adapters::random::OsRandom;

    #[test]
    fn hexadecimal_digits_go_round() {
        let key = MasterKey::generate(&OsRandom);
        let again = MasterKey::from_hex(&key.to_hex()).unwrap();
        assert_eq!(key.0, again.0);
        assert_eq!(key.to_hex().len(), 64);
    }

    #[test]
    fn anything_else_is_refused_without_repeating_it() {
        let zeros = "0".repeat(64);
        for text in ["", "abcd", &"g".repeat(64), &"a1".repeat(33), &zeros] {
            let refusal = MasterKey::from_hex(text).unwrap_err().to_string();
            assert_eq!(refusal, "must be 32 bytes written as 64 hexadecimal digits");
        }
    }

    #[test]
    fn it_does_not_print() {
        let key = MasterKey::generate(&OsRandom);
        assert_eq!(format!("{key:?}"), "MasterKey(***)");
    }
}
