//! The measurements, as tables for people and Markdown alike.

use std::collections::BTreeMap;

use crate::drive::Outcome;
use crate::quantiles::Quantiles;
use crate::requests::Step;
use crate::yardstick::BareLoop;
use crate::yardstick::pgbench::Rate;

/// Returns throughput and cost of every measurement, one line each. Costs are a round's, CPU in milliseconds.
pub fn throughput(outcomes: &[Outcome], bare: &[BareLoop]) -> String {
    let mut table = Table::new(&[
        "scenario",
        "connections",
        "rounds/s",
        "errors",
        "server CPU",
        "database CPU",
        "load CPU",
        "peak MB",
        "KB written",
        "commits",
        "commits per transaction",
        "log syncs",
        "commits/s : bare loop",
    ]);
    for outcome in outcomes {
        let rounds = outcome.tally.rounds.max(1) as f64;
        let cpu = |time: Option<std::time::Duration>| {
            cell(time.map(|time| time.as_secs_f64() * 1000.0 / rounds), 2)
        };
        let costs = &outcome.costs;
        table.add([
            outcome.title(),
            outcome.connections.to_string(),
            format!("{:.0}", outcome.rate()),
            outcome.tally.errors.values().sum::<u64>().to_string(),
            cpu(costs.server_cpu),
            cpu(costs.database_cpu),
            cpu(costs.load_cpu),
            cell(costs.peak_memory.map(|bytes| bytes as f64 / 1e6), 0),
            cell(costs.written.map(|bytes| bytes as f64 / 1000.0 / rounds), 1),
            cell(costs.commits.map(|commits| commits.change_sets / rounds), 2),
            cell(
                costs
                    .commits
                    .and_then(|commits| quotient(commits.change_sets, commits.transactions)),
                1,
            ),
            cell(costs.fsyncs.map(|count| count as f64 / rounds), 2),
            cell(ratio(outcome, bare), 2),
        ]);
    }
    table.text()
}

/// Returns commits a second, relative to those of the bare loop with as many connections.
fn ratio(outcome: &Outcome, bare: &[BareLoop]) -> Option<f64> {
    let commits = outcome.costs.commits?.change_sets / outcome.elapsed.as_secs_f64();
    let bare = bare
        .iter()
        .find(|bare| bare.connections == outcome.connections)?;
    (commits > 1.0).then(|| commits / bare.rate())
}

fn quotient(above: f64, below: f64) -> Option<f64> {
    (below > 0.0).then(|| above / below)
}

/// Returns the latency of each kind of request, in milliseconds.
pub fn latency(outcomes: &mut [Outcome]) -> String {
    let mut table = Table::new(&[
        "scenario",
        "connections",
        "request",
        "count",
        "p50",
        "p95",
        "p99",
        "max",
    ]);
    for outcome in outcomes {
        let title = outcome.title();
        for (step, times) in by_name(std::mem::take(&mut outcome.tally.times)) {
            let count = times.len();
            let q = Quantiles::from_times(times);
            let mut line = vec![
                title.clone(),
                outcome.connections.to_string(),
                step.to_owned(),
                count.to_string(),
            ];
            line.extend([q.p50, q.p95, q.p99, q.max].map(|ms| format!("{ms:.2}")));
            table.add(line);
        }
    }
    table.text()
}

fn by_name(times: BTreeMap<Step, Vec<u32>>) -> BTreeMap<&'static str, Vec<u32>> {
    let mut named: BTreeMap<&'static str, Vec<u32>> = BTreeMap::new();
    for (step, mut times) in times {
        named.entry(step.as_str()).or_default().append(&mut times);
    }
    named
}

/// Returns the errors, if there were any.
pub fn errors(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        for (what, count) in &outcome.tally.errors {
            let (scenario, connections) = (outcome.title(), outcome.connections);
            text.push_str(&format!(
                "{scenario} at {connections} connections: {count} x {what}\n"
            ));
        }
    }
    text
}

/// Returns the table of the bare loop.
pub fn bare(loops: &[BareLoop]) -> String {
    let mut table = Table::new(&["bare loop: connections", "commits/s", "p50 ms", "p99 ms"]);
    for bare in loops {
        let q = Quantiles::from_times(bare.times.clone());
        table.add([
            bare.connections.to_string(),
            format!("{:.0}", bare.rate()),
            format!("{:.2}", q.p50),
            format!("{:.2}", q.p99),
        ]);
    }
    table.text()
}

/// Returns the results of pgbench.
pub fn pgbench(rates: &[(&str, Rate)]) -> String {
    let mut table = Table::new(&["pgbench", "connections", "transactions/s", "mean ms"]);
    for (name, rate) in rates {
        let numbers = [
            format!("{:.0}", rate.tps),
            format!("{:.2}", rate.latency_ms),
        ];
        table.add(
            [(*name).to_owned(), rate.connections.to_string()]
                .into_iter()
                .chain(numbers),
        );
    }
    table.text()
}

/// Returns a number, or a dash.
pub fn cell(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
}

/// A Markdown table.
pub struct Table(Vec<Vec<String>>);

impl Table {
    pub fn new(heads: &[&str]) -> Self {
        Self(vec![heads.iter().map(|&head| head.to_owned()).collect()])
    }

    pub fn add(&mut self, line: impl IntoIterator<Item = String>) {
        self.0.push(line.into_iter().collect());
    }

    pub fn text(self) -> String {
        let width = |column: usize| {
            self.0
                .iter()
                .map(|line| line[column].chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.0[0].len()).map(width).collect();
        let mut text = String::new();
        for (number, line) in self.0.iter().enumerate() {
            for (cell, width) in line.iter().zip(&widths) {
                text.push_str(&format!("| {cell:width$} "));
            }
            text.push_str("|\n");
            if number == 0 {
                widths
                    .iter()
                    .for_each(|width| text.push_str(&format!("|{}", "-".repeat(width + 2))));
                text.push_str("|\n");
            }
        }
        text
    }
}
