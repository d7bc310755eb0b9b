//! A merchant's endpoint: takes webhooks, records them, and answers as the test wants.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use multirail_verifier::patience::until_found;

/// A request that arrived.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// Names in lower case, in the order of arrival.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Delivery {
    /// Returns the value of a header.
    ///
    /// # Panics
    /// Unless the header is there once.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => value,
            (found, _) => panic!("{name} is there {} times", found.map_or(0, |_| 2)),
        }
    }

    /// Returns the body as JSON.
    ///
    /// # Panics
    /// If it is none.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// An endpoint on a free port of this machine.
#[derive(Clone)]
pub struct Receiver {
    url: String,
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    seen: Mutex<Vec<Delivery>>,
    /// Statuses of the next answers; 200 when there are none.
    next: Mutex<VecDeque<u16>>,
    /// The `Retry-After` of answers other than 200, in seconds.
    retry_after: Mutex<Option<u32>>,
}

impl Receiver {
    /// Opens an endpoint.
    ///
    /// # Panics
    /// If it can't listen.
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let receiver = Self {
            url: format!("http://{address}/hooks"),
            inner: Arc::default(),
        };
        let endpoint = receiver.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let endpoint = endpoint.clone();
                // A client that hangs up early has read enough.
                tokio::spawn(async move { endpoint.serve(stream).await.ok() });
            }
        });
        receiver
    }

    /// Returns the address for webhooks.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Answers the next requests with these statuses, and all others with 200.
    pub fn answers(&self, statuses: &[u16]) {
        lock(&self.inner.next).extend(statuses);
    }

    /// From now on, answers other than 200 have this `Retry-After`, in seconds.
    pub fn wants_rest(&self, seconds: u32) {
        *lock(&self.inner.retry_after) = Some(seconds);
    }

    /// Drops the statuses that were set for the next answers.
    pub fn forgets(&self) {
        lock(&self.inner.next).clear();
    }

    /// Returns all deliveries so far, in the order of arrival.
    pub fn seen(&self) -> Vec<Delivery> {
        lock(&self.inner.seen).clone()
    }

    /// Waits until so many deliveries have arrived, and returns all.
    ///
    /// # Panics
    /// If they don't arrive.
    pub async fn has(&self, count: usize) -> Vec<Delivery> {
        until_found(format!("{count} webhooks"), async || {
            let seen = self.seen();
            match seen.len() {
                fewer if fewer < count => Err(fewer),
                _ => Ok(seen),
            }
        })
        .await
    }

    async fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let Some(delivery) = read(&mut stream).await? else {
            return Ok(());
        };
        lock(&self.inner.seen).push(delivery);
        let status = lock(&self.inner.next).pop_front().unwrap_or(200);
        let body = if status == 200 { "taken" } else { "no" };
        let retry_after = lock(&self.inner.retry_after).filter(|_| status != 200);
        let rest = retry_after.map_or(String::new(), |seconds| {
            format!("retry-after: {seconds}\r\n")
        });
        let answer = format!(
            "HTTP/1.1 {status} Whatever\r\ncontent-length: {}\r\nx-shop: books\r\n{rest}connection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await
    }
}

/// Reads one request; returns none if the connection ends before.
async fn read(stream: &mut TcpStream) -> io::Result<Option<Delivery>> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let headers: Vec<(String, String)> = head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0);
    let start = end + 4;
    while bytes.len() < start + length {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
    let body = String::from_utf8_lossy(&bytes[start..start + length]).into_owned();
    Ok(Some(Delivery { headers, body }))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
