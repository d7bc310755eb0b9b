//! The command compares the server with another document if one is given.

use std::path::Path;

use multirail_conformance::TestServer;
use multirail_conformance::document::document;
use serde_json::{Value, json};

use super::command;

/// Runs the command for some operations; returns its exit code, report and output.
async fn compared(
    server: &TestServer,
    folder: &Path,
    other: &Value,
    only: &str,
) -> (i32, Value, String) {
    let given = folder.join("other.json");
    std::fs::write(&given, other.to_string()).expect("it can be written");
    let given = given.to_str().expect("a plain path");
    let arguments = ["--only", only, "--document", given];
    let ended = command::run(server.url(), server.admin_key(), &arguments).await;
    (ended.code, ended.report, ended.told)
}

/// Returns the failed operations, each with the place in the document.
fn red(report: &Value) -> Vec<(&Value, &Value)> {
    let rows = report["rows"].as_array().expect("rows");
    let red = rows.iter().filter(|row| row["outcome"] == "failed");
    red.map(|row| (&row["operation"], &row["reasons"][0]["pointer"]))
        .collect()
}

#[tokio::test]
async fn deviations_name_their_place_in_the_other_document() {
    let server = TestServer::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut other = document().clone();
    let status = "/components/schemas/Readiness/properties/status";
    let written = other.pointer_mut(status).expect("it is there");
    *written = json!({ "type": "integer" });
    let (code, report, told) = compared(&server, folder.path(), &other, "health_*").await;
    assert_eq!(code, 1, "{told}");
    let red = red(&report);
    let place = json!(format!("{status}/type"));
    assert!(red.contains(&(&json!("health_ready"), &place)), "{red:?}");

    let health = &mut other["paths"]["/health"]["get"];
    health["operationId"] = "health_look".into();
    let (code, _, told) = compared(&server, folder.path(), &other, "health_*").await;
    assert_eq!(code, 2, "{told}");
    assert!(
        told.ends_with("other.json: it has no operation health_check, which is called\n"),
        "{told}"
    );
}

#[tokio::test]
async fn an_operation_that_another_document_opens_to_everybody_is_called_without_a_key() {
    let server = TestServer::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut other = document().clone();
    other["paths"]["/mandates/list"]["get"]["security"] = json!([]);
    let (code, report, told) = compared(&server, folder.path(), &other, "mandates_list").await;
    assert_eq!(code, 1, "{told}");
    let place = json!("/paths/~1mandates~1list/get/security");
    assert_eq!(red(&report), [(&json!("mandates_list"), &place)]);
}

#[tokio::test]
async fn an_operation_that_another_document_has_at_another_place_is_not_taken_for_one_that_is_not_there()
 {
    let server = TestServer::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut other = document().clone();
    let paths = other["paths"].as_object_mut().expect("paths");
    let moved = paths.remove("/mandates/list").expect("it is there");
    paths.insert("/mandates/all".to_owned(), moved);
    let (code, report, told) = compared(&server, folder.path(), &other, "mandates_list").await;
    assert_eq!(code, 1, "{told}");
    let place = json!("/paths/~1mandates~1all/get");
    assert_eq!(red(&report), [(&json!("mandates_list"), &place)]);
}
