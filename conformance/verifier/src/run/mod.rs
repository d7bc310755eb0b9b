//! Makes the calls of stories and checks, and collects their outcomes.

mod echo;
mod facts;
mod merchant;
mod repeats;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures::future::join_all;
use serde_json::Value;

use crate::document::Operation;
use crate::identity_provider::IdentityProvider;
use crate::masks::brief;
use crate::members::Members;
use crate::place::Reason;
use crate::plan::Plan;
use crate::report::{Failure, Kind, Outcome, Report, Row};
use crate::response::Response;
use crate::wire::{Call, Wire, Wrong};

pub(crate) use facts::{Facts, Need};
pub(crate) use merchant::Merchant;

/// A function that is called after every check.
pub type Watcher = Box<dyn Fn(&Row) + Send + Sync>;

/// The placeholder for an id that no answer gave.
const NO_ID: &str = "-";

/// How many times a call is repeated after 429, and the longest wait between.
const PATIENCE: (u32, Duration) = (20, Duration::from_secs(5));

/// The call that a chapter depends on failed or was left out; the report has the reason.
#[derive(Debug)]
pub(crate) struct Stop;

/// The state of a run.
pub(crate) struct Run {
    pub wire: Wire,
    pub admin_key: Option<String>,
    /// The stand-in that the server uses as its identity provider.
    pub provider: Option<Arc<IdentityProvider>>,
    pub plan: Plan,
    pub facts: Facts,
    pub report: Report,
    /// The first successful call of each operation.
    pub worked: BTreeMap<&'static str, Call>,
    /// Status and code of each operation's refusals.
    pub refused: BTreeSet<(String, u16, String)>,
    /// The members of answers that had a value.
    pub members: Members,
    /// Operations whose idempotency keys were checked.
    pub repeated: BTreeSet<&'static str>,
    /// The run's name, which is unique on the server.
    pub name: String,
    /// Why chapters were left out or broke off without a failure.
    pub left_out: Vec<String>,
    /// The rows whose failure broke a chapter off.
    pub breaks: BTreeSet<usize>,
    watcher: Watcher,
}

impl Run {
    pub fn new(wire: Wire, admin_key: Option<String>, plan: Plan, watcher: Watcher) -> Self {
        Self {
            report: Report {
                server: wire.base_url().to_owned(),
                ..Report::default()
            },
            wire,
            admin_key,
            provider: None,
            plan,
            facts: Facts::default(),
            worked: BTreeMap::new(),
            refused: BTreeSet::new(),
            members: Members::default(),
            repeated: BTreeSet::new(),
            name: micros().to_string(),
            left_out: Vec::new(),
            breaks: BTreeSet::new(),
            watcher,
        }
    }

    /// Builds a call of the operator.
    pub fn operator(&self, operation: &str, merchant_id: &str) -> Call {
        let call = self.wire.call(operation);
        let call = match &self.admin_key {
            Some(key) => call.key(key),
            None => call,
        };
        call.at("account_id", merchant_id)
            .at("merchant_id", merchant_id)
    }

    /// Returns whether all needs of a chapter are met. Otherwise the report names the missing ones.
    pub fn can_tell(&mut self, chapter: &str, needs: &[Need]) -> bool {
        let facts = self.facts;
        let missing = needs.iter().find_map(|need| match need {
            Need::Simulator if !facts.simulator => Some("a simulated processor"),
            Need::OwnAccount if !facts.own_account => Some("a merchant account of its own"),
            Need::PublishableKey if !facts.publishable_key => Some("the publishable key"),
            Need::Operator if self.admin_key.is_none() => Some("the operator's key"),
            Need::SignUp if !facts.sign_up => Some("that anybody may sign up"),
            Need::Clock if !facts.clock => Some("a clock that can be moved"),
            Need::Simulator
            | Need::OwnAccount
            | Need::PublishableKey
            | Need::Operator
            | Need::SignUp
            | Need::Clock => None,
        });
        if let Some(missing) = missing {
            self.left_out.push(format!("\"{chapter}\" wants {missing}"));
        }
        missing.is_none()
    }

    /// Records that a chapter broke off at the last row.
    pub fn broke_off(&mut self) {
        let last = self.report.rows.iter().enumerate().next_back();
        let failed = last.filter(|(_, row)| matches!(row.outcome, Outcome::Failed(_)));
        self.breaks.extend(failed.map(|(index, _)| index));
    }

