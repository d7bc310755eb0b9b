//! Payments that their processor holds for the merchant's decision.

use multirail_domain::payments::payment::CaptureMethod;
use multirail_domain::payments::payment::CaptureMethod::{
    Automatic, Manual, ManualMultiple, SequentialAutomatic,
};
use multirail_domain::payments::payment::review::REJECTED_CODE;
use multirail_domain::payments::payment::{
    AtHand, AttemptStatus, Changes, Command, Input, MerchantDecision, PaymentStatus,
};
use multirail_sdk::connector::Outcome;

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID, refused};
use crate::support::{AMOUNT, purchase, to_verify};

/// Confirms with partial authorization, and answers.
fn held(method: CaptureMethod, answer: Outcome) -> Story {
    let mut story = Story::create(Changes {
        enable_partial_authorization: Some(true),
        ..purchase(method)
    });
    story.confirm();
    story.answer(AUTHORIZE, answer);
    story
}

/// Returns status, capturable amount and received amount.
fn stands(story: &Story) -> (&'static str, i64, i64) {
    let amounts = story.payment.amounts();
    let received = amounts.received.unwrap_or_default();
    (story.payment.status.as_str(), amounts.capturable, received)
}

/// Returns the announcements in short.
fn announced(story: &Story) -> Vec<(&'static str, &str)> {
    let all = story.announced.iter();
    all.map(|one| (one.event_type.as_str(), one.about.as_str()))
        .collect()
}

#[test]
fn nothing_is_taken_before_the_decision() {
    for method in CaptureMethod::ALL {
        let story = held(*method, held_for(AMOUNT));
        assert_eq!(stands(&story), ("requires_merchant_action", 0, 0));
        let attempt = story.payment.active();
        assert_eq!(attempt.status, AttemptStatus::Unresolved);
        assert_eq!((attempt.captured_amount(), attempt.voided_amount()), (0, 0));
        assert!(attempt.review.is_some() && !story.payment.holds_card);
        assert_eq!(announced(&story), [("action_required", "pay_1_1")]);
        assert_eq!(story.payment.manual_retry_allowed(), Some(false));
        assert!(story.payment.is_unfinished(), "money is reserved");
    }
}

#[test]
fn an_approval_goes_on_by_the_capture_method() {
    for method in [Automatic, SequentialAutomatic] {
        let mut story = held(method, held_for(AMOUNT));
        story.approve();
        assert_eq!(stands(&story), ("processing", 0, 0));
        story.answer(CAPTURE, done());
        assert_eq!(stands(&story), ("succeeded", 0, AMOUNT));
        assert_eq!(announced(&story)[1], ("payment_succeeded", "pay_1"));
    }
    for method in [Manual, ManualMultiple] {
        let mut story = held(method, held_for(AMOUNT));
        story.approve();
        assert_eq!(stands(&story), ("requires_capture", AMOUNT, 0));
        assert_eq!(announced(&story)[1], ("payment_authorized", "pay_1"));
        story.capture(Some(4000));
        story.answer(CAPTURE, done());
        assert_eq!(story.payment.amounts().received, Some(4000));
        let decision = Some(MerchantDecision::Approved);
        assert_eq!(story.payment.merchant_decision, decision);
    }
}

#[test]
fn less_than_was_asked_stays_less() {
    let mut story = held(Automatic, held_for(5000));
    story.approve();
    story.answer(CAPTURE, done());
    assert_eq!(stands(&story), ("partially_captured", 0, 5000));
    let mut story = held(Manual, held_for(5000));
    story.approve();
    let expected = ("partially_authorized_and_requires_capture", 5000, 0);
    assert_eq!(stands(&story), expected);
    let story = held(Manual, held_for(AMOUNT + 1));
    assert_eq!(stands(&story), ("conflicted", 0, 0));
}

