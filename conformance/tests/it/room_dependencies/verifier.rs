//! The packages that the verifier is built with. Its users check their own server, so they build none of ours.

use std::collections::BTreeSet;
use std::process::Command;

use super::{DATABASES, root};

const VERIFIER: &str = "multirail-verifier";

/// Our packages in the verifier.
const OURS: &[&str] = &["multirail-codegen", VERIFIER, "multirail-wallet-mint"];

/// Returns everything that one package is built from, itself included, without packages that only its tests use.
fn built_with(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", package])
        .args(["--edges", "normal,build", "--prefix", "none"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let text = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let names = text.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn the_verifier_is_built_without_a_server() {
    let built = built_with(VERIFIER);
    let ours: Vec<&String> = built
        .iter()
        .filter(|name| name.starts_with("multirail-"))
        .collect();
    assert_eq!(ours, OURS);
    for library in DATABASES.iter().chain(&["dropshot"]) {
        assert!(!built.contains(*library), "{library}");
    }
    // An HTTP library is among them, so the test isn't vacuous.
    assert!(built.contains("hyper"), "{built:?}");
}
