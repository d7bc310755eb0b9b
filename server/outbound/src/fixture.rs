//! Endpoints and resolvers for tests.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use multirail_kernel::target::{AllowedTargets, TargetRules};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

use super::Lookup;

/// The behaviour of an endpoint at each request.
#[derive(Clone, Copy, Debug)]
pub enum Behaviour {
    /// Writes this and keeps the connection.
    Says(&'static str),
    /// Writes this and closes the connection.
    Hangs(&'static str),
    /// Writes this and then writes the letter `a` without end.
    NeverStops(&'static str),
}

/// An endpoint that stores the received requests.
pub struct Receiver {
    pub address: SocketAddr,
    received: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    pub async fn start(behaviour: Behaviour) -> Self {
        Self::start_at("127.0.0.1:0".parse().expect("an address"), behaviour).await
    }

    pub async fn start_at(address: SocketAddr, behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let received = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&received);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, behaviour, Arc::clone(&noted)));
            }
        });
        Receiver { address, received }
    }

    /// Returns the requests so far.
    pub fn received(&self) -> Vec<String> {
        self.received.lock().expect("not poisoned").clone()
    }
}

/// Reads requests of a connection until it ends.
pub async fn converse(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    behaviour: Behaviour,
    received: Arc<Mutex<Vec<String>>>,
) {
    while let Some(request) = request(&mut stream).await {
        received.lock().expect("not poisoned").push(request);
        let (text, goes_on, closes) = match behaviour {
            Behaviour::Says(text) => (text, false, false),
            Behaviour::Hangs(text) => (text, false, true),
            Behaviour::NeverStops(text) => (text, true, true),
        };
        let mut is_written = stream.write_all(text.as_bytes()).await;
        while goes_on && is_written.is_ok() {
            is_written = stream.write_all(&[b'a'; 4096]).await;
        }
        if closes || is_written.is_err() {
            return;
        }
    }
}

/// Reads one request with a `content-length`; returns `None` when the connection ended.
async fn request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut text = String::new();
    loop {
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length: ")?
                    .parse()
                    .ok()
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(text);
            }
        }
        let mut bytes = [0; 4096];
        match stream.read(&mut bytes).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => text.push_str(&String::from_utf8_lossy(&bytes[..count])),
        }
    }
}

/// A resolver that gives its answers one after another, and then none.
#[derive(Default)]
pub struct Script(Mutex<VecDeque<Vec<IpAddr>>>);

impl Script {
    /// Takes one text for each answer, with blanks between addresses.
    pub fn new(answers: &[&str]) -> Arc<Self> {
        let addresses = |answer: &&str| {
            let words = answer.split(' ');
            words
                .map(|word| word.parse().expect("an address"))
                .collect()
        };
        Arc::new(Script(Mutex::new(answers.iter().map(addresses).collect())))
    }

    /// Returns the number of unused answers.
    pub fn left(&self) -> usize {
        self.0.lock().expect("not poisoned").len()
    }
}

#[async_trait]
impl Lookup for Script {
    async fn addresses(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
        let answer = self.0.lock().expect("not poisoned").pop_front();
        answer.ok_or_else(|| io::Error::other("nobody knows this name"))
    }
}

/// Returns the rules of a private sandbox.
pub fn sandbox() -> TargetRules {
    TargetRules {
        allows_http: true,
        allows_loopback: true,
        ..TargetRules::default()
    }
}

/// Returns the rules of a public sandbox with a list.
pub fn allowing(entries: &[&str]) -> TargetRules {
    TargetRules {
        allows_http: true,
        allowed: AllowedTargets::read(entries.iter().copied()).expect("targets"),
        ..TargetRules::default()
    }
}
