//! Expiry of authorizations.

use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{OperationKind, Outcome};
use multirail_simulator::processor::{EXTENDED_HOLD_DAYS, HOLD_DAYS, VoidKind};

use multirail_simulator_wire::errors::ErrorCode;

use super::{THREE_DS, VISA, declined, done, redirect};
use crate::simulator::fixture::Bench;

const DAY: i64 = 86_400;

fn capture_before(outcome: &Outcome) -> Option<Timestamp> {
    match outcome {
        Outcome::Done(approval) => approval.hold.as_ref()?.capture_before,
        other => panic!("expected done, got {other:?}"),
    }
}

/// Returns the seconds until the authorization expires.
fn left(bench: &Bench, outcome: &Outcome) -> i64 {
    use multirail_kernel::clock::Clock;
    let end = capture_before(outcome).expect("an end");
    end.seconds_since(bench.clock.now())
}

#[tokio::test]
async fn the_expiry_comes_with_the_approval_and_stays() {
    let bench = Bench::new("stripe_test");
    let approved = bench.reserve("a", VISA).await;
    assert_eq!(left(&bench, &approved), HOLD_DAYS * DAY);
    bench.clock.advance(DAY);
    let found = bench.look_up(OperationKind::Authorize, "a").await;
    assert_eq!(found, approved);
    let sold = bench.sale("sold", VISA).await;
    assert_eq!(capture_before(&sold), None, "nothing is held");
    let checked = bench.authorize_as("checked", VISA, 0, false).await;
    assert_eq!(capture_before(&checked), None, "nothing is held");
}

/// The time runs from the approval, not from the request.
#[tokio::test]
async fn a_later_approval_lasts_as_long() {
    let bench = Bench::new("stripe_test");
    bench.reserve("a", "4000000000000341").await;
    bench.clock.advance(DAY);
    let approved = bench.look_up(OperationKind::Authorize, "a").await;
    assert_eq!(left(&bench, &approved), HOLD_DAYS * DAY);
    let url = redirect(bench.reserve("b", THREE_DS).await);
    bench.clock.advance(60);
    let token = url.rsplit('/').next().expect("a token");
    bench.processor.decide(token, true).expect("decided");
    let approved = bench.look_up(OperationKind::Authorize, "b").await;
    assert_eq!(left(&bench, &approved), HOLD_DAYS * DAY);
}

/// An expired authorization is released exactly once, by whichever request finds it expired.
#[tokio::test]
async fn the_rest_is_released_once() {
    let bench = Bench::new("stripe_test");
    for of in ["asked", "captured", "voided", "raised", "part"] {
        done(bench.reserve_to_raise(of, VISA).await);
    }
    done(bench.capture("part_1", "part", 2000, false).await);
    done(bench.reserve("whole", VISA).await);
    done(bench.capture("whole_1", "whole", 6540, false).await);
    bench.clock.advance(HOLD_DAYS * DAY - 1);
    done(bench.look_up(OperationKind::Authorize, "asked").await);
    bench.clock.advance(1);
    for _ in 0..2 {
        for of in ["asked", "part"] {
            let lapsed = declined(bench.look_up(OperationKind::Authorize, of).await);
            assert!(lapsed.authorization_gone, "{lapsed:?}");
        }
    }
    let refused = declined(bench.capture("captured_1", "captured", 6540, true).await);
    assert!(refused.authorization_gone, "{refused:?}");
    assert_eq!(done(bench.void("voided_1", "voided").await), 0);
    let refused = declined(bench.increment("raised_1", "raised", 9000).await);
    assert_eq!(refused.code, "DC_13");
    done(bench.look_up(OperationKind::Authorize, "whole").await);
    let totals = bench.processor.ledger().totals().expect("totals");
    for of in ["asked", "captured", "voided", "raised"] {
        assert_eq!(
            (totals[of].captured, totals[of].released),
            (0, 6540),
            "{of}"
        );
    }
    assert_eq!(
        (totals["part"].captured, totals["part"].released),
        (2000, 4540)
    );
    let voids = bench.processor.ledger().voids().expect("a list");
    let lapses = voids.iter().filter(|void| void.kind == VoidKind::Lapse);
    assert_eq!(lapses.count(), 5);
}

#[tokio::test]
async fn a_longer_time_is_granted_where_it_is_asked_for() {
    let bench = Bench::new("stripe_test");
    let longer = bench.reserve_for_longer("a", VISA).await;
    assert_eq!(left(&bench, &longer), EXTENDED_HOLD_DAYS * DAY);
    let Outcome::Done(approval) = &longer else {
        panic!("{longer:?}")
    };
    let hold = approval.hold.as_ref().expect("a hold");
    assert_eq!(hold.is_extended, Some(true));
    bench.clock.advance(HOLD_DAYS * DAY);
    assert_eq!(done(bench.capture("c", "a", 6540, true).await), 6540);
}

/// A requested overcapture allows one final capture of up to 15 percent more than the authorized
/// amount.
#[tokio::test]
async fn a_final_capture_goes_beyond_what_was_authorized_where_that_was_asked_for() {
    let bench = Bench::new("stripe_test");
    for of in ["a", "b", "c"] {
        let approved = bench.reserve_to_exceed(of, VISA).await;
        let Outcome::Done(approval) = approved else {
            panic!("{approved:?}")
        };
        assert_eq!(approval.amount_minor, Some(6540));
        let hold = approval.hold.expect("a hold");
        assert_eq!(hold.most_capturable, Some(7521));
    }
    let refused = declined(bench.capture("a_1", "a", 7522, true).await);
    assert_eq!(refused.code, ErrorCode::AmountAboveRest.as_str());
    assert_eq!(done(bench.capture("a_2", "a", 7521, true).await), 7521);
    let refused = declined(bench.capture("b_1", "b", 6541, false).await);
    assert_eq!(refused.code, ErrorCode::AmountAboveRest.as_str());
    assert_eq!(done(bench.void("c_1", "c").await), 6540);
    done(bench.reserve("plain", VISA).await);
    let refused = declined(bench.capture("plain_1", "plain", 6541, true).await);
    assert_eq!(refused.code, ErrorCode::AmountAboveRest.as_str());
    let totals = bench.processor.ledger().totals().expect("totals");
    assert_eq!((totals["a"].captured, totals["a"].released), (7521, 0));
    assert_eq!(done(bench.refund("a_3", "a", 7521).await), 7521);
}
