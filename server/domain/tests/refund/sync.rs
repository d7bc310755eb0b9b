//! Questions about refunds, their times, and the sending of scheduled refunds.

use std::fmt::Write;

use insta::assert_snapshot;
use multirail_domain::payments::refund::Input;
use multirail_sdk::connector::Outcome;

use crate::story::Refunds;
use crate::support::outcomes::*;

/// Returns the reason and the pause in seconds of the next question, if the last one was now.
fn question(story: &Refunds, nth: usize) -> String {
    let question = story.refunds[nth - 1].question(story.now, 40);
    question.map_or("nothing".to_owned(), |question| {
        let pause = question.due_at.seconds_since(story.now);
        assert_eq!(*question.about, story.refunds[nth - 1].operation.key);
        format!("{} in {pause} s", question.why)
    })
}

#[test]
fn a_call_that_may_be_under_way_is_not_asked_about() {
    let mut story = Refunds::of_a_purchase();
    story.refund(Some(2000));
    assert_eq!(question(&story, 1), "started in 40 s");
    story.wait(59);
    story.sync(1);
    story.wait(1);
    story.sync(1);
    story.answer(1, done());
    story.sync(1);
    assert_eq!(question(&story, 1), "nothing");
    assert_snapshot!(story.page(), @"
    refund 2000                  ref_1 pending      0 refunded 2000 taken 4540 left  [ask to refund]
    ... 59 seconds later
    sync ref_1                   ref_1 pending      0 refunded 2000 taken 4540 left
    ... 1 seconds later
    sync ref_1                   ref_1 pending      0 refunded 2000 taken 4540 left  [look up]
    ref_1: done                  ref_1 succeeded 2000 refunded 2000 taken 4540 left  refund_succeeded about ref_1
    sync ref_1                   ref_1 succeeded 2000 refunded 2000 taken 4540 left
    ref_1 of 2000: done
    ");
}

#[test]
fn a_scheduled_refund_is_asked_for_by_the_worker() {
    let mut story = Refunds::of_a_purchase();
    story.schedule(2000);
    assert_eq!(question(&story, 1), "scheduled in 2 s");
    story.wait(2);
    story.sync(1);
    // The next sync does nothing while the call may be under way. After an interruption it asks.
    story.sync(1);
    story.wait(60);
    story.sync(1);
    story.answer(1, pending());
    story.sync(1);
    assert_eq!(question(&story, 1), "pending in 60 s");
    story.answer(1, done());
    story.sync(1);
    assert_snapshot!(story.page(), @"
    schedule 2000                ref_1 pending      0 refunded 2000 taken 4540 left
    ... 2 seconds later
    sync ref_1                   ref_1 pending      0 refunded 2000 taken 4540 left  [ask to refund]
    sync ref_1                   ref_1 pending      0 refunded 2000 taken 4540 left
    ... 60 seconds later
    sync ref_1                   ref_1 pending      0 refunded 2000 taken 4540 left  [look up]
    ref_1: pending               ref_1 pending      0 refunded 2000 taken 4540 left
    sync ref_1                   ref_1 pending      0 refunded 2000 taken 4540 left  [look up]
    ref_1: done                  ref_1 succeeded 2000 refunded 2000 taken 4540 left  refund_succeeded about ref_1
    sync ref_1                   ref_1 succeeded 2000 refunded 2000 taken 4540 left
    ref_1 of 2000: done
    ");
}

#[test]
fn a_scheduled_refund_may_arrive_late_from_its_sending_on() {
    let mut story = Refunds::of_a_purchase();
    story.schedule(2000);
    story.wait(7_200);
    story.sync(1);
    story.answer(1, never_happened());
    assert_eq!(question(&story, 1), "may_still_arrive in 2 s");
    story.wait(3_600);
    assert_eq!(question(&story, 1), "nothing");
}

#[test]
fn a_scheduled_refund_takes_its_amount_at_once() {
    let mut story = Refunds::of_a_purchase();
    story.schedule(6000);
    story.refund(Some(1000));
    story.wait(2);
    story.sync(1);
    story.answer(1, declined());
    story.refund(Some(1000));
    assert_snapshot!(story.page(), @"
    schedule 6000                ref_1 pending      0 refunded 6000 taken  540 left
    refund 1000                  refused, RefundTooLarge: amount 1000 is above what was captured and not refunded yet, 540
    ... 2 seconds later
    sync ref_1                   ref_1 pending      0 refunded 6000 taken  540 left  [ask to refund]
    ref_1: declined              ref_1 failed       0 refunded    0 taken 6540 left  refund_failed about ref_1
    refund 1000                  ref_2 pending      0 refunded 1000 taken 5540 left  [ask to refund]
    ref_1 of 6000: declined; DC_08: Payment declined: Card declined
    ref_2 of 1000: started
    ");
}

#[test]
fn pauses_grow_with_the_silence() {
    type MakeOutcome = fn() -> Outcome;
    let answers: [(&str, MakeOutcome); 6] = [
        ("pending", pending),
        ("unknown", unknown),
        ("never happened", never_happened),
        ("declined", declined),
        ("done", done),
        ("done for less", || done_for(1)),
    ];
    let mut page = String::new();
    for (name, answer) in answers {
        let _ = write!(page, "{name}:");
        let mut story = Refunds::with_one(2000, answer());
        for wait in [0, 2, 5, 15, 1_000, 2_578, 100_000] {
            story.wait(wait);
            let _ = write!(page, " {};", question(&story, 1));
        }
        page.push('\n');
    }
    assert_snapshot!(page, @"
    pending: pending in 60 s; pending in 60 s; pending in 60 s; pending in 60 s; pending in 1022 s; pending in 3600 s; pending in 86400 s;
    unknown: unknown in 2 s; unknown in 5 s; unknown in 15 s; unknown in 60 s; unknown in 1022 s; unknown in 3600 s; unknown in 86400 s;
    never happened: may_still_arrive in 2 s; may_still_arrive in 5 s; may_still_arrive in 15 s; may_still_arrive in 60 s; may_still_arrive in 1022 s; nothing; nothing;
    declined: nothing; nothing; nothing; nothing; nothing; nothing; nothing;
    done: nothing; nothing; nothing; nothing; nothing; nothing; nothing;
    done for less: nothing; nothing; nothing; nothing; nothing; nothing; nothing;
    ");
}

#[test]
fn a_look_up_that_finds_nothing_is_repeated_for_an_hour() {
    let mut story = Refunds::with_one(2000, never_happened()).afresh();
    story.wait(3_599);
    story.sync(1);
    story.wait(1);
    story.sync(1);
    assert_snapshot!(story.page(), @"
    ... 3599 seconds later
    sync ref_1                   ref_1 failed       0 refunded    0 taken 6540 left  [look up]
    ... 1 seconds later
    sync ref_1                   ref_1 failed       0 refunded    0 taken 6540 left
    ref_1 of 2000: never_happened; not_processed: the processor has no trace of this operation: it did not take place
    ");
}

#[test]
fn a_question_changes_nothing_by_itself() {
    for answer in [pending(), unknown(), never_happened()] {
        let mut story = Refunds::with_one(2000, answer);
        story.wait(100);
        let command = Input::Command(multirail_domain::payments::refund::Command::Sync);
        let step = story.try_input(1, command);
        assert_eq!(
            (&step.refund, &step.payment),
            (&story.refunds[0], &story.payment)
        );
    }
}
