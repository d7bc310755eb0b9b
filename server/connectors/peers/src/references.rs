//! References inside a document.

use serde_json::Value;

/// Follows a reference; returns any other value unchanged.
pub fn resolved<'a>(value: &'a Value, root: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => {
            let pointer = reference.trim_start_matches('#');
            let found = root.pointer(pointer);
            resolved(found.unwrap_or_else(|| panic!("{reference}")), root)
        }
        None => value,
    }
}
