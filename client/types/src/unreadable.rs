//! Text that could not be read as one of the types.

/// What is wrong with it. serde quotes values that have the wrong type, and a value may be a key: only the name of a
/// missing member is passed on.
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
