//! The rules of dependencies between packages and between modules of the server. A crate can't import a crate that
//! its `Cargo.toml` lacks. This test says which lines may stand there, and which module may import which.

mod circles;
mod paths;
mod plan;
pub mod sources;
mod subjects;
mod tables;
mod verifier;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use sources::{before_tests, module_of, names, sources, without_comments_and_texts};

/// `(package, our packages that it may use)` without `multirail-`: every package of the workspace, lowest first.
const ARROWS: &[(&str, &str)] = &[
    ("kernel", ""),
    ("sdk", "kernel"),
    ("domain", "kernel sdk"),
    ("routing", "domain kernel sdk"),
    ("sql", ""),
    ("test-postgres", ""),
    ("database", "sql"),
    ("platform", "kernel sql"),
    ("page", ""),
    ("docs", ""),
    ("embed", ""),
    ("console", "embed"),
    ("checkout", "embed page"),
    ("guard", ""),
    ("types", ""),
    ("webhooks", "types"),
    ("client", "types webhooks"),
    ("commands", "client kernel types webhooks"),
    ("api", "types"),
    ("app", "domain kernel platform sdk sql"),
    ("billing-domain", "domain kernel sdk"),
    ("identity-domain", "kernel"),
    ("system", "kernel"),
    ("seal", "app domain kernel sdk"),
    ("wallets", "app domain kernel sdk"),
    ("wallet-mint", ""),
    ("outbound", "kernel"),
    ("senders", "app domain kernel outbound"),
    (
        "store",
        "app database domain kernel platform sdk test-postgres",
    ),
    (
        "billing",
        "app billing-domain domain kernel platform sdk sql store",
    ),
    (
        "identity",
        "app domain identity-domain kernel platform sql store",
    ),
    ("oidc", "identity identity-domain kernel outbound"),
    ("simulator-wire", "kernel"),
    ("simulator", "kernel page sdk simulator-wire"),
    ("connector-kit", "kernel outbound sdk simulator-wire"),
    (
        "connectors",
        "connector-kit kernel outbound platform sdk simulator-wire",
    ),
    ("peers", ""),
    (
        "http",
        "api app checkout console docs domain embed guard kernel page sdk types",
    ),
    (
        "billing-http",
        "api app billing billing-domain domain http kernel page types",
    ),
    (
        "identity-http",
        "api app guard http identity identity-domain kernel types",
    ),
    (
        "server",
        "api app billing billing-domain billing-http connector-kit database domain guard http identity identity-domain identity-http kernel oidc outbound platform sdk seal senders simulator simulator-wire store system types wallets",
    ),
    ("program", "commands connectors routing server"),
    ("codegen", ""),
    ("test-replay", ""),
    ("prose", ""),
    ("verifier", "codegen wallet-mint"),
    (
        "conformance",
        "client codegen commands connectors peers routing server simulator test-postgres verifier wallet-mint",
    ),
    ("load", "peers simulator test-postgres"),
    ("mutation", "codegen conformance verifier"),
];

/// Pure crates: they decide and compute without side effects.
const PURE: &[&str] = &[
    "multirail-kernel",
    "multirail-sdk",
    "multirail-billing-domain",
    "multirail-domain",
    "multirail-identity-domain",
    "multirail-routing",
];
const DOMAIN_MAY_USE: &[&str] = &[
    // The trait of connectors.
    "async-trait",
    "base64",
    "chrono",
    "hmac",
    // Chooses the tables of host names that `url` reads.
    "idna_adapter",
    "ipnet",
    "jiff",
    "serde",
    "serde_json",
    "sha2",
    "thiserror",
    "totp-rs",
    "url",
    "zerocopy",
    "zeroize",
];
/// Words with which a source could keep state between two calls.
const HIDDEN_STATE: &[&str] = &[
    "thread_local",
    "static mut",
    "Atomic",
    "Mutex",
    "RwLock",
    "OnceLock",
    "OnceCell",
    "LazyLock",
    "LazyCell",
    "RefCell",
    "UnsafeCell",
    "Cell<",
];
/// Random numbers for tests come from a seed. The caller holds the state and passes it in.
const HANDED_IN: &str = "random.rs";
const DATABASES: &[&str] = &["sqlx", "rusqlite", "tokio-postgres", "libsqlite3-sys"];
const WEB: &[&str] = &["dropshot", "http", "hyper", "hyper-util", "reqwest"];

