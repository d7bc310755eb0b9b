//! Checks a running server: plays a merchant's life, then tries keys, other merchants' objects and limits. All of
//! them come from the document. Returns a report with every outcome.

mod authentication;
mod bounds;
mod breach;
mod concurrency;
mod faults;
mod keys;
mod limits;
mod listed;
mod options;
mod others;
mod outside;
mod profiles;
mod reach;
mod refusals;
mod sample;
mod unprovoked;

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::document::{operation, operations};
use crate::lifecycle;
use crate::place::Reason;
use crate::plan::{self, Plan};
use crate::report::{Failure, Kind, Outcome, Report, Row};
use crate::run::{Facts, Merchant, Run, Watcher};
use crate::wire::{Wire, Wrong};
use keys::Keys;
pub use options::{Filter, Given, Options, Simulator};
pub use unprovoked::NOTHING;

/// The reason for operations that the report isn't about.
pub const NOT_WANTED: &str = "not among --only";

/// Checks the server at this wire.
pub async fn run(wire: &Wire, options: &Options, watcher: Watcher) -> Report {
    let claimed = plan::claimed(wire).await;
    if claimed.is_none()
        && let Err(wrong) = wire.call("health_check").unjudged().send().await
    {
        return no_server(wire, &wrong);
    }
    let has_admin = options.admin_key.is_some();
    let plan = Plan::new(&options.filter, claimed.as_ref(), has_admin);
    let mut run = Run::new(wire.clone(), options.admin_key.clone(), plan, watcher);
    run.provider = options.provider.clone();
    at_their_places(&mut run);
    run.report.notes.push(match &claimed {
        Some(claimed) => format!(
            "The server's own document has {} operations.",
            claimed.len()
        ),
        None => {
            "No document of the server's own came from /openapi.json: all operations are expected."
                .to_owned()
        }
    });
    let is_sandbox = is_sandbox(&mut run).await;
    run.facts = Facts {
        own_account: has_admin,
        publishable_key: true,
        sign_up: is_sandbox,
        clock: is_sandbox,
        simulator: match options.simulator {
            Simulator::Ask => is_sandbox || has_simulated_connector(wire, options).await,
            Simulator::Yes => true,
            Simulator::No => false,
        },
    };
    if !is_sandbox {
        run.plan.leave_out("/sandbox/", "the server is no sandbox");
    }
    if !has_console(&mut run).await {
        let why = "the server has no console";
        run.plan.leave_out("/user/console/", why);
    }
    let note = match run.facts.simulator {
        true => "Payments end at the simulated processor.",
        false => "There is no simulated processor: no payment is confirmed.",
    };
    run.report.notes.push(note.to_owned());
    let merchant = match has_admin {
        true => lifecycle::open(&mut run).await,
        false => match lifecycle::open(&mut run).await {
            Some(opened) => Some(opened),
            None => given(&mut run, options).await,
        },
    };
    if let Some(merchant) = merchant {
        lifecycle::tell(&mut run, &merchant).await;
        let other = match has_admin {
            true => lifecycle::open_another(&mut run).await,
            false => options.other_secret_key.clone(),
        };
        let keys = Keys::collect(&mut run, &merchant).await;
        authentication::check(&mut run, &merchant, &keys).await;
        others::check(&mut run, other.as_deref()).await;
        profiles::check(&mut run, &merchant).await;
        outside::check(&mut run, &merchant).await;
        limits::check(&mut run, &merchant, &keys, options).await;
        refusals::provoke(&mut run, &merchant).await;
        concurrency::check(&mut run, &merchant).await;
        lifecycle::wait(&mut run, &merchant).await;
        // After a failure the account stays open, so that people can look into it.
        let stays = match (run.report.passed(), wire.ended()) {
            (true, None) => None,
            (true, Some(_)) => Some("as the run ended early"),
            (false, _) => Some("as something failed"),
        };
        match stays.filter(|_| has_admin) {
            None if has_admin => lifecycle::close(&mut run, &merchant).await,
            None => {}
            Some(why) => {
                let why = format!("the account {} stays open, {why}", merchant.id);
                run.left_out.push(why);
            }
        }
        refusals::compare(&mut run);
    }
    account_for_the_rest(&mut run);
    run.report.stopped = run.wire.ended().map(str::to_owned);
    run.report.members = run.members.share();
    let (seen, all) = run.report.members;
    run.report.notes.push(format!(
        "{seen} of the {all} members that answers can have had a value in one."
    ));
    narrow(&mut run, &options.filter);
    run.report
}

/// Returns the report on a server that doesn't answer, which has no checks.
fn no_server(wire: &Wire, wrong: &Wrong) -> Report {
    let reasons: Vec<&str> = wrong.reasons.iter().map(|one| one.what.as_str()).collect();
    let (server, why) = (wire.base_url(), reasons.join("; "));
    let silence = || format!("nothing could be checked, as nobody answers at {server}: {why}");
    Report {
        server: server.to_owned(),
        stopped: Some(wire.ended().map_or_else(silence, str::to_owned)),
        ..Report::default()
    }
}

/// Checks that operations of the same name in the server's own document stand at the same path. The server's other
/// operations aren't part of the contract.
fn at_their_places(run: &mut Run) {
    for (id, place) in run.plan.elsewhere() {
        let what = format!("the server's own document has it at {place}");
        let reason = Reason::at(&operation(id).pointer(), what);
        let outcome = Outcome::Failed(Box::new(Failure::bare(reason)));
        let scenario = "stands where the document has it";
        run.row(
            id.to_owned(),
            Kind::Story,
            scenario,
            outcome,
            Duration::ZERO,
        );
    }
}

