//! Stories about an unconfirmed subscription: it releases its coupon for others.

use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::subscription::*;

use crate::given::*;
use crate::story::*;

fn is_back(story: &Story) -> bool {
    story.standing.subscription.is_coupon_back
}

/// Lets this many seconds pass. Payments stay unconfirmed.
fn within(story: &mut Story, seconds: i64) {
    let end = story.now.plus_seconds(seconds).expect("in range");
    story.until(end, |_| Outcome::Untouched);
}

#[test]
fn a_coupon_is_given_back_once_when_the_client_secret_lapses() {
    let mut story = Story::created_with(monthly(), Some(half()));
    let lapses_at = story.now.plus_seconds(SECRET_SECONDS).expect("in range");
    assert_eq!(story.standing.due(), Some((lapses_at, Due::Lapse)));
    story.now = lapses_at;
    let effects = story.takes(Input::Time).expect("it may");
    assert_eq!(effects, [Effect::GiveCouponBack]);
    assert_eq!(story.standing.due(), None);
    assert_eq!(story.status(), SubscriptionStatus::Created);
    let mut cancelled = story.clone();
    let effects = cancelled.does(Command::Cancel(cancel(When::Now)));
    assert!(!effects.contains(&Effect::GiveCouponBack), "{effects:?}");

    // A later confirm must redeem the coupon again, and the price stays the same.
    assert_eq!(story.does(Command::Confirm), [Effect::TakeCoupon]);
    assert!(!is_back(&story));
    story.reports(paid());
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert_eq!(story.invoices[0].amount, 500);
    assert!(!is_back(&story));
    story.passes(40);
    assert_eq!(story.invoices[1].amount, 1_000);
    assert!(Story::created(monthly()).standing.due().is_none());
}

#[test]
fn nothing_lapses_while_somebody_may_be_confirming_it() {
    let mut story = Story::created_with(monthly(), Some(half()));
    within(&mut story, SECRET_SECONDS - 1);
    story.does(Command::Confirm);
    within(&mut story, 60);
    assert!(!is_back(&story));
    let mut pending = story.clone();
    pending.reports(Outcome::Pending);
    within(&mut pending, 59);
    assert!(!is_back(&pending));
    // The confirm failed.
    story.does(Command::Unconfirm);
    within(&mut story, DAY);
    assert!(is_back(&story));
    assert_eq!(story.does(Command::Confirm), [Effect::TakeCoupon]);
    let effects = story.reports(failed(RetryAdvice::MayRetry));
    assert!(effects.contains(&Effect::GiveCouponBack), "{effects:?}");
}
