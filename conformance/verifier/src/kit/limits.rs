//! Breaks each bound of the document once: the request is refused, and the message names the member. For the
//! specification's operations, it also sends values at each bound and every word, which must be accepted.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::bounds::{Fault, Walk};
use super::breach;
use super::keys::Keys;
use super::options::Options;
use super::sample;
use crate::document::{Operation, body_schema, operations, resolved};
use crate::place::{Reason, last_name};
use crate::report::{Kind, Outcome};
use crate::response::Response;
use crate::run::{Merchant, Run};
use crate::wire::Call;

const JSON: &str = "application/json";

/// The header with which a platform acts for others. The run isn't a platform.
const OF_PLATFORMS: &str = "X-Connected-Merchant-Id";

/// The document's largest body.
const LARGEST: usize = 32_768;

pub(super) async fn check(run: &mut Run, merchant: &Merchant, keys: &Keys, options: &Options) {
    let (mut tried, mut reached) = (BTreeSet::new(), BTreeSet::new());
    for operation in operations() {
        if !run.plan.tries(operation) {
            continue;
        }
        let Some(call) = sample::call(run, merchant, keys, operation) else {
            let why = "no key that opens it could be had".to_owned();
            let outcome = Outcome::Skipped(why);
            file(run, operation, "any limit", outcome, Duration::ZERO);
            continue;
        };
        // A key from a story may have expired by now. The merchant's key is valid to the end, and is the only one to
        // which the profile header matters.
        let call = match keys.opening(operation) {
            _ if operation.takes("api_key") => call.key(&merchant.api_key),
            Some(key) => key.calls(call),
            None => call,
        };
        parameters(run, operation, &call).await;
        if let Some(pointer) = body_schema(operation) {
            whole_bodies(run, operation, &call).await;
            let mut walk = Walk {
                thorough: options.thorough,
                tried: &mut tried,
                faults: Vec::new(),
                reached: Vec::new(),
            };
            let valid = call.body().unwrap_or_else(|| json!({}));
            walk.body(&pointer, &valid);
            for fault in walk.faults {
                let call = call.clone().json(&fault.value);
                refused(run, operation, &fault, call).await;
            }
            if options.at_bounds && is_specified(operation) {
                // For these operations the walk also enters components that were already checked.
                let mut walk = Walk {
                    thorough: false,
                    tried: &mut reached,
                    faults: Vec::new(),
                    reached: Vec::new(),
                };
                walk.body(&pointer, &valid);
                // Members that repeat a path parameter must match it, and a secret must match its payment.
                let mut settled = operation.path_parameters();
                settled.push("client_secret");
                // The kind of credentials decides their members, whatever the schema permits.
                let is_credentials = |name: &str| name.ends_with("connector_account_details");
                let free = |reach: &Fault| {
                    !settled.contains(&reach.name.as_str()) && !is_credentials(&reach.name)
                };
                for reach in walk.reached.into_iter().filter(free) {
                    let call = call.clone().json(&reach.value);
                    understood(run, operation, &reach, call).await;
                }
            }
        }
    }
}

/// Returns whether the interface specification defines the operation.
fn is_specified(operation: &Operation) -> bool {
    operation.text()["x-multirail-origin"] == "specification"
}

async fn parameters(run: &mut Run, operation: &Operation, call: &Call) {
    for (pointer, parameter) in operation.parameters() {
        let name = parameter["name"].as_str().unwrap_or_default();
        if name == OF_PLATFORMS {
            continue;
        }
        let (schema_pointer, schema) = resolved(&format!("{pointer}/schema"));
        let is_query = parameter["in"] == "query";
        if parameter["in"] != "path" && parameter["required"] == true {
            let fault = Fault {
                name: name.to_owned(),
                what: "missing".to_owned(),
                pointer: format!("{pointer}/required"),
                value: Value::Null,
                by_rules: false,
                names_object: false,
            };
            let call = match is_query {
                true => call.clone().without_query(name),
                false => call.clone().without_header(name),
            };
            refused(run, operation, &fault, call).await;
        }
        for one in breach::breaches_of(schema) {
            // Every value in a header or a query is text.
            let is_text = schema["type"] == "string" && one.word == "type";
            let text = one
                .value
                .as_str()
                .map_or(one.value.to_string(), str::to_owned);
            // No header can have this value, or an empty header counts as absent.
            let is_no_header = text.is_empty() || text.contains(|c: char| c.is_control());
            if is_text || (!is_query && is_no_header) {
                continue;
            }
            let fault = Fault {
                name: name.to_owned(),
                what: one.what,
                pointer: match schema[one.word].is_null() {
                    true => schema_pointer.clone(),
                    false => format!("{schema_pointer}/{}", one.word),
                },
                value: Value::Null,
                by_rules: one.by_rules,
                names_object: !is_query && name.ends_with("-Id"),
            };
            let call = match is_query {
                true => call.clone().query_instead(name, text),
                false => call.clone().header_instead(name, &text),
            };
            refused(run, operation, &fault, call).await;
        }
    }
}

