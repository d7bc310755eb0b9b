//! The replacement for redacted texts.

/// Replaces texts about a redacted customer.
pub const REDACTED: &str = "Redacted";
