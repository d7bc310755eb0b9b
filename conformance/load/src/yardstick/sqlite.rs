//! The bare loop on SQLite. Only this file outside the server opens a database by itself: a yardstick, with tables of its
//! own.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, TransactionBehavior};

use super::BareLoop;
use super::commit::{TABLES, Value, statements};

/// How long a connection waits while another one writes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Commits for a time on so many connections to a file of its own, each on a thread of its own, with the durability that
/// the server asks of SQLite.
///
/// # Errors
/// SQLite's.
pub fn measure(
    directory: &Path,
    connections: usize,
    duration: Duration,
) -> rusqlite::Result<BareLoop> {
    let path = directory.join(format!("bare_{connections}.sqlite"));
    open(&path)?.execute_batch(TABLES)?;
    let began = Instant::now();
    let end = began + duration;
    let path = &path;
    let times = std::thread::scope(|scope| {
        let loops: Vec<_> = (0..connections)
            .map(|number| scope.spawn(move || commit(path, number, end)))
            .collect();
        loops
            .into_iter()
            .map(|one| one.join().unwrap_or_else(|_| Ok(Vec::new())))
            .collect::<rusqlite::Result<Vec<_>>>()
    })?;
    Ok(BareLoop {
        connections,
        elapsed: began.elapsed(),
        times: times.concat(),
    })
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "cache_size", -16_384)?;
    Ok(connection)
}

fn commit(path: &Path, number: usize, end: Instant) -> rusqlite::Result<Vec<u32>> {
    let mut connection = open(path)?;
    let mut times = Vec::new();
    for count in 0.. {
        let began = Instant::now();
        if began >= end {
            break;
        }
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for statement in statements(number, count) {
            let mut prepared = tx.prepare_cached(statement.sql)?;
            for (index, value) in statement.values.iter().enumerate() {
                match value {
                    Value::Text(text) => prepared.raw_bind_parameter(index + 1, text)?,
                    Value::Int(number) => prepared.raw_bind_parameter(index + 1, number)?,
                }
            }
            prepared.raw_execute()?;
        }
        tx.commit()?;
        times.push(began.elapsed().as_micros() as u32);
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_commit_is_stored() {
        let directory = tempfile::tempdir().unwrap();
        let made = measure(directory.path(), 2, Duration::from_millis(50)).unwrap();
        let file = Connection::open(directory.path().join("bare_2.sqlite")).unwrap();
        let stored: usize = file
            .query_row("select count(*) from bare_change_sets", [], |row| {
                row.get::<_, i64>(0)
            })
            .unwrap() as usize;
        assert_eq!(stored, made.times.len());
        let settled: i64 = file
            .query_row("select count(*) from bare_events", [], |row| row.get(0))
            .unwrap();
        assert!(settled <= stored as i64 / 3);
    }
}
