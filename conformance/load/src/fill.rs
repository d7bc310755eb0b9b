//! Fills a database as its merchants do: through the API, as fast as possible. Only that makes payments that are like real
//! ones in every respect.

use std::cell::Cell;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::future::try_join_all;

use crate::connection::Connection;
use crate::customer::Customer;
use crate::requests::{Requests, Step};
use crate::server::Server;

/// As many as one server can use: group commit works better with many.
const CONNECTIONS: usize = 64;

/// How many ids are returned for readers, spread evenly over all.
const KEPT: u64 = 100_000;

/// Stores `count` succeeded payments and returns the ids of some of them, oldest first.
///
/// # Errors
/// Fails when the server refuses again and again.
pub async fn fill(
    server: &Server,
    requests: &Arc<Requests>,
    count: u64,
) -> io::Result<Vec<String>> {
    let began = Instant::now();
    let (asked, made) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let kept: Arc<Mutex<Vec<(u64, String)>>> = Arc::default();
    let every = count.div_ceil(KEPT).max(1);
    let workers: Vec<_> = (0..CONNECTIONS.min(count as usize))
        .map(|number| {
            let mut customer = Customer::new(
                number,
                &server.address,
                Arc::clone(requests),
                Arc::default(),
            );
            let (asked, made, kept) = (Arc::clone(&asked), Arc::clone(&made), Arc::clone(&kept));
            tokio::spawn(async move {
                let mut failures = 0;
                while asked.fetch_add(1, Ordering::Relaxed) < count && failures < 100 {
                    match customer.creates(Step::CreateConfirmed, "succeeded").await {
                        Ok(id) => {
                            let index = made.fetch_add(1, Ordering::Relaxed);
                            if index.is_multiple_of(every) {
                                kept.lock()
                                    .unwrap_or_else(PoisonError::into_inner)
                                    .push((index, id));
                            }
                            // Drops counts that are not needed.
                            customer.forgets();
                        }
                        Err(_) => failures += 1,
                    }
                }
                customer.tally.errors
            })
        })
        .collect();
    let watch = tokio::spawn(watch(Arc::clone(&made), count, began));
    let mut errors = Vec::new();
    for worker in workers {
        errors.extend(worker.await.unwrap_or_default());
    }
    watch.abort();
    let made = made.load(Ordering::Relaxed);
    if made < count * 9 / 10 {
        return Err(io::Error::other(format!(
            "only {made} of {count} payments were made: {errors:?}"
        )));
    }
    let mut kept = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
    kept.sort();
    eprintln!(
        "stored {made} payments in {:.0} s",
        began.elapsed().as_secs_f64()
    );
    Ok(kept.into_iter().map(|(_, id)| id).collect())
}

/// Runs `step` for every number below `count`, over many connections at once, and prints the progress.
///
/// # Errors
/// The first error of a step, which ends the work.
pub async fn with_many(
    address: &str,
    count: u64,
    what: &str,
    step: impl AsyncFn(&mut Connection, u64) -> io::Result<()>,
) -> io::Result<()> {
    let (began, asked) = (Instant::now(), Cell::new(0));
    let line = async || {
        let mut line = Connection::open(address).await?;
        loop {
            let number = asked.get();
            if number >= count {
                return Ok::<_, io::Error>(());
            }
            asked.set(number + 1);
            if number > 0 && number.is_multiple_of(10_000) {
                let seconds = began.elapsed().as_secs();
                eprintln!("{number} of {count} {what} in {seconds} s");
            }
            step(&mut line, number).await?;
        }
    };
    try_join_all((0..CONNECTIONS).map(|_| line())).await?;
    eprintln!("{count} {what} in {:.0} s", began.elapsed().as_secs_f64());
    Ok(())
}

/// Prints the progress, for people who wait.
async fn watch(made: Arc<AtomicU64>, count: u64, began: Instant) {
    loop {
        tokio::time::sleep(Duration::from_secs(10)).await;
        let made = made.load(Ordering::Relaxed);
        let rate = made as f64 / began.elapsed().as_secs_f64();
        let left = (count.saturating_sub(made)) as f64 / rate.max(1.0);
        eprintln!("stored {made} of {count} payments, {rate:.0}/s, {left:.0} s to go");
        let _ = io::stderr().flush();
    }
}
