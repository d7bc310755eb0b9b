//! The command as people start it: its exit code, report and output.

use std::process::Command;

use serde_json::Value;

/// The end of a run of the command.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    /// The JSON report; null if none was written.
    pub report: Value,
    pub told: String,
}

impl Ended {
    /// Returns the rows with this outcome.
    pub fn rows(&self, outcome: &str) -> Vec<&Value> {
        let rows = self.report["rows"].as_array();
        let rows = rows.expect("rows").iter();
        rows.filter(|row| row["outcome"] == outcome).collect()
    }
}

/// Runs the command against the server at this address.
pub async fn run(url: &str, admin_key: &str, arguments: &[&str]) -> Ended {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance-under-test"));
    command
        .args(["--base-url", url, "--admin-key", admin_key])
        .args(arguments)
        .args(["--report", "json", "--output"])
        .arg(&report);
    let output = tokio::task::spawn_blocking(move || command.output());
    let output = output.await.expect("it ends").expect("it can be started");
    let report = std::fs::read(report).unwrap_or_default();
    Ended {
        code: output.status.code().expect("it ends by itself"),
        report: serde_json::from_slice(&report).unwrap_or_default(),
        told: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
