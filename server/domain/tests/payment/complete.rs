//! Authorizations whose processor needs the payer's device data.

use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};
use multirail_domain::payments::payment::{AttemptStatus, Input, PaymentStatus, Progress};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, Story, VOID};

fn waiting() -> Story {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, device_data());
    story
}

/// Returns the announcements in short.
fn announced(story: &Story) -> Vec<(&'static str, &str)> {
    let all = story.announced.iter();
    all.map(|one| (one.event_type.as_str(), one.about.as_str()))
        .collect()
}

#[test]
fn it_goes_on_as_after_a_confirm() {
    for (outcome, status) in [
        (done(), PaymentStatus::Succeeded),
        (redirect(), PaymentStatus::RequiresCustomerAction),
        (declined(), PaymentStatus::Failed),
        (not_authenticated(), PaymentStatus::Failed),
        (pending(), PaymentStatus::Processing),
        (unknown(), PaymentStatus::Processing),
    ] {
        let mut story = waiting();
        assert_eq!(story.payment.status, PaymentStatus::RequiresCustomerAction);
        assert!(story.payment.active().awaits_device_data());
        story.complete();
        assert_eq!(story.payment.status, PaymentStatus::Processing);
        story.answer(AUTHORIZE, outcome);
        assert_eq!(story.payment.status, status);
        let attempt = story.payment.active();
        assert_eq!(attempt.device_data_url, None);
        let page = attempt.redirect_url.is_some();
        assert_eq!(page, status == PaymentStatus::RequiresCustomerAction);
    }
}

/// The processor didn't learn that the data was collected.
#[test]
fn it_can_be_tried_again() {
    let mut story = waiting();
    story.complete();
    story.answer(AUTHORIZE, unknown());
    story.sync();
    story.answer(AUTHORIZE, device_data());
    assert!(story.payment.active().awaits_device_data());
    story.complete();
    story.answer(AUTHORIZE, done());
    assert_eq!(story.payment.status, PaymentStatus::Succeeded);
}

#[test]
fn the_page_is_announced_after_the_data() {
    let mut story = waiting();
    story.complete();
    story.answer(AUTHORIZE, redirect());
    let expected = [
        ("action_required", "pay_1_1_device_data"),
        ("action_required", "pay_1_1"),
    ];
    assert_eq!(announced(&story), expected);
    // Late news of the earlier step.
    story.answer(AUTHORIZE, device_data());
    let attempt = story.payment.active();
    assert_eq!(attempt.status, AttemptStatus::AuthenticationPending);
    // A processor that skips the device data.
    let mut story = waiting();
    story.answer(AUTHORIZE, redirect());
    assert_eq!(announced(&story), expected);
}

#[test]
fn only_what_waits_for_data_can_be_completed() {
    let mut at_page = Story::created(Manual);
    at_page.confirm();
    at_page.answer(AUTHORIZE, redirect());
    let mut begun = waiting();
    begun.complete();
    let mut given_up = waiting();
    given_up.cancel();
    let others = [
        Story::created(Manual),
        Story::approved(Manual),
        at_page,
        begun,
    ];
    for mut story in others.into_iter().chain([given_up]) {
        let command = story.complete_command();
        let refusal = story.try_input(Input::Command(command)).expect_err("no");
        assert!(refusal.to_string().contains("waits for no device data"));
    }
}

/// The payment was cancelled while the processor waited, and is approved nevertheless.
#[test]
fn an_approval_that_comes_too_late_is_undone() {
    let mut story = waiting();
    story.cancel();
    story.answer(VOID, declined());
    story.answer(AUTHORIZE, done());
    let voids = &story.payment.active().voids;
    assert_eq!(voids.len(), 2);
    assert_eq!(voids[1].progress, Progress::Started);
    assert_eq!(story.payment.status, PaymentStatus::Cancelled);
}
