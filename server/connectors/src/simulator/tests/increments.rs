use multirail_sdk::connector::OperationKind;

use super::{VISA, declined, done};
use crate::simulator::fixture::Bench;

#[tokio::test]
async fn a_raised_amount_can_be_captured_or_released() {
    let bench = Bench::new("stripe_test");
    for authorization in ["taken", "released"] {
        done(bench.reserve_to_raise(authorization, VISA).await);
        let key = format!("{authorization}_1");
        assert_eq!(done(bench.increment(&key, authorization, 9000).await), 9000);
        let found = bench.look_up(OperationKind::Increment, &key).await;
        assert_eq!(done(found), 9000);
    }
    assert_eq!(done(bench.capture("c", "taken", 9000, true).await), 9000);
    assert_eq!(done(bench.void("v", "released").await), 9000);
    let approved = bench.look_up(OperationKind::Authorize, "taken").await;
    assert_eq!(done(approved), 6540, "what was approved first");
}

#[tokio::test]
async fn the_same_key_raises_once() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve_to_raise("a", VISA).await);
    for _ in 0..2 {
        assert_eq!(done(bench.increment("i", "a", 9000).await), 9000);
    }
    let filed = bench.processor.ledger().increments().expect("a list");
    assert_eq!(filed.len(), 1);
}

#[tokio::test]
async fn increments_that_are_refused() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("plain", VISA).await);
    done(bench.reserve_to_raise("begun", VISA).await);
    done(bench.capture("c", "begun", 1000, false).await);
    done(bench.reserve_to_raise("gone", VISA).await);
    done(bench.void("v", "gone").await);
    done(bench.reserve_to_raise("a", VISA).await);
    let mut codes = Vec::new();
    for (of, amount) in [
        ("nobodys", 9000),
        ("plain", 9000),
        ("begun", 9000),
        ("gone", 9000),
        ("a", 6540),
    ] {
        let refusal = declined(bench.increment(&format!("i_{of}"), of, amount).await);
        codes.push((of, refusal.code));
    }
    let expected = [
        ("nobodys", "DC_01"),
        ("plain", "DC_06"),
        ("begun", "DC_06"),
        ("gone", "DC_13"),
        ("a", "DC_02"),
    ];
    assert_eq!(codes, expected.map(|(of, code)| (of, code.to_owned())));
}
