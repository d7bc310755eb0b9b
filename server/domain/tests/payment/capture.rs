//! Capturing once or several times.

use insta::assert_snapshot;
use multirail_domain::payment::CaptureMethod::{Automatic, Manual, ManualMultiple, Scheduled};
use multirail_domain::payment::CaptureStatus;

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story};

#[test]
fn every_answer_to_a_single_capture() {
    for method in [Manual, Scheduled] {
        let mut page = String::new();
        for answer in [
            done(),
            pending(),
            unknown(),
            declined(),
            never_happened(),
            done_for(3000),
        ] {
            let mut story = Story::approved(method);
            story.capture(Some(4000));
            let mut story = story.afresh();
            story.told(CAPTURE, answer);
            page += &story.page();
        }
        insta::allow_duplicates! { assert_snapshot!(page, @"
        capture: done                      partially_captured                           0 left 4000 received  payment_captured about pay_1_1_1
        attempt 1: partial_charged, authorize done, capture done 4000
        capture: pending                   processing                                   0 left    0 received  payment_processing about pay_1_1_1
        attempt 1: capture_initiated, authorize done, capture pending 4000
        capture: unknown (timeout)         processing                                   0 left    0 received  payment_processing about pay_1_1_1
        attempt 1: capture_initiated, authorize done, capture unknown 4000
        capture: declined                  failed                                       0 left    0 received  payment_failed about pay_1_1_1
        attempt 1: capture_failed, authorize done, capture declined 4000; DC_08: Payment declined: Card declined
        capture: never happened            requires_capture                          6540 left    0 received
        attempt 1: authorized, authorize done, capture never_happened 4000; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
        capture: done 3000                 conflicted                                   0 left 3000 received  action_required about pay_1_1_conflict
        attempt 1: integrity_failure, authorize done, capture done 4000; integrity_failure: the processor confirmed another amount or currency than was asked for
        ") };
    }
}

#[test]
fn while_one_capture_runs_no_other_begins() {
    let mut story = Story::approved(Manual);
    story.capture(Some(4000));
    story.capture(Some(1000));
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done                    requires_capture                          6540 left    0 received  payment_authorized about pay_1  [forget the card]
    capture 4000                       processing                                   0 left    0 received  [ask to capture]
    capture 1000                       refused, NotInState: the payment can't be captured: its capture_method is manual, it would have to be manual_multiple
    attempt 1: capture_initiated, authorize done, capture started 4000
    ");
}

#[test]
fn several_captures_may_run_together_within_the_rest() {
    let mut story = Story::approved(ManualMultiple).afresh();
    story.capture(Some(4000));
    story.capture(Some(2541));
    story.capture(Some(2000));
    story.told(CAPTURE.nth(1), pending());
    story.told(CAPTURE.nth(2), done());
    story.capture(Some(540));
    story.told(CAPTURE.nth(3), pending());
    story.told(CAPTURE.nth(3), declined());
    story.told(CAPTURE.nth(1), done());
    story.capture(Some(540));
    story.told(CAPTURE.nth(4), done());
    assert_snapshot!(story.page(), @"
    capture 4000                       processing                                2540 left    0 received  [ask to capture]
    capture 2541                       refused, InvalidValue: amount_to_capture 2541 is above amount_capturable 2540
    capture 2000                       processing                                 540 left    0 received  [ask to capture]
    capture 1: pending                 processing                                 540 left    0 received  payment_processing about pay_1_1_1
    capture 2: done                    partially_captured_and_capturable          540 left 2000 received  payment_captured about pay_1_1_2
    capture 540                        partially_captured_and_capturable            0 left 2000 received  [ask to capture]
    capture 3: pending                 partially_captured_and_capturable            0 left 2000 received
    capture 3: declined                partially_captured_and_capturable          540 left 2000 received
    capture 1: done                    partially_captured_and_capturable          540 left 6000 received  payment_captured about pay_1_1_1
    capture 540                        partially_captured_and_capturable            0 left 6000 received  [ask to capture]
    capture 4: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 4000, capture done 2000, capture declined 540, capture done 540
    ");
}

#[test]
fn a_refused_capture_of_several_leaves_the_authorization_capturable() {
    let mut story = Story::approved(ManualMultiple).afresh();
    story.capture(Some(4000));
    story.told(CAPTURE, declined());
    story.capture(Some(6540));
    story.told(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture 4000                       processing                                2540 left    0 received  [ask to capture]
    capture: declined                  requires_capture                          6540 left    0 received
    capture 6540                       processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture declined 4000, capture done 6540
    ");
}

#[test]
fn captures_have_a_status_of_their_own() {
    let table = [
        (None, CaptureStatus::Started),
        (Some(pending()), CaptureStatus::Pending),
        (Some(unknown()), CaptureStatus::Pending),
        (Some(done()), CaptureStatus::Charged),
        (Some(declined()), CaptureStatus::Failed),
        (Some(never_happened()), CaptureStatus::Failed),
    ];
    for (answer, expected) in table {
        let mut story = Story::approved(ManualMultiple);
        story.capture(Some(4000));
        if let Some(answer) = answer {
            story.told(CAPTURE, answer);
        }
        assert_eq!(story.payment.active().captures[0].status(), expected);
    }
}

#[test]
fn what_a_capture_is_refused_for() {
    let mut story = Story::approved(Manual).afresh();
    for amount in [0, -1, 6541, i64::MAX, i64::MIN] {
        story.capture(Some(amount));
    }
    let mut several = Story::approved(ManualMultiple).afresh();
    several.capture(None);
    let mut waiting = Story::of(ManualMultiple);
    waiting.confirm();
    let mut waiting = waiting.afresh();
    waiting.capture(Some(1));
    waiting.told(AUTHORIZE, pending());
    waiting.capture(Some(1));
    let mut automatic = Story::of(Automatic);
    automatic.confirm();
    let mut automatic = automatic.afresh();
    automatic.capture(None);
    let pages = [story, several, waiting, automatic].map(|story| story.page());
    assert_snapshot!(pages.join("\n"), @"
    capture 0                          refused, InvalidFormat: amount_to_capture is not in the expected form: a positive integer
    capture -1                         refused, InvalidFormat: amount_to_capture is not in the expected form: a positive integer
    capture 6541                       refused, InvalidValue: amount_to_capture 6541 is above amount_capturable 6540
    capture 9223372036854775807        refused, InvalidValue: amount_to_capture 9223372036854775807 is above amount_capturable 6540
    capture -9223372036854775808       refused, InvalidFormat: amount_to_capture is not in the expected form: a positive integer
    attempt 1: authorized, authorize done

    capture all                        refused, Missing: amount_to_capture is required and was not given
    attempt 1: authorized, authorize done

    capture 1                          refused, InvalidValue: amount_to_capture 1 is above amount_capturable 0
    authorize: pending                 processing                                   0 left    0 received  payment_processing about pay_1_1
    capture 1                          refused, InvalidValue: amount_to_capture 1 is above amount_capturable 0
    attempt 1: pending, authorize pending

    capture all                        refused, NotInState: the payment can't be captured: its capture_method is automatic, it would have to be manual_multiple
    attempt 1: started, authorize started
    ");
}

#[test]
fn a_refusal_is_forgotten_when_a_capture_follows() {
    let mut story = Story::approved(Manual);
    story.capture(None);
    story.told(CAPTURE, never_happened());
    let decline = story.payment.active().decline.clone();
    assert_eq!(decline.map(|d| d.code).as_deref(), Some("not_processed"));
    story.capture(None);
    assert_eq!(story.payment.active().decline, None);
    story.told(CAPTURE, done());
    assert_eq!(story.payment.active().decline, None);
}
