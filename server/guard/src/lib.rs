//! The guard in front of dropshot: accepts connections, and forwards those that behave.
//!
//! dropshot doesn't limit connections. It also keeps a connection forever that sends nothing, or stops in the middle of
//! a TLS handshake. The guard listens at the public address, and dropshot on a loopback port behind it. Bytes pass
//! unchanged, so TLS stays between the client and dropshot. [`Visitors`] stores the clients' addresses, because
//! dropshot sees only the guard.
//!
//! A connection has a deadline for each step:
//!
//! | | |
//! |---|---|
//! | say something | [`Deadlines::first_bytes`] |
//! | finish its TLS handshake | [`Deadlines::handshake`] |
//! | ask for something | [`Deadlines::first_request`] |
//! | move, unless its request is being worked on | [`Deadlines::idle`] |
//!
//! Where there are too many connections, the slowest is closed: see `slots`.

mod first_bytes;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod network;
mod pass;
mod slots;
mod tls_records;
mod visit;
mod visitors;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use pass::End;
use slots::{Newcomer, Slots, Why};

pub use visit::{Asking, Visit};
pub use visitors::Visitors;

/// The shortest time between two log lines about connections that were closed for others.
const BETWEEN_WARNINGS: Duration = Duration::from_secs(60);

/// The time that a silent connection has once the guard accepts no new ones.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The time in which the first bytes of a connection reach dropshot.
const ON_ITS_WAY: Duration = Duration::from_millis(50);

/// The time that a connection may take for each step.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    /// Until the client has sent enough to tell HTTP/1 from HTTP/2; with TLS, any byte.
    pub first_bytes: Duration,
    /// Until the TLS handshake is over.
    pub handshake: Duration,
    /// Until the head of a request is complete. dropshot gives a head 30 seconds.
    pub first_request: Duration,
    /// The time without a byte in either direction, while no request is under way.
    pub idle: Duration,
    /// The time for the client to close after dropshot has closed.
    pub farewell: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            first_bytes: Duration::from_secs(5),
            handshake: Duration::from_secs(10),
            first_request: Duration::from_secs(45),
            idle: Duration::from_secs(60),
            farewell: Duration::from_secs(1),
        }
    }
}

/// The settings of a guard.
#[derive(Clone, Debug)]
pub struct Duty {
    /// The address of dropshot.
    pub behind: SocketAddr,
    /// The largest number of open connections.
    pub connections: usize,
    /// The largest number of open connections of one client.
    pub connections_per_client: usize,
    /// Whether dropshot speaks TLS.
    pub is_tls: bool,
    pub deadlines: Deadlines,
    pub metrics: MetricNames,
}

/// The names of a guard's metrics, through the facade of the crate `metrics`.
#[derive(Clone, Copy, Debug)]
pub struct MetricNames {
    /// A counter of accepted and refused connections; label `result`.
    pub connections: &'static str,
    /// A gauge of open connections.
    pub open: &'static str,
    /// A counter of connections that ended; label `reason`.
    pub ended: &'static str,
}

/// A running guard.
pub struct Guard {
    stop: watch::Sender<bool>,
    silent: Arc<AtomicUsize>,
    standing: JoinHandle<()>,
}

impl Guard {
    /// Starts to accept connections.
    pub fn stand(listener: TcpListener, duty: Duty, visitors: Visitors) -> Self {
        let (stop, stopped) = watch::channel(false);
        let silent = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&silent);
        let standing = tokio::spawn(stand(listener, duty, visitors, counted, stopped));
        Self {
            stop,
            silent,
            standing,
        }
    }

    /// Accepts only the connections that already wait. Drops those that send nothing for a moment; the others continue.
    pub fn close_door(&self) {
        self.stop.send_replace(true);
    }

    /// Returns when no accepted connection is silent any more, or `LAST_WORDS` after the guard stopped accepting.
    pub async fn newcomers_have_spoken(&self) {
        let spoken = async {
            while self.silent.load(Ordering::Acquire) > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let _ = tokio::time::timeout(LAST_WORDS, spoken).await;
        // Their first bytes are on their way to dropshot.
        tokio::time::sleep(ON_ITS_WAY).await;
    }

    /// Returns when the last connection has ended, soon after dropshot has closed its ends.
    pub async fn leave(self) {
        self.close_door();
        if let Err(error) = self.standing.await {
            tracing::error!(%error, "the connection guard had failed");
        }
    }
}