/// The implementations of the ports, wired up by `startup`.
const ADAPTERS: &[&str] = &[
    "multirail_connector_kit",
    "multirail_connectors",
    "multirail_database",
    "multirail_oidc",
    "multirail_outbound",
    "multirail_seal",
    "multirail_senders",
    "multirail_simulator",
    "multirail_simulator_wire",
    "multirail_store",
    "multirail_system",
    "multirail_wallets",
];

/// `(module of server/src, names that it may not import besides adapters, adapters that it may import)`. A name with
/// `crate::` is a module of the server, any other a package. `startup` may import everything that isn't listed.
const FORBIDDEN: &[(&str, &str, &str)] = &[
    (
        "workers",
        "multirail_http crate::startup crate::cli multirail_api multirail_types dropshot hyper",
        "",
    ),
    (
        "telemetry",
        "multirail_http crate::startup crate::workers",
        "",
    ),
    // The master key is read and checked, or created, before there is a server.
    (
        "config",
        "multirail_http crate::startup crate::workers",
        "multirail_seal",
    ),
    (
        "cli",
        "multirail_http crate::startup crate::workers",
        "multirail_seal multirail_system",
    ),
    (
        "sandbox_keys.rs",
        "multirail_http crate::startup crate::workers",
        "multirail_seal",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
        .to_owned()
}

/// Returns the packages of the workspace.
fn metadata() -> Value {
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
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

/// Returns the folder of a package.
fn folder_of(package: &str) -> PathBuf {
    let metadata = metadata();
    let mut packages = metadata["packages"].as_array().expect("packages").iter();
    let found = packages.find(|one| one["name"] == package);
    let found = found.unwrap_or_else(|| panic!("there is no package {package}"));
    let manifest = Path::new(found["manifest_path"].as_str().expect("a path"));
    manifest.parent().expect("a folder").to_owned()
}

/// Returns the packages that each package of the workspace is built from, without those that only its tests use.
fn packages() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata();
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    packages
        .map(|package| {
            let used = package["dependencies"].as_array().expect("dependencies");
            let used = used.iter().filter(|one| one["kind"] != "dev");
            (name(package), used.map(name).collect())
        })
        .collect()
}

#[test]
fn between_packages_arrows_are_those_of_the_picture() {
    let packages = packages();
    let full = |name: &str| format!("multirail-{name}");
    let drawn: BTreeMap<String, BTreeSet<String>> = ARROWS
        .iter()
        .map(|(package, uses)| (full(package), uses.split_whitespace().map(full).collect()))
        .collect();
    let missing: Vec<&String> = packages
        .keys()
        .filter(|package| !drawn.contains_key(*package))
        .collect();
    assert!(missing.is_empty(), "ARROWS says nothing of {missing:?}");
    let mut wrong = Vec::new();
    for (package, may_use) in &drawn {
        let used = packages
            .get(package)
            .unwrap_or_else(|| panic!("ARROWS names {package}, which is no package"));
        let ours = used.iter().filter(|one| packages.contains_key(*one));
        wrong.extend(
            ours.filter(|one| !may_use.contains(*one))
                .map(|one| format!("{package} may not use {one}")),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn libraries_stay_with_who_needs_them() {
    let packages = packages();
    let mut wrong = Vec::new();
    for pure in PURE {
        let may_use = |one: &str| DOMAIN_MAY_USE.contains(&one) || PURE.contains(&one);
        let others = packages[*pure].iter().filter(|one| !may_use(one));
        wrong.extend(others.map(|one| format!("{pure}, which is pure, may not use {one}")));
    }
    let forbidden = [
        ("multirail-app", DATABASES),
        ("multirail-app", WEB),
        ("multirail-billing", DATABASES),
        ("multirail-billing", WEB),
        ("multirail-billing-http", DATABASES),
        ("multirail-identity", DATABASES),
        ("multirail-identity", WEB),
        ("multirail-identity-http", DATABASES),
        ("multirail-sql", DATABASES),
        ("multirail-database", WEB),
        ("multirail-store", DATABASES),
        ("multirail-store", WEB),
        ("multirail-seal", WEB),
        ("multirail-connectors", DATABASES),
        ("multirail-outbound", DATABASES),
        ("multirail-senders", DATABASES),
        ("multirail-http", DATABASES),
        ("multirail-server", DATABASES),
        ("multirail-client", DATABASES),
        ("multirail-commands", DATABASES),
        ("multirail-types", WEB),
    ];
    for (package, libraries) in forbidden {
        let used = libraries
            .iter()
            .filter(|library| packages[package].contains(**library));
        wrong.extend(used.map(|library| format!("{package} may not use {library}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The server makes no requests of the document's types, and their setters are a tenth of what those types take to compile.
#[test]
fn the_server_is_built_without_setters() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let mut looked_at = 0;
    let mut wrong = Vec::new();
    for package in packages {
        let manifest = package["manifest_path"].as_str().expect("a path");
        if !Path::new(manifest).starts_with(root().join("server")) {
            continue;
        }
        let used = package["dependencies"].as_array().expect("dependencies");
        for one in used.iter().filter(|one| one["kind"] != "dev") {
            let features = one["features"].as_array().expect("features");
            let is_types = one["name"] == "multirail-types";
            looked_at += usize::from(is_types);
            if one["name"] == "multirail-client"
                || (is_types && features.iter().any(|feature| feature == "setters"))
            {
                wrong.push(package["name"].clone());
            }
        }
    }
    assert!(looked_at > 3, "{looked_at} packages use the types");
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Beside a client, such a call compiles in the workspace, and the server's own crate doesn't.
#[test]
fn the_server_calls_no_setter() {
    let mut wrong = Vec::new();
    for file in sources(&root().join("server")) {
        let text = std::fs::read_to_string(&file).expect("a source");
        let mut types = before_tests(&text).split("types::").skip(1);
        let is_name = |letter: char| letter.is_ascii_alphanumeric();
        if types.any(|rest| rest.trim_start_matches(is_name).starts_with("::new(")) {
            wrong.push(file);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The same call always decides the same, and a record is always written the same, whatever happened before.
#[test]
fn the_pure_core_has_no_hidden_state() {
    let mut looked_at = 0;
    let mut wrong = Vec::new();
    for package in PURE {
        for file in sources(&folder_of(package).join("src")) {
            let text = std::fs::read_to_string(&file).expect("a source");
            let code = without_comments_and_texts(&text);
            looked_at += 1;
            if !file.ends_with(HANDED_IN) {
                let hidden = HIDDEN_STATE.iter().filter(|word| code.contains(**word));
                wrong.extend(hidden.map(|word| format!("{}: {word}", file.display())));
            }
        }
    }
    assert!(looked_at > 100, "{looked_at} sources");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn conformance_looks_from_outside() {
    let forbidden: Vec<String> = DATABASES
        .iter()
        .chain(&["multirail-domain"])
        .map(|package| package.replace('-', "_"))
        .collect();
    for file in sources(&root().join("conformance")) {
        // Exceptions: the load program measures bare databases as a yardstick, `damage.rs` corrupts a server's
        // database, and `stored.rs` reads its sealed rows and their keys.
        let is_excepted = file.ends_with("servers/damage.rs")
            || file.ends_with("servers/stored.rs")
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
    for (place, forbidden, adapters) in FORBIDDEN {
        let place = src.join(place);
        let files = if place.is_file() {
            vec![place.clone()]
        } else {
            sources(&place)
        };
        assert!(!files.is_empty(), "{} has no sources", place.display());
        let allowed: Vec<&str> = adapters.split_whitespace().collect();
        let adapters = ADAPTERS.iter().filter(|one| !allowed.contains(one));
        let forbidden: Vec<&str> = forbidden.split(' ').chain(adapters.copied()).collect();
        for file in files {
            for name in names(&file, &module_of(&src, &file)) {
                let hit = forbidden
                    .iter()
                    .find(|one| name == **one || name.starts_with(&format!("{one}::")));
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
