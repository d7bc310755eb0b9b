//! Forwards bytes within deadlines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep_until, timeout};

use super::Duty;
use super::tls_records::Records;
use super::visit::Visit;

/// The buffer of each direction. Requests and answers have a few kilobytes.
const ROOM: usize = 8_192;

/// The reason why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// One side closed it.
    Closed,
    /// The connection broke.
    Broken,
    /// The client sent nothing, or too little.
    Silent,
    /// The client left its TLS handshake unfinished.
    Handshake,
    /// The client never sent a request.
    NoRequest,
    /// No byte moved.
    Idle,
    /// Another connection needed the slot.
    MadeRoom,
    /// dropshot didn't accept the connection.
    Unreachable,
    /// The server is stopping, and the client had sent nothing yet.
    Stopped,
}

impl End {
    /// Returns the word for metrics.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Broken => "broken",
            Self::Silent => "silent",
            Self::Handshake => "handshake",
            Self::NoRequest => "no_request",
            Self::Idle => "idle",
            Self::MadeRoom => "made_room",
            Self::Unreachable => "unreachable",
            Self::Stopped => "stopped",
        }
    }
}

/// Forwards bytes until one side closes or a rule is broken. `said` contains the client's first bytes.
pub(super) async fn pass(
    mut client: TcpStream,
    mut server: TcpStream,
    said: &[u8],
    duty: &Duty,
    visit: &Visit,
) -> End {
    let is_past_handshake = AtomicBool::new(!duty.is_tls);
    let mut records = Records::default();
    let mut look = |bytes: &[u8]| {
        if !is_past_handshake.load(Ordering::Relaxed) {
            is_past_handshake.store(records.see(bytes), Ordering::Relaxed);
        }
    };
    look(said);
    if server.write_all(said).await.is_err() {
        return End::Broken;
    }
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();

    let asking = async {
        let mut room = vec![0; ROOM];
        loop {
            match from_client.read(&mut room).await {
                Ok(0) => {
                    // The answer may still be on its way.
                    let _ = to_server.shutdown().await;
                    return Ok(());
                }
                Ok(length) => {
                    visit.moved();
                    look(&room[..length]);
                    to_server.write_all(&room[..length]).await?;
                }
                Err(error) => return Err(error),
            }
        }
    };
    let answering = async {
        let mut room = vec![0; ROOM];
        loop {
            match from_server.read(&mut room).await {
                Ok(0) => {
                    let _ = to_client.shutdown().await;
                    return Ok(());
                }
                Ok(length) => {
                    to_client.write_all(&room[..length]).await?;
                    visit.moved();
                }
                Err(error) => return Err::<(), std::io::Error>(error),
            }
        }
    };
    tokio::pin!(asking, answering);
    let mut has_asked_all = false;
    loop {
        tokio::select! {
            done = &mut answering => {
                if done.is_err() {
                    return End::Broken;
                }
                // Closing with unread bytes of the client would discard the answer that it has not read yet.
                if !has_asked_all {
                    let _ = timeout(duty.deadlines.farewell, &mut asking).await;
                }
                return End::Closed;
            }
            done = &mut asking, if !has_asked_all => {
                if done.is_err() {
                    return End::Broken;
                }
                has_asked_all = true;
            }
            end = watch(visit, duty, &is_past_handshake) => return end,
        }
    }
}

/// Returns when the connection has broken a rule.
async fn watch(visit: &Visit, duty: &Duty, is_past_handshake: &AtomicBool) -> End {
    let deadlines = &duty.deadlines;
    loop {
        let idle = (visit.moved_at() + deadlines.idle, End::Idle);
        let (until, end) = if !is_past_handshake.load(Ordering::Relaxed) {
            (visit.started() + deadlines.handshake, End::Handshake)
        } else if !visit.has_asked() {
            earlier(
                (visit.started() + deadlines.first_request, End::NoRequest),
                idle,
            )
        } else if visit.is_waiting() {
            (Instant::now() + deadlines.idle, End::Idle)
        } else {
            idle
        };
        if Instant::now() >= until {
            return end;
        }
        sleep_until(until.into()).await;
    }
}

fn earlier(one: (Instant, End), other: (Instant, End)) -> (Instant, End) {
    if other.0 < one.0 { other } else { one }
}
