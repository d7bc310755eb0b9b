//! Runs many customers at once, for a time, and measures the cost.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::{Interval, MissedTickBehavior};

use crate::customer::{Customer, Tally};
use crate::figures::Commits;
use crate::party::Party;
use crate::process;
use crate::scenario::Scenario;
use crate::server::Server;
use crate::stand_in::{Connector, Seen};
use crate::yardstick::postgres;

/// The load of a measurement.
pub struct Drive<'a> {
    pub party: &'a Party,
    pub scenario: Scenario,
    pub connections: usize,
    /// Rounds a second of all connections together; without it each begins the next round at once.
    pub rate: Option<u32>,
    pub warm_up: Duration,
    pub duration: Duration,
}

impl Drive<'_> {
    /// Returns when the connection with this number begins its rounds: those of all connections are spread evenly.
    fn beat(&self, number: usize) -> Option<Interval> {
        let rate = f64::from(self.rate?);
        let between = Duration::from_secs_f64(self.connections as f64 / rate);
        let first = tokio::time::Instant::now() + Duration::from_secs_f64(number as f64 / rate);
        let mut beat = tokio::time::interval_at(first, between);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Some(beat)
    }
}

/// The result of a measurement.
#[derive(Debug)]
pub struct Outcome {
    pub connector: Connector,
    pub scenario: Scenario,
    pub connections: usize,
    /// The measured duration.
    pub elapsed: Duration,
    pub tally: Tally,
    pub costs: Costs,
}

/// Resources that a measurement has used; absent if the process can't be read.
#[derive(Debug, Default)]
pub struct Costs {
    pub server_cpu: Option<Duration>,
    pub database_cpu: Option<Duration>,
    /// CPU time of this program, which shares the processors.
    pub load_cpu: Option<Duration>,
    /// Memory of the server, in bytes, during this measurement.
    pub peak_memory: Option<u64>,
    /// Bytes written: to the disk by the server on SQLite, to the write-ahead log on PostgreSQL.
    pub written: Option<u64>,
    /// The server's commits.
    pub commits: Option<Commits>,
    /// How often PostgreSQL flushed its log to disk. Unknown for SQLite.
    pub fsyncs: Option<u64>,
    /// The counts of the processor's stand-in, if there is one.
    pub stand_in: Option<Seen>,
}

impl Outcome {
    /// Returns the name shown in the tables: the scenario's, and the processor's unless that is the simulated one.
    pub fn title(&self) -> String {
        match self.connector {
            Connector::Simulator => self.scenario.as_str().to_owned(),
            Connector::Stripe => {
                format!("{}, {}", self.scenario.as_str(), self.connector.as_str())
            }
        }
    }

    /// Returns the rounds a second.
    pub fn rate(&self) -> f64 {
        self.tally.rounds as f64 / self.elapsed.as_secs_f64()
    }
}

/// Runs customers against a server.
///
/// # Errors
/// Fails when a stand-in has ended, or got a request that it doesn't know.
pub async fn drive(server: &Server, drive: &Drive<'_>) -> io::Result<Outcome> {
    let counting = Instant::now() + drive.warm_up;
    let end = counting + drive.duration;
    let customers: Vec<_> = (0..drive.connections)
        .map(|number| {
            let customer = Customer::new(
                number,
                &server.address,
                Arc::clone(&drive.party.requests),
                Arc::clone(&drive.party.known),
            );
            let beat = drive.beat(number);
            tokio::spawn(keep_going(customer, drive.scenario, beat, counting, end))
        })
        .collect();
    tokio::time::sleep_until(counting.into()).await;
    if let Some(pid) = server.pid {
        process::forget_peak(pid);
    }
    let before = Reading::take(server).await;
    let seen_before = drive.party.seen()?;
    let mut tally = Tally::default();
    for customer in customers {
        tally.add(customer.await.unwrap_or_default());
    }
    let elapsed = counting.elapsed();
    let mut costs = before.costs_until_now(server).await;
    let seen = drive.party.seen()?;
    costs.stand_in = seen
        .zip(seen_before)
        .map(|(after, before)| after.since(before));
    Ok(Outcome {
        connector: drive.party.connector(),
        scenario: drive.scenario,
        connections: drive.connections,
        elapsed,
        tally,
        costs,
    })
}

/// Repeats rounds until the end; those that began before `counting` don't count.
async fn keep_going(
    mut customer: Customer,
    scenario: Scenario,
    mut beat: Option<Interval>,
    counting: Instant,
    end: Instant,
) -> Tally {
    let mut counts = false;
    loop {
        if let Some(beat) = &mut beat {
            beat.tick().await;
        }
        let now = Instant::now();
        if now >= end {
            return customer.tally;
        }
        if !counts && now >= counting {
            counts = true;
            customer.forgets();
        }
        if scenario.play(&mut customer).await.is_ok() {
            customer.tally.rounds += 1;
        }
    }
}

struct Reading {
    commits: Option<Commits>,
    server_cpu: Option<Duration>,
    database_cpu: Option<Duration>,
    load_cpu: Option<Duration>,
    written: Option<u64>,
    fsyncs: Option<u64>,
}

impl Reading {
    async fn take(server: &Server) -> Self {
        let cluster = server
            .postgres
            .as_ref()
            .and_then(|postgres| postgres.cluster.as_ref()?.pid());
        let (written, fsyncs) = match &server.postgres {
            Some(database) => match postgres::written(&database.url).await {
                Ok((bytes, fsyncs)) => (u64::try_from(bytes).ok(), u64::try_from(fsyncs).ok()),
                Err(_) => (None, None),
            },
            None => (server.pid.and_then(process::written_to_disk), None),
        };
        let commits = match &server.metrics {
            Some(address) => Commits::read(address).await.ok(),
            None => None,
        };
        Self {
            commits,
            server_cpu: server.pid.and_then(process::cpu_time),
            database_cpu: cluster.and_then(process::cpu_time_of_family),
            load_cpu: process::cpu_time(std::process::id()),
            written,
            fsyncs,
        }
    }

    async fn costs_until_now(&self, server: &Server) -> Costs {
        let peak_memory = server.pid.and_then(process::peak_memory);
        let now = Self::take(server).await;
        let spent = |before: Option<Duration>, after: Option<Duration>| after?.checked_sub(before?);
        let more = |before: Option<u64>, after: Option<u64>| after?.checked_sub(before?);
        Costs {
            commits: now
                .commits
                .zip(self.commits)
                .map(|(after, before)| after.since(before)),
            server_cpu: spent(self.server_cpu, now.server_cpu),
            database_cpu: spent(self.database_cpu, now.database_cpu),
            load_cpu: spent(self.load_cpu, now.load_cpu),
            peak_memory,
            written: more(self.written, now.written),
            fsyncs: more(self.fsyncs, now.fsyncs),
            stand_in: None,
        }
    }
}
