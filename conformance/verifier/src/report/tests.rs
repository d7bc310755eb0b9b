//! One small run in every format.

use std::time::Duration;

use super::*;
use crate::document::operation;

fn small_run() -> Report {
    let row = |operation: &str, kind, scenario: &str, outcome| Row {
        operation: operation.to_owned(),
        kind,
        scenario: scenario.to_owned(),
        outcome,
        took: Duration::from_millis(12),
    };
    let place = "/components/schemas/ErrorBody/properties/code";
    // Uses a fixed line, because the real one moves with every change above it.
    let mut reason = Reason::at(place, "the body: \"code\" is a required property");
    if let Some(place) = &mut reason.place {
        place.line = 4711;
    }
    let failure = Failure {
        reasons: vec![reason],
        exchange: Some(Exchange {
            request: "POST /refunds\napi-key: ***\n\n{\n  \"payment_id\": \"<pay>\"\n}".to_owned(),
            answer: "404\ncontent-type: application/json\n\n{}".to_owned(),
        }),
    };
    let skipped = |why: &str| Outcome::Skipped(why.to_owned());
    Report {
        server: "http://127.0.0.1:8080".to_owned(),
        notes: vec!["Payments end at the simulated processor.".to_owned()],
        stopped: None,
        members: (0, 0),
        rows: vec![
            row("payments_create", Kind::Story, "an order", Outcome::Passed),
            row(
                "payments_create",
                Kind::Limits,
                "amount missing",
                Outcome::Passed,
            ),
            row(
                "refunds_create",
                Kind::Authentication,
                "without a key",
                Outcome::Failed(Box::new(failure)),
            ),
            row(
                "sandbox_clock_advance",
                Kind::Story,
                "works",
                skipped("the server is no sandbox"),
            ),
        ],
    }
}

#[test]
fn as_a_table() {
    insta::assert_snapshot!(small_run().table());
}

#[test]
fn as_json() {
    insta::assert_snapshot!(small_run().render(Format::Json));
}

#[test]
fn as_junit() {
    insta::assert_snapshot!(small_run().junit());
}

#[test]
fn as_markdown() {
    insta::assert_snapshot!(small_run().markdown());
}

#[test]
fn as_html() {
    let page = small_run().html();
    assert!(page.contains("&lt;pay&gt;"), "text is no markup: {page}");
    insta::assert_snapshot!(page.replace(include_str!("report.css"), "/* report.css */"));
}

#[test]
fn a_run_that_ended_early_is_none_that_passed_in_any_form() {
    let report = Report {
        server: "http://127.0.0.1:1".to_owned(),
        stopped: Some("the end & more".to_owned()),
        ..Report::default()
    };
    assert!(!report.passed() && !report.has_failures());
    assert!(report.table().contains("\nthe end & more\n"));
    assert_eq!(report.json()["passed"], false);
    assert_eq!(report.json()["stopped"], "the end & more");
    let junit = report.junit();
    assert!(junit.contains(r#"errors="1""#), "{junit}");
    assert!(junit.contains("the end &amp; more"), "{junit}");
    for text in [report.markdown(), report.html()] {
        let is_said = text.contains("http://127.0.0.1:1 was not checked to the end");
        assert!(is_said && text.contains("more"), "{text}");
        assert!(!text.contains("Failures"), "{text}");
    }
}

#[test]
fn an_untried_operation_is_reported() {
    let all = operations().iter().skip(1).map(|operation| Row {
        operation: operation.id.clone(),
        kind: Kind::Story,
        scenario: "works".to_owned(),
        outcome: Outcome::Passed,
        took: Duration::from_millis(1),
    });
    let report = Report {
        rows: all.collect(),
        ..Report::default()
    };
    let first = operation(&operations()[0].id);
    assert_eq!(report.untried(), [first.id.as_str()]);
    assert!(report.passed() && !report.is_empty());
}
