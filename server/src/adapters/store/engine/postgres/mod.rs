//! PostgreSQL: each batch is one short transaction of its own.
//!
//! READ COMMITTED, the server's usual level, is enough: every statement of a batch states what it
//! relies on (a version, the absence of a row) and how many rows it must change. Two batches that
//! meet wait for each other, and the later one misses.
//!
//! Whatever fails before COMMIT is sent has stored nothing and may be repeated as it is. Once it was
//! sent and the connection broke, only the database knows: [`StoreError::OutcomeUnknown`].

mod errors;
mod rows;

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Acquire, ConnectOptions, Connection, PgConnection, PgPool, Postgres as Driver};

use super::error::{StoreError, WriteError};
use super::migrate;
use super::options::Options;
use super::row::Row;
use super::statement::{Read, Write};
use errors::Failure;

/// How often a lost connection is replaced before the caller hears of it.
const RECONNECTS: u32 = 3;

/// A connection that lay idle for longer is tried out before it is used.
const UNPROVEN_AFTER: Duration = Duration::from_secs(1);

/// A pool of connections. Clones share it.
#[derive(Clone, Debug)]
pub struct Postgres {
    pool: PgPool,
    connect: Arc<PgConnectOptions>,
    acquire_timeout: Duration,
    retries: u32,
}

impl Postgres {
    pub(super) async fn open(url: &str, options: Options) -> Result<Self, StoreError> {
        // The driver's complaint could quote the address, and with it the password.
        let connect = PgConnectOptions::from_str(url)
            .map_err(|_| StoreError::open("its address can't be read as postgres://..."))?
            .application_name(&options.application_name)
            .statement_cache_capacity(256);
        // The pool would try for as long as its callers wait. Whoever opens wants to hear at once that nobody is there.
        let proof = connect_within(options.acquire_timeout, &connect).await?;
        let _ = proof.close().await;
        let limits = [("statement_timeout", options.statement_timeout.as_millis())];
        let pool = PgPoolOptions::new()
            .max_connections(options.connections.max(1))
            .acquire_timeout(options.acquire_timeout)
            .test_before_acquire(false)
            .before_acquire(|connection, usage| {
                Box::pin(async move {
                    Ok(usage.idle_for < UNPROVEN_AFTER || connection.ping().await.is_ok())
                })
            })
            .connect_with(connect.clone().options(limits))
            .await
            .map_err(|error| match errors::classify(error) {
                Failure::Broken(error) | Failure::Refused(error) => error,
                Failure::Contended => StoreError::open("it is busy"),
            })?;
        Ok(Self {
            pool,
            connect: Arc::new(connect),
            acquire_timeout: options.acquire_timeout,
            retries: options.retries,
        })
    }

    pub(super) async fn fetch(&self, read: &Read) -> Result<Vec<Row>, StoreError> {
        let mut patience = Patience::new(self.retries);
        loop {
            match self.fetch_once(read).await {
                Ok(rows) => return Ok(rows),
                Err(failure) => patience.after(failure).await?,
            }
        }
    }

    async fn fetch_once(&self, read: &Read) -> Result<Vec<Row>, Failure<StoreError>> {
        let arguments = rows::bind(&read.sql, &read.parameters).map_err(Failure::Refused)?;
        let found = sqlx::query_with(read.text(), arguments)
            .fetch_all(&self.pool)
            .await
            .map_err(errors::classify)?;
        rows::translate(&found).map_err(Failure::Refused)
    }

    pub(super) async fn write(&self, batch: &[Write]) -> Result<Vec<u64>, WriteError> {
        let mut patience = Patience::new(self.retries);
        loop {
            match self.write_once(batch).await {
                Ok(changed) => return Ok(changed),
                Err(failure) => patience.after(failure).await?,
            }
        }
    }

    async fn write_once(&self, batch: &[Write]) -> Result<Vec<u64>, Failure<WriteError>> {
        let mut connection = self.pool.acquire().await.map_err(errors::classify)?;
        let mut transaction = connection.begin().await.map_err(errors::classify)?;
        let mut changed = Vec::with_capacity(batch.len());
        for write in batch {
            let arguments = rows::bind(write.sql, &write.parameters).map_err(Failure::refused)?;
            let rows = sqlx::query_with::<Driver, _>(write.sql, arguments)
                .execute(&mut *transaction)
                .await
                .map_err(errors::classify)?
                .rows_affected();
            if !write.expect.met_by(rows) {
                // Its failure would change nothing: what isn't committed doesn't exist.
                let _ = transaction.rollback().await;
                return Err(Failure::Refused(WriteError::Miss(write.on_miss)));
            }
            changed.push(rows);
        }
        transaction
            .commit()
            .await
            .map_err(errors::classify_commit)?;
        Ok(changed)
    }

    pub(super) async fn migrate(&self, migrator: &Migrator) -> Result<(), StoreError> {
        // A connection of its own: a migration may take longer than a statement's time limit, and
        // closing it gives back the lock that sqlx takes against other processes, whatever happens.
        let no_limit = [("statement_timeout", 0)];
        let connect = PgConnectOptions::clone(&self.connect).options(no_limit);
        let mut connection = connect_within(self.acquire_timeout, &connect).await?;
        let result = migrator
            .run_direct(None, &mut connection, false)
            .await
            .map_err(|error| migrate::failure(error, errors::plain));
        // What was migrated is committed; a farewell that fails changes nothing.
        let _ = connection.close().await;
        result
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }
}

async fn connect_within(
    limit: Duration,
    connect: &PgConnectOptions,
) -> Result<PgConnection, StoreError> {
    tokio::time::timeout(limit, connect.connect())
        .await
        .map_err(|_| StoreError::no_connection_within(limit))?
        .map_err(errors::plain)
}

/// How much longer something that left no trace is tried again.
struct Patience {
    reconnects: u32,
    retries: u32,
    pause: Duration,
}

impl Patience {
    fn new(retries: u32) -> Self {
        Self {
            reconnects: RECONNECTS,
            retries,
            pause: Duration::from_millis(5),
        }
    }

    /// Returns when it is time for another attempt, or with the error if there is to be none.
    async fn after<E: From<StoreError>>(&mut self, failure: Failure<E>) -> Result<(), E> {
        match failure {
            Failure::Refused(error) => Err(error),
            Failure::Broken(error) => {
                self.reconnects = self.reconnects.checked_sub(1).ok_or(error)?;
                Ok(())
            }
            Failure::Contended => {
                let why =
                    || StoreError::Unavailable("other changes are always in the way".to_owned());
                self.retries = self.retries.checked_sub(1).ok_or_else(why)?;
                tokio::time::sleep(self.pause).await;
                self.pause *= 2;
                Ok(())
            }
        }
    }
}
