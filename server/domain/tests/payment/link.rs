//! The hosted page accepts a card exactly when a confirm would.

use multirail_domain::payments::payment::link::{LinkTurn, OtherWay};
use multirail_domain::payments::payment::{CaptureMethod, Input};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{ShownStep, StepForm};

use crate::matrix::rows::{Row, rows};
use crate::support::outcomes::redirect;
use crate::support::story::{AUTHORIZE, Story};
use crate::support::{purchase, with_card};

/// In each status, time and profile setting, the page has a form exactly if a payer's client could confirm.
#[test]
fn the_page_takes_a_card_where_a_confirm_would_be_carried_out() {
    let mut turns = Vec::new();
    for (seconds, manual_retry_enabled) in [(0, true), (0, false), (600, true), (901, true)] {
        for Row { name, mut story } in rows() {
            story.manual_retry_enabled = manual_retry_enabled;
            let moment = story.payment.created_at.plus_seconds(seconds);
            story.now = moment.expect("a moment").max(story.now);
            let turn = story.payment.link_turn(manual_retry_enabled, story.now);
            let is_open = match turn {
                LinkTurn::First | LinkTurn::Again => true,
                LinkTurn::Late | LinkTurn::No => false,
            };
            let confirm = Input::Command(story.confirm_command(with_card()));
            let confirmed = story.try_input(confirm);
            let in_time = story.now <= story.payment.expires_at;
            assert_eq!(
                is_open,
                confirmed.is_ok() && in_time,
                "{name} after {seconds} s: {turn:?}, {confirmed:?}"
            );
            turns.push(turn);
        }
    }
    for turn in [
        LinkTurn::First,
        LinkTurn::Again,
        LinkTurn::Late,
        LinkTurn::No,
    ] {
        assert!(turns.contains(&turn), "{turn:?} is never tried");
    }
}

/// Returns a payment whose payer has to act for so many seconds. `form`: the step that the merchant shows.
fn waiting(form: Option<StepForm>, seconds: Option<i64>) -> Story {
    let mut story = Story::create(purchase(CaptureMethod::Automatic));
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    let end = seconds.map(|seconds| moment(&story, seconds));
    let active = story.payment.attempts.last_mut().expect("an attempt");
    active.shown_step = form.map(|form| Box::new(ShownStep::new(form)));
    active.step_expires_at = end;
    story
}

/// Returns the moment so many seconds after the payment's creation.
fn moment(story: &Story, seconds: i64) -> Timestamp {
    let moment = story.payment.created_at.plus_seconds(seconds);
    moment.expect("a moment")
}

/// A failed attempt may be followed by another one in the first half of the session, which takes 900 seconds.
#[test]
fn a_payer_is_told_of_another_way_only_if_the_page_will_take_it() {
    let other_way = |form, seconds, retries, after| {
        let story = waiting(form, seconds);
        let way = story.payment.other_way(retries, moment(&story, after));
        way.map(|way| match way {
            OtherWay::After(end) => format!("after {}", end.seconds_since(moment(&story, 0))),
            OtherWay::Cancel | OtherWay::Merchant => format!("{way:?}"),
        })
    };
    let code = Some(StepForm::QrCode);
    for (form, seconds, retries, after, way) in [
        (None, Some(900), true, 450, "Cancel"),
        (None, Some(900), true, 451, "Merchant"),
        (None, Some(900), false, 0, "Merchant"),
        (code, Some(450), true, 0, "after 450"),
        (code, Some(451), true, 0, "Merchant"),
        // The processor hasn't said yet that the time is over.
        (code, Some(60), true, 450, "after 60"),
        (code, Some(60), true, 451, "Merchant"),
        (code, Some(60), false, 0, "Merchant"),
        (code, None, true, 0, "Merchant"),
    ] {
        let told = other_way(form, seconds, retries, after);
        assert_eq!(
            told.as_deref(),
            Some(way),
            "{form:?} {seconds:?} {retries} {after}"
        );
    }
}

#[test]
fn nothing_is_said_of_another_way_once_money_is_on_its_way() {
    let mut story = waiting(Some(StepForm::BankTransfer), None);
    let active = story.payment.attempts.last_mut().expect("an attempt");
    let shown = active.shown_step.as_mut().expect("a step");
    (shown.amount_received, shown.amount_remaining) = (Some(540), Some(6000));
    assert_eq!(story.payment.other_way(true, story.now), None);
    for Row { name, story } in rows() {
        let way = story.payment.other_way(true, story.now);
        assert_eq!(way.is_some(), name == "requires_customer_action", "{name}");
    }
}
