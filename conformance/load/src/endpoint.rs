//! Merchants' endpoints: one that accepts every webhook and records its time, one that accepts the connection and stays
//! silent.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::connection::{content_length, find};

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

/// A webhook that arrived.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    pub event_id: String,
    pub payment_id: String,
    /// When the event was created, by its own member, and when it arrived, in microseconds since 1970.
    pub made: i64,
    pub here: i64,
}

/// An endpoint on a free port.
#[derive(Clone)]
pub struct Endpoint {
    pub url: String,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
}

impl Endpoint {
    /// Opens an endpoint that answers 200 at once, or never if it is dead.
    pub async fn open(is_dead: bool) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let endpoint = Self {
            url: format!("http://{}/hooks", listener.local_addr()?),
            arrivals: Arc::default(),
        };
        let arrivals = Arc::clone(&endpoint.arrivals);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let arrivals = Arc::clone(&arrivals);
                // A client that hangs up has finished.
                tokio::spawn(async move { serve(stream, is_dead, &arrivals).await.ok() });
            }
        });
        Ok(endpoint)
    }

    /// Returns all arrivals so far.
    pub fn arrivals(&self) -> Vec<Arrival> {
        self.arrivals
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    is_dead: bool,
    arrivals: &Mutex<Vec<Arrival>>,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut inbox = Vec::with_capacity(16 * 1024);
    loop {
        let Some(head) = find(&inbox, b"\r\n\r\n").map(|end| end + 4) else {
            if stream.read_buf(&mut inbox).await? == 0 {
                return Ok(());
            }
            continue;
        };
        let length = content_length(&inbox[..head]).unwrap_or(0);
        while inbox.len() < head + length {
            if stream.read_buf(&mut inbox).await? == 0 {
                return Ok(());
            }
        }
        if is_dead {
            std::future::pending::<()>().await;
        }
        if let Some(arrival) = Arrival::read(&inbox[head..head + length], Utc::now()) {
            arrivals
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(arrival);
        }
        inbox.drain(..head + length);
        stream.write_all(ANSWER).await?;
    }
}

impl Arrival {
    /// Reads a delivery's body, whose last member is the time.
    fn read(body: &[u8], here: DateTime<Utc>) -> Option<Self> {
        let body = std::str::from_utf8(body).ok()?;
        let text = |member: &str| {
            let after = &body[body.find(member)? + member.len()..];
            after.split('"').next()
        };
        let (_, end) = body.rsplit_once("\"timestamp\":\"")?;
        let made = DateTime::parse_from_rfc3339(end.split('"').next()?).ok()?;
        Some(Self {
            event_id: text("\"event_id\":\"")?.to_owned(),
            payment_id: text("\"payment_id\":\"")?.to_owned(),
            made: made.timestamp_micros(),
            here: here.timestamp_micros(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_tells_what_and_when() {
        let body = br#"{"merchant_id":"m","event_id":"evt_1","event_type":"payment_succeeded","content":{"type":"payment_details","object":{"payment_id":"pay_1","timestamp":"1999-01-01T00:00:00.000Z"}},"timestamp":"2026-11-21T10:00:00.250Z"}"#;
        let here = DateTime::parse_from_rfc3339("2026-11-21T10:00:00.300Z").expect("a time");
        let arrival = Arrival::read(body, here.to_utc()).expect("a delivery");
        assert_eq!(
            (arrival.event_id.as_str(), arrival.payment_id.as_str()),
            ("evt_1", "pay_1")
        );
        assert_eq!(arrival.here - arrival.made, 50_000);
        assert_eq!(Arrival::read(b"{}", here.to_utc()), None);
    }
}
