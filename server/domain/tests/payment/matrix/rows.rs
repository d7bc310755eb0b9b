//! The payments of the table: at least one for each status.

use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::{AttemptStatus, CaptureMethod, Changes};
use multirail_kernel::currency::Currency;
use multirail_sdk::connector::Outcome;

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};
use crate::support::{AMOUNT, purchase};

pub struct Row {
    pub name: &'static str,
    pub story: Story,
}

/// Sets a status that no implemented flow reaches.
fn forced(mut story: Story, status: AttemptStatus) -> Story {
    let active = story.payment.attempts.last_mut().expect("an attempt");
    active.status = status;
    story.payment.status = status.payment_status();
    story
}

/// Approved, with a capture and a void that were lost on their way.
fn with_losses(method: CaptureMethod, approved: i64) -> Story {
    let mut story = Story::create(Changes {
        enable_partial_authorization: Some(true),
        ..purchase(method)
    });
    story.confirm();
    story.answer(AUTHORIZE, done_for(approved));
    story.capture(Some(4000));
    story.answer(CAPTURE, never_happened());
    if approved == AMOUNT {
        story.cancel();
        story.answer(VOID, never_happened());
    }
    story
}

fn after(mut story: Story, steps: impl FnOnce(&mut Story)) -> Story {
    steps(&mut story);
    story
}

/// Confirmed with partial authorization, and approved for 5000.
fn approved_for_less(method: multirail_domain::payments::payment::CaptureMethod) -> Story {
    let mut story = Story::create(Changes {
        enable_partial_authorization: Some(true),
        ..purchase(method)
    });
    story.confirm();
    story.answer(AUTHORIZE, done_for(5000));
    story
}

fn captured(method: CaptureMethod, amount: i64) -> Story {
    after(with_losses(method, AMOUNT), |story| {
        story.capture(Some(amount));
        story.answer(CAPTURE, done());
    })
}

fn confirmed(answer: Outcome) -> Story {
    after(Story::created(Manual), |story| {
        story.confirm();
        story.answer(AUTHORIZE, answer);
    })
}

/// Returns one payment for each status, and further ones for statuses that are reached in different ways.
pub fn rows() -> Vec<Row> {
    let bare = Changes {
        amount: Some(AMOUNT),
        currency: Some(Currency::USD),
        ..Changes::default()
    };
    let rows = [
        ("requires_payment_method", Story::create(bare)),
        ("requires_confirmation", Story::created(Automatic)),
        ("requires_customer_action", confirmed(redirect())),
        (
            "requires_customer_action: device data",
            confirmed(device_data()),
        ),
        (
            "requires_merchant_action: automatic",
            after(Story::created(Automatic), |story| {
                story.confirm();
                story.answer(AUTHORIZE, held_for(AMOUNT));
            }),
        ),
        (
            "requires_merchant_action: manual",
            confirmed(held_for(AMOUNT)),
        ),
        (
            "processing: authorizing",
            after(Story::created(Automatic), Story::confirm),
        ),
        (
            "processing: completing",
            after(confirmed(device_data()), Story::complete),
        ),
        (
            "processing: capturing",
            after(Story::approved(Manual), |story| story.capture(None)),
        ),
        (
            "processing: capturing one of several",
            after(Story::approved(ManualMultiple), |story| {
                story.capture(Some(1000))
            }),
        ),
        (
            "processing: capturing all in two parts",
            after(Story::approved(ManualMultiple), |story| {
                story.capture(Some(1000));
                story.capture(Some(5540));
            }),
        ),
        (
            "processing: voiding",
            after(Story::approved(Manual), Story::cancel),
        ),
        ("requires_capture", with_losses(Manual, AMOUNT)),
        (
            "requires_capture: capture refused",
            after(Story::approved(Manual), |story| {
                story.capture(None);
                story.answer(CAPTURE, declined());
            }),
        ),
        (
            "requires_capture: may be raised",
            Story::to_be_raised(Manual),
        ),
        (
            "requires_capture: being raised",
            after(Story::to_be_raised(Manual), |story| story.raise(7000)),
        ),
        (
            "partially_authorized_and_requires_capture",
            with_losses(Manual, 5000),
        ),
        (
            "partially_captured_and_capturable",
            captured(ManualMultiple, 1000),
        ),
        (
            "partially_captured_and_processing",
            after(Story::approved(ManualMultiple), |story| {
                story.capture(Some(5540));
                story.capture(Some(1000));
                story.answer(CAPTURE.nth(2), done());
            }),
        ),
        (
            "partially_captured_and_processing: with losses",
            after(captured(ManualMultiple, 1000), |story| {
                story.capture(Some(5540))
            }),
        ),
        (
            "succeeded: at once",
            after(Story::created(Automatic), |story| {
                story.confirm();
                story.answer(AUTHORIZE, done());
            }),
        ),
        ("succeeded: by capture", captured(Manual, AMOUNT)),
        ("partially_captured", captured(Manual, 2000)),
        (
            "partially_captured: all of less",
            after(approved_for_less(Manual), |story| {
                story.capture(None);
                story.answer(CAPTURE, done());
            }),
        ),
        (
            "partially_captured: less at once",
            approved_for_less(Automatic),
        ),
        (
            "partially_captured: gone",
            after(captured(ManualMultiple, 1000), |story| {
                story.capture(Some(500));
                story.answer(CAPTURE, gone());
            }),
        ),
        ("failed: declined", confirmed(declined())),
        (
            "failed: gone",
            after(with_losses(Manual, AMOUNT), |story| {
                story.capture(None);
                story.answer(CAPTURE, gone());
            }),
        ),
        (
            "requires_capture: void refused",
            after(with_losses(Manual, AMOUNT), |story| {
                story.cancel();
                story.answer(VOID, declined());
            }),
        ),
        (
            "cancelled: after the authorization",
            after(with_losses(Manual, AMOUNT), |story| {
                story.cancel();
                story.answer(VOID, done());
            }),
        ),
        (
            "partially_captured: the rest voided",
            after(captured(ManualMultiple, 1000), |story| {
                story.void_the_rest();
                story.answer(VOID, done());
            }),
        ),
        (
            "failed: rejected by the merchant",
            after(confirmed(held_for(AMOUNT)), Story::reject),
        ),
        (
            "cancelled: while the payer is away",
            after(confirmed(redirect()), Story::cancel),
        ),
        (
            "cancelled_post_capture",
            after(Story::approved(Manual), |story| {
                story.capture(Some(AMOUNT));
                story.answer(CAPTURE, done());
                story.cancel_post_capture();
                story.answer(VOID, done());
            }),
        ),
        (
            "succeeded: being voided",
            after(Story::approved(Automatic), Story::cancel_post_capture),
        ),
        (
            "partially_captured_and_capturable: being voided",
            after(Story::approved(ManualMultiple), |story| {
                story.capture(Some(1000));
                story.answer(CAPTURE, done());
                story.cancel_post_capture();
            }),
        ),
        (
            "conflicted",
            after(with_losses(ManualMultiple, AMOUNT), |story| {
                story.capture(Some(1000));
                story.answer(CAPTURE, done_for(900));
            }),
        ),
        (
            "expired",
            forced(with_losses(Manual, AMOUNT), AttemptStatus::Expired),
        ),
    ];
    rows.map(|(name, story)| Row { name, story }).into()
}
