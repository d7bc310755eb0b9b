//! Functions with which scenarios read the audit log.

use multirail_conformance::TestServer;
use serde_json::{Value, json};

/// Returns all entries, the first one first.
pub async fn log(server: &TestServer) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    loop {
        let after = all.last().map_or(json!(0), |last| last["sequence"].clone());
        let lines = exported(server, &after).await;
        if lines.is_empty() {
            return all;
        }
        all.extend(lines.lines().map(|line| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
        }));
    }
}

pub async fn exported(server: &TestServer, after: &Value) -> String {
    let call = server.operator("audit_export").query("after", after);
    let answer = call.await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.text
}

/// Returns the entries of one operation, the first one first.
pub async fn entries_of(server: &TestServer, operation: &str) -> Vec<Value> {
    let mut all = log(server).await;
    all.retain(|entry| entry["operation"] == operation);
    all
}
