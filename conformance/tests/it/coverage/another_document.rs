//! The command compares with another document where it is given one.

use std::path::Path;
use std::process::Command;

use multirail_conformance::TestServer;
use multirail_conformance::document::document;
use serde_json::{Value, json};

/// What the command ends with, its report, and what it says beside it.
async fn compared(server: &TestServer, folder: &Path, other: &Value) -> (i32, Value, String) {
    let [given, report] = ["other.json", "report.json"].map(|name| folder.join(name));
    std::fs::write(&given, other.to_string()).expect("it can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_multirail-conformance"));
    command
        .args([
            "--base-url",
            server.url(),
            "--admin-key",
            server.admin_key(),
        ])
        .args(["--only", "health_*", "--report", "json"])
        .arg("--document")
        .arg(given)
        .arg("--output")
        .arg(&report);
    let output = tokio::task::spawn_blocking(move || command.output());
    let output = output.await.expect("it ends").expect("it can be started");
    let report = std::fs::read(report).unwrap_or_default();
    (
        output.status.code().expect("it ends by itself"),
        serde_json::from_slice(&report).unwrap_or_default(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[tokio::test]
async fn what_another_document_says_differently_is_at_fault_by_its_place_there() {
    let server = TestServer::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut other = document().clone();
    let status = "/components/schemas/Readiness/properties/status";
    let written = other.pointer_mut(status).expect("it is there");
    *written = json!({ "type": "integer" });
    let (code, report, told) = compared(&server, folder.path(), &other).await;
    assert_eq!(code, 1, "{told}");
    let rows = report["rows"].as_array().expect("rows");
    let red = rows.iter().filter(|row| row["outcome"] == "failed");
    let red: Vec<_> = red
        .map(|row| (&row["operation"], &row["reasons"][0]["pointer"]))
        .collect();
    let place = json!(format!("{status}/type"));
    assert!(red.contains(&(&json!("health_ready"), &place)), "{red:?}");

    let health = &mut other["paths"]["/health"]["get"];
    health["operationId"] = "health_look".into();
    let (code, _, told) = compared(&server, folder.path(), &other).await;
    assert_eq!(code, 2, "{told}");
    assert!(
        told.ends_with("other.json: it has no operation health_check, which is called\n"),
        "{told}"
    );
}
