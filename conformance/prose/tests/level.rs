//! Holds the level of the repository's words.

use std::path::Path;

use multirail_prose::{Kind, Report, check};

#[test]
fn the_repository_holds_its_level() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let report = Report::of_checkout(&root).expect("the checkout can be read");
    for kind in Kind::ALL {
        assert!(
            report.of_kind(kind).count() > 100,
            "{} were not found",
            kind.name()
        );
    }
    let exceeded: Vec<String> = check(&report).into_iter().map(|excess| excess.0).collect();
    assert!(exceeded.is_empty(), "{}", exceeded.join("\n"));
}
