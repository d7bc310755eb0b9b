//! Generated code compiles: all fixtures together, in copies of the three crates with generated code and of our one other
//! crate that the client needs.
//!
//! The copies form a small workspace inside the target folder. They share the lock file and the target folder of the real
//! one, so that nothing is fetched and the dependencies are compiled once. The copied lock file still has the members with
//! their real version; cargo corrects that by itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use multirail_codegen::output;

use crate::fixtures;

/// The copied packages.
const PACKAGES: [&str; 4] = [
    "client/rust/types",
    "client/rust/webhooks",
    "client/rust",
    "server/api",
];

#[test]
#[ignore = "it compiles for minutes: .ci/nightly runs it"]
fn generated_code_compiles() {
    let root = output::workspace();
    let target = target_folder();
    let place = target.join("codegen-fixtures");
    let _ = fs::remove_dir_all(&place);
    for package in PACKAGES {
        copy_package(&root, &place, package);
    }
    // Webhooks are read into types of the real document.
    fs::write(place.join("client/rust/webhooks/src/lib.rs"), "").unwrap();
    // The real client has helpers around the generated code, written for the real document.
    fs::write(
        place.join("client/rust/src/lib.rs"),
        "#[allow(unused_imports)]\nmod generated;\nmod builders;\n#[allow(dead_code)]\nmod calls;\npub mod retries;\npub use generated::client::*;\npub use retries::Retries;\n",
    )
    .unwrap();
    // The API embeds the published document, whichever it is.
    fs::create_dir(place.join("openapi")).unwrap();
    for file in ["openapi/openapi.yaml", "server/api/build.rs"] {
        fs::copy(root.join(file), place.join(file)).unwrap();
    }
    let files = output::from_document(&fixtures::checked(&fixtures::all())).unwrap();
    output::write(&place, &files).unwrap();
    let manifest = manifest(&root);
    assert!(manifest.contains("0.0.0-fixture"));
    fs::write(place.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), place.join("Cargo.lock")).unwrap();

    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let check = Command::new(cargo)
        .args(["check", "--offline", "--workspace", "--color", "never"])
        .args(["--features", "multirail-types/json-schema"])
        .current_dir(&place)
        .env("CARGO_TARGET_DIR", &target)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&check.stderr);
    assert!(check.status.success(), "{told}");
    assert!(!told.contains("warning: `multirail"), "{told}");
}

/// Returns the folder that this test was built into.
fn target_folder() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    // target/<profile>/deps/<this test>
    own.ancestors().nth(3).unwrap().to_path_buf()
}

/// Copies a package without its generated files and tests.
fn copy_package(root: &Path, place: &Path, package: &str) {
    let (from, to) = (root.join(package), place.join(package));
    fs::create_dir_all(&to).unwrap();
    let manifest = fs::read_to_string(from.join("Cargo.toml")).unwrap();
    fs::write(to.join("Cargo.toml"), without_test_dependencies(&manifest)).unwrap();
    copy_sources(&from.join("src"), &to.join("src"));
}

fn copy_sources(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (name, place) = (entry.file_name(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), place).unwrap();
        } else if name != "generated" && name != "tests" {
            copy_sources(&entry.path(), &place);
        }
    }
}

/// Returns a manifest without test dependencies, which may lie outside of the small workspace.
fn without_test_dependencies(manifest: &str) -> String {
    let mut is_for_tests = false;
    let kept = manifest.lines().filter(|line| {
        if line.starts_with('[') {
            is_for_tests = line.starts_with("[dev-dependencies");
        }
        !is_for_tests
    });
    kept.map(|line| format!("{line}\n")).collect()
}

/// Returns the real manifest with four members and a version of its own. cargo names compiled packages after name, version
/// and place in the workspace, and the copies must never pass for the real ones.
fn manifest(root: &Path) -> String {
    const PACKAGE: &str = "\n[workspace.package]\n";
    let text = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let (_, rest) = text.split_once(PACKAGE).expect("a [workspace.package]");
    let patched = format!("path = \"{}/server/vendor/", root.display());
    let line = |line: &str| {
        if line.starts_with("version = ") {
            r#"version = "0.0.0-fixture""#.to_owned()
        } else if let (true, Some((before, _))) = (
            line.starts_with("multirail-"),
            line.split_once(", version = "),
        ) {
            // Crates to be published name the real version.
            format!("{before} }}")
        } else {
            // Patched libraries are not copied.
            line.replace("path = \"server/vendor/", &patched)
        }
    };
    let rest: String = rest.lines().map(|one| line(one) + "\n").collect();
    let members = format!("members = {PACKAGES:?}");
    format!("[workspace]\nresolver = \"3\"\n{members}\n{PACKAGE}{rest}")
}
