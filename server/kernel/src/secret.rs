//! Texts that must not be seen: keys, credentials, card numbers.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use zerocopy::FromBytes;
use zeroize::Zeroize;

use crate::refusal::Refusal;

/// A text that doesn't print and is overwritten when dropped. Only [`SecretText::expose`] reads it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretText(String);

impl SecretText {
    /// Takes over the text. Copies that the caller still holds are not overwritten.
    pub fn new(text: impl Into<String>) -> Self {
        SecretText(text.into())
    }

    /// Makes the text that `write` writes. `write` is called twice, because a text that grows leaves copies in memory:
    /// the first call measures the length.
    ///
    /// # Errors
    /// The errors of `write`, and [`io::ErrorKind::InvalidData`] if the text isn't UTF-8.
    pub fn composed(write: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<Self> {
        let mut length = Length(0);
        write(&mut length)?;
        let mut bytes = Vec::with_capacity(length.0);
        write(&mut bytes)?;
        SecretText::of_utf8(bytes).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Takes over bytes of UTF-8. Other bytes are overwritten.
    pub fn of_utf8(bytes: Vec<u8>) -> Option<Self> {
        match String::from_utf8(bytes) {
            Ok(text) => Some(SecretText(text)),
            Err(error) => {
                overwrite(error.into_bytes());
                None
            }
        }
    }

    /// Writes members as JSON. They may contain secrets ([`sealed`]).
    pub fn of_json(members: &impl Serialize) -> Self {
        Self::of_json_in_steps(members, 1)
    }

    /// Writes the same JSON and adds spaces up to a multiple of `step` bytes.
    pub fn of_json_in_steps(members: &impl Serialize, step: usize) -> Self {
        let mut growing = Growing(Vec::with_capacity(Growing::FIRST_ROOM));
        serde_json::to_writer(&mut growing, members).expect("plain members become JSON");
        let length = growing.0.len();
        growing.lengthen_to(length.next_multiple_of(step.max(1)));
        SecretText::of_utf8(std::mem::take(&mut growing.0)).expect("JSON is UTF-8")
    }

    /// Returns the text, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Checks whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a mask by which a person recognises the text: the first and last two characters of a long text, none of
    /// a short one. The number of asterisks doesn't depend on the length.
    pub fn masked(&self) -> String {
        const LONG: usize = 16;
        let characters: Vec<char> = self.0.chars().collect();
        if characters.len() < LONG {
            return self.hidden();
        }
        let first: String = characters[..2].iter().collect();
        let last: String = characters[characters.len() - 2..].iter().collect();
        format!("{first}{}{last}", self.hidden())
    }

    /// Returns the mask of a text whose beginning and end are the same for all such texts.
    pub fn hidden(&self) -> String {
        "*".repeat(8)
    }
}

impl Drop for SecretText {
    fn drop(&mut self) {
        overwrite(std::mem::take(&mut self.0).into_bytes());
    }
}

/// Overwrites eight bytes at a time, because bodies of events have thousands of bytes and each payment drops several.
fn overwrite(mut bytes: Vec<u8>) {
    bytes.spare_capacity_mut().zeroize();
    let words = bytes.len() / size_of::<u64>();
    // Bytes at an odd address are overwritten one by one.
    if let Ok((words, rest)) = <[u64]>::mut_from_prefix_with_elems(&mut bytes, words) {
        words.zeroize();
        rest.zeroize();
    } else {
        bytes.zeroize();
    }
}

/// A growing buffer that overwrites the memory it leaves.
struct Growing(Vec<u8>);

impl Growing {
    /// The initial capacity in bytes, enough for most texts.
    const FIRST_ROOM: usize = 512;

    fn make_room(&mut self, length: usize) {
        if length > self.0.capacity() {
            let mut larger = Vec::with_capacity(length * 2);
            larger.extend_from_slice(&self.0);
            overwrite(std::mem::replace(&mut self.0, larger));
        }
    }

    /// Appends spaces up to this length.
    fn lengthen_to(&mut self, length: usize) {
        self.make_room(length);
        self.0.resize(length, b' ');
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.make_room(self.0.len() + bytes.len());
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        overwrite(std::mem::take(&mut self.0));
    }
}

/// Counts the written bytes.
struct Length(usize);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the secret that a caller means by `given` for `member`. If `given` is the mask of the stored secret, the
/// stored one stays.
///
/// # Errors
/// [`Refusal::InvalidValue`] for any other text that looks like a mask, which would destroy the stored secret.
pub fn written(
    given: SecretText,
    stored: Option<&SecretText>,
    mask: fn(&SecretText) -> String,
    member: &str,
) -> Result<SecretText, Refusal> {
    if !is_like_a_mask(given.expose()) {
        return Ok(given);
    }
    let meant = stored.filter(|stored| mask(stored) == given.expose());
    meant.cloned().ok_or_else(|| {
        Refusal::invalid_value(format!(
            "{member} is a mask, and not that of the stored value: send the value itself, or leave it out"
        ))
    })
}

/// Returns the same as [`written`] for a secret that stays if none is given.
///
/// # Errors
/// The same as [`written`].
pub fn written_or_stored(
    given: Option<SecretText>,
    stored: Option<SecretText>,
    member: &str,
) -> Result<Option<SecretText>, Refusal> {
    match given {
        Some(given) => written(given, stored.as_ref(), SecretText::masked, member).map(Some),
        None => Ok(stored),
    }
}

/// Checks for at least four asterisks in a row with at most four characters on either side. The server and other
/// services show such masks.
fn is_like_a_mask(text: &str) -> bool {
    const FEWEST: usize = 4;
    const SHOWN: usize = 4;
    let rest = text.trim_start_matches(|character| character != '*');
    let end = rest.trim_start_matches('*');
    let is_short = |side: &str| side.chars().count() <= SHOWN;
    rest.len() - end.len() >= FEWEST
        && is_short(&text[..text.len() - rest.len()])
        && is_short(end)
        && !end.contains('*')
}

/// The error for a sealed text with unexpected content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sealed text is not the secrets of this record")]
pub struct UnreadableSecrets;

/// Writes secrets as the JSON text to seal. The capacity is set once, because a growing text leaves copies in memory.
pub fn to_sealable(secrets: &impl Serialize) -> SecretText {
    let mut bytes = Vec::with_capacity(4096);
    serde_json::to_writer(&mut bytes, secrets).expect("secrets are plain JSON");
    SecretText::new(String::from_utf8(bytes).expect("JSON is UTF-8"))
}

/// Reads the text of [`to_sealable`].
pub fn from_sealable<T: DeserializeOwned>(text: &SecretText) -> Result<T, UnreadableSecrets> {
    serde_json::from_str(text.expose()).map_err(|_| UnreadableSecrets)
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(..)")
    }
}

/// Serde functions for members of a text to be sealed: `#[serde(with = "crate::secret::sealed")]`. Secrets don't
/// implement serde, so that none gets into a document by accident.
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

/// Serde functions for an optional member, like those of [`sealed`].
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
    fn a_composed_text_has_all_its_room_from_the_start() {
        let text = SecretText::composed(|writer| {
            writer.write_all(b"number=")?;
            writer.write_all("41".repeat(8).as_bytes())
        })
        .expect("plain text");
        assert_eq!(text.expose(), "number=4141414141414141");
        assert_eq!(text.0.capacity(), text.expose().len());
        let no_text = SecretText::composed(|writer| writer.write_all(&[0xff]));
        assert_eq!(
            no_text.map_err(|error| error.kind()),
            Err(io::ErrorKind::InvalidData)
        );
    }

