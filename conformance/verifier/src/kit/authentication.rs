//! Checks which keys open an operation: for each scheme no key, a forged one, and one of each kind that the run
//! holds. Operations without security are called without a key.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::keys::{Key, Keys};
use super::listed;
use super::sample::{self, UNBORN};
use crate::document::{Operation, body_schema, document, operations};
use crate::place::Reason;
use crate::report::{Failure, Kind, Outcome};
use crate::run::{Merchant, Run};
use crate::wire::Call;

/// Ids in a path that don't name the call's object.
const ACCOUNTS: [&str; 4] = ["account_id", "merchant_id", "profile_id", "customer_id"];

/// The code for an invalid token.
const NO_TOKEN: &str = "IR_17";

pub(super) async fn check(run: &mut Run, merchant: &Merchant, keys: &Keys) {
    for operation in operations() {
        if !run.plan.tries(operation) {
            continue;
        }
        let Some(call) = sample::call(run, merchant, keys, operation) else {
            let why = "no key that opens it could be had".to_owned();
            skip(run, operation, "any key", why);
            continue;
        };
        let bare = call.clone().without_key();
        if operation.security.is_empty() {
            free(run, operation, bare).await;
            continue;
        }
        let code = code_without_key(operation);
        shut(run, operation, "without a key", bare, code).await;
        for scheme in schemes().filter(|scheme| operation.takes(scheme)) {
            let scenario = format!("a forged {scheme}");
            let forged = Key::forged(scheme).calls(call.clone());
            // A forged token gets the code for invalid tokens.
            let code = if scheme == "bearer" { NO_TOKEN } else { code };
            shut(run, operation, &scenario, forged, code).await;
        }
        for key in &keys.held {
            match key.opens(operation) {
                false => {
                    let scenario = format!("{} instead", key.scheme);
                    let other = key.calls(call.clone());
                    shut(run, operation, &scenario, other, code).await;
                }
                true => open(run, operation, key, keys, &call).await,
            }
        }
        for scheme in schemes().filter(|scheme| operation.takes(scheme)) {
            let is_held = keys.held.iter().any(|key| key.scheme == scheme);
            if !is_held {
                let why = "the run holds no key of this scheme".to_owned();
                skip(run, operation, scheme, why);
            }
        }
    }
}

fn schemes() -> impl Iterator<Item = &'static str> {
    let schemes = document()["components"]["securitySchemes"].as_object();
    schemes.into_iter().flatten().map(|(name, _)| name.as_str())
}

/// Returns the code for a caller without a valid key.
fn code_without_key(operation: &Operation) -> &'static str {
    match operation.security == ["bearer"] {
        true => NO_TOKEN,
        false => "IR_01",
    }
}

/// Checks that a call without a key isn't refused for lack of one.
async fn free(run: &mut Run, operation: &Operation, bare: Call) {
    let scenario = "without any key";
    let worked = run.worked.get(operation.id.as_str());
    if worked.is_some_and(|call| !call.shows_a_key()) {
        return file(run, operation, scenario, Outcome::Passed, Duration::ZERO);
    }
    let bare = harmless(bare.clone(), operation).unwrap_or(bare);
    let started = Instant::now();
    let outcome = match run.send(bare).await {
        Err(wrong) => failed(Failure::wrong(&wrong)),
        Ok(answer) if answer.status != 401 || listed::lists_answer(operation, &answer) => {
            Outcome::Passed
        }
        Ok(answer) => {
            let is = answer.body["code"].as_str().unwrap_or("-");
            let what = format!("answered 401 {is} to a call without a key, of which it needs none");
            failed(Failure::from_answer(
                &answer,
                Reason::at(&place(operation), what),
            ))
        }
    };
    file(run, operation, scenario, outcome, started.elapsed());
}

