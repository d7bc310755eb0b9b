//! The format of an id, and the errors of parsing one.

use crate::refusal::Refusal;

/// The maximum number of characters of an id.
pub const MAX_ID_LENGTH: usize = 64;

/// The reason why a text is no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidId {
    #[error("an id can't be empty")]
    Empty,
    #[error("an id has at most 64 characters")]
    TooLong,
    #[error("an id consists of letters, digits, underscores and dashes")]
    Character,
    #[error("this word has a meaning of its own in paths")]
    Reserved,
    /// An attempt or capture id without its number.
    #[error("the number at the end is missing")]
    NoNumber,
}

impl InvalidId {
    /// Returns the refusal for an id that a caller gave as `member`.
    pub fn refusal(self, member: &str) -> Refusal {
        match self {
            InvalidId::Empty | InvalidId::TooLong | InvalidId::Character | InvalidId::NoNumber => {
                Refusal::invalid_format(member, "1 to 64 letters, digits, underscores and dashes")
            }
            InvalidId::Reserved => Refusal::invalid_format(
                member,
                "an id that is not a word of our own paths, such as list",
            ),
        }
    }
}

/// Checks for 1 to 64 of `[A-Za-z0-9_-]`.
pub(super) fn check(text: &str) -> Result<(), InvalidId> {
    check_with(text, |byte| {
        byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
    })
}

/// Checks for 1 to 64 visible ASCII characters, none of which can break a log line or a header.
pub(super) fn check_visible(text: &str) -> Result<(), InvalidId> {
    check_with(text, |byte| byte.is_ascii_graphic())
}

fn check_with(text: &str, allowed: impl Fn(u8) -> bool) -> Result<(), InvalidId> {
    if text.is_empty() {
        Err(InvalidId::Empty)
    } else if !text.bytes().all(allowed) {
        Err(InvalidId::Character)
    } else if text.len() > MAX_ID_LENGTH {
        Err(InvalidId::TooLong)
    } else {
        Ok(())
    }
}

/// Implements `FromStr` and serde by `parse` and `Display`.
macro_rules! read_and_written_as_text {
    ($name:ident) => {
        impl std::str::FromStr for $name {
            type Err = $crate::ids::InvalidId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $name::parse(text)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text =
                    <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                $name::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(super) use read_and_written_as_text;