/// Sends bodies that aren't objects, or that are too long.
async fn whole_bodies(run: &mut Run, operation: &Operation, call: &Call) {
    let large = json!({ "no_such_member": "x".repeat(LARGEST) }).to_string();
    let deep = format!("{}1{}", "{\"a\":[".repeat(20), "]}".repeat(20));
    let bodies = [
        ("no JSON", "{".to_owned()),
        ("a list", "[]".to_owned()),
        ("a member twice", r#"{"a": 1, "a": 1}"#.to_owned()),
        ("larger than 32768 bytes", large),
        ("deeper than 32", deep),
    ];
    for (what, body) in bodies {
        let fault = Fault {
            name: String::new(),
            what: format!("a body that is {what}"),
            pointer: format!("{}/requestBody", operation.pointer()),
            value: Value::Null,
            by_rules: false,
            names_object: false,
        };
        refused(run, operation, &fault, call.clone().text(JSON, body)).await;
    }
    let fault = Fault {
        name: String::new(),
        what: "a body of another media type".to_owned(),
        pointer: format!("{}/requestBody", operation.pointer()),
        value: Value::Null,
        by_rules: false,
        names_object: false,
    };
    let text = call.clone().text("text/plain", "{}");
    refused(run, operation, &fault, text).await;
}

async fn refused(run: &mut Run, operation: &Operation, fault: &Fault, call: Call) {
    let started = Instant::now();
    let outcome = match run.send(call).await {
        Err(wrong) => Outcome::wrong(&wrong),
        Ok(answer) => judged(fault, &answer),
    };
    let scenario = format!("{} {}", fault.name, fault.what);
    file(run, operation, scenario.trim(), outcome, started.elapsed());
}

/// Checks a valid change: the request may fail, but not because of this value.
async fn understood(run: &mut Run, operation: &Operation, reach: &Fault, call: Call) {
    let started = Instant::now();
    let outcome = match run.send(call).await {
        Err(wrong) => Outcome::wrong(&wrong),
        Ok(answer) if is_refused_as_such(reach, &answer) => {
            let bound = last_name(&reach.pointer);
            let what = format!(
                "{} {} is refused, which {bound} permits",
                reach.name, reach.what
            );
            let reason = Reason::at(&reach.pointer, what.trim());
            Outcome::failed(&answer, reason)
        }
        Ok(_) => Outcome::Passed,
    };
    let scenario = format!("{} {}", reach.name, reach.what);
    file(run, operation, &scenario, outcome, started.elapsed());
}

/// Returns whether the answer refuses this value by name, or refuses the request before reading it.
fn is_refused_as_such(reach: &Fault, answer: &Response) -> bool {
    match answer.status {
        400 | 422 => names(reach, answer),
        status => matches!(status, 401 | 403 | 413 | 415),
    }
}

/// Returns whether the message names the changed member.
fn names(fault: &Fault, answer: &Response) -> bool {
    let last = fault.name.rsplit('.').next().unwrap_or_default();
    let last = last.split('[').next().unwrap_or_default();
    let message = answer.message().to_ascii_lowercase();
    message.contains(&last.to_ascii_lowercase())
}

fn judged(fault: &Fault, answer: &Response) -> Outcome {
    let message = answer.message();
    let names_it = names(fault, answer);
    let is_refusal = match fault.name.is_empty() {
        true => matches!(answer.status, 400 | 413 | 415 | 422),
        false => matches!(answer.status, 400 | 422),
    };
    // An object with an invalid id doesn't exist.
    let is_no_object = fault.names_object && answer.status == 404;
    if (is_refusal && names_it) || is_no_object {
        return Outcome::Passed;
    }
    let code = answer.body["code"].as_str().unwrap_or("-");
    if fault.by_rules && (400..500).contains(&answer.status) {
        // Rules run last, and here another check refused first.
        return Outcome::Skipped(format!(
            "refused for something else first: {} {code}",
            answer.status
        ));
    }
    let bound = last_name(&fault.pointer);
    let what = match answer.status {
        200 => format!("{} {} is accepted, against {bound}", fault.name, fault.what),
        status => format!(
            "{} {} is answered {status} {code} {message:?}, which doesn't name it",
            fault.name, fault.what
        ),
    };
    let reason = Reason::at(&fault.pointer, what.trim());
    Outcome::failed(answer, reason)
}

fn file(run: &mut Run, operation: &Operation, scenario: &str, outcome: Outcome, took: Duration) {
    run.row(operation.id.clone(), Kind::Limits, scenario, outcome, took);
}
