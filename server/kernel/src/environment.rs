//! The environments: development, sandbox and production.

use crate::words::words;

words! {
    /// The environment of a key. The key begins with this word.
    pub enum Environment {
        Development = "dev",
        Sandbox = "snd",
        Production = "prd",
    }
}
