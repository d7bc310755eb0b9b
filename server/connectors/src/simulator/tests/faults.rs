use std::time::Duration;

use multirail_sdk::connector::{OperationKind, Outcome, UnknownReason};
use multirail_simulator::scripted::{Call, Fault};

use super::{VISA, declined, done, unknown};
use crate::simulator::fixture::Bench;

fn decline_words() -> Fault {
    Fault::Declines {
        code: "no_way".to_owned(),
        message: "not today".to_owned(),
    }
}

/// Covers each fault with the connector's outcome and the result of a later look-up.
#[tokio::test]
async fn every_fault_of_every_operation_and_what_a_look_up_tells_afterwards() {
    let table = [
        (Fault::LosesRequest, UnknownReason::ConnectionLost, false),
        (Fault::LosesAnswer, UnknownReason::ConnectionLost, true),
        (Fault::TimesOut, UnknownReason::Timeout, false),
        (Fault::AnswersLate, UnknownReason::Timeout, true),
        (Fault::HeldOnTheWay, UnknownReason::Timeout, false),
        (
            Fault::AnswersNonsense,
            UnknownReason::UnreadableAnswer,
            true,
        ),
        (
            Fault::FailsBefore(503),
            UnknownReason::ProcessorError,
            false,
        ),
        (Fault::FailsAfter(500), UnknownReason::ProcessorError, true),
    ];
    for (fault, reason, is_done) in table {
        let bench = Bench::new("stripe_test");
        done(bench.reserve("base", VISA).await);
        done(bench.reserve_to_raise("low", VISA).await);
        done(bench.sale("sold", VISA).await);
        for call in [
            Call::Authorize,
            Call::Increment,
            Call::Capture,
            Call::Void,
            Call::Refund,
        ] {
            bench.script().next(call, fault.clone());
        }
        let told = [
            bench.reserve("a", VISA).await,
            bench.increment("i", "low", 7000).await,
            bench.capture("c", "base", 100, false).await,
            bench.void("v", "base").await,
            bench.refund("r", "sold", 100).await,
        ];
        assert_eq!(told, [(); 5].map(|()| unknown(reason)), "{fault:?}");
        assert_eq!(bench.script().waiting(), 0);
        for kind in OperationKind::ALL {
            let key = match kind {
                OperationKind::Authorize => "a",
                OperationKind::Increment => "i",
                OperationKind::Capture => "c",
                OperationKind::Void => "v",
                OperationKind::Refund => "r",
            };
            let found = bench.look_up(*kind, key).await;
            if is_done {
                done(found);
            } else {
                let never = matches!(found, Outcome::NeverHappened { .. });
                assert!(never, "{fault:?} {kind}: {found:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_lost_answer_repeated_under_its_key_does_once() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("a", VISA).await);
    bench.script().next(Call::Capture, Fault::LosesAnswer);
    let lost = bench.capture("c", "a", 6540, true).await;
    assert_eq!(lost, unknown(UnknownReason::ConnectionLost));
    assert_eq!(done(bench.capture("c", "a", 6540, true).await), 6540);
    assert_eq!(
        bench.processor.ledger().totals().expect("totals")["a"].captured,
        6540
    );
}

#[tokio::test]
async fn a_request_held_on_the_way_arrives_after_it_was_asked_about() {
    let bench = Bench::new("stripe_test");
    bench.script().next(Call::Authorize, Fault::HeldOnTheWay);
    bench.sale("a", VISA).await;
    let found = bench.look_up(OperationKind::Authorize, "a").await;
    assert!(matches!(found, Outcome::NeverHappened { .. }));
    assert_eq!(bench.processor.deliver_held(), 1);
    assert_eq!(bench.processor.deliver_held(), 0);
    assert_eq!(
        done(bench.look_up(OperationKind::Authorize, "a").await),
        6540
    );
}

#[tokio::test]
async fn look_ups_have_faults_too() {
    let bench = Bench::new("stripe_test");
    done(bench.sale("a", VISA).await);
    bench
        .script()
        .next_times(2, Call::LookUp, &Fault::FailsBefore(500));
    bench.script().next(Call::LookUp, Fault::TimesOut);
    let look_up = || bench.look_up(OperationKind::Authorize, "a");
    assert_eq!(look_up().await, unknown(UnknownReason::ProcessorError));
    assert_eq!(look_up().await, unknown(UnknownReason::ProcessorError));
    assert_eq!(look_up().await, unknown(UnknownReason::Timeout));
    assert_eq!(done(look_up().await), 6540);
}

#[tokio::test]
async fn refusals_and_throttling_by_script() {
    let bench = Bench::new("stripe_test");
    bench.script().next(Call::Authorize, decline_words());
    let decline = declined(bench.sale("a", VISA).await);
    assert_eq!(
        (decline.code.as_str(), decline.message.as_str()),
        ("no_way", "not today")
    );

    done(bench.reserve("b", VISA).await);
    bench.script().next(Call::Capture, Fault::Throttles);
    let throttled = bench.capture("c1", "b", 100, false).await;
    assert!(matches!(throttled, Outcome::NeverHappened { .. }));
    bench.script().next(Call::Capture, decline_words());
    assert_eq!(
        declined(bench.capture("c2", "b", 100, false).await).code,
        "no_way"
    );
    bench.script().next(Call::Void, decline_words());
    assert_eq!(declined(bench.void("v", "b").await).code, "no_way");
    assert_eq!(done(bench.capture("c3", "b", 6540, true).await), 6540);
}

#[tokio::test]
async fn pending_operations_are_done_when_asked_about_and_hold_their_amount_until_then() {
    let bench = Bench::new("stripe_test");
    for call in [Call::Authorize, Call::Capture, Call::Void] {
        bench.script().next(call, Fault::Pends);
    }
    assert!(matches!(
        bench.reserve("a", VISA).await,
        Outcome::Pending { .. }
    ));
    assert_eq!(
        done(bench.look_up(OperationKind::Authorize, "a").await),
        6540
    );
    let pending = bench.capture("c", "a", 6000, false).await;
    assert!(matches!(pending, Outcome::Pending { .. }));
    assert_eq!(
        declined(bench.capture("d", "a", 541, false).await).code,
        "DC_09"
    );
    assert_eq!(done(bench.look_up(OperationKind::Capture, "c").await), 6000);
    assert!(matches!(
        bench.void("v", "a").await,
        Outcome::Pending { .. }
    ));
    assert_eq!(
        declined(bench.capture("e", "a", 540, false).await).code,
        "DC_06"
    );
    assert_eq!(done(bench.look_up(OperationKind::Void, "v").await), 540);
}

#[tokio::test]
async fn a_part_is_approved_by_script() {
    let bench = Bench::new("stripe_test");
    bench
        .script()
        .next(Call::Authorize, Fault::ApprovesOnly(5000));
    assert_eq!(done(bench.reserve("a", VISA).await), 5000);
    assert_eq!(
        declined(bench.capture("c", "a", 5001, true).await).code,
        "DC_09"
    );
    assert_eq!(done(bench.capture("d", "a", 5000, true).await), 5000);
}

#[tokio::test]
async fn a_script_can_be_taken_back() {
    let bench = Bench::new("stripe_test");
    bench
        .script()
        .next_times(3, Call::Authorize, &Fault::TimesOut);
    assert_eq!(bench.script().waiting(), 3);
    bench.script().clear();
    assert_eq!(bench.script().waiting(), 0);
    done(bench.sale("a", VISA).await);
}

#[tokio::test]
async fn an_answer_slower_than_the_deadline_is_unknown_and_the_deed_is_done() {
    let mut bench = Bench::new("stripe_test");
    bench.script().set_delay(Duration::from_secs(3600));
    bench.connector = bench.connector.with_deadline(Duration::from_millis(20));
    assert_eq!(bench.sale("a", VISA).await, unknown(UnknownReason::Timeout));
    bench.script().set_delay(Duration::ZERO);
    assert_eq!(
        done(bench.look_up(OperationKind::Authorize, "a").await),
        6540
    );
}

#[tokio::test]
async fn every_answer_takes_the_delay() {
    let bench = Bench::new("stripe_test");
    bench.script().set_delay(Duration::from_millis(30));
    let started = std::time::Instant::now();
    done(bench.sale("a", VISA).await);
    assert!(started.elapsed() >= Duration::from_millis(30));
}
