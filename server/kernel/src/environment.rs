//! Sandbox or production.

use crate::words::words;

words! {
    /// What a key is for; its word opens the key.
    pub enum Environment {
        Development = "dev",
        Sandbox = "snd",
        Production = "prd",
    }
}
