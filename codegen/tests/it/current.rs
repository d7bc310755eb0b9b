//! The committed files follow from the committed document, and `--check` reports it if they don't.

use std::fs;
use std::process::Command;

use multirail_codegen::output;

use crate::fixtures;

/// After a change of the document or the generator, run `cargo codegen`.
#[test]
fn generated_code_is_current() {
    let root = output::workspace();
    let files =
        output::generate(&root.join(output::MAIN)).unwrap_or_else(|error| panic!("{error}"));
    let stale = output::stale(&root, &files);
    assert!(stale.is_empty(), "stale, run `cargo codegen`: {stale:#?}");
}

#[test]
fn the_command_writes_and_checks() {
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("small.yaml");
    fs::write(&document, fixtures::all().to_string()).unwrap();
    let run = |check: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_multirail-codegen"));
        command
            .arg("--document")
            .arg(&document)
            .arg("--out")
            .arg(folder.path());
        if check {
            command.arg("--check");
        }
        let output = command.output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let routes = folder.path().join("server/api/src/generated/routes.rs");
    let (code, told) = run(true);
    assert_eq!(code, Some(1));
    assert!(told.contains("routes.rs"), "{told}");
    assert!(!routes.exists());

    assert_eq!(run(false), (Some(0), String::new()));
    assert_eq!(run(true), (Some(0), String::new()));

    // Changed, missing and left-over files are all stale, and writing repairs all three.
    fs::write(&routes, "// by hand").unwrap();
    let published = folder.path().join(output::PUBLISHED);
    fs::write(&published, "# by hand").unwrap();
    fs::remove_file(folder.path().join("client/rust/src/generated/mod.rs")).unwrap();
    fs::write(folder.path().join("server/api/src/generated/old.rs"), "").unwrap();
    let (code, told) = run(true);
    assert_eq!(code, Some(1));
    let listed: Vec<&str> = told.lines().skip(1).map(str::trim).collect();
    assert_eq!(
        listed,
        [
            "client/rust/src/generated/mod.rs",
            "openapi/openapi.yaml",
            "server/api/src/generated/routes.rs",
            "server/api/src/generated/old.rs"
        ]
    );
    assert_eq!(run(false), (Some(0), String::new()));
    assert_eq!(run(true), (Some(0), String::new()));
}

#[test]
fn a_document_that_breaks_the_dialect_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("bad.yaml");
    let mut value = fixtures::all();
    value["paths"]["/siblings"]["post"]["operationId"] = "create".into();
    fs::write(&document, value.to_string()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_multirail-codegen"))
        .args([
            "--document".as_ref(),
            document.as_os_str(),
            "--out".as_ref(),
            folder.path().as_os_str(),
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    let expected = format!(
        "{}:1: POST /siblings\n  the operationId is missing or isn't `<resource>_<verb>`\n  remedy: write it like `payments_create`\n",
        document.display()
    );
    assert_eq!(told, expected);
    assert!(!folder.path().join("server").exists());
}

#[test]
fn repeated_keys_are_refused() {
    let text = "openapi: 3.0.3\nopenapi: 3.0.3\n";
    let error = multirail_codegen::document::parse_yaml(text)
        .unwrap_err()
        .to_string();
    assert!(error.contains("duplicate"), "{error}");
}
