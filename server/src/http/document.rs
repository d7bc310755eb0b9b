//! The document as it is served: the published one, with this server's own address in it.

use bytes::Bytes;
use serde_json::{Value, json};

/// The published document, joined from the files of openapi/source.
pub const YAML: &str = include_str!("../../../openapi/openapi.yaml");

/// Where the addresses stand in it, at the start of a line.
const SERVERS: &str = "servers:\n";

/// Both forms, made once.
pub struct Document {
    pub json: Bytes,
    pub yaml: Bytes,
}

impl Document {
    /// The document of a server that is reached at `url`.
    pub fn at(url: &str) -> Self {
        Self {
            json: json(url).into(),
            yaml: yaml(url).into(),
        }
    }
}

/// Not read and written anew, which would take as long as the rest of a start: outside of texts the name stands there
/// once, and no address has a bracket.
fn json(url: &str) -> String {
    const NAME: &str = "\"servers\":[";
    let written = multirail_api::document_json();
    let parts = written
        .split_once(NAME)
        .and_then(|(before, after)| Some((before, after.split_once(']')?.1)));
    match parts {
        Some((before, after)) => {
            let server = json!({ "url": url }).to_string();
            [before, NAME, &server, "]", after].concat()
        }
        None => written.to_owned(),
    }
}

/// The text with its comments and its order; only the addresses are replaced.
fn yaml(url: &str) -> String {
    let Some((before, after)) = YAML.split_once(&format!("\n{SERVERS}")) else {
        return YAML.to_owned();
    };
    let is_inside = |line: &&str| line.starts_with([' ', '#']) || line.trim().is_empty();
    let inside: usize = after
        .split_inclusive('\n')
        .take_while(is_inside)
        .map(str::len)
        .sum();
    let rest = &after[inside..];
    // Text of JSON is text of YAML.
    let url = Value::from(url).to_string();
    [before, "\n", SERVERS, "  - url: ", &url, "\n", rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_address_differs() {
        let url = "https://pay.example/\"odd\"";
        let served = Document::at(url);
        let json: Value = serde_json::from_slice(&served.json).unwrap();
        let mut expected: Value = serde_json::from_str(multirail_api::document_json()).unwrap();
        assert!(expected["servers"].is_array());
        expected["servers"] = json!([{ "url": url }]);
        assert_eq!(json, expected);
        let yaml = std::str::from_utf8(&served.yaml).unwrap();
        let (before, _) = YAML.split_once("\nservers:").unwrap();
        let (_, after) = YAML.split_once("\ntags:").unwrap();
        assert_eq!(
            yaml,
            format!("{before}\nservers:\n  - url: {}\ntags:{after}", json!(url))
        );
    }
}
