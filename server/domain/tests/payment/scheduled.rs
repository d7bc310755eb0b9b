//! Scheduled captures: made once when due, by whichever server comes first.

use insta::assert_snapshot;
use multirail_domain::operations::question::Why;
use multirail_domain::payments::payment::CaptureMethod::{Manual, Scheduled};
use multirail_domain::payments::payment::{Changes, Command, Input, Particulars};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};
use crate::support::{purchase, start};

/// Confirms a payment whose capture is due ten minutes later.
fn scheduled(more: Changes) -> Story {
    let capture_on = start().plus_seconds(600).expect("a moment");
    let mut story = Story::create(Changes {
        particulars: Particulars {
            capture_on: Some(capture_on.to_string()),
            ..more.particulars.clone()
        },
        ..more
    });
    story.confirm();
    story
}

fn approved() -> Story {
    let mut story = scheduled(purchase(Scheduled));
    story.answer(AUTHORIZE, done());
    story.afresh()
}

fn after_ten_minutes(story: &mut Story) {
    story.now = start().plus_seconds(600).expect("a moment");
}

/// Returns the times and reasons of the next questions.
fn next(story: &Story) -> Vec<(i64, Why)> {
    let questions = story.payment.questions(story.now, 60);
    let when = |due_at: multirail_kernel::timestamp::Timestamp| due_at.seconds_since(start());
    questions
        .map(|(_, question)| (when(question.due_at), question.why))
        .collect()
}

