//! `multirail routing simulate`: replays payments against a configuration, and against another one.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write;
use std::path::Path;

use multirail_domain::accounts::connector_account::{Candidate, ConnectorAccount, check_fee_table};
use multirail_domain::payments::payment::trial::TrialPayment;
use multirail_domain::routing::{
    Algorithm, NewRouting, RoutingInput, RoutingRecord, RoutingStrategy, TransactionType, Trial,
    TrialRequest,
};
use multirail_kernel::ids::{MerchantId, ProfileId};
use multirail_kernel::random::{Random, SeededRandom};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::Capabilities;
use serde_json::{Map, Value, json};

use super::arguments::SimulateOptions;
use super::{Failure, KnownConnector};
use crate::config::{Problem, Problems};

/// The seed of the splits: two runs draw the same random numbers.
const SEED: u64 = 13;

/// The connectors of this program, and its rules that choose accounts.
type Parts<'a> = (&'a [KnownConnector], &'a dyn RoutingStrategy);

/// A payment that was made once.
struct Made {
    trial: TrialPayment,
    draw: u32,
    /// The account that it went through, and whether it succeeded.
    went: Option<(String, bool)>,
}

/// The payments of an account in one currency.
#[derive(Default)]
struct Sum {
    payments: u64,
    amount: i64,
    /// The cost of those whose cost is known.
    cost: i64,
    of_unknown_cost: u64,
}

/// Stands in place of an account for payments that no account takes.
const NOBODY: &str = "-";

/// Sums by account and currency.
type Split = BTreeMap<(String, &'static str), Sum>;

struct Replay {
    split: Split,
    /// The account of each payment.
    to: Vec<String>,
}

pub(super) fn simulate(
    options: &SimulateOptions,
    parts: Parts<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let config = options.routing.as_path();
    let payments = payments(&options.payments)?;
    let rates = rates(&payments);
    let first = replay(config, parts, &payments)?;
    print(config, &first, &rates, out)?;
    if let Some(against) = &options.against {
        let second = replay(against, parts, &payments)?;
        writeln!(out)?;
        print(against, &second, &rates, out)?;
        let moved = first
            .to
            .iter()
            .zip(&second.to)
            .filter(|(one, other)| one != other);
        writeln!(
            out,
            "\n{} of {} payments go elsewhere",
            moved.count(),
            payments.len()
        )?;
        compare(&first, &second, &rates, out)?;
    }
    Ok(out.flush()?)
}

/// Prints the differences of the second configuration in success and cost.
fn compare(
    first: &Replay,
    second: &Replay,
    rates: &HashMap<String, f64>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if let (Some((before, _)), Some((after, _))) = (first.success(rates), second.success(rates)) {
        let change = after - before;
        writeln!(
            out,
            "expected success {before:.1} % -> {after:.1} % ({change:+.1})"
        )?;
    }
    let after = second.totals();
    for (currency, before) in first.totals() {
        let Some(after) = after.get(currency) else {
            continue;
        };
        let is_comparable = before.payments == after.payments
            && before.of_unknown_cost + after.of_unknown_cost == 0;
        let change = match is_comparable {
            true => format!(" ({:+})", after.cost - before.cost),
            false => format!(" (of {} and {} payments)", before.payments, after.payments),
        };
        writeln!(
            out,
            "cost {currency} {} -> {}{change}",
            before.costs(),
            after.costs()
        )?;
    }
    Ok(())
}

impl Sum {
    fn add(&mut self, other: &Sum) {
        self.payments += other.payments;
        self.amount = self.amount.saturating_add(other.amount);
        self.cost = self.cost.saturating_add(other.cost);
        self.of_unknown_cost += other.of_unknown_cost;
    }

    /// Returns the cost in minor units, as far as it is known.
    fn costs(&self) -> String {
        match self.of_unknown_cost {
            0 => self.cost.to_string(),
            unknown if unknown == self.payments => "?".to_owned(),
            _ => format!(">= {}", self.cost),
        }
    }
}

impl Replay {
    /// Returns the sums by currency, of payments that an account takes.
    fn totals(&self) -> BTreeMap<&'static str, Sum> {
        let mut totals: BTreeMap<&'static str, Sum> = BTreeMap::new();
        let taken = self.split.iter().filter(|((to, _), _)| to != NOBODY);
        for ((_, currency), sum) in taken {
            totals.entry(*currency).or_default().add(sum);
        }
        totals
    }

    /// Returns the success rate in percent and the number of payments that it covers. These are the payments whose account
    /// has taken some, and those that no account takes.
    fn success(&self, rates: &HashMap<String, f64>) -> Option<(f64, usize)> {
        let known: Vec<f64> = self
            .to
            .iter()
            .filter_map(|to| match to.as_str() {
                NOBODY => Some(0.0),
                account => rates.get(account).copied(),
            })
            .collect();
        let sum: f64 = known.iter().sum();
        (!known.is_empty()).then(|| (100.0 * sum / known.len() as f64, known.len()))
    }
}

