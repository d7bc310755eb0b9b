//! Compares the listed refusals with those that the run provoked.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::json;

use super::faults::{FAULTS, order_faults};
use super::listed::{listed, lists};
use super::sample::{PROFILE, UNBORN};
use super::unprovoked;
use crate::bodies::{APPROVED, card, card_to_save, order, with};
use crate::document::{Operation, operation, operations};
use crate::place::Reason;
use crate::report::{Kind, Outcome};
use crate::run::{Merchant, Run};
use crate::wire::Call;

/// Provokes refusals by changing the path or the headers of working calls.
pub(super) async fn provoke(run: &mut Run, merchant: &Merchant) {
    nothing_there(run, merchant).await;
    without_profile(run).await;
    of_a_bare_profile(run, merchant).await;
    of_an_order(run, merchant).await;
    faulty(run).await;
    no_such_account(run).await;
    too_long(run).await;
}

/// Calls with objects that don't exist, for every operation that lists 404.
async fn nothing_there(run: &mut Run, merchant: &Merchant) {
    for operation in operations() {
        let lists_it = listed(operation).iter().any(|one| one.status == 404);
        let accounts = ["account_id", "merchant_id"];
        let ids = operation.path_parameters();
        let object = ids.iter().find(|id| !accounts.contains(id));
        let worked = run.worked.get(operation.id.as_str()).cloned();
        let (true, Some(object), Some(call)) = (lists_it, object, worked) else {
            continue;
        };
        // Uses the merchant's key, because a story's key may be valid for one object only.
        let call = match operation.takes("api_key") {
            true => call.key(&merchant.api_key),
            false => call,
        };
        let scenario = format!("no such {object}");
        let call = call.moved(object, UNBORN);
        provoked(run, operation, &scenario, call, (404, None)).await;
    }
}

/// Omits the profile header, for every operation that lists this refusal.
async fn without_profile(run: &mut Run) {
    for operation in operations() {
        let lists_it = lists(operation, (400, "IR_04"), "`X-Profile-Id` is missing");
        let worked = run.worked.get(operation.id.as_str()).cloned();
        if let (true, Some(call)) = (lists_it, worked) {
            let call = call.without_header(PROFILE);
            provoked(run, operation, "for no profile", call, (400, Some("IR_04"))).await;
        }
    }
}

/// Names a profile without billing, for every operation that lists this refusal.
async fn of_a_bare_profile(run: &mut Run, merchant: &Merchant) {
    let create = operation("business_profiles_create");
    let is_listed = |one: &&Operation| {
        let lists = |why: &str| lists(one, (400, "IR_16"), why);
        // Operations without path parameters need only the profile.
        let makes = one.path_parameters().is_empty();
        lists("the profile has no `billing_processor_id`")
            || (makes && lists("the profile has no billing account"))
    };
    if !run.facts.own_account || run.plan.why_not(create).is_some() {
        return;
    }
    let call = merchant.call(&create.id);
    let call = call.json(&json!({ "profile_name": "bare" }));
    let again = call.clone();
    let Ok(profile) = run.works("a profile that nothing bills", call, &[]).await else {
        return;
    };
    provoked(run, create, "of the same name", again, (400, Some("IR_38"))).await;
    let profile_id = profile["profile_id"].as_str().unwrap_or_default();
    for operation in operations().iter().filter(is_listed) {
        let Some(call) = run.worked.get(operation.id.as_str()).cloned() else {
            continue;
        };
        let call = call.header_instead(PROFILE, profile_id);
        let scenario = "for a profile that nothing bills";
        provoked(run, operation, scenario, call, (400, Some("IR_16"))).await;
    }
    // The profile has no connector account either.
    let create = operation("payments_create");
    let there = with(order(), json!({ "profile_id": profile_id }));
    let paid = with(
        with(there.clone(), card(APPROVED)),
        json!({ "confirm": true }),
    );
    let call = merchant.call(&create.id).json(&paid);
    let nowhere = (400, Some("IR_39"));
    provoked(run, create, "through no account", call, nowhere).await;
    let call = merchant.call(&create.id).json(&there);
    if let Ok(order) = run.works("an order there", call, &[]).await {
        let call = merchant
            .on("payments_confirm", &order)
            .json(&card(APPROVED));
        let confirm = operation("payments_confirm");
        provoked(run, confirm, "through no account", call, nowhere).await;
    }
}

