//! Servers with answers in the right form but with behaviour that contradicts the document. The report names each
//! fault.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use hyper::header::HeaderValue;
use multirail_conformance::document::operations;
use multirail_conformance::kit::{self, Filter, Options};
use multirail_conformance::report::{Failure, Kind, Report, Row};
use multirail_conformance::{TestServer, Wire};
use serde_json::{Value, json};

use super::by_the_operator;
use super::proxy::{Answered, Asked, Deviation, Proxy};

/// Runs the kit for these operations; returns its report and the operations that worked in a story.
async fn report_on(deviation: Deviation, only: &[&str]) -> (Report, BTreeSet<String>) {
    let server = TestServer::start().await;
    let proxy = Proxy::deviating(server.url(), deviation).await;
    let wire = Wire::new(&proxy.url()).unrecorded();
    let options = Options {
        filter: Filter {
            only: only.iter().map(|id| (*id).to_owned()).collect(),
            skip: Vec::new(),
        },
        ..by_the_operator(&server)
    };
    let worked: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let noted = Arc::clone(&worked);
    let watcher = move |row: &Row| {
        if row.kind == Kind::Story && row.passed() {
            let mut noted = noted.lock().expect("nobody panicked");
            noted.insert(row.operation.clone());
        }
    };
    let report = kit::run(&wire, &options, Box::new(watcher)).await;
    let worked = worked.lock().expect("nobody panicked").clone();
    (report, worked)
}

/// Returns one line for each failure of an operation, with its scenarios.
fn failures_of(report: &Report, operation: &str) -> Vec<String> {
    let all = report
        .failures()
        .filter(|(row, _)| row.operation == operation);
    let line =
        |(row, failure): (&Row, &Failure)| format!("{}: {}", row.scenario, failure.reasons());
    all.map(line).collect()
}

/// Checks that each of these operations has a failure with this text.
fn says(report: &Report, wanted: &[(&str, &str)]) {
    for (operation, what) in wanted {
        let told = failures_of(report, operation);
        assert!(
            told.iter().any(|line| line.contains(what)),
            "{operation}, {what}: {told:#?}"
        );
    }
}

fn is_payment(body: &Value) -> bool {
    body["payment_id"].is_string() && body["amount_capturable"].is_i64()
}

/// Returns the entries of a list's answer.
fn listed(body: &mut Value) -> Option<&mut Vec<Value>> {
    body.get_mut("data")?.as_array_mut()
}

fn pays(asked: &Asked) -> bool {
    asked.method == "POST" && asked.path() == "/payments"
}

/// Removes idempotency keys, with two exceptions. A confirm whose key was used in a refusal is refused; a changed
/// repeat about a customer gets the first answer.
fn without_keys(asked: &mut Asked) -> Option<Answered> {
    let path = asked.path();
    let has_key = asked.headers.contains_key("idempotency-key");
    if has_key && path.ends_with("/confirm") && asked.text.contains("card_number") {
        return Some(Answered::refusal(422, "MR_01", "used for another request"));
    }
    if path == "/customers" && has_key && asked.text.contains("\"another\"") {
        asked.change(|body| body["metadata"] = json!({ "loyalty": "gold" }));
    } else if !path.starts_with("/routing") && path != "/customers" {
        asked.headers.remove("idempotency-key");
    }
    None
}

/// Repeats on routing work, but without the replay header.
fn without_a_word(asked: &Asked, answered: &mut Answered) {
    if asked.path().starts_with("/routing") {
        answered.headers.remove("idempotent-replayed");
    }
}

#[tokio::test]
async fn idempotency_keys_that_mean_nothing_are_named() {
    let keyless = Deviation {
        asks: without_keys,
        answers: without_a_word,
    };
    let only = [
        "payments_create",
        "payments_capture",
        "payments_cancel",
        "payments_confirm",
        "refunds_create",
        "customers_create",
        "customers_update",
        "routing_create",
    ];
    let (report, _) = report_on(keyless, &only).await;
    let anew = "is done anew: /payment_id is another than in the first answer";
    says(
        &report,
        &[
            ("payments_create", anew),
            ("refunds_create", "is done anew: /refund_id is another"),
            ("payments_capture", "answered 400 IR_14 instead of 200"),
            ("payments_cancel", "answered 400 IR_16 instead of 200"),
            ("customers_update", "without the header Idempotent-Replayed"),
            ("routing_create", "without the header Idempotent-Replayed"),
            (
                "customers_create",
                "another metadata under the same Idempotency-Key is answered 200 instead of 422 MR_01",
            ),
            (
                "payments_confirm",
                "the Idempotency-Key of a request that was refused is kept",
            ),
        ],
    );
}

