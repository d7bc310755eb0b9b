//! Lists that are read repeatedly, and the latency of reading them.

use std::io;
use std::time::{Duration, Instant};

use crate::arguments::Arguments;
use crate::connection::Connection;
use crate::quantiles::Quantiles;
use crate::report;
use crate::server::Server;

/// A list that is measured.
pub struct List {
    pub name: &'static str,
    pub request: Vec<u8>,
}

/// The latency of a list.
pub struct Outcome {
    list: &'static str,
    connections: usize,
    elapsed: Duration,
    errors: u64,
    /// Microseconds of every answer.
    times: Vec<u32>,
}

impl List {
    /// Reads the list repeatedly.
    ///
    /// # Errors
    /// Fails when the server can't be reached.
    pub async fn measure(
        &self,
        server: &Server,
        connections: usize,
        arguments: &Arguments,
    ) -> io::Result<Outcome> {
        let counting = Instant::now() + arguments.warm_up;
        let end = counting + arguments.duration;
        let readers: Vec<_> = (0..connections)
            .map(|_| {
                let (address, request) = (server.address.clone(), self.request.clone());
                tokio::spawn(async move {
                    let mut line = Connection::open(&address).await?;
                    let (mut times, mut errors) = (Vec::new(), 0);
                    loop {
                        let began = Instant::now();
                        if began >= end {
                            return Ok::<_, io::Error>((times, errors));
                        }
                        let status = line.exchange(&request).await?.status;
                        if began < counting {
                            continue;
                        }
                        if status == 200 {
                            times.push(began.elapsed().as_micros() as u32);
                        } else {
                            errors += 1;
                        }
                    }
                })
            })
            .collect();
        let mut outcome = Outcome {
            list: self.name,
            connections,
            elapsed: arguments.duration,
            errors: 0,
            times: Vec::new(),
        };
        for reader in readers {
            let (times, errors) = reader.await.map_err(io::Error::other)??;
            outcome.times.extend(times);
            outcome.errors += errors;
        }
        eprintln!("{} at {connections} connections", self.name);
        Ok(outcome)
    }
}

/// Returns the table of the measurements.
pub fn table(outcomes: &[Outcome]) -> String {
    let heads = [
        "list",
        "connections",
        "lists/s",
        "errors",
        "p50",
        "p95",
        "p99",
        "max",
    ];
    let mut table = report::Table::new(&heads);
    for outcome in outcomes {
        let rate = outcome.times.len() as f64 / outcome.elapsed.as_secs_f64();
        let q = Quantiles::from_times(outcome.times.clone());
        let mut line = vec![
            outcome.list.to_owned(),
            outcome.connections.to_string(),
            format!("{rate:.0}"),
            outcome.errors.to_string(),
        ];
        line.extend([q.p50, q.p95, q.p99, q.max].map(|ms| format!("{ms:.2}")));
        table.add(line);
    }
    table.text()
}

/// Returns the error for a request that the server should have accepted.
pub fn refused(what: &str, status: u16, body: &[u8]) -> io::Error {
    let said = String::from_utf8_lossy(body);
    io::Error::other(format!("{what}: {status} {said}"))
}
