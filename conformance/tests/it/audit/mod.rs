//! The audit log: which callers leave which entry, and how tampering shows.

mod chain;
mod command_line;
mod entries;
mod several;

use multirail_conformance::TestServer;
use serde_json::{Value, json};

/// Checks the whole log and returns the result.
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

/// Checks that nobody changed the log, and returns the number of its entries.
async fn is_whole(server: &TestServer) -> i64 {
    let check = verified(server).await;
    assert_eq!(check["fault"], json!(null), "{check}");
    assert_eq!(check["until"], check["entries"], "{check}");
    check["entries"].as_i64().expect("a number")
}
