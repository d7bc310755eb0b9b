//! Writes the published document as JSON, the form that the server serves to programs.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

const PUBLISHED: &str = "../../openapi/openapi.yaml";

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no folder")?);
    let source = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo names no folder")?);
    for read in [PUBLISHED, "build.rs"] {
        println!("cargo:rerun-if-changed={read}");
    }
    let text = fs::read_to_string(source.join(PUBLISHED))?;
    let document: serde_json::Value = serde_norway::from_str(&text)?;
    fs::write(out.join("openapi.json"), format!("{document}\n"))?;
    Ok(())
}
