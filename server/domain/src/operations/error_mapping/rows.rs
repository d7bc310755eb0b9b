//! What operators have stored, all of it in memory: a refusal is looked up without asking the database.

use std::collections::HashMap;

use super::{ErrorMapping, MappingKey};

/// Stored mappings by what they are about.
#[derive(Clone, Debug, Default)]
pub struct ErrorMappings(HashMap<MappingKey, ErrorMapping>);

impl ErrorMappings {
    /// At most so many are stored.
    pub const AT_MOST: usize = 10_000;

    /// How many there are, those that stand for what was taken away included.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The one about exactly this.
    pub fn at(&self, key: &MappingKey) -> Option<&ErrorMapping> {
        self.0.get(key)
    }

    /// The one for a refusal: of these very words, else of any.
    pub fn find(&self, connector: &str, code: &str, message: &str) -> Option<&ErrorMapping> {
        if self.0.is_empty() {
            return None;
        }
        let of_words = self.0.get(&MappingKey::of(connector, code, message));
        of_words.or_else(|| self.0.get(&MappingKey::of(connector, code, "")))
    }
}

impl FromIterator<ErrorMapping> for ErrorMappings {
    fn from_iter<I: IntoIterator<Item = ErrorMapping>>(rows: I) -> Self {
        let by_key = rows.into_iter().map(|row| (row.key.clone(), row));
        ErrorMappings(by_key.collect())
    }
}