/// Confirms, refunds and shows an order in impossible ways.
async fn of_an_order(run: &mut Run, merchant: &Merchant) {
    let customer = merchant.call("customers_create").json(&json!({}));
    let Ok(customer) = run.works("a payer who errs", customer, &[]).await else {
        return;
    };
    let of_customer = json!({ "customer_id": customer["customer_id"] });
    let call = merchant.call("payments_create");
    let call = call.json(&with(order(), of_customer.clone()));
    let Ok(order) = run.works("an order to err about", call, &[]).await else {
        return;
    };
    let saved = merchant.call("payment_methods_create");
    let saved = saved.json(&with(card_to_save(), of_customer));
    let saved = run.works("a card for payments by the payer alone", saved, &[]);
    let saved = saved.await.unwrap_or_default();
    for (id, scenario, body, (status, code)) in order_faults(&order, &saved) {
        let operation = operation(id);
        if run.plan.why_not(operation).is_some() {
            continue;
        }
        let call = merchant.on(id, &order).json(&body);
        let call = match operation.takes("api_key") {
            true => call,
            false => call.key(&merchant.publishable_key),
        };
        provoked(run, operation, scenario, call, (status, Some(code))).await;
    }
}

/// Sends each working call with one fault.
async fn faulty(run: &mut Run) {
    for (id, scenario, change, (status, code)) in FAULTS {
        if let Some(call) = run.worked.get(id).cloned() {
            let call = change.apply(call);
            provoked(run, operation(id), scenario, call, (*status, Some(code))).await;
        }
    }
}

/// Names a merchant account that doesn't exist as the operator, for every operation that lists this refusal.
async fn no_such_account(run: &mut Run) {
    let Some(key) = run.admin_key.clone() else {
        return;
    };
    for operation in operations() {
        let why = "the merchant account does not exist";
        let lists_it = lists(operation, (404, "HE_02"), why) && operation.takes("admin_api_key");
        let ids = operation.path_parameters();
        let accounts = ["account_id", "merchant_id"];
        let account = ids.iter().find(|id| accounts.contains(id));
        let worked = run.worked.get(operation.id.as_str()).cloned();
        if let (true, Some(account), Some(call)) = (lists_it, account, worked) {
            let call = call.key(&key).moved(account, UNBORN);
            provoked(
                run,
                operation,
                "no such account",
                call,
                (404, Some("HE_02")),
            )
            .await;
        }
    }
}

/// Sends one byte more than the limit, for every operation with a limit in bytes.
async fn too_long(run: &mut Run) {
    for operation in operations() {
        let most = operation.text()["x-multirail-body-bytes"].as_u64();
        let most = most.and_then(|most| usize::try_from(most).ok());
        let worked = run.worked.get(operation.id.as_str()).cloned();
        if let (Some(most), Some(call)) = (most, worked) {
            let call = call.text("application/octet-stream", "x".repeat(most + 1));
            provoked(run, operation, "too long", call, (413, Some("IR_06"))).await;
        }
    }
}

/// Makes a call that must be refused with this status, and with this code if given.
async fn provoked(
    run: &mut Run,
    operation: &Operation,
    scenario: &str,
    call: Call,
    (status, code): (u16, Option<&str>),
) {
    if !run.plan.tries(operation) {
        return;
    }
    let started = Instant::now();
    let outcome = match run.send(call).await {
        Err(wrong) => Outcome::wrong(&wrong),
        Ok(answer) if code.is_some_and(|code| answer.is_refusal(status, code)) => Outcome::Passed,
        Ok(answer) if code.is_none() && answer.status == status => Outcome::Passed,
        Ok(answer) => {
            let what = answer.instead_of(status, code.unwrap_or_default());
            let reason = Reason::at(&operation.pointer(), what);
            Outcome::failed(&answer, reason)
        }
    };
    let id = operation.id.clone();
    run.row(id, Kind::Refusals, scenario, outcome, started.elapsed());
}

/// Adds a row for every listed refusal: provoked, or skipped with the reason.
pub(super) fn compare(run: &mut Run) {
    for operation in operations() {
        if !run.plan.tries(operation) {
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
                false => Outcome::Skipped(unprovoked::why(run, operation, &one)),
            };
            let scenario = format!("{} {}: {}", one.status, one.code, one.why);
            let id = operation.id.clone();
            run.row(id, Kind::Refusals, &scenario, outcome, Duration::ZERO);
        }
    }
}
