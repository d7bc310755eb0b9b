//! Packs the published document as YAML and as JSON, since texts of megabytes would be a twentieth of the program; and
//! as JSON without prose, since a server keeps its rules in memory.

use std::error::Error;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

const PUBLISHED: &str = "../../openapi/openapi.yaml";

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no folder")?);
    let source = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo names no folder")?);
    for read in [PUBLISHED, "build.rs"] {
        println!("cargo:rerun-if-changed={read}");
    }
    let text = fs::read_to_string(source.join(PUBLISHED))?;
    let mut document: Value = serde_norway::from_str(&text)?;
    pack(&out.join("openapi.yaml.gz"), &text)?;
    pack(&out.join("openapi.json.gz"), &format!("{document}\n"))?;
    remove_prose(&mut document);
    pack(&out.join("rules.json.gz"), &document.to_string())
}

/// Removes descriptions, summaries and examples. A member that has one of these names is an object below `properties`,
/// and stays.
fn remove_prose(part: &mut Value) {
    match part {
        Value::Object(members) => {
            members.retain(|name, value| match name.as_str() {
                "description" | "summary" => !value.is_string(),
                "examples" => false,
                _ => true,
            });
            for (name, value) in members {
                if name == "properties" {
                    for schema in value.as_object_mut().into_iter().flatten() {
                        remove_prose(schema.1);
                    }
                } else {
                    remove_prose(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(remove_prose),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn pack(path: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    let mut packed = GzEncoder::new(File::create(path)?, Compression::default());
    packed.write_all(text.as_bytes())?;
    packed.finish()?;
    Ok(())
}
