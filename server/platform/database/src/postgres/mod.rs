//! PostgreSQL: each batch is one short transaction of its own, or one statement if its statements allow it (`joined`).
//!
//! READ COMMITTED, the server's usual level, is enough. Every statement of a batch states what it relies on (a version, the
//! absence of a row) and how many rows it must change. Two conflicting batches wait for each other, and the later one
//! misses.
//!
//! A batch that fails before its COMMIT, or before its only statement, is sent has stored nothing and may be repeated. If
//! the connection breaks or stays silent after that, only the database knows: [`StoreError::OutcomeUnknown`].

mod errors;
mod joined;
mod pool;
mod rows;

use std::borrow::Cow;
use std::io::ErrorKind;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use multirail_sql::{Read, Row, StoreError, Write, WriteError};
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, PgConnection, Postgres as Driver, Row as _,
    SqlSafeStr, SqlStr,
};

use super::migrate;
use super::options::Options;
use errors::Failure;
use pool::{Lent, Pool};

/// How often a lost connection is replaced before the caller gets the error.
const RECONNECTS: u32 = 3;

/// How much longer than its own time limit the server is waited for, before it counts as gone.
const MARGIN: Duration = Duration::from_secs(2);

/// Time limit of the question whether the server is there.
const PING_LIMIT: Duration = Duration::from_secs(1);

/// Settings for the case that this process vanishes: how long PostgreSQL keeps the locks of an abandoned transaction, in
/// milliseconds, and when it gives up a silent connection.
const OF_EVERY_SESSION: [(&str, u32); 5] = [
    ("idle_in_transaction_session_timeout", 10_000),
    ("tcp_keepalives_idle", 15),
    ("tcp_keepalives_interval", 5),
    ("tcp_keepalives_count", 3),
    ("tcp_user_timeout", 30_000),
];

/// A pool of connections. Clones share it.
#[derive(Clone, Debug)]
pub struct Postgres {
    pool: Pool,
    connect: Arc<PgConnectOptions>,
    acquire_timeout: Duration,
    /// How long to wait for the answer to one statement.
    answer_limit: Duration,
    retries: u32,
    kept: Arc<joined::JoinedStatements>,
}

impl Postgres {
    pub(super) async fn open(url: &str, options: Options) -> Result<Self, StoreError> {
        // The driver's message could quote the address, and with it the password.
        let connect = PgConnectOptions::from_str(url)
            .map_err(|_| StoreError::open("its address can't be read as postgres://..."))?
            .application_name(&options.application_name)
            .options(OF_EVERY_SESSION)
            .statement_cache_capacity(256);
        // The pool would try for as long as its callers wait, but a missing server should be reported at once.
        let proof = connect_within(options.acquire_timeout, &connect).await?;
        let _ = proof.close().await;
        let limits = [("statement_timeout", options.statement_timeout.as_millis())];
        let pool = Pool::new(
            connect.clone().options(limits),
            options.connections,
            options.acquire_timeout,
        );
        Ok(Self {
            pool,
            connect: Arc::new(connect),
            acquire_timeout: options.acquire_timeout,
            answer_limit: options.statement_timeout + MARGIN,
            retries: options.retries,
            kept: Arc::default(),
        })
    }

    pub(super) async fn fetch(&self, read: &Read) -> Result<Vec<Row>, StoreError> {
        self.fetch_within(self.answer_limit, read).await
    }

    pub(super) async fn ping(&self) -> Result<(), StoreError> {
        let read = Read::new("select 1", Vec::new());
        self.fetch_within(PING_LIMIT, &read).await.map(drop)
    }

    async fn fetch_within(&self, limit: Duration, read: &Read) -> Result<Vec<Row>, StoreError> {
        let mut patience = Patience::new(self.retries);
        loop {
            match self.fetch_once(limit, read).await {
                Ok(rows) => return Ok(rows),
                Err(failure) => patience.after(failure).await?,
            }
        }
    }

    async fn fetch_once(
        &self,
        limit: Duration,
        read: &Read,
    ) -> Result<Vec<Row>, Failure<StoreError>> {
        let arguments = rows::bind(&read.sql, &read.parameters).map_err(Failure::Refused)?;
        let mut lent = self.pool.take().await.map_err(errors::classify)?;
        let query = sqlx::query_with(text(read), arguments);
        let found = within(limit, query.fetch_all(&mut lent.connection)).await;
        let found = self.hand_back(lent, found.map_err(errors::classify))?;
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
        let (indices, one_by_one) = joined::split(batch);
        let limit = self.answer_limit;
        let together = Together {
            batch,
            indices,
            kept: &self.kept,
            limit,
        };
        let mut lent = self.pool.take().await.map_err(errors::classify)?;
        let mut changed = vec![0; batch.len()];
        if one_by_one.is_empty() {
            let done = together.write(&mut lent.connection, &mut changed).await;
            let done = done.map_err(|error| error.of_commit());
            return self.hand_back(lent, done.map(|()| changed));
        }
        let done = async {
            let begun = within(limit, lent.connection.begin()).await;
            let mut transaction = begun.map_err(errors::classify)?;
            let connection = &mut *transaction;
            let done = match together.write(connection, &mut changed).await {
                Ok(()) => {
                    write_one_by_one(connection, limit, batch, &one_by_one, &mut changed).await
                }
                Err(error) => Err(error),
            };
            let Err(error) = done else {
                let committed = within(limit, transaction.commit()).await;
                return committed.map_err(errors::classify_commit);
            };
            let failure = error.before_commit();
            if failure.leaves_the_connection() {
                // Uncommitted statements have no effect. But only a connection that confirmed the rollback is used again.
                let undone = within(limit, transaction.rollback()).await;
                undone.map_err(errors::classify)?;
            }
            Err(failure)
        };
        let done = done.await;
        self.hand_back(lent, done.map(|()| changed))
    }