/// An approval's capture can fail.
#[test]
fn an_approval_whose_capture_fails_can_be_captured_again() {
    for (outcome, about) in [(declined(), "pay_1_1_1"), (never_happened(), "")] {
        let mut story = held(Automatic, held_for(AMOUNT));
        story.approve();
        story.answer(CAPTURE, outcome);
        assert_eq!(stands(&story), ("requires_capture", AMOUNT, 0));
        let said = announced(&story)
            .get(1)
            .map(|(event, about)| (*event, *about));
        let expected = (!about.is_empty()).then_some(("action_required", about));
        assert_eq!(said, expected);
        story.capture(None);
        story.answer(CAPTURE, done());
        assert_eq!(stands(&story), ("succeeded", 0, AMOUNT));
    }
    let mut story = held(Automatic, held_for(AMOUNT));
    story.approve();
    story.answer(CAPTURE, unknown());
    assert_eq!(stands(&story), ("processing", 0, 0));
    story.answer(CAPTURE, done());
    assert_eq!(stands(&story), ("succeeded", 0, AMOUNT));
    let mut story = held(Automatic, held_for(AMOUNT));
    story.approve();
    story.answer(CAPTURE, gone());
    assert_eq!(stands(&story), ("failed", 0, 0));
}

#[test]
fn a_rejection_has_failed_at_once() {
    for method in CaptureMethod::ALL {
        let mut story = held(*method, held_for(AMOUNT));
        story.manual_retry_enabled = true;
        story.reject();
        assert_eq!(stands(&story), ("failed", 0, 0));
        assert_eq!(announced(&story)[1], ("payment_failed", "pay_1_1"));
        for outcome in [unknown(), pending(), done()] {
            story.answer(VOID, outcome);
            assert_eq!(stands(&story), ("failed", 0, 0));
        }
        let attempt = story.payment.active();
        assert_eq!(attempt.voided_amount(), AMOUNT);
        let code = attempt
            .decline
            .as_ref()
            .map(|decline| decline.code.as_str());
        assert_eq!(code, Some(REJECTED_CODE));
        assert!(!story.payment.is_unfinished());
        assert_eq!(announced(&story).len(), 2, "nothing more is told");
        let decision = Some(MerchantDecision::Rejected);
        assert_eq!(story.payment.merchant_decision, decision);
        assert_eq!(story.payment.manual_retry_allowed(), Some(false));
        let confirm = story.confirm_command(Changes::default());
        assert!(story.try_input(Input::Command(confirm)).is_err());
    }
}

#[test]
fn a_rejection_that_did_not_reach_the_processor_is_repeated() {
    let mut story = held(Automatic, held_for(AMOUNT));
    story.reject();
    story.answer(VOID, never_happened());
    assert!(story.payment.is_open_at_processor());
    story.sync();
    story.answer(VOID, done());
    assert!(!story.payment.is_open_at_processor());
    let mut story = held(Automatic, held_for(AMOUNT));
    story.reject();
    story.answer(VOID, declined());
    assert_eq!(stands(&story), ("conflicted", 0, 0));
}

#[test]
fn only_what_is_held_can_be_decided_and_only_once() {
    let approve = || Command::Approve {
        credentials: AtHand::default(),
    };
    let reject = || Command::Reject {
        credentials: AtHand::default(),
    };
    let mut approved = held(Automatic, held_for(AMOUNT));
    approved.approve();
    let mut rejected = held(Manual, held_for(AMOUNT));
    rejected.reject();
    let mut seen = Vec::new();
    let others = [Story::created(Manual), Story::approved(Manual)];
    for mut story in [approved, rejected].into_iter().chain(others) {
        for command in [approve(), reject()] {
            match story.try_input(Input::Command(command)) {
                Ok(step) => panic!("{}", step.payment.status),
                Err(refusal) => seen.push(refused(&refusal)),
            }
        }
    }
    assert_eq!(seen.len(), 8);
    assert!(seen.iter().all(|one| one.starts_with("Precondition: ")));
    let words = "a payment whose status is processing can't be approved";
    assert!(seen[0].contains(words), "{}", seen[0]);
}

/// A verification reserves nothing that could be held for review.
#[test]
fn of_nothing_nothing_is_held() {
    let mut story = Story::create(to_verify(Automatic));
    story.confirm();
    story.answer(AUTHORIZE, held_for(0));
    assert_eq!(story.payment.status, PaymentStatus::Succeeded);
}

/// The payment was cancelled before the processor's news.
#[test]
fn what_is_held_too_late_is_let_go() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.cancel();
    story.answer(VOID, declined());
    story.answer(AUTHORIZE, held_for(AMOUNT));
    story.answer(VOID, done());
    assert_eq!(stands(&story), ("cancelled", 0, 0));
    assert_eq!(story.payment.active().voided_amount(), AMOUNT);
}
