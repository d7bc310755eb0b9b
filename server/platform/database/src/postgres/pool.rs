//! Connections that stay open, each lent to one task at a time.
//!
//! sqlx's own pool checks after every use whether the connection still works, which doubles the round trips of a read. Here
//! a connection is checked when it was idle. One that was not returned after its work is closed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::PING_LIMIT;

/// A connection that was idle for longer is checked before it is used.
const UNPROVEN_AFTER: Duration = Duration::from_secs(1);

/// A connection that was idle for longer is closed.
const SPARE_AFTER: Duration = Duration::from_secs(600);

/// An older connection is replaced, because its memory on the server grows.
const OLD_AFTER: Duration = Duration::from_secs(1_800);

/// How long to wait before the next attempt to reach an absent server.
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
    /// Ordered by use; the most recently used is the last.
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

/// A connection in use. Dropping it closes it: only a connection whose last answer was read to its end may be used again.
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

    /// Returns a connection that works, as far as one can know.
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
                // If one is silent, all are; checking one after the other would take as long as the caller waits.
                Err(_) => self.0.idle().retain(|other| other.since > asked),
            }
        }
        loop {
            // Boxed, as it is large and rare: it would be part of every future that uses the database, which is moved about
            // for each request.
            match Box::pin(self.0.connect.connect()).await {
                Ok(connection) => return Ok(lent(connection, Instant::now())),
                // The server may be starting.
                Err(sqlx::Error::Io(_)) => tokio::time::sleep(PAUSE).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// Records that one connection was dead: idle ones are checked before they are used.
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
            // The goodbye may fail: nothing depends on it.
            let _ = idle.connection.close().await;
        }
    }
}

impl Lent {
    /// Returns the connection to the pool. All answers must have been read.
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
