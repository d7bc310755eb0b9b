//! Runs the verifier with a changed document as the contract against a running server.

use std::fs::{self, File};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::Finding;
use multirail_conformance::{Engine, TestServer};
use multirail_verifier::exchange;
use multirail_verifier::kit::NOT_WANTED;

/// The first argument that makes a program of ours the verifier's command. The document is one for the whole process, so
/// every mutant needs a process of its own.
pub const KIT: &str = "kit";

/// The time limit of one run of the verifier: far longer than it needs.
const LONGEST: Duration = Duration::from_secs(600);

/// The pause between two checks whether it has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// Starts servers with the unchanged document, and runs the verifier against them.
pub struct Live {
    runtime: Runtime,
    /// The files for the verifier, and its results.
    folder: TempDir,
}

impl Live {
    /// Checks that the verifier finds no fault with the unchanged document, for these operations.
    ///
    /// # Errors
    /// Fails when it does, or no server starts.
    pub fn start(document: &Value, operations: &[&str]) -> Result<Self, String> {
        let live = Self {
            runtime: Runtime::new().map_err(|error| error.to_string())?,
            folder: tempfile::tempdir().map_err(|error| error.to_string())?,
        };
        match live.judge(document, operations)? {
            Finding::Silent(_) => Ok(live),
            Finding::Noticed(what) => Err(format!("live, without any change: {what}")),
        }
    }

    /// Judges whether the verifier notices the changed document. It tests these operations, or all if there are none.
    ///
    /// # Errors
    /// Fails when that can't be decided.
    pub fn judge(&self, document: &Value, operations: &[&str]) -> Result<Finding, String> {
        // One server for all would soon rate-limit sign-ins, and would keep the data of runs that broke off.
        let sandbox = TestServer::start_on(Engine::Sqlite, |inputs| inputs);
        let server = self.runtime.block_on(sandbox);
        let finding = self.kit(&server, document, operations);
        self.runtime.block_on(server.stops())?;
        finding
    }

    fn kit(
        &self,
        server: &TestServer,
        document: &Value,
        operations: &[&str],
    ) -> Result<Finding, String> {
        let at = |name: &str| self.folder.path().join(name);
        let [given, report, told] = ["document.json", "report.json", "told"].map(at);
        let fail = |error: std::io::Error| format!("the kit: {error}");
        fs::write(&given, format!("{document:#}")).map_err(fail)?;
        fs::write(&report, "").map_err(fail)?;
        let mut command = Command::new(std::env::current_exe().map_err(fail)?);
        command
            .args([KIT, "--thorough", "--report", "json"])
            .args(["--base-url", server.url()])
            .arg("--document")
            .arg(&given)
            .arg("--output")
            .arg(&report)
            .args(operations.iter().flat_map(|id| ["--only", *id]))
            .env("MULTIRAIL_ADMIN_API_KEY", server.admin_key())
            .env_remove("MULTIRAIL_API_KEY")
            .env_remove("MULTIRAIL_OTHER_API_KEY")
            // The recorded exchanges there must agree with the unchanged document.
            .env_remove(exchange::FOLDER)
            .stdout(Stdio::null())
            .stderr(File::create(&told).map_err(fail)?);
        let status = ended(command).map_err(fail)?;
        let report = fs::read_to_string(&report).map_err(fail)?;
        let told = fs::read_to_string(&told).map_err(fail)?;
        found(status, &report, &told)
    }
}

fn ended(mut command: Command) -> std::io::Result<ExitStatus> {
    let started = Instant::now();
    let mut child = command.spawn()?;
    while started.elapsed() < LONGEST {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        sleep(PAUSE);
    }
    child.kill()?;
    child.wait()?;
    Err(std::io::Error::other("it doesn't come to an end"))
}

/// Returns the meaning of the exit code, the report and the printed lines.
fn found(status: ExitStatus, report: &str, told: &str) -> Result<Finding, String> {
    let report: Option<Value> = serde_json::from_str(report).ok();
    let rows = report.as_ref().and_then(|report| report["rows"].as_array());
    let red = rows.and_then(|rows| rows.iter().find(|row| row["outcome"] == "failed"));
    match (status.code(), red, rows) {
        (Some(1), Some(row), _) => Ok(Finding::Noticed(line(row))),
        (Some(0 | 3), None, Some(rows)) => {
            let passed = rows.iter().filter(|row| row["outcome"] == "passed").count();
            let mut skips = rows.iter().filter_map(|row| row["why"].as_str());
            let why = skips.find(|why| *why != NOT_WANTED).unwrap_or("no check");
            Ok(Finding::Silent(match passed {
                0 => format!("nothing is checked: {why}"),
                passed => format!("{passed} checks pass"),
            }))
        }
        (Some(2), _, None) => Ok(Finding::Noticed(told.trim().to_owned())),
        // The verifier takes its inputs from the document, and panics if one is missing.
        (Some(101), _, None) => {
            let mut lines = told
                .lines()
                .skip_while(|line| !line.contains("panicked at"));
            let why = lines.nth(1).unwrap_or_default();
            Ok(Finding::Noticed(format!("the kit breaks off: {why}")))
        }
        _ => Err(format!("the kit ends with {status}: {told}")),
    }
}

/// `payments_confirm (limits): amount longer than 3: ...`
fn line(row: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let [operation, kind, scenario] =
        ["operation", "kind", "scenario"].map(|name| text(&row[name]));
    let what = text(&row["reasons"][0]["what"]);
    format!("{operation} ({kind}): {scenario}: {what}")
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use serde_json::json;

    use super::*;

    fn ended_with(code: i32) -> ExitStatus {
        ExitStatus::from_raw(code << 8)
    }

    #[test]
    fn the_first_red_line_shows_it_and_a_kit_that_cant_go_on_does_too() {
        let row = |outcome: &str| {
            json!({
                "operation": "refunds_create", "kind": "limits", "scenario": "reason missing",
                "outcome": outcome, "reasons": [{ "what": "accepted" }],
                "why": (outcome == "skipped").then_some("it is no sandbox"),
            })
        };
        let report = |outcomes: [&str; 2]| json!({ "rows": outcomes.map(row) }).to_string();
        let noticed = |text: &str| Ok(Finding::Noticed(text.to_owned()));
        assert_eq!(
            found(ended_with(1), &report(["passed", "failed"]), ""),
            noticed("refunds_create (limits): reason missing: accepted")
        );
        let silent = |text: &str| Ok(Finding::Silent(text.to_owned()));
        assert_eq!(
            found(ended_with(0), &report(["passed", "skipped"]), ""),
            silent("1 checks pass")
        );
        assert_eq!(
            found(ended_with(3), &report(["skipped", "skipped"]), ""),
            silent("nothing is checked: it is no sandbox")
        );
        assert_eq!(
            found(ended_with(2), "", "d.json: it has no paths\n"),
            noticed("d.json: it has no paths")
        );
        let panicked = "note\nthread 'main' (7) panicked at src/a.rs:1:2:\nnothing is there\n";
        assert_eq!(
            found(ended_with(101), "", panicked),
            noticed("the kit breaks off: nothing is there")
        );
        // A failed server, or a report that can't be written, has no relation to the document.
        assert!(found(ended_with(3), "", "disk full").is_err());
        assert!(found(ended_with(1), "", "").is_err());
    }
}
