//! TLS, also with the connection guard in front: the handshake is between the client and the server behind the guard.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_conformance::TestServer;
use multirail_server::config::Setting;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The time limit for a client's handshake, and the extra time of a slow machine.
const HANDSHAKE: Duration = Duration::from_secs(10);
const SLACK: Duration = Duration::from_secs(5);

struct Secured {
    server: Arc<TestServer>,
    http: reqwest::Client,
    _files: TempDir,
}

async fn secured(guard: &str) -> Secured {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
    let files = tempfile::tempdir().expect("a temporary folder");
    let place = |name: &str, text: String| {
        let path = files.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let certificate = place("certificate.pem", cert.pem());
    let key = place("key.pem", signing_key.serialize_pem());
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::TlsCertificate, certificate)
            .with(Setting::TlsKey, key)
            .with(Setting::ConnectionGuard, guard)
    })
    .await;
    let trusted = reqwest::Certificate::from_pem(cert.pem().as_bytes()).expect("a certificate");
    let http = reqwest::Client::builder()
        .tls_certs_only([trusted])
        .no_proxy()
        .build()
        .expect("an HTTP client");
    Secured {
        server,
        http,
        _files: files,
    }
}

#[tokio::test]
async fn a_server_speaks_tls_with_and_without_the_guard() {
    for guard in ["off", "on"] {
        let place = secured(guard).await;
        let url = place.server.url();
        assert!(url.starts_with("https://127.0.0.1:"), "{url}");
        let answer = place
            .http
            .get(format!("{url}/health"))
            .send()
            .await
            .expect("an answer");
        assert_eq!(
            (
                answer.status().as_u16(),
                answer.text().await.expect("a text")
            ),
            (200, "health is good".to_owned())
        );
    }
}

#[tokio::test]
async fn a_handshake_without_end_is_ended() {
    let place = secured("on").await;
    let address = place.server.url().strip_prefix("https://").expect("https");
    let mut stuck = TcpStream::connect(address)
        .await
        .expect("the guard takes connections");
    // The head of a first message and a few bytes of it.
    stuck
        .write_all(&[22, 3, 1, 2, 0, 1, 0, 1])
        .await
        .expect("a few bytes");
    let started = Instant::now();
    let mut rest = Vec::new();
    let ended = timeout(HANDSHAKE + SLACK, stuck.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "still open after {:?}", started.elapsed());
    assert!(
        started.elapsed() >= HANDSHAKE - Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
}
