//! The refusals that operations list in their descriptions: which of them were met.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::sample::UNBORN;
use crate::document::{Operation, operations};
use crate::lifecycle::{Merchant, Run};
use crate::place::Reason;
use crate::report::{Failure, Kind, Outcome};

/// One line of an operation's table "Refused because".
#[derive(Clone, Debug, PartialEq, Eq)]
struct Listed {
    why: String,
    status: u16,
    code: String,
}

/// Reads the tables of an operation.
fn listed(operation: &Operation) -> Vec<Listed> {
    let text = operation.text()["description"].as_str().unwrap_or_default();
    let rows = text.lines().filter_map(|line| {
        let cells = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        let mut cells = cells.rsplit('|').map(str::trim);
        let (codes, status) = (cells.next()?, cells.next()?.parse().ok()?);
        let why: Vec<&str> = cells.collect();
        let why = why.into_iter().rev().collect::<Vec<_>>().join(" ");
        let codes = codes.split(',').filter_map(|code| {
            let code = code.trim().strip_prefix('`')?.strip_suffix('`')?;
            Some(code.to_owned())
        });
        let listed = codes.map(|code| Listed {
            why: why.clone(),
            status,
            code,
        });
        Some(listed.collect::<Vec<_>>())
    });
    rows.flatten().collect()
}

/// Asks for objects that don't exist, wherever an operation lists 404.
pub(super) async fn provoke(run: &mut Run, merchant: &Merchant) {
    for operation in operations() {
        let lists_it = listed(operation).iter().any(|one| one.status == 404);
        let accounts = ["account_id", "merchant_id"];
        let ids = operation.path_parameters();
        let object = ids.iter().find(|id| !accounts.contains(id));
        let worked = run.worked.get(operation.id.as_str()).cloned();
        let (true, Some(object), Some(call)) = (lists_it, object, worked) else {
            continue;
        };
        // With the merchant's own key: the one of the story may be good for one object only.
        let call = match operation.takes("api_key") {
            true => call.key(&merchant.api_key),
            false => call,
        };
        let started = Instant::now();
        let outcome = match run.send(call.moved(object, UNBORN)).await {
            Err(wrong) => Outcome::Failed(Box::new(Failure::wrong(&wrong))),
            Ok(answer) if answer.status == 404 => Outcome::Passed,
            Ok(answer) => {
                let what = format!("answered {} instead of 404", answer.status);
                let reason = Reason::at(&operation.pointer(), what);
                Outcome::Failed(Box::new(Failure::of(&answer, reason)))
            }
        };
        let scenario = format!("no such {object}");
        let id = operation.id.clone();
        run.row(id, Kind::Refusals, &scenario, outcome, started.elapsed());
    }
}

/// Says of every listed refusal whether it was met.
pub(super) fn compare(run: &mut Run) {
    for operation in operations() {
        if run.plan.why_not(operation).is_some() {
            continue;
        }
        let mut told = BTreeSet::new();
        for one in listed(operation) {
            if !told.insert((one.status, one.code.clone())) {
                continue;
            }
            let met = (operation.id.clone(), one.status, one.code.clone());
            let outcome = match run.refused.contains(&met) {
                true => Outcome::Passed,
                false => Outcome::Skipped("nothing here provokes it".to_owned()),
            };
            let scenario = format!("{} {}: {}", one.status, one.code, one.why);
            let id = operation.id.clone();
            run.row(id, Kind::Refusals, &scenario, outcome, Duration::ZERO);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::operation;

    #[test]
    fn the_tables_of_the_document_are_read() {
        let capture = listed(operation("payments_capture"));
        assert_eq!(capture.len(), 6, "{capture:#?}");
        assert_eq!(
            capture[0],
            Listed {
                why: "the payment doesn't exist".to_owned(),
                status: 404,
                code: "HE_02".to_owned(),
            }
        );
        // Two codes in one line are two refusals.
        let confirm = listed(operation("payments_confirm"));
        for code in ["IR_04", "IR_08", "IR_09"] {
            let told = confirm
                .iter()
                .any(|one| one.code == code && one.why.starts_with("`client_secret` is missing"));
            assert!(told, "{confirm:#?}");
        }
        let all = operations().iter().map(|one| listed(one).len());
        assert!(all.sum::<usize>() > 500);
    }
}