async fn stand(
    listener: TcpListener,
    duty: Duty,
    visitors: Visitors,
    silent: Arc<AtomicUsize>,
    mut stopped: watch::Receiver<bool>,
) {
    let duty = Arc::new(duty);
    let slots = Slots::new(&duty);
    let mut warned = None;
    let mut connections = JoinSet::new();
    let mut listener = Some(listener);
    let mut waiting = VecDeque::new();
    loop {
        let accepted = match &listener {
            Some(listener) => tokio::select! {
                accepted = listener.accept() => Some(accepted),
                Some(_) = connections.join_next() => continue,
                () = stop_signal(&mut stopped) => None,
            },
            None => match waiting.pop_front() {
                Some(client) => Some(Ok(client)),
                None => break,
            },
        };
        let Some(accepted) = accepted else {
            waiting.extend(listener.take().into_iter().flat_map(close));
            continue;
        };
        let (client, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Mostly out of file descriptors; or the client has gone already.
                tracing::warn!(%error, "a connection can't be taken");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let (slot, crowded) = match slots.take(address) {
            Newcomer::Taken(slot) => (Some(slot), None),
            Newcomer::TakenFor(slot, why) => (Some(slot), Some(why)),
            Newcomer::Refused(why) => (None, Some(why)),
        };
        if let Some(why) = crowded
            && warned.is_none_or(|at: Instant| at.elapsed() >= BETWEEN_WARNINGS)
        {
            warned = Some(Instant::now());
            warn(why, address, &duty);
        }
        let Some(slot) = slot else {
            metrics::counter!(duty.metrics.connections, "result" => "refused").increment(1);
            continue;
        };
        metrics::counter!(duty.metrics.connections, "result" => "taken").increment(1);
        let (duty, visitors, stopped) = (Arc::clone(&duty), visitors.clone(), stopped.clone());
        let silence = Silence::begin(&silent);
        connections.spawn(async move {
            let visit = &slot.visit;
            let end = tokio::select! {
                end = receive(client, visit, &duty, &visitors, silence, stopped) => end,
                () = visit.gone() => End::MadeRoom,
            };
            metrics::counter!(duty.metrics.ended, "reason" => end.as_str()).increment(1);
            tracing::debug!(client = %address.ip(), reason = end.as_str(), "a connection ended");
        });
    }
    while connections.join_next().await.is_some() {}
}

/// Closes the listener, and first accepts the waiting connections, which clients see as connected. Asks the system
/// directly, because tokio may not know the newest ones yet.
fn close(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    let mut waiting = Vec::new();
    let Ok(listener) = listener.into_std() else {
        return waiting;
    };
    loop {
        match listener.accept() {
            Ok((client, address)) => {
                let client = client
                    .set_nonblocking(true)
                    .and_then(|()| TcpStream::from_std(client));
                waiting.extend(client.ok().map(|client| (client, address)));
            }
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::ConnectionReset => {}
                _ => return waiting,
            },
        }
    }
}

fn warn(why: Why, newcomer: SocketAddr, duty: &Duty) {
    match why {
        Why::Total => tracing::warn!(
            limit = duty.connections,
            "all connections are taken: the slowest ones are being closed"
        ),
        Why::Client => tracing::warn!(
            client = %newcomer.ip(),
            limit = duty.connections_per_client,
            "a client has all connections that one may have: its slowest ones are being closed"
        ),
    }
}

async fn receive(
    client: TcpStream,
    visit: &Arc<Visit>,
    duty: &Duty,
    visitors: &Visitors,
    silence: Silence,
    mut stopped: watch::Receiver<bool>,
) -> End {
    let mut client = client;
    let said = tokio::select! {
        said = first_bytes::read(&mut client, duty) => said,
        () = async {
            stop_signal(&mut stopped).await;
            tokio::time::sleep(LAST_WORDS).await;
        } => return End::Stopped,
    };
    let said = match said {
        Ok(said) => said,
        Err(end) => return end,
    };
    match connect(duty.behind).await {
        Ok((server, port)) => {
            let _entry = visitors.enter(port, visit);
            drop(silence);
            pass::pass(client, server, &said, duty, visit).await
        }
        Err(error) => {
            tracing::warn!(%error, "the server behind the guard can't be reached");
            End::Unreachable
        }
    }
}

/// Waits for the signal to stop accepting.
async fn stop_signal(stopped: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone.
    stopped.wait_for(|stop| *stop).await.map(drop).unwrap_or(());
}

/// A connection that hasn't sent anything yet.
struct Silence(Arc<AtomicUsize>);

impl Silence {
    fn begin(silent: &Arc<AtomicUsize>) -> Self {
        silent.fetch_add(1, Ordering::AcqRel);
        Silence(Arc::clone(silent))
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Connects to dropshot; returns the connection and its local port, by which dropshot identifies it.
async fn connect(behind: SocketAddr) -> io::Result<(TcpStream, u16)> {
    let server = TcpStream::connect(behind).await?;
    server.set_nodelay(true)?;
    let port = server.local_addr()?.port();
    Ok((server, port))
}
