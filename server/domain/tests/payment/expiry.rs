//! An authorization is valid until `capture_before`. From then on the server asks the processor, whose answer ends the payment.

use insta::assert_snapshot;
use multirail_domain::operations::question::Why;
use multirail_domain::payments::payment::CaptureMethod::{
    Automatic, Manual, ManualMultiple, Scheduled,
};
use multirail_domain::payments::payment::{
    CaptureMethod, Changes, Command, Fact, Input, Particulars,
};
use multirail_kernel::timestamp::Timestamp;

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};
use crate::support::{purchase, start};

const WEEK: i64 = 604_800;

fn end() -> Timestamp {
    start().plus_seconds(WEEK).expect("a moment")
}

/// Approved, and held for a week.
fn held(capture_method: CaptureMethod) -> Story {
    let mut story = Story::created(capture_method);
    story.confirm();
    story.answer(AUTHORIZE, done_until(end()));
    story.afresh()
}

/// The week is over; `sync` asks a minute later.
fn overdue(capture_method: CaptureMethod) -> Story {
    let mut story = held(capture_method);
    story.now = end();
    story
}

/// Returns the times and reasons of the next questions.
fn next(story: &Story) -> Vec<(i64, Why)> {
    let questions = story.payment.questions(story.now, 60);
    let when = |due_at: Timestamp| due_at.seconds_since(start());
    questions
        .map(|(_, question)| (when(question.due_at), question.why))
        .collect()
}