async fn shut(run: &mut Run, operation: &Operation, scenario: &str, call: Call, code: &str) {
    let started = Instant::now();
    let outcome = match run.send(call).await {
        Err(wrong) => failed(Failure::wrong(&wrong)),
        Ok(answer) if answer.is_refusal(401, code) => Outcome::Passed,
        Ok(answer) => {
            let is = answer.body["code"].as_str().unwrap_or("-");
            let what = format!("answered {} {is} instead of 401 {code}", answer.status);
            failed(Failure::from_answer(
                &answer,
                Reason::at(&place(operation), what),
            ))
        }
    };
    file(run, operation, scenario, outcome, started.elapsed());
}

async fn open(run: &mut Run, operation: &Operation, key: &Key, keys: &Keys, call: &Call) {
    let scenario = format!("{} opens it", key.scheme);
    let worked = run.worked.get(operation.id.as_str());
    if worked.is_some_and(|call| key.is_in(call)) {
        return file(run, operation, &scenario, Outcome::Passed, Duration::ZERO);
    }
    if !operation.takes(key.scheme) {
        let why = "the client secret of a subscription goes with it".to_owned();
        return skip(run, operation, &scenario, why);
    }
    if key.is_payers() && keys.payment_id.is_empty() {
        let why = "no payment could be made that it is good for".to_owned();
        return skip(run, operation, &scenario, why);
    }
    let call = key.calls(call.clone());
    let harmless = match key.scheme {
        _ if key.is_payers() => Some(keys.for_payer(call, operation)),
        "ephemeral_key" => harmless(keys.for_customer(call), operation),
        _ => harmless(call, operation),
    };
    let Some(call) = harmless else {
        let why = "with the right key it would change something".to_owned();
        return skip(run, operation, &scenario, why);
    };
    let started = Instant::now();
    let wanted = wanted(operation, key);
    let outcome = match run.send(call).await {
        Err(wrong) => failed(Failure::wrong(&wrong)),
        Ok(answer) if (answer.status == 403) == (wanted == 403) && answer.status != 401 => {
            Outcome::Passed
        }
        Ok(answer) => {
            let what = match wanted {
                403 => format!("answered {} to a user without a role in it", answer.status),
                _ => format!("answered {} to a key that it takes", answer.status),
            };
            failed(Failure::from_answer(
                &answer,
                Reason::at(&place(operation), what),
            ))
        }
    };
    file(run, operation, &scenario, outcome, started.elapsed());
}

/// Returns 403 for a user without a listed role, or without a role in the path's organization. The run's user
/// administers only the merchant's organization, and paths name others.
fn wanted(operation: &Operation, key: &Key) -> u16 {
    let roles = operation.text()["x-multirail-roles"].as_array();
    let is_listed = roles.is_some_and(|roles| roles.contains(&Value::from("org_admin")));
    let is_elsewhere = operation.path_parameters().contains(&"organization_id");
    match key.scheme == "bearer" && (!is_listed || is_elsewhere) {
        true => 403,
        false => 200,
    }
}

/// Returns a form of the call that passes authorization and changes nothing: it only reads, its object doesn't exist,
/// or its body lacks a required member.
fn harmless(call: Call, operation: &Operation) -> Option<Call> {
    if !operation.mutates() {
        return Some(call);
    }
    let ids = operation.path_parameters();
    if let Some(object) = ids.iter().find(|id| !ACCOUNTS.contains(id)) {
        return Some(call.moved(object, UNBORN));
    }
    let schema = document().pointer(&body_schema(operation)?)?;
    let has_required = schema["required"]
        .as_array()
        .is_some_and(|all| !all.is_empty());
    has_required.then(|| call.json(&json!({})))
}

fn place(operation: &Operation) -> String {
    format!("{}/security", operation.pointer())
}

fn failed(failure: Failure) -> Outcome {
    Outcome::Failed(Box::new(failure))
}

fn skip(run: &mut Run, operation: &Operation, scenario: &str, why: String) {
    file(
        run,
        operation,
        scenario,
        Outcome::Skipped(why),
        Duration::ZERO,
    );
}

fn file(run: &mut Run, operation: &Operation, scenario: &str, outcome: Outcome, took: Duration) {
    run.row(
        operation.id.clone(),
        Kind::Authentication,
        scenario,
        outcome,
        took,
    );
}
