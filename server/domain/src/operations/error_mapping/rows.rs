//! The operators' stored mappings, all in memory: a refusal is looked up without a query.

use std::collections::HashMap;

use super::{ErrorMapping, MappingKey};

/// Stored mappings by key.
#[derive(Clone, Debug, Default)]
pub struct ErrorMappings(HashMap<MappingKey, ErrorMapping>);

impl ErrorMappings {
    /// The largest number of stored mappings.
    pub const AT_MOST: usize = 10_000;

    /// Returns the number of mappings, with those that hide a built-in one.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the mapping with exactly this key.
    pub fn at(&self, key: &MappingKey) -> Option<&ErrorMapping> {
        self.0.get(key)
    }

    /// Returns the mapping for a refusal: the one with this message, or else the one for any message.
    pub fn find(&self, connector: &str, code: &str, message: &str) -> Option<&ErrorMapping> {
        if self.0.is_empty() {
            return None;
        }
        let of_words = self
            .0
            .get(&MappingKey::for_authorization(connector, code, message));
        of_words.or_else(|| {
            self.0
                .get(&MappingKey::for_authorization(connector, code, ""))
        })
    }
}

impl FromIterator<ErrorMapping> for ErrorMappings {
    fn from_iter<I: IntoIterator<Item = ErrorMapping>>(rows: I) -> Self {
        let by_key = rows.into_iter().map(|row| (row.key.clone(), row));
        ErrorMappings(by_key.collect())
    }
}
