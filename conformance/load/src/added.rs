//! The latency that a processor at the other end of a connection adds to a payment, compared with the simulator of the same
//! run.

use crate::drive::Outcome;
use crate::quantiles::Quantiles;
use crate::report::{Table, cell};
use crate::stand_in::Connector;

/// Returns a line for each kind of request that was measured with both, in milliseconds.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut table = Table::new(&[
        "scenario",
        "connections",
        "request",
        "simulator p50",
        "p50",
        "added p50",
        "added p95",
        "processor's requests",
        "connections opened",
        "stand-in CPU",
    ]);
    let others = outcomes
        .iter()
        .filter(|own| own.connector != Connector::Simulator);
    for outcome in others {
        let simulated = outcomes.iter().find(|own| {
            own.connector == Connector::Simulator
                && (own.scenario, own.connections) == (outcome.scenario, outcome.connections)
        });
        let Some(simulated) = simulated else {
            continue;
        };
        let rounds = outcome.tally.rounds.max(1) as f64;
        let seen = outcome.costs.stand_in.unwrap_or_default();
        for (step, times) in &outcome.tally.times {
            let Some(base) = simulated.tally.times.get(step) else {
                continue;
            };
            let (base, own) = (
                Quantiles::from_times(base.clone()),
                Quantiles::from_times(times.clone()),
            );
            let ms = |ms: f64| format!("{ms:.2}");
            table.add([
                outcome.title(),
                outcome.connections.to_string(),
                step.as_str().to_owned(),
                ms(base.p50),
                ms(own.p50),
                ms(own.p50 - base.p50),
                ms(own.p95 - base.p95),
                format!("{:.2}", seen.requests as f64 / rounds),
                format!(
                    "{} ({:.4})",
                    seen.connections,
                    seen.connections as f64 / rounds
                ),
                cell(seen.cpu.map(|cpu| cpu.as_secs_f64() * 1000.0 / rounds), 2),
            ]);
        }
    }
    table.text()
}