    /// Sends a call, repeats it after 429, and records a refusal.
    pub async fn send(&mut self, call: Call) -> Result<Response, Wrong> {
        let (tries, longest) = PATIENCE;
        for _ in 1..tries {
            let answer = self.send_once(call.clone()).await?;
            let wait = answer
                .header("retry-after")
                .and_then(|text| text.parse().ok());
            match wait.map(Duration::from_secs) {
                Some(wait) if answer.status == 429 && wait <= longest => {
                    tokio::time::sleep(wait).await;
                }
                _ => return Ok(answer),
            }
        }
        self.send_once(call).await
    }

    async fn send_once(&mut self, call: Call) -> Result<Response, Wrong> {
        let asked = call.operation();
        let answer = call.send().await?;
        self.note(asked, &answer);
        Ok(answer)
    }

    /// Sends calls concurrently, each once, and records refusals. The answers are in the order of the calls.
    pub async fn send_together(&mut self, calls: Vec<Call>) -> Vec<Result<Response, Wrong>> {
        let asked: Vec<_> = calls.iter().map(Call::operation).collect();
        let answers = join_all(calls.into_iter().map(Call::send)).await;
        for (asked, answer) in asked.into_iter().zip(&answers) {
            if let Ok(answer) = answer {
                self.note(asked, answer);
            }
        }
        answers
    }

    fn note(&mut self, asked: Option<&Operation>, answer: &Response) {
        if let (Some(operation), 200) = (asked, answer.status) {
            self.members.note(operation, &answer.body);
        }
        let code = answer.body["code"].as_str();
        if let (Some(operation), Some(code), 400..) = (asked, code, answer.status) {
            let id = operation.id.clone();
            self.refused.insert((id, answer.status, code.to_owned()));
        }
    }

    /// Makes a call that must work, with these values at these places of its answer.
    pub async fn works(
        &mut self,
        scenario: &str,
        call: Call,
        wanted: &[(&str, Value)],
    ) -> Result<Value, Stop> {
        if let Some(left) = self.leaves_out(scenario, &call) {
            return left.map(|()| Value::Null);
        }
        let (operation, pointer, started) = (call.name(), pointer_of(&call), Instant::now());
        let mut under_key = self.under_key(&call);
        let first = under_key.clone().unwrap_or_else(|| call.clone());
        let mut sent = self.send(first).await;
        if let (Some(_), Ok(answer), Some(operation)) = (&under_key, &sent, call.operation())
            && self.is_spent(operation, answer)
        {
            under_key = None;
            sent = self.send(call.clone()).await;
        }
        if under_key.is_some() {
            self.note_key(&call, &sent);
        }
        let took = started.elapsed();
        let answer = match sent {
            Ok(answer) if answer.status == 200 => answer,
            failed => {
                let failure = match failed {
                    Err(wrong) => Failure::wrong(&wrong),
                    Ok(answer) => {
                        let what = format!("answered {}: {}", answer.status, brief(&answer.body));
                        Failure::from_answer(&answer, Reason::at(&pointer, what))
                    }
                };
                return self.keep(operation, scenario, took, Err(failure));
            }
        };
        // A wrong value is a failure, but the story can go on.
        let outcome = match fault_of(&call, &answer, wanted) {
            Some(reason) => Outcome::failed(&answer, reason),
            None => Outcome::Passed,
        };
        self.row(operation, Kind::Story, scenario, outcome, took);
        if let Some(under_key) = under_key {
            self.repeat(under_key, &answer).await;
        }
        if let Some(operation) = call.operation() {
            self.worked.entry(operation.id.as_str()).or_insert(call);
        }
        Ok(answer.body)
    }

