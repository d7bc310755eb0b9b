//! Stories about payments that the merchant cancels, and plans that are dropped.

use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::subscription::*;

use crate::given::*;
use crate::story::*;

fn called_off() -> Outcome {
    Outcome::Cancelled {
        why: "cancelled".to_owned(),
    }
}

#[test]
fn a_subscription_is_cancelled_with_its_first_payment() {
    for is_confirmed in [false, true] {
        let mut story = Story::created_with(monthly(), Some(half()));
        if is_confirmed {
            story.does(Command::Confirm);
            story.reports(Outcome::Pending);
        }
        story.reports(called_off());
        assert_eq!(story.status(), SubscriptionStatus::Cancelled);
        let subscription = &story.standing.subscription;
        assert_eq!(subscription.cancelled_at, Some(story.now));
        assert_eq!(subscription.next_billing_at, None);
        assert!(subscription.is_coupon_back, "others can have it");
        story.passes(60);
        assert_eq!(story.invoices.len(), 1, "nothing more is billed");
    }
}

#[test]
fn a_renewal_whose_payment_is_cancelled_is_given_up() {
    let mut story = Story::active();
    story.until(story.now.plus_seconds(30 * DAY).expect("in range"), |_| {
        called_off()
    });
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
    assert!(story.invoices[1].is_given_up);
}

#[test]
fn a_planned_end_is_taken_back() {
    let plans = [
        Command::Cancel(Cancel {
            returns: ReturnOption::Prorate,
            reason_code: Some("too_dear".to_owned()),
            ..cancel(When::EndOfTerm)
        }),
        Command::Pause(When::EndOfTerm),
    ];
    for plan in plans {
        let mut story = Story::active();
        let before = story.standing.subscription.clone();
        story.does(plan.clone());
        assert_ne!(story.standing.subscription, before, "{plan:?}");
        let later = story.decide(Input::Command(Command::Resume(resume(Some(
            story.now.plus_seconds(DAY).expect("in range"),
        )))));
        assert!(later.is_err(), "nothing is ignored");
        story.does(Command::Resume(resume(None)));
        assert_eq!(story.standing.subscription.cancelling, before.cancelling);
        assert_eq!(story.standing.subscription.pausing_at, None);
        assert_eq!(story.standing.subscription.cancel_reason_code, None);
        story.passes(70);
        assert_eq!(story.status(), SubscriptionStatus::Active);
        assert_eq!(story.invoices.len(), 3, "it is billed as before");
        let again = story.decide(Input::Command(Command::Resume(resume(None))));
        insta::allow_duplicates! {
            insta::assert_snapshot!(again.expect_err("nothing planned").to_string(), @"You cannot resume this subscription because it has status active");
        }
    }
}
