//! Open enumerations: the words of the document, and a variant for any word of a later version.

use serde_json::Value;

use crate::document::{Document, is_enumeration, items};
use crate::{names, render};

/// Name of the variant that holds an unknown word.
pub const UNKNOWN: &str = "Unknown";

/// Returns the words of an enumeration in the order of the document.
pub fn words(schema: &Value) -> Vec<&str> {
    items(&schema["enum"]).filter_map(Value::as_str).collect()
}

/// Returns the file of all open enumerations.
pub fn emit(document: &Document) -> String {
    let items: String = document
        .schemas()
        .filter(|(_, schema)| is_enumeration(schema))
        .map(|(name, schema)| one(name, schema))
        .collect();
    format!(
        "{}\n#[allow(unused_imports)]\nuse crate::open_enum::open_enum;\n{items}",
        render::HEADER
    )
}

/// Returns the invocation of the macro for one enumeration.
fn one(name: &str, schema: &Value) -> String {
    let type_name = names::ident(name);
    let about = render::comment(4, schema["description"].as_str().unwrap_or(name));
    let words = words(schema)
        .into_iter()
        .map(|word| format!("{} = {word:?}", names::pascal(word)));
    let words = render::columns(8, words);
    format!("\nopen_enum! {{\n{about}    {type_name} {{\n{words}    }}\n}}\n")
}
