//! Servers that don't answer, or not in time. The report says only that their operations weren't tried.

use multirail_conformance::TestServer;
use multirail_conformance::document::operations;
use serde_json::json;
use tokio::net::TcpListener;

use super::command;
use super::proxy::Proxy;

#[tokio::test]
async fn without_a_server_nothing_is_checked() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let ended = command::run(&url, "any key", &[]).await;
    assert_eq!(ended.code, 3, "{ended:?}");
    let why = format!("nothing could be checked, as nobody answers at {url}: no connection: ");
    let said = ended.told.lines().last().unwrap_or_default();
    assert!(said.starts_with(&why), "{ended:?}");
    assert!(said.contains("Connection refused"), "{said}");
    assert_eq!(ended.report["stopped"], json!(said));
    assert_eq!(ended.report["passed"], json!(false));
    assert_eq!(ended.report["rows"], json!([]));
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up_before_its_contract_is_judged() {
    let server = TestServer::start().await;
    let silent = Proxy::tiring(server.url(), 0).await;
    let ended = command::run(&silent.url(), "any key", &["--timeout", "0.2"]).await;
    assert_eq!(ended.code, 3, "{ended:?}");
    let said = ended.told.lines().last().unwrap_or_default();
    assert!(said.ends_with(": no answer in 200ms"), "{said}");
}

#[tokio::test]
async fn after_some_calls_in_vain_the_rest_is_not_tried_and_named() {
    let server = TestServer::start().await;
    let tired = Proxy::tiring(server.url(), 25).await;
    let ended = command::run(&tired.url(), server.admin_key(), &["--timeout", "2"]).await;
    assert_eq!(ended.code, 1, "{}", ended.told);
    let failed = ended.rows("failed");
    assert!((1..=5).contains(&failed.len()), "{failed:#?}");
    for row in failed {
        assert_eq!(row["reasons"][0]["what"], "no answer in 2s");
    }
    let why = "the run ended early, as 5 calls in a row got no answer";
    assert_eq!(ended.report["stopped"], why);
    assert!(ended.told.ends_with(&format!("{why}\n")), "{}", ended.told);
    let (skipped, passed) = (ended.rows("skipped"), ended.rows("passed"));
    assert!(!passed.is_empty() && skipped.iter().any(|row| row["why"] == why));
    for operation in operations() {
        let mut rows = skipped.iter().chain(&passed);
        let id = json!(operation.id);
        let is_named = rows.any(|row| row["operation"] == id);
        assert!(is_named, "{id} is passed over");
    }
}

/// A second is too short for a whole story on any machine.
#[tokio::test]
async fn a_run_ends_at_its_time_limit_and_reports_it() {
    let server = TestServer::start().await;
    let ended = command::run(server.url(), server.admin_key(), &["--max-time", "1"]).await;
    assert_eq!(ended.code, 3, "{}", ended.told);
    let why = "the run ended early, as its time was over after 1s (--max-time)";
    assert_eq!(ended.report["stopped"], why);
    let begun = format!("checking {}\n", server.url());
    assert!(ended.told.starts_with(&begun), "{}", ended.told);
    let skipped = ended.rows("skipped");
    assert!(skipped.iter().any(|row| row["why"] == why), "{skipped:#?}");
}