/// Returns whether the server has the sandbox's clock. Other servers don't know its path, even with the operator's
/// key.
async fn is_sandbox(run: &mut Run) -> bool {
    if run.admin_key.is_none() {
        return false;
    }
    let call = run.operator("sandbox_clock_advance", "-");
    let call = call.json(&json!({ "advance_seconds": 0 }));
    let answer = call.unjudged().send().await;
    answer.is_ok_and(|answer| answer.status == 200)
}

/// Returns whether the server has the console. Other servers don't know the paths of its sessions.
async fn has_console(run: &mut Run) -> bool {
    let call = run.wire.call("console_sessions_begin").json(&json!({}));
    let answer = call.unjudged().send().await;
    answer.is_ok_and(|answer| answer.status != 404)
}

/// Returns whether one of the given account's connectors is the simulated one.
async fn has_simulated_connector(wire: &Wire, options: &Options) -> bool {
    let Some(given) = &options.given else {
        return false;
    };
    let call = wire
        .call("connector_accounts_list")
        .key(&given.secret_key)
        .at("account_id", &given.merchant_id);
    let answer = call.unjudged().send().await;
    let listed = answer.map_or(Value::Null, |answer| answer.body);
    let mut accounts = listed.as_array().into_iter().flatten();
    accounts.any(|account| account["connector_name"] == "fauxpay" && account["disabled"] != true)
}

/// Returns the merchant of the given keys. Missing members are read from the server.
async fn given(run: &mut Run, options: &Options) -> Option<Merchant> {
    let given = options.given.clone()?;
    let call = run
        .wire
        .call("merchant_accounts_retrieve")
        .key(&given.secret_key)
        .at("account_id", &given.merchant_id);
    let answer = call.unjudged().send().await;
    let account = answer.map_or(Value::Null, |answer| answer.body);
    let told = |name: &str| account[name].as_str().map(str::to_owned);
    let publishable_key = given.publishable_key.or_else(|| told("publishable_key"));
    run.facts.publishable_key = publishable_key.is_some();
    let profile_id = given.profile_id.or_else(|| told("default_profile"));
    Some(Merchant {
        wire: run.wire.clone(),
        id: given.merchant_id,
        profile_id: profile_id.unwrap_or_else(|| "-".to_owned()),
        api_key: given.secret_key,
        publishable_key: publishable_key.unwrap_or_else(|| "-".to_owned()),
        connector: "fauxpay".to_owned(),
        connector_account_id: "-".to_owned(),
        key_id: "-".to_owned(),
    })
}

/// Removes rows that the report isn't about. If a wanted operation never worked and no chapter broke off at a wanted
/// one, the rows where chapters broke off stay, because they may be the reason.
fn narrow(run: &mut Run, filter: &Filter) {
    let Run {
        report,
        plan,
        breaks,
        ..
    } = run;
    let stories = report.rows.iter().filter(|row| row.kind == Kind::Story);
    let worked = stories.filter(|row| row.passed());
    let worked: BTreeSet<&str> = worked.map(|row| row.operation.as_str()).collect();
    let mut wanted = operations().iter().filter(|one| plan.tries(one));
    let mut ends = breaks.iter().map(|index| &report.rows[*index].operation);
    let is_lacking = wanted.any(|one| !worked.contains(one.id.as_str()))
        && !ends.any(|operation| filter.wants(operation));
    let (mut others, mut told) = (BTreeSet::new(), BTreeSet::new());
    let mut index = 0..;
    report.rows.retain(|row| {
        let is_why = index.next().is_some_and(|index| breaks.contains(&index)) && is_lacking;
        let stays = filter.wants(&row.operation) || (is_why && told.insert(row.operation.clone()));
        if !stays {
            others.insert(row.operation.clone());
        }
        stays
    });
    let left_out = others.difference(&told).cloned();
    report.rows.extend(left_out.map(|operation| Row {
        operation,
        kind: Kind::Story,
        scenario: "works".to_owned(),
        outcome: Outcome::Skipped(NOT_WANTED.to_owned()),
        took: Duration::ZERO,
    }));
}

/// Adds a row for each operation that no story reached. It is skipped if something was left out or failed before;
/// otherwise it failed.
fn account_for_the_rest(run: &mut Run) {
    let mut why_not = run.left_out.clone();
    for index in &run.breaks {
        let told = format!(
            "a story ends at {}, which failed",
            run.report.rows[*index].operation
        );
        if !why_not.contains(&told) {
            why_not.push(told);
        }
    }
    let why_not = why_not.join("; ");
    for id in run.report.untried() {
        let operation = operations().iter().find(|operation| operation.id == id);
        let planned = operation.and_then(|operation| run.plan.why_not(operation));
        let outcome = match planned.map(str::to_owned) {
            Some(why) => Outcome::Skipped(why),
            None if !why_not.is_empty() => {
                Outcome::Skipped(format!("no story that could be told reaches it: {why_not}"))
            }
            None => {
                let place = operation.map(|operation| operation.pointer());
                let place = place.unwrap_or_default();
                let reason = Reason::at(&place, "no call reached it");
                Outcome::Failed(Box::new(Failure::bare(reason)))
            }
        };
        run.row(id.to_owned(), Kind::Story, "works", outcome, Duration::ZERO);
    }
}
