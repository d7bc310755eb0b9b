//! Connections that stay open, each lent to one at a time.
//!
//! sqlx's own pool asks the server after every use whether the connection still works, which doubles the round trips of
//! a read. Here a connection is asked when it lay idle, and one that was not handed back after its work is closed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::PING_LIMIT;

/// A connection that lay idle for longer is tried out before it is used.
const UNPROVEN_AFTER: Duration = Duration::from_secs(1);

/// A connection that nobody needed for longer is closed.
const SPARE_AFTER: Duration = Duration::from_secs(600);

/// A connection is replaced when it is older: what the server keeps for it grows.
const OLD_AFTER: Duration = Duration::from_secs(1_800);

/// How long to wait before a server that isn't there is tried again.
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Clone, Debug)]
pub(super) struct Pool(Arc<Room>);

#[derive(Debug)]
struct Room {
    connect: PgConnectOptions,
    /// How long to wait for a connection, free or new.
    patience: Duration,
    size: u32,
    /// One for each connection that may be open.
    slots: Arc<Semaphore>,
    /// The one that was used last is the last.
    idle: Mutex<Vec<Idle>>,
}

#[derive(Debug)]
struct Idle {
    connection: PgConnection,
    opened: Instant,
    since: Instant,
    /// Whether another connection has turned out to be dead since.
    is_doubtful: bool,
}

/// A connection in use. Dropped, it is closed: only one whose last answer was read to its end may serve again.
pub(super) struct Lent {
    pub connection: PgConnection,
    opened: Instant,
    room: Arc<Room>,
    _slot: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(connect: PgConnectOptions, size: u32, patience: Duration) -> Self {
        let size = size.max(1);
        Self(Arc::new(Room {
            connect,
            patience,
            size,
            slots: Arc::new(Semaphore::new(size as usize)),
            idle: Mutex::default(),
        }))
    }

    /// A connection that works, as far as one can know.
    pub(super) async fn take(&self) -> sqlx::Result<Lent> {
        tokio::time::timeout(self.0.patience, self.wait())
            .await
            .unwrap_or(Err(sqlx::Error::PoolTimedOut))
    }

    async fn wait(&self) -> sqlx::Result<Lent> {
        let slots = Arc::clone(&self.0.slots);
        let slot = slots.acquire_owned().await;
        let slot = slot.map_err(|_| sqlx::Error::PoolClosed)?;
        let lent = |connection, opened| Lent {
            connection,
            opened,
            room: Arc::clone(&self.0),
            _slot: slot,
        };
        loop {
            let idle = self.0.idle().pop();
            let Some(mut idle) = idle else { break };
            let is_proven = !idle.is_doubtful && idle.since.elapsed() < UNPROVEN_AFTER;
            if is_proven {
                return Ok(lent(idle.connection, idle.opened));
            }
            let asked = Instant::now();
            let answer = Box::pin(idle.connection.ping());
            match tokio::time::timeout(PING_LIMIT, answer).await {
                Ok(Ok(())) => return Ok(lent(idle.connection, idle.opened)),
                Ok(Err(_)) => {}
                // Where one is silent all are; asking one after the other would take as long as the caller's patience.
                Err(_) => self.0.idle().retain(|other| other.since > asked),
            }
        }
        loop {
            // Boxed, as it is large and rare: it would be part of the state of everything that uses the database, which is
            // moved about for each request.
            match Box::pin(self.0.connect.connect()).await {
                Ok(connection) => return Ok(lent(connection, Instant::now())),
                // It may be on its way back.
                Err(sqlx::Error::Io(_)) => tokio::time::sleep(PAUSE).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// Notes that one connection was dead: the idle ones are tried out before they are used.
    pub(super) fn doubt(&self) {
        for idle in self.0.idle().iter_mut() {
            idle.is_doubtful = true;
        }
    }

    /// Waits for connections in use, lends no more of them, and closes them all.
    pub(super) async fn close(&self) {
        let all = self.0.slots.acquire_many(self.0.size).await;
        self.0.slots.close();
        drop(all);
        let idle = std::mem::take(&mut *self.0.idle());
        for idle in idle {
            // The farewell may fail: nothing depends on it.
            let _ = idle.connection.close().await;
        }
    }
}

impl Lent {
    /// Gives the connection back. Everything that was asked on it must have its answer.
    pub(super) fn put_back(self) {
        if self.opened.elapsed() > OLD_AFTER {
            return;
        }
        let mut idle = self.room.idle();
        idle.push(Idle {
            connection: self.connection,
            opened: self.opened,
            since: Instant::now(),
            is_doubtful: false,
        });
        idle.retain(|idle| idle.since.elapsed() < SPARE_AFTER);
    }
}

impl Room {
    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
