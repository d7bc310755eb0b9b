//! No import goes round: among the files and folders of one folder, none reaches itself through the others. In
//! `conformance` that holds for files too, elsewhere for circles with a folder in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::paths::paths;
use super::sources::{module_of, sources};
use super::{metadata, root};

/// Folders below `conformance`.
const FOLDERS: &[&str] = &[
    "src",
    "verifier/src",
    "mutation/src",
    "mutation/src/bin/mutate-contract",
    "load/src",
    "postgres/src",
    "prose/src",
    "replay/src",
    "tests/it",
    "tests/crash",
    "tests/browser",
];

const FOR_CONNECTORS: &str = "The generated means.rs gives the processor's words the meanings that our code declares. \
     Our code reads them.";

/// `(folder, an arrow in it that closes a circle, reason)`. The list may only shrink.
const GO_ROUND: &[(&str, &str, &str)] = &[
    (
        "client/rust/src",
        "generated -> calls",
        "The generated client sends its requests through calls.rs, which names the client's type.",
    ),
    (
        "server/api/src",
        "generated -> fuzz",
        "The fuzz target tries each generated operation, and hands it what it has drawn.",
    ),
    (
        "server/api/src",
        "generated -> operation",
        "The generated list of operations is made of OpInfo, which holds the generated name of its operation.",
    ),
    (
        "server/app/src/platform",
        "base -> audit",
        "Every commit of the base contains the entry of the audit log, whose use cases commit.",
    ),
    (
        "server/connectors/sdk/src",
        "payer_method -> connector",
        "A payer's method says what its step shows, in the connector's word. Connectors describe their methods.",
    ),
    (
        "server/connectors/src/adyen",
        "generated -> map",
        FOR_CONNECTORS,
    ),
    (
        "server/connectors/src/adyen",
        "generated -> notices",
        FOR_CONNECTORS,
    ),
    (
        "server/connectors/src/checkout",
        "generated -> notices",
        FOR_CONNECTORS,
    ),
    (
        "server/connectors/src/stripe",
        "generated -> approval",
        FOR_CONNECTORS,
    ),
    (
        "server/connectors/src/stripe",
        "generated -> map",
        FOR_CONNECTORS,
    ),
    (
        "server/connectors/src/stripe",
        "generated -> notices",
        FOR_CONNECTORS,
    ),
    (
        "server/store/src",
        "operations -> payments",
        "The wrong arrow of ARCHITECTURE: the claim of open operations first files payments whose call was cut off.",
    ),
];

/// The imports between the files and subfolders of one folder.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The sources below a folder.
#[derive(Default)]
struct Tree {
    /// For each folder, the imports between its entries.
    arrows: BTreeMap<PathBuf, Arrows>,
    /// Folders with sources beside their `mod.rs`.
    folders: BTreeSet<PathBuf>,
}

