//! An authorization without any news is given up; a late approval is voided.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};
use multirail_sdk::connector::Outcome;

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, Story, VOID};

fn given_up(method: multirail_domain::payments::payment::CaptureMethod) -> Story {
    let mut story = Story::created(method);
    story.confirm();
    story.answer(AUTHORIZE, unknown());
    story.answer(AUTHORIZE, Outcome::given_up());
    story
}

#[test]
fn it_ends_and_the_authorization_is_voided() {
    let mut story = given_up(Automatic);
    story.answer(VOID, pending());
    assert!(!story.payment.was_never_processed(), "it may have been");
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: unknown (timeout)       processing                                   0 left    0 received  payment_processing about pay_1_1
    authorize: never happened          failed                                       0 left    0 received  payment_failed about pay_1_1  [ask to void]  [forget the card]
    void: pending                      failed                                       0 left    0 received
    attempt 1: failure, authorize never_happened, void pending; not_answered: the processor did not say what became of this operation, which was given up; if it is done all the same, it is undone (the processor told nothing of it, and can't be asked)
    ");
}

#[test]
fn a_late_approval_is_voided_whatever_became_of_the_first_void() {
    let mut page = String::new();
    for first in [pending(), done(), declined(), never_happened()] {
        let mut story = given_up(Manual);
        story.answer(VOID, first);
        let mut story = story.afresh();
        story.answer(AUTHORIZE, done());
        story.answer(VOID.nth(2), done());
        page += &story.page();
    }
    assert_snapshot!(page, @"
    authorize: done                    failed                                       0 left    0 received  [ask to void]
    void 2: done                       failed                                       0 left    0 received
    attempt 1: failure, authorize done, void pending, void done; not_answered: the processor did not say what became of this operation, which was given up; if it is done all the same, it is undone (the processor told nothing of it, and can't be asked)
    authorize: done                    failed                                       0 left    0 received  [ask to void]
    void 2: done                       failed                                       0 left    0 received
    attempt 1: failure, authorize done, void done, void done; not_answered: the processor did not say what became of this operation, which was given up; if it is done all the same, it is undone (the processor told nothing of it, and can't be asked)
    authorize: done                    failed                                       0 left    0 received  [ask to void]
    void 2: done                       failed                                       0 left    0 received
    attempt 1: failure, authorize done, void declined, void done; not_answered: the processor did not say what became of this operation, which was given up; if it is done all the same, it is undone (the processor told nothing of it, and can't be asked)
    authorize: done                    failed                                       0 left    0 received  [ask to void]
    void 2: done                       failed                                       0 left    0 received
    attempt 1: failure, authorize done, void never_happened, void done; not_answered: the processor did not say what became of this operation, which was given up; if it is done all the same, it is undone (the processor told nothing of it, and can't be asked)
    ");
}

#[test]
fn a_late_refusal_changes_nothing() {
    let mut story = given_up(Manual);
    story.answer(VOID, declined());
    let mut story = story.afresh();
    story.answer(AUTHORIZE, declined());
    assert_snapshot!(story.page(), @"
    authorize: declined                failed                                       0 left    0 received
    attempt 1: failure, authorize declined, void declined; not_answered: the processor did not say what became of this operation, which was given up; if it is done all the same, it is undone (the processor told nothing of it, and can't be asked)
    ");
}

/// The void didn't reach the processor, where an approval may exist.
#[test]
fn the_void_is_asked_for_until_it_arrives() {
    let mut story = given_up(Manual);
    story.answer(VOID, never_happened());
    let mut story = story.afresh();
    story.sync();
    assert_snapshot!(story.page(), @"
    sync                               failed                                       0 left    0 received  [look up authorize]  [ask to void]
    attempt 1: failure, authorize never_happened, void never_happened; not_answered: the processor did not say what became of this operation, which was given up; if it is done all the same, it is undone (the processor told nothing of it, and can't be asked)
    ");
}
