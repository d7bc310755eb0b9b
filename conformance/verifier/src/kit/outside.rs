//! Requests outside of the document: an unknown path, and a method that a path doesn't have. They must fail in the
//! usual form.

use std::time::Instant;

use reqwest::Method;

use super::sample::UNBORN;
use crate::document::{Operation, operations};
use crate::place::Reason;
use crate::report::{Kind, Outcome};
use crate::run::{Merchant, Run};
use crate::wire::Call;

/// The document's text about failures.
const ANSWERS: &str = "/info/description";

/// Methods that some paths don't have.
const METHODS: [Method; 4] = [Method::PATCH, Method::PUT, Method::DELETE, Method::POST];

pub(super) async fn check(run: &mut Run, merchant: &Merchant) {
    let tried: Vec<_> = operations()
        .iter()
        .filter(|one| run.plan.tries(one))
        .collect();
    // The fault belongs to no operation, so the report puts it under the first one.
    if let Some(first) = tried.first() {
        let call = run.wire.request(Method::GET, "/no/such/address");
        let call = call.key(&merchant.api_key);
        fails(run, first, "no such address", call, (404, "IR_02")).await;
    }
    let mut paths: Vec<&str> = Vec::new();
    for operation in tried {
        if paths.contains(&operation.path.as_str()) {
            continue;
        }
        paths.push(&operation.path);
        let is_there = |method: &Method| {
            let mut all = operations().iter();
            all.any(|one| one.method == *method && may_be(&one.path, &operation.path))
        };
        let Some(method) = METHODS.iter().find(|method| !is_there(method)) else {
            continue;
        };
        let ids = operation.path_parameters().into_iter();
        let path = ids.fold(operation.path.clone(), |path, id| {
            path.replace(&format!("{{{id}}}"), UNBORN)
        });
        let call = run.wire.request(method.clone(), &path);
        let call = call.key(&merchant.api_key);
        let scenario = format!("no {method} there");
        fails(run, operation, &scenario, call, (405, "IR_03")).await;
    }
}

/// Returns whether one path can equal the other with parameters filled in.
fn may_be(one: &str, other: &str) -> bool {
    let (one, other) = (one.split('/'), other.split('/'));
    one.clone().count() == other.clone().count()
        && one
            .zip(other)
            .all(|(one, other)| one == other || one.starts_with('{') || other.starts_with('{'))
}

async fn fails(
    run: &mut Run,
    operation: &Operation,
    scenario: &str,
    call: Call,
    (status, code): (u16, &str),
) {
    let started = Instant::now();
    let outcome = match run.send(call).await {
        Err(wrong) => Outcome::wrong(&wrong),
        Ok(answer) if answer.is_refusal(status, code) => Outcome::Passed,
        Ok(answer) => {
            let reason = Reason::at(ANSWERS, answer.instead_of(status, code));
            Outcome::failed(&answer, reason)
        }
    };
    let (id, took) = (operation.id.clone(), started.elapsed());
    run.row(id, Kind::Refusals, scenario, outcome, took);
}
