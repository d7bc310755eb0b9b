//! Fingerprints, which show that two cards of a merchant are the same without showing the number.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A keyed hash of a card number within one merchant: 32 hexadecimal digits, for comparison only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CardFingerprint(String);

/// The error for a text that is no fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a card's fingerprint has 32 hexadecimal digits")]
pub struct InvalidFingerprint;

impl CardFingerprint {
    const DIGITS: usize = 32;

    /// Reads a fingerprint.
    ///
    /// # Errors
    /// Fails unless the text is 32 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, InvalidFingerprint> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == Self::DIGITS && text.bytes().all(is_digit) {
            Ok(CardFingerprint(text.to_owned()))
        } else {
            Err(InvalidFingerprint)
        }
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CardFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for CardFingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for CardFingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str> as Deserialize>::deserialize(deserializer)?;
        CardFingerprint::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_32_digits() {
        let good = "0123456789abcdef0123456789abcdef";
        assert_eq!(
            CardFingerprint::parse(good)
                .map(|f| f.to_string())
                .as_deref(),
            Ok(good)
        );
        for bad in ["", "0123", &good.to_uppercase(), &format!("{good}0")] {
            assert_eq!(
                CardFingerprint::parse(bad),
                Err(InvalidFingerprint),
                "{bad}"
            );
        }
    }
}
