//! The audit log: who leaves which entry, and what shows when somebody was at it.

mod chain;
mod command_line;
mod entries;
mod several;

use multirail_conformance::TestServer;
use serde_json::{Value, json};

/// All entries, the first one first.
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

async fn exported(server: &TestServer, after: &Value) -> String {
    let call = server.operator("audit_export").query("after", after);
    let answer = call.await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.text
}

/// The entries of one operation, the first one first.
pub async fn of(server: &TestServer, operation: &str) -> Vec<Value> {
    let mut all = log(server).await;
    all.retain(|entry| entry["operation"] == operation);
    all
}

/// What a check of all of it says.
async fn verified(server: &TestServer) -> Value {
    let mut after = json!(0);
    loop {
        let call = server.operator("audit_verify").query("after", &after);
        let check = call.query("limit", 3).await.ok();
        if check["finished"] == true {
            return check;
        }
        assert_ne!(check["until"], after, "{check}");
        after = check["until"].clone();
    }
}

/// A log that nobody touched; answers how many entries it has.
async fn is_whole(server: &TestServer) -> i64 {
    let check = verified(server).await;
    assert_eq!(check["fault"], json!(null), "{check}");
    assert_eq!(check["until"], check["entries"], "{check}");
    check["entries"].as_i64().expect("a number")
}
