//! Another merchant's key: the account in the path is refused, and any other object doesn't exist.

use std::time::{Duration, Instant};

use crate::document::{Operation, operations};
use crate::place::Reason;
use crate::report::{Kind, Outcome};
use crate::run::Run;

/// Repeats each story's call about an object with the other merchant's key.
pub(super) async fn check(run: &mut Run, other_key: Option<&str>) {
    for operation in operations() {
        let ids = operation.path_parameters();
        if ids.is_empty() || !operation.takes("api_key") || !run.plan.tries(operation) {
            continue;
        }
        let worked = run.worked.get(operation.id.as_str()).cloned();
        let (Some(call), Some(key)) = (worked, other_key) else {
            let why = match other_key {
                Some(_) => "no story made an object for it",
                None => "there is no other merchant's key (--other-secret-key)",
            };
            let outcome = Outcome::Skipped(why.to_owned());
            file(run, operation, outcome, Duration::ZERO);
            continue;
        };
        let names_account = ["account_id", "merchant_id"]
            .iter()
            .any(|id| ids.contains(id));
        let wanted = if names_account { 401 } else { 404 };
        let started = Instant::now();
        let outcome = match run.send(call.key(key)).await {
            Err(wrong) => Outcome::wrong(&wrong),
            Ok(answer) if answer.status == wanted => Outcome::Passed,
            Ok(answer) => {
                let what = format!(
                    "answered {} instead of {wanted} to another merchant",
                    answer.status
                );
                let reason = Reason::at(&operation.pointer(), what);
                Outcome::failed(&answer, reason)
            }
        };
        file(run, operation, outcome, started.elapsed());
    }
}

fn file(run: &mut Run, operation: &Operation, outcome: Outcome, took: Duration) {
    let scenario = "another merchant's key";
    run.row(operation.id.clone(), Kind::Others, scenario, outcome, took);
}