fn forgets(asked: &mut Asked) -> Option<Answered> {
    if asked.path() == "/payments/list" {
        let kept = asked.target.split(['?', '&']).filter(|pair| {
            let name = pair.split('=').next().unwrap_or_default();
            !["starting_after", "ending_before"].contains(&name)
        });
        let target = kept.collect::<Vec<_>>().join("&");
        asked.target = target.replacen('&', "?", 1);
    }
    if ["/payments/list", "/refunds/list"].contains(&asked.path()) {
        asked.change(|body| {
            body.as_object_mut().map(|members| members.remove("offset"));
        });
    }
    if pays(asked) {
        asked.change(|body| {
            body.as_object_mut()
                .map(|members| members.remove("metadata"));
        });
    }
    if asked
        .headers
        .get("x-profile-id")
        .is_some_and(|id| id.len() == 24)
    {
        asked.headers.remove("x-profile-id");
    }
    None
}

fn invents(asked: &Asked, answered: &mut Answered) {
    let path = asked.path();
    if answered.text.contains("\"code\":\"IR_02\"") {
        let plain = HeaderValue::from_static("text/plain");
        answered.headers.insert("content-type", plain);
        answered.text = "not found".to_owned();
    }
    if answered.status == 405 {
        answered.status = 404;
    }
    if path == "/health/ready" {
        let latin = HeaderValue::from_static("application/json; charset=latin1");
        answered.headers.insert("content-type", latin);
    }
    answered.change(|body| {
        if is_payment(body) {
            body["created"] = json!("2001-01-01T00:00:00.000Z");
            body["attempt_count"] = json!(9);
        }
        for one in listed(body).into_iter().flatten() {
            if is_payment(one) {
                one["created"] = json!("2001-01-01T00:00:00.000Z");
            }
        }
    });
}

#[tokio::test]
async fn ignored_and_invented_values_are_named() {
    let careless = Deviation {
        asks: forgets,
        answers: invents,
    };
    let only = [
        "payments_create",
        "payments_confirm",
        "payments_retrieve",
        "payments_list",
        "payments_filter",
        "refunds_list",
        "refunds_retrieve",
        "health_*",
    ];
    let (report, _) = report_on(careless, &only).await;
    says(
        &report,
        &[
            (
                "payments_list",
                "those after the second: /data/0/payment_id is ",
            ),
            (
                "payments_list",
                "each is as old as it is: the newest is of \"2001-",
            ),
            (
                "payments_filter",
                "without the first: /data/0/payment_id is ",
            ),
            ("refunds_list", "without the newest: /data/0/refund_id is "),
            (
                "payments_create",
                "/metadata is null instead of {\"order\":\"B-17\"}",
            ),
            ("payments_confirm", "/attempt_count is 9 instead of 1"),
            (
                "payments_retrieve",
                "attempt_count is the number of its attempts",
            ),
            (
                "payments_retrieve",
                "answered 200 instead of 404 for a profile",
            ),
            (
                "refunds_retrieve",
                "answered 200 instead of 404 for a profile",
            ),
            (
                "payments_list",
                "for another profile of the merchant: /size is ",
            ),
            (
                "payments_create",
                "for another profile of the merchant: /profile_id is ",
            ),
            ("payments_create", "answered 404 IR_03 instead of 405 IR_03"),
            (
                "payments_create",
                "no such address: content-type is text/plain",
            ),
            (
                "health_ready",
                "content-type is application/json; charset=latin1",
            ),
        ],
    );
}

#[tokio::test]
async fn lists_the_wrong_way_round_and_errors_with_a_wrong_member_hide_nothing_else() {
    let odd = Deviation {
        asks: |_| None,
        answers: |asked, answered| {
            let (path, is_refused) = (asked.path().to_owned(), answered.status >= 400);
            answered.change(|body| {
                if is_refused {
                    body["reason"] = json!("because");
                } else if let ("/payments/list", Some(all)) = (path.as_str(), listed(body)) {
                    all.reverse();
                }
            });
        },
    };
    let only = [
        "payments_list",
        "payments_create",
        "refunds_create",
        "users_sign_in",
    ];
    let (report, worked) = report_on(odd, &only).await;
    says(
        &report,
        &[
            (
                "payments_list",
                "all orders, newest first: /data/0/payment_id is ",
            ),
            ("payments_create", "an error has three members, not 4"),
            ("refunds_create", "an error has three members, not 4"),
            ("users_sign_in", "an error has three members, not 4"),
        ],
    );
    // A refusal that nothing depends on doesn't end the story.
    let all = operations().len();
    assert!(worked.len() > all * 9 / 10, "{} of {all}", worked.len());
}
