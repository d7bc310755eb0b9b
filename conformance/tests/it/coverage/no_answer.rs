//! Servers that don't answer: of them nothing is said but that.

use serde_json::json;
use tokio::net::TcpListener;

use super::command;

#[tokio::test]
async fn where_nobody_answers_nothing_was_checked() {
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
