//! The bare loop on PostgreSQL, with the driver that the server uses and as many round trips for a commit.

use std::time::{Duration, Instant};

use sqlx::{Connection, Executor, PgConnection};

use super::BareLoop;
use super::commit::{TABLES, Value, statements};

/// Commits for a time on so many connections, in newly created tables of its own.
///
/// # Errors
/// PostgreSQL's.
pub async fn measure(url: &str, connections: usize, duration: Duration) -> sqlx::Result<BareLoop> {
    prepare(url).await?;
    let mut opened = Vec::new();
    for _ in 0..connections {
        opened.push(PgConnection::connect(url).await?);
    }
    let began = Instant::now();
    let end = began + duration;
    let loops: Vec<_> = opened
        .into_iter()
        .enumerate()
        .map(|(number, one)| tokio::spawn(commit(one, number, end)))
        .collect();
    let mut times = Vec::new();
    for one in loops {
        times.append(
            &mut one
                .await
                .map_err(|error| sqlx::Error::Protocol(error.to_string()))??,
        );
    }
    Ok(BareLoop {
        connections,
        elapsed: began.elapsed(),
        times,
    })
}

/// Creates the tables again.
///
/// # Errors
/// PostgreSQL's.
pub async fn prepare(url: &str) -> sqlx::Result<()> {
    let mut connection = PgConnection::connect(url).await?;
    for table in [
        "bare_payments",
        "bare_attempts",
        "bare_events",
        "bare_change_sets",
    ] {
        connection
            .execute(sqlx::AssertSqlSafe(format!("drop table if exists {table}")))
            .await?;
    }
    connection.execute(TABLES).await?;
    connection.close().await
}

/// Returns the bytes of write-ahead log and how often it was flushed, since the server was created.
///
/// # Errors
/// PostgreSQL's; versions before 14 don't have the counts.
pub async fn written(url: &str) -> sqlx::Result<(i64, i64)> {
    let mut connection = PgConnection::connect(url).await?;
    let both = sqlx::query_as("select wal_bytes::bigint, wal_sync from pg_stat_wal")
        .fetch_one(&mut connection)
        .await?;
    connection.close().await?;
    Ok(both)
}

/// Has PostgreSQL update its statistics and, if it is `ours`, vacuum and make a checkpoint: a server of others must not be
/// asked for that.
///
/// # Errors
/// PostgreSQL's.
pub async fn come_to_rest(url: &str, ours: bool) -> sqlx::Result<()> {
    let mut connection = PgConnection::connect(url).await?;
    let statements: &[&str] = if ours {
        &["vacuum (analyze)", "checkpoint"]
    } else {
        &["analyze"]
    };
    for statement in statements {
        connection.execute(*statement).await?;
    }
    connection.close().await
}

async fn commit(
    mut connection: PgConnection,
    number: usize,
    end: Instant,
) -> sqlx::Result<Vec<u32>> {
    let mut times = Vec::new();
    for count in 0.. {
        let began = Instant::now();
        if began >= end {
            break;
        }
        let mut tx = connection.begin().await?;
        for statement in statements(number, count) {
            let mut query = sqlx::query(statement.sql);
            for value in statement.values {
                query = match value {
                    Value::Text(text) => query.bind(text),
                    Value::Int(number) => query.bind(number),
                };
            }
            query.execute(&mut *tx).await?;
        }
        tx.commit().await?;
        times.push(began.elapsed().as_micros() as u32);
    }
    connection.close().await?;
    Ok(times)
}
