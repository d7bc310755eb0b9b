//! The word that redacted records have.

/// Stands where something was said of a customer who is redacted.
pub const REDACTED: &str = "Redacted";
