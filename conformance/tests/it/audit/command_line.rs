//! `multirail audit verify` and `multirail audit export` against a running server.

use std::process::Command;
use std::sync::Arc;

use multirail_conformance::TestServer;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::audit_log::log;
use crate::servers::damage::alters;
use crate::servers::site::Site;

/// Returns the exit code, stdout and stderr.
async fn audit(server: &Arc<TestServer>, arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = TempDir::new().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_multirail-under-test"));
    command
        .arg("audit")
        .args(arguments)
        .args(["--server", &server.address()])
        .current_dir(folder.path())
        .env("MULTIRAIL_DATA_DIRECTORY", folder.path())
        .env("MULTIRAIL_ADMIN_API_KEY", server.admin_key());
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    let output = output.expect("it ends").expect("the program is there");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    (output.status.code(), out, err)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_checked_and_printed_while_a_server_runs() {
    let site = Site::on_sqlite();
    let server = site.server("one").await;
    for name in ["books", "flowers"] {
        server.shop(name).await;
    }
    let (code, out, err) = audit(&server, &["verify"]).await;
    assert_eq!(code, Some(0), "{err}");
    let all = log(&server).await;
    let (count, last) = (all.len(), all.last().expect("an entry"));
    let noted = format!("{count}:{}", last["hash"].as_str().expect("a text"));
    assert_eq!(
        out,
        format!("{count} entries are whole; the last one is {noted}\n")
    );

    let (code, out, err) = audit(&server, &["export"]).await;
    assert_eq!(code, Some(0), "{err}");
    let lines: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("an entry"))
        .collect();
    assert_eq!(lines, all);
    let behind = (count - 1).to_string();
    let (_, out, _) = audit(&server, &["export", "--after", &behind]).await;
    assert_eq!(out.lines().count(), 1);

    // A head that was noted earlier is still in the log.
    server.shop("cheese").await;
    let (code, _, err) = audit(&server, &["verify", "--noted", &noted]).await;
    assert_eq!(code, Some(0), "{err}");
    let another = format!("{count}:{}", "0".repeat(64));
    let (code, _, err) = audit(&server, &["verify", "--noted", &another]).await;
    assert_eq!(code, Some(4), "{err}");
    assert!(err.contains("has another hash than was noted"), "{err}");
    let (code, _, err) = audit(&server, &["verify", "--noted", "some"]).await;
    assert_eq!(code, Some(2), "{err}");
    let later = format!("9999:{}", "0".repeat(64));
    let (code, _, err) = audit(&server, &["verify", "--noted", &later]).await;
    assert_eq!(code, Some(4), "{err}");
    assert!(err.contains("has no entry 9999, which was noted"), "{err}");

    server.stops().await.expect("an orderly end");
    alters(&site, "one", "delete from audit_log where sequence = 3").await;
    let server = site.server("one").await;
    let (code, out, err) = audit(&server, &["verify"]).await;
    assert_eq!((code, out.as_str()), (Some(4), ""), "{err}");
    assert!(
        err.starts_with(
            "multirail: entry 3 of the audit log is missing; 2 entries before it are whole"
        ),
        "{err}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_server_the_check_fails() {
    let server = TestServer::start().await;
    let call = server
        .operator("audit_verify")
        .key("no key of the operator's");
    call.await.refused(401, "IR_01");
    let folder = TempDir::new().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_multirail-under-test"));
    command
        .args(["audit", "verify", "--server", &server.address()])
        .current_dir(folder.path())
        .env("MULTIRAIL_DATA_DIRECTORY", folder.path())
        .env(
            "MULTIRAIL_ADMIN_API_KEY",
            "not_the_key_of_the_operator_0123456789",
        );
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    let output = output.expect("it ends").expect("the program is there");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(json!(output.stdout), json!([]));
}
