//! The published document, packed in the program.

use std::io::Read as _;

use flate2::read::GzDecoder;

const JSON: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));
const YAML: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.yaml.gz"));
const RULES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/rules.json.gz"));

/// Returns the published document as JSON text, in one line.
pub fn document_json() -> String {
    unpacked(JSON)
}

/// Returns the published document as YAML text, joined from the files of `openapi/source`.
pub fn document_yaml() -> String {
    unpacked(YAML)
}

/// Returns the document without descriptions and examples as JSON text.
pub(crate) fn rules_json() -> String {
    unpacked(RULES)
}

fn unpacked(packed: &[u8]) -> String {
    let mut text = String::new();
    let read = GzDecoder::new(packed).read_to_string(&mut text);
    read.expect("the build has packed a text");
    text
}
