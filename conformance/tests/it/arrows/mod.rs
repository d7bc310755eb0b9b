//! Who may use whom. The packages' arrows are read from `cargo metadata`, those inside the server from its sources.

mod sources;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use sources::{module_of, names, sources};

/// What the domain may be made of: it decides and computes, and does nothing.
const DOMAIN_MAY_USE: &[&str] = &[
    "base64",
    "chrono",
    "hmac",
    "ipnet",
    "serde",
    "serde_json",
    "sha2",
    "thiserror",
    "url",
    "zeroize",
];
const DATABASES: &[&str] = &["sqlx", "rusqlite", "tokio-postgres", "libsqlite3-sys"];

/// `(folder of server/src, what its files may not name)`. A name with `crate::` is a module of the server, any other a
/// package.
const FORBIDDEN: &[(&str, &str)] = &[
    (
        "app",
        "crate::adapters crate::http crate::startup crate::cli",
    ),
    (
        "app",
        "multirail_api multirail_types dropshot sqlx rusqlite reqwest hyper",
    ),
    (
        "workers",
        "crate::adapters crate::http crate::startup crate::cli",
    ),
    (
        "workers",
        "multirail_api multirail_types dropshot sqlx rusqlite reqwest hyper",
    ),
    (
        "ports",
        "crate::adapters crate::app crate::http crate::workers crate::startup",
    ),
    (
        "ports",
        "multirail_api multirail_types dropshot sqlx rusqlite reqwest hyper",
    ),
    (
        "http",
        "crate::adapters crate::startup crate::workers sqlx rusqlite reqwest",
    ),
    (
        "adapters",
        "crate::app crate::http crate::workers crate::startup crate::cli",
    ),
    ("adapters", "multirail_api multirail_types dropshot"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
        .to_owned()
}

/// The packages that a package of the workspace is built from, without those of its tests.
fn built_from(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let found = packages.iter().find(|one| one["name"] == package);
    let found = found.unwrap_or_else(|| panic!("the workspace has no {package}"));
    let dependencies = found["dependencies"]
        .as_array()
        .expect("dependencies")
        .iter();
    dependencies
        .filter(|one| one["kind"] != "dev")
        .map(|one| one["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[test]
fn the_domain_is_pure() {
    let used = built_from("multirail-domain");
    let others: Vec<&String> = used
        .iter()
        .filter(|name| !DOMAIN_MAY_USE.contains(&name.as_str()))
        .collect();
    assert!(
        others.is_empty(),
        "multirail-domain decides in pure code; it may not use {others:?}"
    );
}

#[test]
fn the_wire_types_know_neither_server_nor_domain() {
    for package in ["multirail-types", "multirail-client"] {
        let used = built_from(package);
        for forbidden in [
            "multirail-server",
            "multirail-domain",
            "multirail-api",
            "sqlx",
        ] {
            assert!(
                !used.contains(forbidden),
                "{package} may not use {forbidden}"
            );
        }
    }
    assert!(
        !built_from("multirail-api").contains("multirail-domain"),
        "multirail-api may not use the domain"
    );
}

#[test]
fn conformance_looks_from_outside() {
    let used = built_from("multirail-conformance");
    assert!(
        !used.contains("multirail-domain"),
        "multirail-conformance may not use multirail-domain"
    );
    let forbidden: Vec<String> = DATABASES
        .iter()
        .chain(&["multirail-domain"])
        .map(|package| package.replace('-', "_"))
        .collect();
    for file in sources(&root().join("conformance")) {
        // The load program measures bare databases beside the server, as a yardstick, and one file does to a
        // server's database what no server would.
        let is_excepted = file.ends_with("servers/damage.rs")
            || file
                .components()
                .any(|part| part.as_os_str() == "yardstick");
        if is_excepted {
            continue;
        }
        for name in names(&file, &[]) {
            assert!(
                !forbidden.contains(&name),
                "{} may not name {name}",
                file.display()
            );
        }
    }
}

#[test]
fn inside_the_server_arrows_point_inwards() {
    let src = root().join("server/src");
    let mut wrong = Vec::new();
    for (folder, forbidden) in FORBIDDEN {
        let folder = src.join(folder);
        let files = sources(&folder);
        assert!(!files.is_empty(), "{} has no sources", folder.display());
        for file in files {
            for name in names(&file, &module_of(&src, &file)) {
                let hit = forbidden
                    .split(' ')
                    .find(|one| name == *one || name.starts_with(&format!("{one}::")));
                if let Some(hit) = hit {
                    wrong.push(format!(
                        "{} names {hit}",
                        file.strip_prefix(&src).unwrap_or(&file).display()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn adapters_dont_know_each_other() {
    let src = root().join("server/src");
    let mut wrong = Vec::new();
    for file in sources(&src.join("adapters")) {
        let module = module_of(&src, &file);
        let Some(own) = module.get(1) else { continue };
        for name in names(&file, &module) {
            let other = name
                .strip_prefix("crate::adapters::")
                .and_then(|rest| rest.split("::").next());
            // The one way out is for all of them.
            if let Some(other) = other.filter(|other| other != own && *other != "outbound") {
                wrong.push(format!(
                    "{} names the adapter {other}",
                    file.strip_prefix(&src).unwrap_or(&file).display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
