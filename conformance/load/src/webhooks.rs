//! Webhooks under a steady load: ten merchants with an endpoint each, one of which is dead. Measures whether everything
//! arrives at the nine others, and how long after the commit.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::MissedTickBehavior;

use crate::customer::Customer;
use crate::endpoint::{Arrival, Endpoint};
use crate::party::SIMULATED_CARD;
use crate::quantiles::Quantiles;
use crate::requests::{Requests, Step};
use crate::server::Server;
use crate::{merchant, process, report};

const MERCHANTS: usize = 10;
/// How long the last webhooks may take after the last payment.
const GRACE: Duration = Duration::from_secs(20);

/// The result of one run.
pub struct Outcome {
    /// The wanted payments a second, of all merchants together.
    pub wanted: u32,
    pub elapsed: Duration,
    /// Payments that succeeded, each of them one event: of merchants with a live endpoint, and of the one with the dead
    /// endpoint.
    pub made: usize,
    pub made_for_the_dead: usize,
    /// Events that arrived, and how often one was repeated.
    pub arrived: usize,
    pub again: usize,
    pub errors: u64,
    /// From the event's time to its first arrival.
    pub delays: Quantiles,
    pub server_cpu: Option<Duration>,
    pub peak_memory: Option<u64>,
}

/// Makes payments at `rate` a second for `duration`, then waits until everything has arrived.
///
/// # Errors
/// Fails when the server can't be reached or refuses to open accounts.
pub async fn measure(server: &Server, rate: u32, duration: Duration) -> io::Result<Outcome> {
    let mut shops = Vec::with_capacity(MERCHANTS);
    let simulated = merchant::simulated();
    for number in 0..MERCHANTS {
        let endpoint = Endpoint::open(number == 0).await?;
        let name = format!("hooks_{rate}_{number}_{}", std::process::id());
        let url = Some(endpoint.url.as_str());
        let opened =
            merchant::open(&server.address, &server.admin_key, &name, &simulated, url).await?;
        shops.push((
            endpoint,
            Arc::new(Requests::new(&server.address, &opened.key, &SIMULATED_CARD)),
        ));
    }
    if let Some(pid) = server.pid {
        process::forget_peak(pid);
    }
    let cpu_before = server.pid.and_then(process::cpu_time);
    let began = Instant::now();
    let pace = Duration::from_secs_f64(MERCHANTS as f64 / f64::from(rate));
    let customers: Vec<_> = shops
        .iter()
        .enumerate()
        .map(|(number, (_, requests))| {
            let customer = Customer::new(
                number,
                &server.address,
                Arc::clone(requests),
                Arc::default(),
            );
            tokio::spawn(pays(customer, pace, began + duration))
        })
        .collect();
    let mut paid = Vec::with_capacity(MERCHANTS);
    let mut errors = 0;
    for customer in customers {
        let (ids, wrong) = customer.await.map_err(io::Error::other)?;
        paid.push(ids);
        errors += wrong;
    }
    let elapsed = began.elapsed();
    let made_for_the_dead = paid[0].len();
    let made: HashSet<String> = paid.into_iter().skip(1).flatten().collect();
    let firsts = arrive(&shops, &made).await;
    let all = shops.iter().map(|(endpoint, _)| endpoint.arrivals().len());
    let delays = firsts.values().map(|first| first.here - first.made);
    Ok(Outcome {
        wanted: rate,
        elapsed,
        made: made.len(),
        made_for_the_dead,
        arrived: firsts.len(),
        again: all.sum::<usize>() - firsts.len(),
        errors,
        delays: Quantiles::from_times(delays.map(|micros| micros.max(0) as u32).collect()),
        server_cpu: server
            .pid
            .and_then(process::cpu_time)
            .zip(cpu_before)
            .and_then(|(after, before)| after.checked_sub(before)),
        peak_memory: server.pid.and_then(process::peak_memory),
    })
}

/// Pays at its own pace; returns the payments that succeeded and how many didn't.
async fn pays(mut customer: Customer, pace: Duration, end: Instant) -> (Vec<String>, u64) {
    let mut clock = tokio::time::interval(pace);
    clock.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut ids = Vec::new();
    while Instant::now() < end {
        clock.tick().await;
        if let Ok(id) = customer.creates(Step::CreateConfirmed, "succeeded").await {
            ids.push(id);
        }
    }
    (ids, customer.tally.errors.values().sum())
}

/// Returns the first arrival of each of these payments' events, once all are there or the grace is over.
async fn arrive(
    shops: &[(Endpoint, Arc<Requests>)],
    made: &HashSet<String>,
) -> HashMap<String, Arrival> {
    let limit = Instant::now() + GRACE;
    loop {
        let mut firsts: HashMap<String, Arrival> = HashMap::new();
        for arrival in shops.iter().flat_map(|(endpoint, _)| endpoint.arrivals()) {
            if made.contains(&arrival.payment_id) {
                let known = firsts.entry(arrival.event_id.clone());
                known.or_insert(arrival);
            }
        }
        if firsts.len() >= made.len() || Instant::now() > limit {
            return firsts;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Returns the table of some runs.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut table = report::Table::new(&[
        "payments/s wanted",
        "made/s",
        "for the dead",
        "arrived",
        "lost",
        "again",
        "errors",
        "p50 ms",
        "p99 ms",
        "max ms",
        "server CPU ms",
        "peak MB",
    ]);
    for outcome in outcomes {
        let all = outcome.made + outcome.made_for_the_dead;
        let q = outcome.delays;
        let mut line = vec![
            outcome.wanted.to_string(),
            format!("{:.0}", all as f64 / outcome.elapsed.as_secs_f64()),
            outcome.made_for_the_dead.to_string(),
            outcome.arrived.to_string(),
            (outcome.made - outcome.arrived).to_string(),
            outcome.again.to_string(),
            outcome.errors.to_string(),
        ];
        line.extend([q.p50, q.p99, q.max].map(|ms| format!("{ms:.1}")));
        let cpu = outcome.server_cpu.map(|cpu| cpu.as_secs_f64() * 1000.0);
        line.push(report::cell(cpu.map(|cpu| cpu / all.max(1) as f64), 2));
        let peak = outcome.peak_memory.map(|bytes| bytes as f64 / 1e6);
        line.push(report::cell(peak, 0));
        table.add(line);
    }
    table.text()
}
