//! Reads the contract.

use std::io;

use serde_norway::Value;

use super::tree::File;
use super::{Kind, Report, sentences};

/// Adds the sentences of every description and summary.
///
/// # Errors
/// A file that is no YAML.
pub(super) fn read(file: &File, report: &mut Report) -> io::Result<()> {
    let document = serde_norway::from_str(&file.text).map_err(io::Error::other)?;
    described(&document, &file.path, report);
    Ok(())
}

fn described(value: &Value, path: &str, report: &mut Report) {
    match value {
        Value::Mapping(members) => {
            for (name, member) in members {
                match (name.as_str(), member) {
                    (Some("description" | "summary"), Value::String(text)) => {
                        sentences::add(report, Kind::Contract, path, text, false);
                    }
                    // Examples show what callers write.
                    (Some("example" | "value"), _) => {}
                    (Some(_) | None, member) => described(member, path, report),
                }
            }
        }
        Value::Sequence(items) => items.iter().for_each(|item| described(item, path, report)),
        Value::Tagged(tagged) => described(&tagged.value, path, report),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