#[test]
fn it_is_asked_for_at_its_time_and_once() {
    let mut story = approved();
    assert_eq!(next(&story), [(600, Why::AwaitsItsTime)]);
    assert!(!story.payment.is_open_at_processor(), "it waits for nobody");
    story.sync();
    after_ten_minutes(&mut story);
    story.sync();
    story.sync();
    story.answer(CAPTURE, done());
    story.sync();
    assert_eq!(next(&story), []);
    assert_snapshot!(story.page(), @"
    sync                               requires_capture                          6540 left    0 received
    sync                               processing                                   0 left    0 received  [ask to capture]
    sync                               processing                                   0 left    0 received  [look up capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    sync                               succeeded                                    0 left 6540 received
    attempt 1: charged, authorize done, capture done 6540
    ");
}

/// The key is generated with the authorization, so that two servers request the same capture.
#[test]
fn its_key_is_known_from_the_authorization_on() {
    let mut story = approved();
    let scheduled = story.payment.active().scheduled_capture.clone();
    let scheduled = scheduled.expect("a scheduled capture");
    after_ten_minutes(&mut story);
    story.sync();
    assert_eq!(CAPTURE.key(&story.payment), Some(scheduled.key));
}

#[test]
fn a_question_about_something_else_leaves_it_alone() {
    let mut story = approved();
    after_ten_minutes(&mut story);
    let about = AUTHORIZE.key(&story.payment);
    let step = story.try_input(Input::Command(Command::Sync { about }));
    let step = step.expect("a step");
    assert_eq!((step.payment, step.effects.len()), (story.payment, 0));
}

#[test]
fn what_came_to_nothing_is_asked_for_again_under_the_same_key() {
    let mut story = approved();
    after_ten_minutes(&mut story);
    story.sync();
    let key = CAPTURE.key(&story.payment);
    story.answer(CAPTURE, never_happened());
    assert_eq!(next(&story), [(602 + 60, Why::AskedForAgain)]);
    story.sync();
    story.answer(CAPTURE, unknown());
    story.sync();
    story.answer(CAPTURE, never_happened());
    story.sync();
    story.answer(CAPTURE, done());
    assert_eq!(CAPTURE.key(&story.payment), key);
    assert_eq!(story.payment.active().captures.len(), 1);
    assert_snapshot!(story.page(), @"
    sync                               processing                                   0 left    0 received  [ask to capture]
    capture: never happened            requires_capture                          6540 left    0 received
    sync                               processing                                   0 left    0 received  [ask to capture]
    capture: unknown (timeout)         processing                                   0 left    0 received  payment_processing about pay_1_1_1
    sync                               processing                                   0 left    0 received  [look up capture]
    capture: never happened            requires_capture                          6540 left    0 received  action_required about pay_1_1_1
    sync                               processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 6540
    ");
}

#[test]
fn a_refused_one_is_left_to_the_merchant() {
    let mut story = approved();
    after_ten_minutes(&mut story);
    story.sync();
    story.answer(CAPTURE, declined());
    story.sync();
    assert_eq!(next(&story), []);
    story.capture(Some(4000));
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    sync                               processing                                   0 left    0 received  [ask to capture]
    capture: declined                  requires_capture                          6540 left    0 received  action_required about pay_1_1_1
    sync                               requires_capture                          6540 left    0 received
    capture 4000                       processing                                   0 left    0 received  [ask to capture]
    capture: done                      partially_captured                           0 left 4000 received  payment_captured about pay_1_1_2
    attempt 1: partial_charged, authorize done, capture declined 6540, capture done 4000
    ");
}

#[test]
fn a_cancel_and_a_capture_by_hand_come_before_it() {
    let mut cancelled = approved();
    cancelled.cancel();
    after_ten_minutes(&mut cancelled);
    cancelled.sync();
    cancelled.answer(VOID, done());
    cancelled.sync();
    let mut captured = approved();
    captured.capture(Some(4000));
    after_ten_minutes(&mut captured);
    captured.sync();
    captured.answer(CAPTURE, never_happened());
    captured.sync();
    assert_snapshot!(cancelled.page() + &captured.page(), @"
    cancel                             processing                                   0 left    0 received  [ask to void]
    sync                               processing                                   0 left    0 received  [look up void]
    void: done                         cancelled                                    0 left    0 received  payment_cancelled about pay_1
    sync                               cancelled                                    0 left    0 received
    attempt 1: voided, authorize done, void done
    capture 4000                       processing                                   0 left    0 received  [ask to capture]
    sync                               processing                                   0 left    0 received  [look up capture]
    capture: never happened            requires_capture                          6540 left    0 received
    sync                               requires_capture                          6540 left    0 received  [look up capture]
    attempt 1: authorized, authorize done, capture never_happened 4000; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    ");
}

/// A void that the processor has no record of leaves the authorization unchanged, but the merchant doesn't want the money.
#[test]
fn after_a_failed_cancel_the_worker_does_not_capture() {
    let mut story = approved();
    story.cancel();
    story.answer(VOID, never_happened());
    assert_eq!(next(&story), [(2, Why::MayStillArrive)]);
    after_ten_minutes(&mut story);
    story.sync();
    assert_eq!(CAPTURE.key(&story.payment), None);
}

#[test]
fn it_takes_what_was_wished_of_what_was_approved() {
    let wished = Changes {
        amount_to_capture: Some(4000),
        ..purchase(Scheduled)
    };
    let less = Changes {
        enable_partial_authorization: Some(true),
        ..purchase(Scheduled)
    };
    let mut pages = String::new();
    for (changes, answer) in [(wished, done()), (less, done_for(5000))] {
        let mut story = scheduled(changes);
        story.answer(AUTHORIZE, answer);
        let mut story = story.afresh();
        after_ten_minutes(&mut story);
        story.sync();
        story.answer(CAPTURE, done());
        pages += &story.page();
    }
    assert_snapshot!(pages, @"
    sync                               processing                                   0 left    0 received  [ask to capture]
    capture: done                      partially_captured                           0 left 4000 received  payment_captured about pay_1_1_1
    attempt 1: partial_charged, authorize done, capture done 4000
    sync                               processing                                   0 left    0 received  [ask to capture]
    capture: done                      partially_captured                           0 left 5000 received  payment_captured about pay_1_1_1
    attempt 1: partial_charged, authorize done, capture done 5000
    ");
}

#[test]
fn the_time_can_be_changed_until_the_confirm() {
    let mut story = Story::created(Scheduled);
    for seconds in [600, 900] {
        let moment = start().plus_seconds(seconds).expect("a moment");
        story.update(Changes {
            particulars: Particulars {
                capture_on: Some(moment.to_string()),
                ..Particulars::default()
            },
            ..Changes::default()
        });
    }
    story.confirm();
    story.answer(AUTHORIZE, done());
    assert_eq!(next(&story), [(900, Why::AwaitsItsTime)]);
}

/// With another capture method the time is only a note. Without a time, the merchant captures a scheduled payment.
#[test]
fn a_time_without_the_method_and_the_method_without_a_time_schedule_nothing() {
    let mut noted = scheduled(purchase(Manual));
    noted.answer(AUTHORIZE, done());
    let by_hand = Story::approved(Scheduled);
    for mut story in [noted, by_hand] {
        assert_eq!(next(&story), []);
        after_ten_minutes(&mut story);
        story.sync();
        assert_eq!(CAPTURE.key(&story.payment), None);
    }
}
