//! Locations in the document: the label that a finding shows, and the JSON pointer that leads to file and line.

use std::fmt;

use crate::sources::escape;

/// A location that a finding is about.
#[derive(Debug, Clone)]
pub struct Location {
    label: String,
    pointer: String,
}

impl Location {
    /// Returns a location with its pointer as label, such as `/components/schemas/Payment`.
    pub fn at(pointer: &str) -> Self {
        Self {
            label: format!("#{pointer}"),
            pointer: pointer.to_owned(),
        }
    }

    pub fn schema(name: &str) -> Self {
        Self::at(&format!("/components/schemas/{name}"))
    }

    pub fn path(path: &str) -> Self {
        Self {
            label: path.to_owned(),
            pointer: format!("/paths/{}", escape(path)),
        }
    }

    /// Returns the location of an operation, labelled `POST /payments`.
    pub fn operation(method: &str, path: &str) -> Self {
        Self {
            label: format!("{} {path}", method.to_uppercase()),
            pointer: format!("/paths/{}/{method}", escape(path)),
        }
    }

    /// Returns the location of a part of a schema; its label is longer by the same parts.
    pub fn below(&self, parts: &str) -> Self {
        Self {
            label: format!("{}/{parts}", self.label),
            pointer: format!("{}/{parts}", self.pointer),
        }
    }

    /// Returns the location of a part of an operation; its label is longer by a word.
    pub fn part(&self, word: &str, pointer: &str) -> Self {
        Self {
            label: format!("{} {word}", self.label),
            pointer: format!("{}/{pointer}", self.pointer),
        }
    }

    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.label)
    }
}
