//! A server stops: load balancers learn of it first, and every accepted connection gets an answer.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use multirail_conformance::patience::PATIENCE;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::disk::process::{Manner, Process};

/// Clients that open a new connection for every request.
const CLIENTS: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn without_the_connection_guard_everybody_is_answered() {
    stops("off").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_the_connection_guard_everybody_is_answered() {
    stops("on").await;
}

async fn stops(guard: &str) {
    let manner = Manner {
        environment: vec![
            ("MULTIRAIL_SHUTDOWN_DELAY_SECONDS", "2".to_owned()),
            ("MULTIRAIL_CONNECTION_GUARD", guard.to_owned()),
        ],
        ..Manner::default()
    };
    let mut process = Process::start(manner).await.expect("a server");
    let base = process.wire.base_url().to_owned();
    let (over, answers) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (over, answers) = (Arc::clone(&over), Arc::clone(&answers));
            let address = format!("{base}/health");
            tokio::spawn(async move {
                let http = reqwest::Client::builder()
                    .no_proxy()
                    .pool_max_idle_per_host(0);
                let http = http.build().expect("a client");
                let mut broken = Vec::new();
                while !over.load(Ordering::Acquire) {
                    match http.get(&address).send().await {
                        Ok(answer) => {
                            assert_eq!(answer.status(), 200);
                            answers.fetch_add(1, Ordering::Relaxed);
                        }
                        // The connection wasn't accepted; in production the next server takes it.
                        Err(error) if error.is_connect() => {
                            tokio::time::sleep(Duration::from_millis(5)).await;
                        }
                        Err(error) => broken.push(format!("{error:?}")),
                    }
                }
                broken
            })
        })
        .collect();
    while answers.load(Ordering::Relaxed) < 4 * CLIENTS {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }

    let pid = process.pid().to_string();
    let told = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(told.expect("kill is there").success());
    let http = reqwest::Client::builder()
        .no_proxy()
        .build()
        .expect("a client");
    let limit = Instant::now() + PATIENCE;
    let refused = loop {
        let answer = http.get(format!("{base}/health/ready")).send().await;
        let answer = answer.expect("it answers still");
        if answer.status() == 503 {
            break answer;
        }
        assert!(Instant::now() < limit, "it goes on to be ready");
    };
    assert_eq!(refused.headers()["connection"], "close");
    let said = refused.text().await.expect("a text");
    assert!(said.contains("The server is stopping"), "{said}");
    // It still serves clients that don't know yet.
    let alive = http.get(format!("{base}/health")).send().await;
    assert_eq!(alive.expect("it answers still").status(), 200);

    let ended = process.ends().await;
    assert!(ended.success(), "{ended}: {}", process.log());
    over.store(true, Ordering::Release);
    for client in clients {
        assert_eq!(client.await.expect("a client"), Vec::<String>::new());
    }
}

/// Clients connect before the stop, and send their request when no new connection is accepted.
#[tokio::test(flavor = "multi_thread")]
async fn connections_from_before_the_stop_are_answered() {
    for guard in ["off", "on"] {
        let manner = Manner {
            environment: vec![
                ("MULTIRAIL_SHUTDOWN_DELAY_SECONDS", "0".to_owned()),
                ("MULTIRAIL_CONNECTION_GUARD", guard.to_owned()),
            ],
            ..Manner::default()
        };
        let mut process = Process::start(manner).await.expect("a server");
        let base = process.wire.base_url().to_owned();
        let address = base.strip_prefix("http://").expect("an address").to_owned();
        let mut silent = Vec::new();
        for _ in 0..CLIENTS {
            silent.push(TcpStream::connect(&address).await.expect("a connection"));
        }
        let pid = process.pid().to_string();
        let told = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(told.expect("kill is there").success());
        let limit = Instant::now() + PATIENCE;
        while TcpStream::connect(&address).await.is_ok() {
            assert!(Instant::now() < limit, "it goes on to take connections");
            // The guard closes silent connections to make room for newcomers.
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        for client in &mut silent {
            let request = b"GET /health HTTP/1.1\r\nhost: multirail\r\n\r\n";
            client.write_all(request).await.expect("it is open");
        }
        for mut client in silent {
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.expect("an answer");
            assert!(
                answer.starts_with("HTTP/1.1 200"),
                "guard {guard}: {answer}"
            );
        }
        let ended = process.ends().await;
        assert!(ended.success(), "{ended}: {}", process.log());
    }
}