#[test]
fn the_processor_is_asked_at_the_end_and_its_word_counts_once() {
    let mut story = held(Manual);
    assert_eq!(next(&story), [(WEEK, Why::MayExpire)]);
    assert!(!story.payment.is_open_at_processor(), "it waits for nobody");
    assert_eq!(story.payment.active().capture_before(), Some(end()));
    story.sync();
    story.now = end();
    story.sync();
    story.answer(AUTHORIZE, gone());
    story.answer(AUTHORIZE, gone());
    story.sync();
    story.capture(None);
    story.cancel();
    assert_eq!(next(&story), []);
    assert_snapshot!(story.page(), @"
    sync                               requires_capture                          6540 left    0 received
    sync                               requires_capture                          6540 left    0 received  [look up authorize]
    authorize: gone                    expired                                      0 left    0 received  payment_expired about pay_1
    authorize: gone                    expired                                      0 left    0 received
    sync                               expired                                      0 left    0 received
    capture all                        refused, NotInState: the payment can't be captured: its status is expired, it would have to be requires_capture, partially_captured_and_capturable or processing
    cancel                             refused, Precondition: a payment whose status is expired can't be cancelled
    attempt 1: expired, authorize done
    ");
}

#[test]
fn it_stands_as_long_as_the_processor_says() {
    let mut story = overdue(Manual);
    story.sync();
    story.answer(AUTHORIZE, done_until(end()));
    story.answer(AUTHORIZE, unknown());
    assert_eq!(
        next(&story),
        [(WEEK + 60 + 60, Why::MayExpire)],
        "it is asked again, and less and less often"
    );
    story.now = end().plus_seconds(WEEK).expect("a moment");
    assert_eq!(next(&story), [(2 * WEEK + 86_400, Why::MayExpire)]);
    let later = end().plus_seconds(2 * WEEK).expect("a moment");
    story.answer(AUTHORIZE, done_until(later));
    story.answer(AUTHORIZE, done_until(end()));
    assert_eq!(
        story.payment.active().capture_before(),
        Some(later),
        "what was put off stays so"
    );
    assert_eq!(next(&story), [(3 * WEEK, Why::MayExpire)]);
    story.capture(None);
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    sync                               requires_capture                          6540 left    0 received  [look up authorize]
    authorize: done                    requires_capture                          6540 left    0 received
    authorize: unknown (timeout)       requires_capture                          6540 left    0 received
    authorize: done                    requires_capture                          6540 left    0 received
    authorize: done                    requires_capture                          6540 left    0 received
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 6540
    ");
}

#[test]
fn what_was_taken_stays_taken() {
    let mut story = overdue(ManualMultiple);
    story.capture(Some(4000));
    story.answer(CAPTURE, done_for(4000));
    story.sync();
    story.answer(AUTHORIZE, gone());
    story.answer(CAPTURE, done_for(4000));
    story.capture(Some(1));
    assert_snapshot!(story.page(), @"
    capture 4000                       processing                                2540 left    0 received  [ask to capture]
    capture: done 4000                 partially_captured_and_capturable         2540 left 4000 received  payment_captured about pay_1_1_1
    sync                               partially_captured_and_capturable         2540 left 4000 received  [look up authorize]
    authorize: gone                    partially_captured                           0 left 4000 received  payment_captured about pay_1_1_lapsed
    capture: done 4000                 partially_captured                           0 left 4000 received
    capture 1                          refused, NotInState: the payment can't be captured: its status is partially_captured, it would have to be requires_capture, partially_captured_and_capturable or processing
    attempt 1: partial_charged, authorize done, capture done 4000
    ");
}

/// An open capture decides: it was in time, or it finds out that the authorization expired.
#[test]
fn a_capture_on_its_way_decides() {
    for (outcome, expected) in [
        (done(), "succeeded"),
        (gone(), "failed"),
        (declined(), "expired"),
        (never_happened(), "expired"),
    ] {
        let mut told_first = overdue(Manual);
        told_first.capture(None);
        told_first.answer(AUTHORIZE, gone());
        assert_eq!(told_first.payment.status.as_str(), "processing");
        told_first.answer(CAPTURE, outcome.clone());
        let mut told_last = overdue(Manual);
        told_last.capture(None);
        told_last.answer(CAPTURE, outcome);
        told_last.answer(AUTHORIZE, gone());
        for story in [told_first, told_last] {
            assert_eq!(story.payment.status.as_str(), expected, "{}", story.page());
            assert_eq!(story.payment.amounts().capturable, 0);
        }
    }
}

#[test]
fn of_several_captures_those_that_came_in_time_count() {
    let mut story = overdue(ManualMultiple);
    story.capture(Some(4000));
    story.capture(Some(2000));
    story.answer(AUTHORIZE, gone());
    story.answer(CAPTURE.nth(1), done_for(4000));
    story.capture(Some(540));
    story.answer(CAPTURE.nth(2), gone());
    assert_snapshot!(story.page(), @"
    capture 4000                       processing                                2540 left    0 received  [ask to capture]
    capture 2000                       processing                                 540 left    0 received  [ask to capture]
    authorize: gone                    processing                                   0 left    0 received
    capture 1: done 4000               partially_captured_and_processing            0 left 4000 received  payment_captured about pay_1_1_1
    capture 540                        refused, NotInState: the payment can't be captured: its status is partially_captured_and_processing, it would have to be requires_capture, partially_captured_and_capturable or processing
    capture 2: gone                    partially_captured                           0 left 4000 received  payment_captured about pay_1_1_2
    attempt 1: partial_charged, authorize done, capture done 4000, capture declined 2000; DC_13: The authorization is over
    ");
}

#[test]
fn a_cancel_on_its_way_cancels() {
    for told_first in [true, false] {
        let mut story = overdue(Manual);
        story.cancel();
        if told_first {
            story.answer(AUTHORIZE, gone());
        }
        story.answer(VOID, done());
        story.answer(AUTHORIZE, gone());
        assert_eq!(
            story.payment.status.as_str(),
            "cancelled",
            "{}",
            story.page()
        );
        assert_eq!(story.announced.len(), 2, "authorized and cancelled");
    }
}

#[test]
fn money_that_was_taken_after_the_end_is_a_conflict() {
    let mut story = overdue(Manual);
    story.capture(None);
    story.answer(CAPTURE, never_happened());
    story.answer(AUTHORIZE, gone());
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: never happened            requires_capture                          6540 left    0 received
    authorize: gone                    expired                                      0 left    0 received  payment_expired about pay_1
    capture: done                      conflicted                                   0 left 6540 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 6540; integrity_failure: the processor captured although the payment had ended without a capture
    ");
}

/// The answer to the authorization was lost for longer than its validity.
#[test]
fn what_was_never_heard_of_has_failed() {
    let mut story = Story::created(Manual);
    story.confirm();
    story.answer(AUTHORIZE, unknown());
    story.answer(AUTHORIZE, gone());
    assert_eq!(story.payment.status.as_str(), "failed");
    let mut story = Story::approved(Automatic);
    let before = story.payment.clone();
    story.answer(AUTHORIZE, gone());
    assert_eq!(story.payment, before, "nothing is held of what was taken");
}

#[test]
fn a_capture_that_is_scheduled_earlier_finds_out_by_itself() {
    for (seconds, expected) in [
        (600, vec![(600, Why::AwaitsItsTime)]),
        (
            WEEK + 600,
            vec![(WEEK + 600, Why::AwaitsItsTime), (WEEK, Why::MayExpire)],
        ),
    ] {
        let capture_on = start().plus_seconds(seconds).expect("a moment");
        let mut story = Story::create(Changes {
            particulars: Particulars {
                capture_on: Some(capture_on.to_string()),
                ..Particulars::default()
            },
            ..purchase(Scheduled)
        });
        story.confirm();
        story.answer(AUTHORIZE, done_until(end()));
        assert_eq!(next(&story), expected);
    }
}

#[test]
fn a_question_about_the_authorization_asks_at_its_time_only() {
    let asked = |story: &mut Story| {
        let about = AUTHORIZE.key(&story.payment);
        let step = story.try_input(Input::Command(Command::Sync { about }));
        step.expect("a step").effects.len()
    };
    assert_eq!(asked(&mut held(Manual)), 0);
    assert_eq!(asked(&mut overdue(Manual)), 1);
    let mut captured = overdue(Manual);
    captured.capture(None);
    captured.answer(CAPTURE, done());
    assert_eq!(asked(&mut captured), 0);
}

#[test]
fn an_expiry_is_no_contradiction() {
    let story = overdue(Manual);
    let fact = |outcome| Fact {
        about: AUTHORIZE.key(&story.payment).expect("a key"),
        outcome,
    };
    assert!(story.payment.reports_expiry(&fact(gone())));
    assert!(!story.payment.reports_expiry(&fact(declined())));
}

fn wishing_longer(capture_method: CaptureMethod) -> Story {
    Story::create(Changes {
        particulars: Particulars {
            request_extended_authorization: Some(true),
            ..Particulars::default()
        },
        ..purchase(capture_method)
    })
}

#[test]
fn a_longer_time_is_asked_for_where_something_is_held() {
    for (capture_method, expected) in [(Manual, true), (ManualMultiple, true), (Automatic, false)] {
        let mut story = wishing_longer(capture_method);
        story.confirm();
        let details = story.payment.details(story.payment.active());
        assert_eq!(details.stands_longer, expected, "{capture_method}");
    }
    let mut story = Story::created(Manual);
    story.confirm();
    let details = story.payment.details(story.payment.active());
    assert!(!details.stands_longer, "nobody asked for it");
}
