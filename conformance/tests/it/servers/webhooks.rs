//! Other servers deliver the webhooks of a server that died.

use std::time::Duration;

use multirail_conformance::bodies::{APPROVED, paid_with};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::site::Site;

/// The longest wait for a webhook. The dead server's lease must expire first.
const PATIENCE: Duration = Duration::from_secs(120);

/// Accepts the next webhook and reads its first bytes.
async fn arrives(endpoint: &TcpListener) -> TcpStream {
    let (mut stream, _) = timeout(PATIENCE, endpoint.accept())
        .await
        .expect("somebody sends it")
        .expect("a connection");
    let mut bytes = [0; 1024];
    assert_ne!(stream.read(&mut bytes).await.expect("a request"), 0);
    stream
}

/// The lease of the dead server's delivery expires while the endpoint hasn't answered.
#[tokio::test(flavor = "multi_thread")]
async fn another_server_sends_the_webhooks_of_a_dead_one() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let endpoint = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/", endpoint.local_addr().expect("an address"));
    let doomed = Runtime::new().expect("a runtime");
    let born = site.clone();
    let shop = doomed.spawn(async move { born.server("one").await.shop("bookshop").await });
    let shop = shop.await.expect("a server starts");
    shop.sets_up(json!({ "webhook_details": { "webhook_url": url } }))
        .await
        .ok();
    shop.creates(paid_with(APPROVED)).await.ok();
    let unanswered = arrives(&endpoint).await;

    doomed.shutdown_background();
    drop(shop);
    let _other = site.server("two").await;
    let mut again = arrives(&endpoint).await;
    again
        .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        .await
        .expect("somebody waits for it");
    drop(unanswered);
}