    #[test]
    fn json_outgrows_its_first_room_and_stays_whole() {
        for letters in [0, Growing::FIRST_ROOM - 2, Growing::FIRST_ROOM - 1, 5_000] {
            let member = "a".repeat(letters);
            let list = [&member, &member];
            let text = SecretText::of_json(&list);
            assert_eq!(text.expose(), format!("[\"{member}\",\"{member}\"]"));
        }
    }

    #[test]
    fn json_in_steps_is_the_same_json_of_another_length() {
        for (letters, length) in [(0, 8), (4, 8), (5, 16), (12, 16)] {
            let list = ["a".repeat(letters)];
            let text = SecretText::of_json_in_steps(&list, 8);
            assert_eq!(text.expose().len(), length, "{letters} letters");
            let read: [String; 1] = serde_json::from_str(text.expose()).expect("JSON");
            assert_eq!(read, list);
        }
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

    #[test]
    fn the_mask_of_what_is_stored_means_that_it_stays() {
        let stored = SecretText::new("sk_live_0123456789abcdef");
        let write = |given: &str, stored: Option<&SecretText>| {
            written(SecretText::new(given), stored, SecretText::masked, "key")
        };
        assert_eq!(write("sk********ef", Some(&stored)), Ok(stored.clone()));
        let short = SecretText::new("sesame");
        assert_eq!(write("********", Some(&short)), Ok(short.clone()));
        for other in [
            "sk********eg",
            "********",
            "sk****ef",
            "****",
            "1234****5678",
        ] {
            for stored in [Some(&stored), None] {
                let refused = write(other, stored);
                assert!(
                    matches!(&refused, Err(Refusal::InvalidValue { message }) if message.starts_with("key ")),
                    "{other}: {refused:?}"
                );
            }
        }
    }

    #[test]
    fn a_text_that_is_no_mask_is_a_secret() {
        for given in [
            "",
            "sesame",
            "***",
            "a*b*c*d*e",
            "**** ****",
            "a password of ****",
            "12345****",
            "****12345",
            "𝕒𝕓𝕔𝕕𝕖****",
        ] {
            let given = SecretText::new(given);
            let stored = SecretText::new("another one of many characters");
            let written = written(given.clone(), Some(&stored), SecretText::masked, "key");
            assert_eq!(written, Ok(given));
        }
    }
}
