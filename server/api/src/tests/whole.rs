//! The document with its descriptions and examples, which the server doesn't keep.

use std::sync::LazyLock;

use serde_json::Value;

pub fn document() -> &'static Value {
    static DOCUMENT: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(&crate::document_json()).unwrap());
    &DOCUMENT
}

/// Returns the part that a reference names, or the part itself.
pub fn resolve(part: &Value) -> &Value {
    match part["$ref"].as_str() {
        Some(target) => document()
            .pointer(target.strip_prefix('#').unwrap())
            .unwrap(),
        None => part,
    }
}