fn print(
    path: &Path,
    replay: &Replay,
    rates: &HashMap<String, f64>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let all: u64 = replay.split.values().map(|sum| sum.payments).sum();
    writeln!(out, "{}", path.display())?;
    writeln!(
        out,
        "{:<32} {:<8} {:>9} {:>8} {:>14} {:>8} {:>12}",
        "account", "currency", "payments", "share", "amount", "success", "cost"
    )?;
    for ((account, currency), sum) in &replay.split {
        let share = 100.0 * sum.payments as f64 / all.max(1) as f64;
        let success = match rates.get(account) {
            Some(rate) => format!("{:.1} %", 100.0 * rate),
            None => "?".to_owned(),
        };
        writeln!(
            out,
            "{account:<32} {currency:<8} {:>9} {share:>6.1} % {:>14} {success:>8} {:>12}",
            sum.payments,
            sum.amount,
            sum.costs()
        )?;
    }
    for (currency, sum) in replay.totals() {
        writeln!(
            out,
            "{:<32} {currency:<8} {:>9} {:>8} {:>14} {:>8} {:>12}",
            "all",
            sum.payments,
            "",
            sum.amount,
            "",
            sum.costs()
        )?;
    }
    if let Some((rate, judged)) = replay.success(rates) {
        writeln!(out, "expected success {rate:.1} % of {judged} payments")?;
    }
    Ok(())
}

/// Returns how many of each account's payments succeeded.
fn rates(payments: &[Made]) -> HashMap<String, f64> {
    let mut counts: HashMap<String, (u64, u64)> = HashMap::new();
    for (account, succeeded) in payments.iter().filter_map(|made| made.went.as_ref()) {
        let count = counts.entry(account.clone()).or_default();
        count.0 += u64::from(*succeeded);
        count.1 += 1;
    }
    let counts = counts.into_iter();
    counts
        .map(|(account, (succeeded, all))| (account, succeeded as f64 / all as f64))
        .collect()
}

fn replay(path: &Path, parts: Parts<'_>, payments: &[Made]) -> Result<Replay, Failure> {
    let (known, routing) = parts;
    let (candidates, active) = configuration(path, known)?;
    let mut replay = Replay {
        split: Split::new(),
        to: Vec::with_capacity(payments.len()),
    };
    for made in payments {
        let input = RoutingInput {
            candidates: &candidates,
            active: active.as_ref(),
            dynamic: None,
            connectors: &[],
            draw: made.trial.draw().unwrap_or(made.draw),
        };
        let (facts, instrument) = (made.trial.facts(), made.trial.instrument());
        let routed = routing.consider(&facts, instrument, input);
        let (to, cost) = match routed.trace.chosen() {
            Some(chosen) => (
                chosen.merchant_connector_id.to_string(),
                chosen.expected_cost,
            ),
            None => (NOBODY.to_owned(), Some(0)),
        };
        let key = (to.clone(), facts.currency.as_str());
        let sum = replay.split.entry(key).or_default();
        sum.payments += 1;
        sum.amount = sum.amount.saturating_add(facts.total);
        match cost {
            Some(cost) => sum.cost = sum.cost.saturating_add(cost),
            None => sum.of_unknown_cost += 1,
        }
        replay.to.push(to);
    }
    Ok(replay)
}

