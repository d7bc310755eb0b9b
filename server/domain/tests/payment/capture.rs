//! Capturing once or several times.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{
    Automatic, Manual, ManualMultiple, Scheduled,
};
use multirail_domain::payments::payment::{CaptureStatus, Changes};

use crate::support::AMOUNT;
use crate::support::outcomes::*;
use crate::support::purchase;
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
            gone(),
            never_happened(),
            done_for(3000),
        ] {
            let mut story = Story::approved(method);
            story.capture(Some(4000));
            let mut story = story.afresh();
            story.answer(CAPTURE, answer);
            page += &story.page();
        }
        insta::allow_duplicates! { assert_snapshot!(page, @"
        capture: done                      partially_captured                           0 left 4000 received  payment_captured about pay_1_1_1
        attempt 1: partial_charged, authorize done, capture done 4000
        capture: pending                   processing                                   0 left    0 received  payment_processing about pay_1_1_1
        attempt 1: capture_initiated, authorize done, capture pending 4000
        capture: unknown (timeout)         processing                                   0 left    0 received  payment_processing about pay_1_1_1
        attempt 1: capture_initiated, authorize done, capture unknown 4000
        capture: declined                  requires_capture                          6540 left    0 received  action_required about pay_1_1_1
        attempt 1: authorized, authorize done, capture declined 4000; DC_08: Payment declined: Card declined
        capture: gone                      failed                                       0 left    0 received  payment_failed about pay_1_1_1
        attempt 1: capture_failed, authorize done, capture declined 4000; DC_13: The authorization is over
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
    story.answer(CAPTURE.nth(1), pending());
    story.answer(CAPTURE.nth(2), done());
    story.capture(Some(540));
    story.answer(CAPTURE.nth(3), pending());
    story.answer(CAPTURE.nth(3), declined());
    story.answer(CAPTURE.nth(1), done());
    story.capture(Some(540));
    story.answer(CAPTURE.nth(4), done());
    assert_snapshot!(story.page(), @"
    capture 4000                       processing                                2540 left    0 received  [ask to capture]
    capture 2541                       refused, InvalidValue: amount_to_capture 2541 is above amount_capturable 2540
    capture 2000                       processing                                 540 left    0 received  [ask to capture]
    capture 1: pending                 processing                                 540 left    0 received  payment_processing about pay_1_1_1
    capture 2: done                    partially_captured_and_capturable          540 left 2000 received  payment_captured about pay_1_1_2
    capture 540                        partially_captured_and_processing            0 left 2000 received  [ask to capture]
    capture 3: pending                 partially_captured_and_processing            0 left 2000 received  payment_captured about pay_1_1_3_pending
    capture 3: declined                partially_captured_and_capturable          540 left 2000 received  action_required about pay_1_1_3
    capture 1: done                    partially_captured_and_capturable          540 left 6000 received  payment_captured about pay_1_1_1
    capture 540                        partially_captured_and_processing            0 left 6000 received  [ask to capture]
    capture 4: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 4000, capture done 2000, capture declined 540, capture done 540
    ");
}

#[test]
fn a_refused_capture_of_several_leaves_the_authorization_capturable() {
    let mut story = Story::approved(ManualMultiple).afresh();
    story.capture(Some(4000));
    story.answer(CAPTURE, declined());
    story.capture(Some(6540));
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture 4000                       processing                                2540 left    0 received  [ask to capture]
    capture: declined                  requires_capture                          6540 left    0 received  action_required about pay_1_1_1
    capture 6540                       processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture declined 4000, capture done 6540
    ");
}

#[test]
fn every_answer_to_one_of_several_captures() {
    for (before, then) in [(None, 4000), (Some(4000), 1000), (Some(4000), 2540)] {
        let mut page = String::new();
        for answer in [
            done(),
            pending(),
            unknown(),
            declined(),
            gone(),
            never_happened(),
        ] {
            let mut story = Story::approved(ManualMultiple);
            if let Some(before) = before {
                story.capture(Some(before));
                story.answer(CAPTURE, done());
            }
            story.capture(Some(then));
            let mut story = story.afresh();
            story.answer(CAPTURE, answer);
            page += &story.page();
        }
        match (before, then) {
            (None, _) => assert_snapshot!(page, @"
            capture: done                      partially_captured_and_capturable         2540 left 4000 received  payment_captured about pay_1_1_1
            attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000
            capture: pending                   processing                                2540 left    0 received  payment_processing about pay_1_1_1
            attempt 1: capture_initiated, authorize done, capture pending 4000
            capture: unknown (timeout)         processing                                2540 left    0 received  payment_processing about pay_1_1_1
            attempt 1: capture_initiated, authorize done, capture unknown 4000
            capture: declined                  requires_capture                          6540 left    0 received  action_required about pay_1_1_1
            attempt 1: authorized, authorize done, capture declined 4000; DC_08: Payment declined: Card declined
            capture: gone                      failed                                       0 left    0 received  payment_failed about pay_1_1_1
            attempt 1: capture_failed, authorize done, capture declined 4000; DC_13: The authorization is over
            capture: never happened            requires_capture                          6540 left    0 received
            attempt 1: authorized, authorize done, capture never_happened 4000; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
            "),
            (Some(_), 1000) => assert_snapshot!(page, @"
            capture: done                      partially_captured_and_capturable         1540 left 5000 received  payment_captured about pay_1_1_2
            attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000, capture done 1000
            capture: pending                   partially_captured_and_capturable         1540 left 4000 received
            attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000, capture pending 1000
            capture: unknown (timeout)         partially_captured_and_capturable         1540 left 4000 received
            attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000, capture unknown 1000
            capture: declined                  partially_captured_and_capturable         2540 left 4000 received  action_required about pay_1_1_2
            attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000, capture declined 1000; DC_08: Payment declined: Card declined
            capture: gone                      partially_captured                           0 left 4000 received  payment_captured about pay_1_1_2
            attempt 1: partial_charged, authorize done, capture done 4000, capture declined 1000; DC_13: The authorization is over
            capture: never happened            partially_captured_and_capturable         2540 left 4000 received
            attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000, capture never_happened 1000; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
            "),
            (Some(_), _) => assert_snapshot!(page, @"
            capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
            attempt 1: charged, authorize done, capture done 4000, capture done 2540
            capture: pending                   partially_captured_and_processing            0 left 4000 received  payment_captured about pay_1_1_2_pending
            attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000, capture pending 2540
            capture: unknown (timeout)         partially_captured_and_processing            0 left 4000 received  payment_captured about pay_1_1_2_pending
            attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000, capture unknown 2540
            capture: declined                  partially_captured_and_capturable         2540 left 4000 received  action_required about pay_1_1_2
            attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000, capture declined 2540; DC_08: Payment declined: Card declined
            capture: gone                      partially_captured                           0 left 4000 received  payment_captured about pay_1_1_2
            attempt 1: partial_charged, authorize done, capture done 4000, capture declined 2540; DC_13: The authorization is over
            capture: never happened            partially_captured_and_capturable         2540 left 4000 received
            attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000, capture never_happened 2540; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
            "),
        }
    }
}

#[test]
fn a_capture_left_open_that_fails_is_announced() {
    let mut page = String::new();
    for method in [Manual, ManualMultiple] {
        for (open, end) in [
            (pending(), declined()),
            (unknown(), never_happened()),
            (pending(), gone()),
        ] {
            let mut story = Story::approved(method);
            story.capture(Some(AMOUNT));
            let mut story = story.afresh();
            story.answer(CAPTURE, open);
            story.answer(CAPTURE, end);
            page += &story.page();
        }
    }
    assert_snapshot!(page, @"
    capture: pending                   processing                                   0 left    0 received  payment_processing about pay_1_1_1
    capture: declined                  requires_capture                          6540 left    0 received  action_required about pay_1_1_1
    attempt 1: authorized, authorize done, capture declined 6540; DC_08: Payment declined: Card declined
    capture: unknown (timeout)         processing                                   0 left    0 received  payment_processing about pay_1_1_1
    capture: never happened            requires_capture                          6540 left    0 received  action_required about pay_1_1_1
    attempt 1: authorized, authorize done, capture never_happened 6540; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    capture: pending                   processing                                   0 left    0 received  payment_processing about pay_1_1_1
    capture: gone                      failed                                       0 left    0 received  payment_failed about pay_1_1_1
    attempt 1: capture_failed, authorize done, capture declined 6540; DC_13: The authorization is over
    capture: pending                   processing                                   0 left    0 received  payment_processing about pay_1_1_1
    capture: declined                  requires_capture                          6540 left    0 received  action_required about pay_1_1_1
    attempt 1: authorized, authorize done, capture declined 6540; DC_08: Payment declined: Card declined
    capture: unknown (timeout)         processing                                   0 left    0 received  payment_processing about pay_1_1_1
    capture: never happened            requires_capture                          6540 left    0 received  action_required about pay_1_1_1
    attempt 1: authorized, authorize done, capture never_happened 6540; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    capture: pending                   processing                                   0 left    0 received  payment_processing about pay_1_1_1
    capture: gone                      failed                                       0 left    0 received  payment_failed about pay_1_1_1
    attempt 1: capture_failed, authorize done, capture declined 6540; DC_13: The authorization is over
    ");
}

#[test]
fn an_authorization_that_is_gone_waits_for_the_captures_under_way() {
    let mut page = String::new();
    for (first, last) in [
        (done(), done()),
        (done(), declined()),
        (declined(), declined()),
    ] {
        let mut story = Story::approved(ManualMultiple);
        story.capture(Some(1000));
        story.capture(Some(2000));
        story.capture(Some(3000));
        let mut story = story.afresh();
        story.answer(CAPTURE.nth(1), first);
        story.answer(CAPTURE.nth(2), gone());
        story.capture(Some(1));
        story.answer(CAPTURE.nth(3), last);
        page += &story.page();
    }
    assert_snapshot!(page, @"
    capture 1: done                    partially_captured_and_capturable          540 left 1000 received  payment_captured about pay_1_1_1
    capture 2: gone                    partially_captured_and_processing            0 left 1000 received  payment_captured about pay_1_1_2
    capture 1                          refused, NotInState: the payment can't be captured: its status is partially_captured_and_processing, it would have to be requires_capture, partially_captured_and_capturable or processing
    capture 3: done                    partially_captured                           0 left 4000 received  payment_captured about pay_1_1_3
    attempt 1: partial_charged, authorize done, capture done 1000, capture declined 2000, capture done 3000
    capture 1: done                    partially_captured_and_capturable          540 left 1000 received  payment_captured about pay_1_1_1
    capture 2: gone                    partially_captured_and_processing            0 left 1000 received  payment_captured about pay_1_1_2
    capture 1                          refused, NotInState: the payment can't be captured: its status is partially_captured_and_processing, it would have to be requires_capture, partially_captured_and_capturable or processing
    capture 3: declined                partially_captured                           0 left 1000 received  payment_captured about pay_1_1_3
    attempt 1: partial_charged, authorize done, capture done 1000, capture declined 2000, capture declined 3000; DC_08: Payment declined: Card declined
    capture 1: declined                processing                                1540 left    0 received  action_required about pay_1_1_1
    capture 2: gone                    processing                                   0 left    0 received
    capture 1                          refused, InvalidValue: amount_to_capture 1 is above amount_capturable 0
    capture 3: declined                failed                                       0 left    0 received  payment_failed about pay_1_1_3
    attempt 1: capture_failed, authorize done, capture declined 1000, capture declined 2000, capture declined 3000; DC_08: Payment declined: Card declined
    ");
}

#[test]
fn only_a_capture_that_nothing_can_follow_is_final() {
    let finals = |story: &Story| -> Vec<bool> {
        let attempt = story.payment.active();
        let captures = attempt.captures.iter();
        captures
            .map(|capture| {
                story
                    .payment
                    .is_final_capture(attempt, &capture.operation.key)
            })
            .collect()
    };
    let mut story = Story::approved(Manual);
    story.capture(Some(1));
    assert_eq!(finals(&story), [true], "a single capture releases the rest");
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(4000));
    assert_eq!(finals(&story), [false]);
    story.capture(Some(2540));
    assert_eq!(
        finals(&story),
        [false, false],
        "the first may be refused yet"
    );
    story.answer(CAPTURE.nth(1), done());
    assert!(finals(&story)[1], "nothing is left beside it");
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
            story.answer(CAPTURE, answer);
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
    let mut waiting = Story::created(ManualMultiple);
    waiting.confirm();
    let mut waiting = waiting.afresh();
    waiting.capture(Some(1));
    waiting.answer(AUTHORIZE, pending());
    waiting.capture(Some(1));
    waiting.capture(None);
    let mut automatic = Story::created(Automatic);
    automatic.confirm();
    let mut automatic = automatic.afresh();
    automatic.capture(None);
    let pages = [story, waiting, automatic].map(|story| story.page());
    assert_snapshot!(pages.join("\n"), @"
    capture 0                          refused, InvalidFormat: amount_to_capture is not in the expected form: a positive integer
    capture -1                         refused, InvalidFormat: amount_to_capture is not in the expected form: a positive integer
    capture 6541                       refused, InvalidValue: amount_to_capture 6541 is above amount_capturable 6540
    capture 9223372036854775807        refused, InvalidValue: amount_to_capture 9223372036854775807 is above amount_capturable 6540
    capture -9223372036854775808       refused, InvalidFormat: amount_to_capture is not in the expected form: a positive integer
    attempt 1: authorized, authorize done

    capture 1                          refused, InvalidValue: amount_to_capture 1 is above amount_capturable 0
    authorize: pending                 processing                                   0 left    0 received  payment_processing about pay_1_1
    capture 1                          refused, InvalidValue: amount_to_capture 1 is above amount_capturable 0
    capture all                        refused, InvalidValue: nothing can be captured: amount_capturable is 0
    attempt 1: pending, authorize pending

    capture all                        refused, NotInState: the payment can't be captured: its capture_method is automatic, it would have to be manual_multiple
    attempt 1: started, authorize started
    ");
}

#[test]
fn a_refusal_is_forgotten_when_a_capture_follows() {
    let mut story = Story::approved(Manual);
    story.capture(None);
    story.answer(CAPTURE, never_happened());
    let decline = story.payment.active().decline.clone();
    assert_eq!(decline.map(|d| d.code).as_deref(), Some("not_processed"));
    story.capture(None);
    assert_eq!(story.payment.active().decline, None);
    story.answer(CAPTURE, done());
    assert_eq!(story.payment.active().decline, None);
}

#[test]
fn a_capture_that_names_no_amount_takes_all_whatever_was_wished_at_creation() {
    let mut page = String::new();
    for answer in [done(), done_for(3000)] {
        let mut story = Story::create(Changes {
            amount_to_capture: Some(4000),
            enable_partial_authorization: Some(true),
            ..purchase(Manual)
        });
        story.confirm();
        story.answer(AUTHORIZE, answer);
        let mut story = story.afresh();
        story.capture(None);
        page += &story.page();
    }
    assert_snapshot!(page, @"
    capture all                        processing                                   0 left    0 received  [ask to capture]
    attempt 1: capture_initiated, authorize done, capture started 6540
    capture all                        processing                                   0 left    0 received  [ask to capture]
    attempt 1: capture_initiated, authorize done, capture started 3000
    ");
}

/// If the processor releases the rest with a capture, nothing is left to capture, even with several captures.
#[test]
fn a_capture_that_leaves_nothing_ends_a_payment_in_several_parts() {
    let mut story = Story::approved(ManualMultiple).afresh();
    story.capture(Some(4000));
    story.answer(CAPTURE, leaving_nothing(4000));
    story.answer(CAPTURE, done());
    story.capture(Some(1000));
    assert_snapshot!(story.page(), @"
    capture 4000                       processing                                2540 left    0 received  [ask to capture]
    capture: done 4000                 partially_captured                           0 left 4000 received  payment_captured about pay_1_1_1
    capture: done                      partially_captured                           0 left 4000 received
    capture 1000                       refused, NotInState: the payment can't be captured: its status is partially_captured, it would have to be requires_capture, partially_captured_and_capturable or processing
    attempt 1: partial_charged, authorize done, capture done 4000
    ");
    // A later report adds the release for the same capture.
    let mut story = Story::approved(ManualMultiple).afresh();
    story.capture(Some(4000));
    story.answer(CAPTURE, done());
    story.answer(CAPTURE, leaving_nothing(4000));
    assert_snapshot!(story.page(), @"
    capture 4000                       processing                                2540 left    0 received  [ask to capture]
    capture: done                      partially_captured_and_capturable         2540 left 4000 received  payment_captured about pay_1_1_1
    capture: done 4000                 partially_captured                           0 left 4000 received  payment_captured about pay_1_1_1
    attempt 1: partial_charged, authorize done, capture done 4000
    ");
}