    /// Makes a call that must be refused with this status and code. Nothing later depends on it.
    pub async fn is_refused(&mut self, scenario: &str, call: Call, status: u16, code: &str) {
        if let Some((operation, why)) = self.why_left_out(&call) {
            let (id, outcome) = (operation.id.clone(), Outcome::Skipped(why));
            self.row(id, Kind::Story, scenario, outcome, Duration::ZERO);
            return;
        }
        let (operation, pointer, started) = (call.name(), pointer_of(&call), Instant::now());
        let sent = match self.under_key(&call) {
            None => self.send(call).await,
            Some(under_key) => {
                let sent = self.send(under_key).await;
                self.note_key(&call, &sent);
                sent
            }
        };
        let outcome = match sent {
            Err(wrong) => Outcome::wrong(&wrong),
            Ok(answer) if answer.is_refusal(status, code) => Outcome::Passed,
            Ok(answer) => {
                let is = answer.instead_of(status, code);
                let what = format!("{is}: {}", brief(&answer.body));
                let reason = Reason::at(&pointer, what);
                Outcome::failed(&answer, reason)
            }
        };
        self.row(operation, Kind::Story, scenario, outcome, started.elapsed());
    }

    /// Adds a row for an outcome that was found in another way.
    pub fn file<T>(
        &mut self,
        operation: String,
        scenario: &str,
        took: Duration,
        result: Result<T, String>,
    ) -> Result<T, Stop> {
        let result = result.map_err(|why| Failure::bare(Reason::bare(why)));
        self.keep(operation, scenario, took, result)
    }

    fn keep<T>(
        &mut self,
        operation: String,
        scenario: &str,
        took: Duration,
        result: Result<T, Failure>,
    ) -> Result<T, Stop> {
        let (outcome, result) = match result {
            Ok(value) => (Outcome::Passed, Ok(value)),
            Err(failure) => (Outcome::Failed(Box::new(failure)), Err(Stop)),
        };
        self.row(operation, Kind::Story, scenario, outcome, took);
        result
    }

    /// Adds a row.
    pub fn row(
        &mut self,
        operation: String,
        kind: Kind,
        scenario: &str,
        outcome: Outcome,
        took: Duration,
    ) {
        // If the run had ended and nothing was sent, the check is skipped, not failed.
        let outcome = match (outcome, self.wire.ended()) {
            (Outcome::Failed(failure), Some(ended)) if failure.exchange.is_none() => {
                Outcome::Skipped(ended.to_owned())
            }
            (outcome, _) => outcome,
        };
        let row = Row {
            operation,
            kind,
            scenario: scenario.to_owned(),
            outcome,
            took,
        };
        (self.watcher)(&row);
        self.report.rows.push(row);
    }

    /// Returns why a call isn't made; `None` if it is.
    fn why_left_out(&self, call: &Call) -> Option<(&'static Operation, String)> {
        let operation = call.operation()?;
        let why = match self.plan.why_not(operation).or(self.wire.ended()) {
            Some(why) => why.to_owned(),
            None if call.fills_with(NO_ID) => "what it is about was never answered".to_owned(),
            None => return None,
        };
        Some((operation, why))
    }

    /// Skips a call if the plan says so. After a skipped read the chapter goes on; after other skipped calls it
    /// can't.
    fn leaves_out(&mut self, scenario: &str, call: &Call) -> Option<Result<(), Stop>> {
        let (operation, why) = self.why_left_out(call)?;
        let goes_on = !operation.mutates() && !call.fills_with(NO_ID);
        if !goes_on {
            let told = format!("a story ends at {}: {why}", operation.id);
            if !self.left_out.contains(&told) {
                self.left_out.push(told);
            }
        }
        let id = operation.id.clone();
        self.row(
            id,
            Kind::Story,
            scenario,
            Outcome::Skipped(why),
            Duration::ZERO,
        );
        Some(if goes_on { Ok(()) } else { Err(Stop) })
    }
}

/// Returns what is wrong with a valid answer: a value that isn't the wanted one, or not the one that was sent.
fn fault_of(call: &Call, answer: &Response, wanted: &[(&str, Value)]) -> Option<Reason> {
    let mut wanted = wanted.iter();
    let off = wanted.find(|(place, value)| answer.body.pointer(place) != Some(value));
    if let Some((place, value)) = off {
        let is = answer.body.pointer(place).unwrap_or(&Value::Null);
        let what = format!("{place} is {} instead of {}", brief(is), brief(value));
        return Some(Reason::at(&pointer_of(call), what));
    }
    let body = call.body();
    let (what, place) = echo::fault(call.operation()?, body.as_ref(), &answer.body)?;
    Some(Reason::at(&place, what))
}

fn pointer_of(call: &Call) -> String {
    call.operation().map(Operation::pointer).unwrap_or_default()
}

/// Returns a number that no earlier run had.
pub(crate) fn micros() -> u128 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_micros())
}