    /// Returns the connection to the pool unless it is broken.
    fn hand_back<T, E>(&self, lent: Lent, done: Result<T, Failure<E>>) -> Result<T, Failure<E>> {
        match &done {
            Err(failure) if !failure.leaves_the_connection() => self.pool.doubt(),
            Ok(_) | Err(_) => lent.put_back(),
        }
        done
    }

    pub(super) async fn migrate(&self, migrator: &Migrator) -> Result<(), StoreError> {
        // A connection of its own: a migration may take longer than a statement's time limit. Closing it releases the lock
        // that sqlx takes against other processes, whatever happens.
        let no_limit = [("statement_timeout", 0)];
        let connect = PgConnectOptions::clone(&self.connect).options(no_limit);
        let mut connection = connect_within(self.acquire_timeout, &connect).await?;
        let result = migrator
            .run_direct(None, &mut connection, false)
            .await
            .map_err(|error| migrate::failure(error, errors::plain));
        // The migrations are committed; a failed goodbye changes nothing.
        let _ = connection.close().await;
        result
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }
}

/// Why writes stopped.
enum Stopped {
    Missed(WriteError),
    Sent(sqlx::Error),
    Unsent(StoreError),
}

impl Stopped {
    /// Translates for a batch that had not sent its COMMIT.
    fn before_commit(self) -> Failure<WriteError> {
        match self {
            Stopped::Missed(miss) => Failure::Refused(miss),
            Stopped::Unsent(error) => Failure::refused(error),
            Stopped::Sent(error) => errors::classify(error),
        }
    }

    /// Translates for a statement that is the whole transaction.
    fn of_commit(self) -> Failure<WriteError> {
        match self {
            Stopped::Sent(error) => errors::classify_commit(error),
            other => other.before_commit(),
        }
    }
}

/// The writes of a batch that are one statement.
struct Together<'a> {
    batch: &'a [Write],
    /// The writes' positions in the batch.
    indices: Vec<usize>,
    kept: &'a joined::JoinedStatements,
    limit: Duration,
}

impl Together<'_> {
    async fn write(
        &self,
        connection: &mut PgConnection,
        changed: &mut [u64],
    ) -> Result<(), Stopped> {
        if self.indices.is_empty() {
            return Ok(());
        }
        let indices = self.indices.iter();
        let writes: Vec<&Write> = indices.map(|index| &self.batch[*index]).collect();
        let joined = self.kept.get_or_join(&writes);
        let arguments = rows::bind_all(&writes, &joined.parameters).map_err(Stopped::Unsent)?;
        let text = AssertSqlSafe(Arc::clone(&joined.text));
        let query = sqlx::query_with::<Driver, _>(text, arguments);
        let answer = within(self.limit, query.fetch_one(connection)).await;
        let answer = answer.map_err(|error| match errors::missed(&error) {
            Some(index) if index < writes.len() => {
                Stopped::Missed(WriteError::Miss(writes[index].on_miss))
            }
            _ => Stopped::Sent(error),
        })?;
        for (column, index) in self.indices.iter().enumerate() {
            changed[*index] = count(&answer, column).map_err(Stopped::Sent)?;
        }
        Ok(())
    }
}

fn count(answer: &PgRow, column: usize) -> sqlx::Result<u64> {
    Ok(answer.try_get::<i64, _>(column)?.unsigned_abs())
}

/// Runs the writes at these indices in order.
async fn write_one_by_one(
    connection: &mut PgConnection,
    limit: Duration,
    batch: &[Write],
    indices: &[usize],
    changed: &mut [u64],
) -> Result<(), Stopped> {
    for index in indices {
        let write = &batch[*index];
        let arguments = rows::bind(write.sql, &write.parameters).map_err(Stopped::Unsent)?;
        let query = sqlx::query_with::<Driver, _>(write.sql, arguments);
        let done = within(limit, query.execute(&mut *connection)).await;
        let rows = done.map_err(Stopped::Sent)?.rows_affected();
        if !write.expect.met_by(rows) {
            return Err(Stopped::Missed(WriteError::Miss(write.on_miss)));
        }
        changed[*index] = rows;
    }
    Ok(())
}

/// Returns the text of a query in the form that sqlx takes.
fn text(read: &Read) -> SqlStr {
    match &read.sql {
        Cow::Borrowed(sql) => sql.into_sql_str(),
        Cow::Owned(sql) => AssertSqlSafe(sql.clone()).into_sql_str(),
    }
}

/// Limits one exchange with the server. The server's own limit doesn't help if it is frozen or the network drops packets;
/// the connection must not be used again then.
async fn within<T>(
    limit: Duration,
    exchange: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<T> {
    let answer = tokio::time::timeout(limit, exchange).await;
    answer.unwrap_or_else(|_| Err(sqlx::Error::Io(ErrorKind::TimedOut.into())))
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

/// The remaining attempts and time of a batch that left no trace.
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

    /// Returns when it is time for another attempt, or the error if there is none.
    async fn after<E: From<StoreError>>(&mut self, failure: Failure<E>) -> Result<(), E> {
        match failure {
            Failure::Refused(error) | Failure::Silent(error) | Failure::Unknown(error) => {
                Err(error)
            }
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
