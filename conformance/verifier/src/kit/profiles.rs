//! The header names another profile of the merchant, for which the first profile's objects don't exist.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::sample::PROFILE;
use crate::bodies::order;
use crate::document::{Operation, operation, operations};
use crate::place::Reason;
use crate::report::{Kind, Outcome};
use crate::response::Response;
use crate::run::{Merchant, Run};
use crate::wire::Call;

/// Path parameters of objects that belong to a profile. Customers and their saved methods belong to the merchant.
const OF_PROFILES: [&str; 3] = ["payment_id", "refund_id", "dispute_id"];

/// Lists of a profile's objects, each with the pointer to its size.
const LISTS: [(&str, &str); 3] = [
    ("payments_list", "/size"),
    ("payments_filter", "/total_count"),
    ("refunds_list", "/total_count"),
];

/// The report's name of the check.
const SCENARIO: &str = "for another profile of the merchant";

/// Repeats each call about such an object, calls the lists, and creates a payment.
pub(super) async fn check(run: &mut Run, merchant: &Merchant) {
    let tried: Vec<_> = operations()
        .iter()
        .filter(|one| run.plan.tries(one) && one.place_of(PROFILE).is_some())
        .collect();
    let create = operation("business_profiles_create");
    if !run.facts.own_account || run.plan.why_not(create).is_some() || tried.is_empty() {
        return;
    }
    let call = merchant.call(&create.id);
    let call = call.json(&json!({ "profile_name": "of somebody else" }));
    let Ok(profile) = run.works("a profile that has nothing", call, &[]).await else {
        return;
    };
    let profile = profile["profile_id"].as_str().unwrap_or_default();
    for operation in &tried {
        let ids = operation.path_parameters();
        let is_one = ids.iter().any(|id| OF_PROFILES.contains(id));
        let list = LISTS.iter().find(|(id, _)| *id == operation.id);
        if let Some((id, empty)) = list {
            let call = merchant.call(id).header(PROFILE, profile);
            says(run, operation, call, (empty, json!(0))).await;
        } else if is_one && operation.takes("api_key") {
            not_there(run, operation, &merchant.api_key, profile).await;
        }
    }
    // From here on, the profile has a payment.
    if let Some(create) = tried.iter().find(|one| one.id == "payments_create") {
        let call = merchant.call(&create.id).header(PROFILE, profile);
        let wanted = ("/profile_id", json!(profile));
        says(run, create, call.json(&order()), wanted).await;
    }
}

/// Makes a call that must work and have this value in its answer.
async fn says(run: &mut Run, operation: &Operation, call: Call, wanted: (&str, Value)) {
    let started = Instant::now();
    let (at, value) = wanted;
    let outcome = match run.send(call).await {
        Err(wrong) => Outcome::wrong(&wrong),
        Ok(answer) if answer.body.pointer(at) == Some(&value) => Outcome::Passed,
        Ok(answer) => {
            let is = answer.body.pointer(at).unwrap_or(&Value::Null);
            fails(
                operation,
                &answer,
                format!("{at} is {is} instead of {value}"),
            )
        }
    };
    file(run, operation, outcome, started.elapsed());
}

async fn not_there(run: &mut Run, operation: &Operation, key: &str, profile: &str) {
    let Some(call) = run.worked.get(operation.id.as_str()).cloned() else {
        return;
    };
    let started = Instant::now();
    let call = call.key(key).header_instead(PROFILE, profile);
    let outcome = match run.send(call).await {
        Err(wrong) => Outcome::wrong(&wrong),
        Ok(answer) if answer.status == 404 => Outcome::Passed,
        Ok(answer) => {
            let is = answer.status;
            let what = format!("answered {is} instead of 404 for a profile that it isn't of");
            fails(operation, &answer, what)
        }
    };
    file(run, operation, outcome, started.elapsed());
}

fn fails(operation: &Operation, answer: &Response, what: String) -> Outcome {
    let at = operation
        .place_of(PROFILE)
        .unwrap_or_else(|| operation.pointer());
    Outcome::failed(answer, Reason::at(&at, what))
}

fn file(run: &mut Run, operation: &Operation, outcome: Outcome, took: Duration) {
    run.row(operation.id.clone(), Kind::Others, SCENARIO, outcome, took);
}
