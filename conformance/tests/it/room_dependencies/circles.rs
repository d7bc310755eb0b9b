//! `conformance` has no import cycles: among the files and folders of one folder, none reaches itself through the
//! others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::root;
use super::sources::{module_of, names, sources};

/// Folders below `conformance`.
const FOLDERS: &[&str] = &[
    "src",
    "verifier/src",
    "mutation/src",
    "mutation/src/bin/mutate-contract",
    "load/src",
    "postgres/src",
    "replay/src",
    "tests/it",
    "tests/crash",
    "tests/browser",
];

/// For each folder, the imports between its files and subfolders.
type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Collects the imports between the files and folders of each folder.
fn arrows(src: &Path) -> Arrows {
    let mut arrows = Arrows::new();
    for file in sources(src) {
        let module = module_of(src, &file);
        for name in names(&file, &module) {
            let Some(path) = name.strip_prefix("crate::") else {
                continue;
            };
            let named: Vec<&str> = path.split("::").collect();
            let own: Vec<&str> = module.iter().map(String::as_str).collect();
            let shared = own.iter().zip(&named).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (own.get(shared), named.get(shared)) {
                let folder = arrows.entry(own[..shared].join("/")).or_default();
                let all = folder.entry((*from).to_owned()).or_default();
                all.insert((*to).to_owned());
            }
        }
    }
    arrows
}

/// Removes entries that import nothing left, again and again. The rest is in a cycle or leads to one.
fn circle(mut arrows: BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    loop {
        let known: BTreeSet<String> = arrows.keys().cloned().collect();
        let count = known.len();
        arrows.retain(|_, named| {
            named.retain(|one| known.contains(one));
            !named.is_empty()
        });
        if arrows.len() == count {
            return known;
        }
    }
}

#[test]
fn in_no_folder_of_conformance_do_arrows_go_round() {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let src = root().join("conformance").join(folder);
        for (inner, arrows) in arrows(&src) {
            let all = circle(arrows);
            if !all.is_empty() {
                found.push(format!("{folder}/{inner}: {all:?}"));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn arrows_that_go_round_are_found() {
    let arrows = |all: &[(&str, &str)]| {
        let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in all {
            let named = arrows.entry((*from).to_owned()).or_default();
            named.insert((*to).to_owned());
        }
        circle(arrows)
    };
    assert!(arrows(&[("kit", "run"), ("kit", "document"), ("run", "document")]).is_empty());
    let round = arrows(&[("kit", "run"), ("run", "report"), ("report", "kit")]);
    assert_eq!(round.len(), 3);
}
