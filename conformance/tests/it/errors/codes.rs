//! The error codes in the guide are those that the service returns.

use std::collections::BTreeSet;
use std::path::Path;

use crate::room_dependencies::sources::before_tests;

const FAMILIES: [&str; 6] = ["IR", "HE", "CE", "UR", "MR", "WE"];

/// Refusals that have their own constructor function.
const MADE_BY: [(&str, &str); 6] = [
    ("Busy", "busy"),
    ("Missing", "missing"),
    ("InvalidFormat", "invalid_format"),
    ("InvalidValue", "invalid_value"),
    ("Precondition", "precondition"),
    ("NotFound", "not_found"),
];

/// Returns the server's sources, without generated code and tests.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server");
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                if !["tests", "generated", "target"].contains(&&*name) {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = std::fs::read_to_string(&path).expect("a source");
                let code = before_tests(&text).to_owned();
                found.push((path.to_string_lossy().into_owned(), code));
            }
        }
    }
    assert!(found.len() > 300, "{}", found.len());
    found
}

fn is_code(text: &str) -> bool {
    text.split_once('_').is_some_and(|(family, number)| {
        FAMILIES.contains(&family)
            && number.len() == 2
            && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[test]
fn the_guide_lists_the_codes_that_the_service_gives_and_no_other() {
    let guide = include_str!("../../../../server/docs/guides/errors.md");
    let (_, table) = guide.split_once("\n## Codes\n").expect("the codes");
    let listed: BTreeSet<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split('|').next())
        .flat_map(|cell| cell.split('`'))
        .filter(|text| is_code(text))
        .collect();
    let sources = sources();
    let given: BTreeSet<&str> = sources
        .iter()
        .flat_map(|(_, text)| text.split('"'))
        .filter(|text| is_code(text))
        .collect();
    assert_eq!(listed, given);
}

/// Each code has a place in the sources that makes its refusal.
#[test]
fn each_refusal_that_has_a_code_is_made_somewhere() {
    let sources = sources();
    let (_, table) = sources
        .iter()
        .find(|(path, _)| path.ends_with("http/src/platform/errors.rs"))
        .expect("the table of codes");
    let others: Vec<&str> = sources
        .iter()
        .filter(|(path, _)| {
            !path.ends_with("http/src/platform/errors.rs")
                && !path.ends_with("kernel/src/refusal.rs")
        })
        .map(|(_, text)| text.as_str())
        .collect();
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut count = 0;
    for rest in table.split("Refusal::").skip(1) {
        let name = rest.split(|c| !is_word(c)).next().unwrap_or_default();
        let maker = MADE_BY.iter().find(|(variant, _)| *variant == name);
        let wanted = format!("Refusal::{}", maker.map_or(name, |(_, function)| function));
        let is_made = others.iter().any(|text| {
            let mut found = text.split(&wanted).skip(1);
            found.any(|rest| !rest.starts_with(is_word))
        });
        assert!(is_made, "nobody makes Refusal::{name}");
        count += 1;
    }
    assert!(count > 50, "{count}");
}
