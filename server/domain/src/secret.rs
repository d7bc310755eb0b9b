//! Texts that must not be seen: keys, credentials, card numbers.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

/// A text that doesn't print and is overwritten when dropped. Whoever needs it says so with [`SecretText::expose`].
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretText(Zeroizing<String>);

impl SecretText {
    /// Takes the text over. Copies that the caller still holds are the caller's business.
    pub fn new(text: impl Into<String>) -> Self {
        SecretText(Zeroizing::new(text.into()))
    }

    /// The text itself, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What may be shown so that a person recognises it: first and last two characters of a long text, of a short one
    /// nothing. The number of asterisks says nothing about the length.
    pub fn masked(&self) -> String {
        const LONG: usize = 16;
        let characters: Vec<char> = self.0.chars().collect();
        if characters.len() < LONG {
            return "*".repeat(8);
        }
        let first: String = characters[..2].iter().collect();
        let last: String = characters[characters.len() - 2..].iter().collect();
        format!("{first}{}{last}", "*".repeat(8))
    }
}

/// Sealed text that is not what was expected: it was written by something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sealed text is not the secrets of this record")]
pub struct UnreadableSecrets;

/// Secrets as the JSON text that is to be sealed. Room is made at once, because a text that grows leaves copies behind.
pub(crate) fn to_sealable(secrets: &impl Serialize) -> SecretText {
    let mut bytes = Vec::with_capacity(4096);
    serde_json::to_writer(&mut bytes, secrets).expect("secrets are plain JSON");
    SecretText::new(String::from_utf8(bytes).expect("JSON is UTF-8"))
}

/// Reads what [`to_sealable`] wrote.
pub(crate) fn from_sealable<T: DeserializeOwned>(
    text: &SecretText,
) -> Result<T, UnreadableSecrets> {
    serde_json::from_str(text.expose()).map_err(|_| UnreadableSecrets)
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(..)")
    }
}

/// Serde for members of what is about to be sealed: `#[serde(with = "crate::secret::sealed")]`. Secrets have no
/// serde of their own, so that none gets into a document by accident.
pub mod sealed {
    use super::SecretText;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes the text in clear.
    pub fn serialize<S: Serializer>(secret: &SecretText, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(secret.expose())
    }

    /// Reads a text.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SecretText, D::Error> {
        String::deserialize(deserializer).map(SecretText::new)
    }
}

/// As [`sealed`], for a member that may be unset.
pub mod sealed_option {
    use super::SecretText;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes the text in clear, or null.
    pub fn serialize<S: Serializer>(
        secret: &Option<SecretText>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match secret {
            Some(secret) => serializer.serialize_some(secret.expose()),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a text, or null.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<SecretText>, D::Error> {
        Option::<String>::deserialize(deserializer).map(|text| text.map(SecretText::new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_it_is_printed() {
        let secret = SecretText::new("sk_live_0123456789abcdef");
        assert_eq!(
            format!("{secret:?} {:?}", Some(&secret)),
            "SecretText(..) Some(SecretText(..))"
        );
        assert_eq!(secret.expose(), "sk_live_0123456789abcdef");
    }

    #[test]
    fn the_mask_tells_neither_text_nor_length() {
        assert_eq!(
            SecretText::new("sk_live_0123456789abcdef").masked(),
            "sk********ef"
        );
        assert_eq!(
            SecretText::new("0123456789abcdef0123456789abcdef").masked(),
            "01********ef"
        );
        assert_eq!(SecretText::new("short").masked(), "********");
        assert_eq!(SecretText::new("").masked(), "********");
    }
}
