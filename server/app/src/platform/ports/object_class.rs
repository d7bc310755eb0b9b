//! The kinds of objects that stored rows name.

use std::fmt;

/// A kind of object, by its word in stored rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectClass(&'static str);

impl ObjectClass {
    /// Returns the class with this word.
    pub const fn new(word: &'static str) -> Self {
        ObjectClass(word)
    }

    /// Returns the stored word.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for ObjectClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