/// Reads `{accounts, algorithm}`; without an algorithm the accounts are tried in order.
fn configuration(
    path: &Path,
    known: &[KnownConnector],
) -> Result<(Vec<Candidate>, Option<RoutingRecord>), Failure> {
    let text = read(path)?;
    let given: Value = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("{}: {error}", path.display())))?;
    let refused = |refusal: Refusal| wrong(format!("{}: {refusal}", path.display()));
    let members = given.as_object().into_iter().flat_map(Map::keys);
    if let Some(other) = members
        .into_iter()
        .find(|name| !["accounts", "algorithm"].contains(&name.as_str()))
    {
        let why = "has a member that doesn't belong there:";
        return Err(wrong(format!("{} {why} {other}", path.display())));
    }
    let accounts = given["accounts"].as_array();
    let accounts =
        accounts.ok_or_else(|| wrong(format!("{}: accounts has to be a list", path.display())))?;
    let mut candidates = Vec::with_capacity(accounts.len());
    for (place, account) in accounts.iter().enumerate() {
        let here = format!("{}: accounts[{place}]", path.display());
        let account = account_of(account).map_err(|why| wrong(format!("{here} {why}")))?;
        if let Some(table) = &account.fee_table {
            check_fee_table(table).map_err(|refusal| wrong(format!("{here}.{refusal}")))?;
        }
        candidates.push(Candidate {
            capabilities: capabilities(&account.connector_name, known).ok_or_else(|| {
                wrong(format!("{here}.connector is no connector of this program"))
            })?,
            account: account.into(),
        });
    }
    let algorithm = &given["algorithm"];
    if algorithm.is_null() {
        return Ok((candidates, None));
    }
    let new = NewRouting {
        name: "simulated".to_owned(),
        description: String::new(),
        algorithm: Algorithm::parse(algorithm).map_err(refused)?,
        transaction_type: Some(TransactionType::Payment),
    };
    let accounts = candidates
        .iter()
        .map(|candidate| candidate.account.as_ref());
    let accounts: Vec<&ConnectorAccount> = accounts.collect();
    let random = SeededRandom::new(SEED);
    let (merchant, profile) = (MerchantId::generate(&random), ProfileId::generate(&random));
    let record =
        RoutingRecord::create(new, merchant, profile, &accounts, Timestamp::EPOCH, &random);
    Ok((candidates, Some(record.map_err(refused)?)))
}

fn capabilities(connector: &str, known: &[KnownConnector]) -> Option<Capabilities> {
    let mut known = known.iter();
    let found = known.find(|known| known.name == connector)?;
    Some(found.capabilities.clone())
}

/// Reads the members of an account that routing uses.
fn account_of(given: &Value) -> Result<ConnectorAccount, String> {
    const MEMBERS: [&str; 5] = [
        "connector",
        "merchant_connector_id",
        "disabled",
        "payment_methods_enabled",
        "fee_table",
    ];
    let members = given.as_object().ok_or("has to be an object")?;
    if let Some(other) = members
        .keys()
        .find(|name| !MEMBERS.contains(&name.as_str()))
    {
        return Err(format!("has a member {other} that doesn't belong there"));
    }
    let disabled = match members.get("disabled") {
        None => false,
        Some(said) => said.as_bool().ok_or("disabled has to be true or false")?,
    };
    let mut record = json!({
        "merchant_id": "simulated",
        "merchant_connector_id": members.get("merchant_connector_id"),
        "profile_id": "pro_simulated",
        "connector_type": "payment_processor",
        "connector_name": members.get("connector"),
        "connector_label": "",
        "status": "active",
        "disabled": disabled,
        "notes": {},
        "created_at": 0,
        "modified_at": 0,
    });
    for member in ["payment_methods_enabled", "fee_table"] {
        if let Some(value) = members.get(member) {
            record[member] = value.clone();
        }
    }
    serde_json::from_value(record).map_err(|error| error.to_string())
}

/// Reads a payment in each line: the payment as for a dry run, and its outcome in `merchant_connector_id` and `succeeded`.
fn payments(path: &Path) -> Result<Vec<Made>, Failure> {
    let text = read(path)?;
    let random = SeededRandom::new(SEED);
    let mut payments = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let here = |why: String| wrong(format!("{}:{}: {why}", path.display(), number + 1));
        let mut given: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| here(error.to_string()))?;
        let account = given.remove("merchant_connector_id");
        let succeeded = given.remove("succeeded");
        let went = match (account, succeeded) {
            (Some(Value::String(account)), Some(Value::Bool(succeeded))) => {
                Some((account, succeeded))
            }
            (None, None) => None,
            (Some(_), _) | (_, Some(_)) => {
                let why =
                    "merchant_connector_id (a text) and succeeded (true or false) belong together";
                return Err(here(why.to_owned()));
            }
        };
        let trial = TrialRequest::parse(&Value::Object(given));
        let trial = trial.and_then(|trial| TrialPayment::create(trial, Timestamp::EPOCH));
        let mut draw = [0; 4];
        random.fill(&mut draw);
        payments.push(Made {
            trial: trial.map_err(|refusal| here(refusal.to_string()))?,
            draw: u32::from_le_bytes(draw),
            went,
        });
    }
    Ok(payments)
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| wrong(format!("{}: {error}", path.display())))
}

fn wrong(what: String) -> Failure {
    Failure::Settings(Problems(vec![Problem(what)]))
}
