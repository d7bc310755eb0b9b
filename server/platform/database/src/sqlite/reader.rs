//! Reads from SQLite: a few read-only connections, each of which sees the last commit.
//!
//! A look-up by key, or a short page of neighbours, takes microseconds, hardly more than handing it to another thread. It
//! is read on the thread that asks. A query that may read many rows, or that has to wait for another process's lock, runs
//! on a thread that may block.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use multirail_sql::{Kind, Read, Row, StoreError, Value, refuse};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::super::options::Options;
use super::address;
use super::errors::of_reader;
use super::files::Files;
use super::integrity::Access;
use super::lock::ProcessLock;
use super::statement::{Numbered, bind};

/// The pool of connections.
#[derive(Clone, Debug)]
pub(super) struct Reader(Arc<Room>);

#[derive(Debug)]
struct Room {
    path: Box<Path>,
    /// How long to wait while another process has the file locked.
    busy_timeout: Duration,
    /// How long to wait for a free connection.
    acquire_timeout: Duration,
    connections: u32,
    /// One for each connection that may be in use.
    slots: Arc<Semaphore>,
    idle: Mutex<Vec<Session>>,
    /// None for a file that nothing writes to.
    files: Option<Arc<Files>>,
    access: Access,
    /// After the connections: the lock ends with the last of them.
    lock: Mutex<Option<Arc<ProcessLock>>>,
}

/// A connection with its prepared statements.
#[derive(Debug)]
struct Session {
    connection: Connection,
    texts: Numbered,
}

/// The result of one attempt to read.
enum Try {
    Answered(Result<Vec<Row>, StoreError>),
    /// Another process has the file locked.
    Busy(StoreError),
}

impl Reader {
    pub(super) async fn open(
        path: &Path,
        files: Arc<Files>,
        lock: Arc<ProcessLock>,
        options: &Options,
    ) -> Result<Self, StoreError> {
        Reader::start(path, options, Access::Shared, Some((files, lock))).await
    }

    /// Opens a file that nothing writes to.
    pub(super) async fn open_at_rest(path: &Path, options: &Options) -> Result<Self, StoreError> {
        Reader::start(path, options, Access::AtRest, None).await
    }

    async fn start(
        path: &Path,
        options: &Options,
        access: Access,
        held: Option<(Arc<Files>, Arc<ProcessLock>)>,
    ) -> Result<Self, StoreError> {
        let connections = options.connections.max(1);
        let (files, lock) = held.unzip();
        let room = Arc::new(Room {
            path: path.into(),
            busy_timeout: options.statement_timeout,
            acquire_timeout: options.acquire_timeout,
            connections,
            slots: Arc::new(Semaphore::new(connections as usize)),
            idle: Mutex::default(),
            files,
            access,
            lock: Mutex::new(lock),
        });
        let first = Arc::clone(&room);
        // The others are opened when they are needed.
        tokio::task::spawn_blocking(move || first.session().map(|session| first.put_back(session)))
            .await
            .map_err(StoreError::open)??;
        Ok(Self(room))
    }

    pub(super) async fn fetch(&self, read: &Read) -> Result<Vec<Row>, StoreError> {
        let slot = self.slot().await?;
        if !read.is_long {
            match self.0.read(read, Duration::ZERO) {
                Try::Answered(answer) => return answer,
                Try::Busy(_) => {}
            }
        }
        let (room, read) = (Arc::clone(&self.0), read.clone());
        let reading = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            match room.read(&read, room.busy_timeout) {
                Try::Answered(answer) => answer,
                Try::Busy(error) => Err(error),
            }
        });
        reading.await.unwrap_or_else(|error| {
            Err(StoreError::Statement(format!("a read broke off: {error}")))
        })
    }

    async fn slot(&self) -> Result<OwnedSemaphorePermit, StoreError> {
        let slots = Arc::clone(&self.0.slots);
        match tokio::time::timeout(self.0.acquire_timeout, slots.acquire_owned()).await {
            Ok(Ok(slot)) => Ok(slot),
            Ok(Err(_)) => Err(StoreError::Closed),
            Err(_) => Err(StoreError::Unavailable("no free reader".to_owned())),
        }
    }

    /// Lets running reads end, refuses later ones, and closes the connections.
    pub(super) async fn close(&self) {
        let all = self.0.slots.acquire_many(self.0.connections).await;
        self.0.slots.close();
        drop(all);
        self.0.idle().clear();
        let mut lock = self.0.lock.lock().unwrap_or_else(PoisonError::into_inner);
        drop(lock.take());
    }
}

impl Room {
    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Session>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put_back(&self, session: Session) {
        self.idle().push(session);
    }

    fn session(&self) -> Result<Session, StoreError> {
        let idle = self.idle().pop();
        match idle {
            Some(session) => Ok(session),
            None => {
                let session = Session::open(&self.path, self.access).map_err(of_reader)?;
                // Before anything is read: this may be another file than the other connections have.
                if let Some(files) = &self.files {
                    files.check()?;
                }
                Ok(session)
            }
        }
    }

    /// Reads, waiting for this long while another process has the file locked.
    fn read(&self, read: &Read, patience: Duration) -> Try {
        let mut session = match self.session() {
            Ok(session) => session,
            Err(error) => return Try::Answered(Err(error)),
        };
        let answer = session.read(read, patience);
        // A connection that has failed in any way is not used again.
        match answer {
            Ok(rows) => {
                self.put_back(session);
                Try::Answered(Ok(rows))
            }
            Err(Failure::Value(error)) => Try::Answered(Err(error)),
            Err(Failure::Sqlite(error)) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    Try::Busy(of_reader(error))
                }
                Some(_) | None => Try::Answered(Err(of_reader(error))),
            },
        }
    }
}

enum Failure {
    Sqlite(rusqlite::Error),
    Value(StoreError),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Failure::Sqlite(error)
    }
}

impl Session {
    fn open(path: &Path, access: Access) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(address(path, access), flags)?;
        connection.set_prepared_statement_cache_capacity(256);
        Ok(Self {
            connection,
            texts: Numbered::default(),
        })
    }

    fn read(&mut self, read: &Read, patience: Duration) -> Result<Vec<Row>, Failure> {
        self.connection.busy_timeout(patience)?;
        let mut statement = self
            .connection
            .prepare_cached(&self.texts.numbered(&read.sql))?;
        bind(&mut statement, &read.parameters)?;
        let names: Arc<[String]> = statement
            .column_names()
            .into_iter()
            .map(str::to_owned)
            .collect();
        let mut found = statement.raw_query();
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let values = names
                .iter()
                .enumerate()
                .map(|(index, name)| value(row.get_ref_unwrap(index), name));
            rows.push(Row::new(
                Arc::clone(&names),
                values.collect::<Result<_, _>>().map_err(Failure::Value)?,
            ));
        }
        Ok(rows)
    }
}

/// Translates a column by the type of the value itself: SQLite's columns don't enforce their type.
fn value(value: ValueRef<'_>, name: &str) -> Result<Value, StoreError> {
    match value {
        ValueRef::Null => Ok(Value::Null(Kind::Text)),
        ValueRef::Integer(number) => Ok(Value::Int(number)),
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Ok(Value::Text(text.to_owned())),
            Err(_) => Err(refuse(&name, "can't be decoded")),
        },
        ValueRef::Blob(bytes) => Ok(Value::Bytes(bytes.to_owned())),
        ValueRef::Real(_) => Err(refuse(
            &name,
            "has a value of type REAL, which we don't use",
        )),
    }
}
