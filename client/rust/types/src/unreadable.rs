//! Describes text that could not be read as one of the types.

/// Returns the description of an error. serde quotes values of the wrong type, and a value may be a key. So only the
/// name of a missing member is passed on.
pub fn unreadable(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if text.starts_with("missing field") {
        return text;
    }
    format!(
        "unexpected content at line {} column {}",
        error.line(),
        error.column()
    )
}