/// Reads the sources below a folder, without those of tests, which may import anything.
fn tree(src: &Path) -> Tree {
    let mut tree = Tree::default();
    for file in sources(src) {
        let own = module_of(src, &file);
        if own.iter().any(|part| part == "tests" || part == "fixture") {
            continue;
        }
        let above = own.len().saturating_sub(1);
        tree.folders
            .extend((1..=above).map(|length| below(src, &own[..length])));
        let text = std::fs::read_to_string(&file).expect("a source");
        let named =
            paths(&text, &own).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for path in named.iter().filter(|path| path[0] == "crate") {
            let named = &path[1..];
            let shared = own.iter().zip(named).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (own.get(shared), named.get(shared)) {
                let folder = tree.arrows.entry(below(src, &own[..shared])).or_default();
                folder.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    tree
}

fn below(src: &Path, module: &[String]) -> PathBuf {
    module
        .iter()
        .fold(src.to_owned(), |path, part| path.join(part))
}

/// Returns the groups of entries that reach each other.
fn circles(arrows: &Arrows) -> BTreeSet<BTreeSet<&str>> {
    let all: BTreeMap<&str, BTreeSet<&str>> = arrows
        .keys()
        .map(|from| (from.as_str(), reached(arrows, from)))
        .collect();
    let mut found = BTreeSet::new();
    for (one, named) in &all {
        let mut group = BTreeSet::new();
        for other in named {
            if all.get(other).is_some_and(|back| back.contains(one)) {
                group.insert(*other);
            }
        }
        if !group.is_empty() {
            found.insert(group);
        }
    }
    found
}

fn reached<'a>(arrows: &'a Arrows, from: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut ahead: Vec<&str> = arrows[from].iter().map(String::as_str).collect();
    while let Some(one) = ahead.pop() {
        if found.insert(one) {
            let further = arrows.get(one).into_iter().flatten();
            ahead.extend(further.map(String::as_str));
        }
    }
    found
}

/// Returns the circles in a folder that contain one of its subfolders.
fn circles_of_folders(tree: &Tree, folder: &Path, arrows: &Arrows) -> Vec<String> {
    let has_folder = |circle: &BTreeSet<&str>| {
        let mut entries = circle.iter();
        entries.any(|entry| tree.folders.contains(&folder.join(entry)))
    };
    let found = circles(arrows).into_iter().filter(has_folder);
    found.map(|circle| format!("{circle:?}")).collect()
}

/// Returns the sources of every package outside of `conformance`.
fn sources_of_packages() -> Vec<PathBuf> {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let manifests = packages.map(|package| package["manifest_path"].as_str().expect("a path"));
    let folders = manifests.map(|manifest| Path::new(manifest).with_file_name("src"));
    folders
        .filter(|src| !src.starts_with(root().join("conformance")))
        .collect()
}

#[test]
fn in_no_folder_of_conformance_do_arrows_go_round() {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let src = root().join("conformance").join(folder);
        for (inner, arrows) in tree(&src).arrows {
            let all = circles(&arrows);
            if !all.is_empty() {
                found.push(format!("{}: {all:?}", inner.display()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn in_no_package_do_arrows_between_folders_go_round() {
    let (mut found, mut needed) = (Vec::new(), BTreeSet::new());
    let all = sources_of_packages();
    assert!(all.len() > 30, "{} packages", all.len());
    for src in all {
        let tree = tree(&src);
        for (folder, arrows) in &tree.arrows {
            let place = folder.strip_prefix(root()).expect("below the root");
            let listed = GO_ROUND.iter().filter(|(at, ..)| Path::new(at) == place);
            let listed: Vec<_> = listed
                .map(|(at, arrow, _)| (*at, *arrow, arrow.split_once(" -> ").expect("an arrow")))
                .collect();
            let mut kept = arrows.clone();
            for (from, named) in &mut kept {
                named.retain(|to| {
                    !listed
                        .iter()
                        .any(|one| one.2 == (from.as_str(), to.as_str()))
                });
            }
            let around = circles_of_folders(&tree, folder, &kept);
            found.extend(
                around
                    .iter()
                    .map(|one| format!("{}: {one}", place.display())),
            );
            for (at, arrow, (from, to)) in listed {
                let mut with = kept.clone();
                if arrows.get(from).is_some_and(|named| named.contains(to)) {
                    with.entry(from.to_owned())
                        .or_default()
                        .insert(to.to_owned());
                }
                if circles_of_folders(&tree, folder, &with) != around {
                    needed.insert((at, arrow));
                }
            }
        }
    }
    let listed = GO_ROUND.iter().map(|(at, arrow, _)| (*at, *arrow));
    let gone: Vec<_> = listed.filter(|one| !needed.contains(one)).collect();
    assert!(found.is_empty(), "new circles: {found:#?}");
    assert!(
        gone.is_empty(),
        "these close no circle any more, delete them from GO_ROUND: {gone:#?}"
    );
}

#[test]
fn arrows_that_go_round_are_found() {
    let arrows = |all: &[(&str, &str)]| {
        let mut arrows = Arrows::new();
        for (from, to) in all {
            let named = arrows.entry((*from).to_owned()).or_default();
            named.insert((*to).to_owned());
        }
        arrows
    };
    let straight = arrows(&[("kit", "run"), ("kit", "document"), ("run", "document")]);
    assert!(circles(&straight).is_empty());
    let round = arrows(&[
        ("kit", "run"),
        ("run", "report"),
        ("report", "kit"),
        ("main", "kit"),
    ]);
    let kit = BTreeSet::from(["kit", "report", "run"]);
    assert_eq!(circles(&round), BTreeSet::from([kit]));

    // Only a circle with a folder counts outside of conformance.
    let src = Path::new("src");
    let mut tree = Tree::default();
    assert!(circles_of_folders(&tree, src, &round).is_empty());
    tree.folders.insert(src.join("run"));
    assert_eq!(circles_of_folders(&tree, src, &round).len(), 1);
}
