//! A profile's default settings for authorizations.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{
    Automatic, Manual, ManualMultiple, Scheduled,
};
use multirail_domain::payments::payment::{CaptureMethod, Changes, Particulars, ProfileWishes};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, Story};
use crate::support::{purchase, with_card};

fn both() -> ProfileWishes {
    ProfileWishes {
        stands_longer: true,
        may_be_exceeded: true,
        ..ProfileWishes::default()
    }
}

/// Confirms with both settings of the profile, for a connector with these capabilities.
fn confirmed(changes: Changes, extends: bool, overcaptures: bool) -> Story {
    let mut story = Story::create(changes);
    story.wishes = both();
    let able = &mut story.candidates[0].capabilities;
    able.extends_authorizations = extends;
    able.overcaptures = overcaptures;
    story.confirm();
    story
}

fn line(name: &str, story: &Story) -> String {
    let details = story.payment.details(story.payment.active());
    format!(
        "{name:<30} longer {:<5} more {:<5}; shown: {:?}, {:?}",
        details.stands_longer,
        details.may_be_exceeded,
        story.payment.requests_longer(),
        story.payment.enables_overcapture(),
    )
}

fn saying(capture_method: CaptureMethod, longer: Option<bool>, more: Option<bool>) -> Changes {
    Changes {
        enable_overcapture: more,
        particulars: Particulars {
            request_extended_authorization: longer,
            ..Particulars::default()
        },
        ..purchase(capture_method)
    }
}

#[test]
fn they_are_asked_of_what_is_only_reserved_where_the_payment_says_nothing() {
    let plain = |method| confirmed(purchase(method), true, true);
    let mut rows: Vec<String> = [Automatic, Manual, ManualMultiple, Scheduled]
        .map(|method| line(method.as_str(), &plain(method)))
        .into();
    rows.extend([
        line(
            "the connector offers neither",
            &confirmed(purchase(Manual), false, false),
        ),
        line(
            "it offers a longer time",
            &confirmed(purchase(Manual), true, false),
        ),
        line(
            "the payment says no",
            &confirmed(saying(Manual, Some(false), Some(false)), true, true),
        ),
        line(
            "the payment says yes",
            &confirmed(saying(Manual, Some(true), Some(true)), true, true),
        ),
    ]);
    assert_snapshot!(rows.join("\n"), @"
    automatic                      longer false more false; shown: None, None
    manual                         longer true  more true ; shown: Some(true), Some(true)
    manual_multiple                longer true  more false; shown: Some(true), None
    scheduled                      longer true  more true ; shown: Some(true), Some(true)
    the connector offers neither   longer false more false; shown: None, None
    it offers a longer time        longer true  more false; shown: Some(true), None
    the payment says no            longer false more false; shown: Some(false), Some(false)
    the payment says yes           longer true  more true ; shown: Some(true), Some(true)
    ");
}

/// Each attempt uses the settings that its own connector supports.
#[test]
fn another_attempt_uses_the_settings_again() {
    let mut story = confirmed(purchase(Manual), true, true);
    story.manual_retry_enabled = true;
    story.answer(AUTHORIZE, declined());
    let able = &mut story.candidates[0].capabilities;
    able.extends_authorizations = false;
    able.overcaptures = false;
    story.confirm_with(with_card());
    assert_eq!(story.payment.attempts.len(), 2);
    assert_snapshot!(line("the second", &story), @"the second                     longer false more false; shown: None, None");
}

/// The profile may still change before a processor is asked.
#[test]
fn nothing_is_wished_before_the_confirm() {
    let mut story = Story::create(purchase(Manual));
    story.wishes = both();
    assert_eq!(story.payment.requests_longer(), None);
    assert_eq!(story.payment.enables_overcapture(), None);
    assert_eq!(story.payment.is_overcapture_enabled(), None);
    story.confirm();
    assert_eq!(story.payment.is_overcapture_enabled(), Some(false));
    story.answer(AUTHORIZE, done_up_to(7521));
    assert_eq!(story.payment.is_overcapture_enabled(), Some(true));
}
