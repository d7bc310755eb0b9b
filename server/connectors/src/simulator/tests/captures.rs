use multirail_sdk::connector::{OperationKind, Outcome};
use multirail_simulator::processor::Totals;
use multirail_simulator::scripted::{Call, Fault};

use super::{THREE_DS, VISA, declined, done};
use crate::simulator::fixture::Bench;

fn totals(bench: &Bench) -> Totals {
    bench.processor.ledger().totals().expect("totals")["a"].clone()
}

#[tokio::test]
async fn several_captures_up_to_what_was_approved() {
    let bench = Bench::new("stripe_test");
    assert_eq!(done(bench.reserve("a", VISA).await), 6540);
    assert_eq!(totals(&bench).captured, 0);
    assert_eq!(done(bench.capture("c1", "a", 2000, false).await), 2000);
    assert_eq!(done(bench.capture("c2", "a", 4000, false).await), 4000);
    assert_eq!(
        declined(bench.capture("c3", "a", 541, false).await).code,
        "DC_09"
    );
    assert_eq!(done(bench.capture("c4", "a", 540, false).await), 540);
    assert_eq!(
        declined(bench.capture("c5", "a", 1, false).await).code,
        "DC_09"
    );
    let expected = Totals {
        authorized: 6540,
        captured: 6540,
        ..Totals::default()
    };
    assert_eq!(totals(&bench), expected);
    assert_eq!(
        bench.processor.ledger().captures().expect("a list").len(),
        5
    );
}

#[tokio::test]
async fn a_final_capture_sets_the_rest_free() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("a", VISA).await);
    assert_eq!(done(bench.capture("c1", "a", 2000, true).await), 2000);
    let refused = declined(bench.capture("c2", "a", 1, false).await);
    assert_eq!(refused.code, "DC_13");
    assert!(refused.authorization_gone);
    let sums = totals(&bench);
    assert_eq!((sums.captured, sums.released), (2000, 4540));
}

#[tokio::test]
async fn a_refused_capture_takes_and_frees_nothing() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("a", VISA).await);
    bench.script().next(Call::Capture, refusing("DC_99"));
    let refused = declined(bench.capture("c1", "a", 2000, true).await);
    assert!(!refused.authorization_gone);
    let held = Totals {
        authorized: 6540,
        ..Totals::default()
    };
    assert_eq!(totals(&bench), held);
    assert_eq!(done(bench.capture("c2", "a", 6540, true).await), 6540);
}

#[tokio::test]
async fn an_authorization_that_lapses_sets_free_what_was_not_taken() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("a", VISA).await);
    done(bench.capture("c1", "a", 2000, false).await);
    bench.script().next(Call::Capture, refusing("DC_13"));
    for key in ["c2", "c3"] {
        let refused = declined(bench.capture(key, "a", 100, false).await);
        assert!(refused.authorization_gone, "{key}");
        let found = declined(bench.look_up(OperationKind::Capture, key).await);
        assert_eq!(found, refused, "a look-up says the same");
    }
    let sums = totals(&bench);
    assert_eq!((sums.captured, sums.released), (2000, 4540));
}

#[tokio::test]
async fn a_pending_capture_may_be_refused_in_the_end() {
    for (code, released) in [("DC_99", 0), ("DC_13", 6540)] {
        let bench = Bench::new("stripe_test");
        done(bench.reserve("a", VISA).await);
        let fault = Fault::PendsThenDeclines {
            code: code.to_owned(),
            message: "No".to_owned(),
        };
        bench.script().next(Call::Capture, fault);
        let outcome = bench.capture("c1", "a", 2000, true).await;
        assert!(matches!(outcome, Outcome::Pending { .. }));
        assert_eq!(
            declined(bench.capture("c2", "a", 1, true).await).code,
            "DC_06",
            "a final capture is pending"
        );
        let refused = declined(bench.look_up(OperationKind::Capture, "c1").await);
        assert_eq!(refused.code, code);
        assert_eq!(refused.authorization_gone, released > 0);
        assert_eq!(totals(&bench).released, released, "{code}");
    }
}

fn refusing(code: &str) -> Fault {
    Fault::Declines {
        code: code.to_owned(),
        message: "No".to_owned(),
    }
}

#[tokio::test]
async fn captures_that_are_refused() {
    let bench = Bench::new("stripe_test");
    assert_eq!(
        declined(bench.capture("c0", "nothing", 1, true).await).code,
        "DC_01"
    );
    let table = [
        ("sale", VISA, true),
        ("declined", "4000000000000002", false),
        ("waiting", THREE_DS, false),
        ("pending", "4000000000000341", false),
    ];
    for (key, number, at_once) in table {
        bench.authorize_as(key, number, 6540, at_once).await;
        let decline = declined(bench.capture(&format!("c_{key}"), key, 1, true).await);
        assert_eq!(decline.code, "DC_06", "{key}");
    }
    done(bench.reserve("a", VISA).await);
    for amount in [0, -5] {
        assert_eq!(
            declined(bench.capture("c1", "a", amount, true).await).code,
            "DC_02"
        );
    }
    done(bench.void("v", "a").await);
    assert_eq!(
        declined(bench.capture("c2", "a", 1, true).await).code,
        "DC_13"
    );
}

#[tokio::test]
async fn a_capture_is_looked_up_by_its_key() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("a", VISA).await);
    done(bench.capture("c1", "a", 2000, false).await);
    let refused = declined(bench.capture("c2", "a", 9999, false).await);
    assert_eq!(
        done(bench.look_up(OperationKind::Capture, "c1").await),
        2000
    );
    assert_eq!(
        declined(bench.look_up(OperationKind::Capture, "c2").await),
        refused
    );
    for key in ["c3", "a"] {
        let found = bench.look_up(OperationKind::Capture, key).await;
        assert!(matches!(found, Outcome::NeverHappened { .. }), "{key}");
    }
}
