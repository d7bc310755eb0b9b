//! Stories about prices with a fixed number of periods, after which the subscription ends. (Facts 3.13)

use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::price::Price;
use multirail_billing_domain::subscription::*;

use crate::given::*;
use crate::story::*;

/// Ten euros a month for this many periods.
fn months(cycles: u32) -> Price {
    Price {
        billing_cycles: Some(cycles),
        ..monthly()
    }
}

#[test]
fn it_is_over_after_its_last_period() {
    let mut story = Story::begun(months(3));
    story.passes(28 + 31 + 29);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert!(story.standing.subscription.is_in_last_period());
    story.passes(2);
    assert_eq!(story.status(), SubscriptionStatus::InActive);
    assert_eq!(story.invoices.len(), 3);
    assert_eq!(story.standing.due(), None);
    let end = story.standing.subscription.term.as_ref();
    let end = end.map(|term| term.period.end);
    assert_eq!(end, Some(moment("2026-04-30T09:00:00Z")));
    for command in [
        Command::Confirm,
        Command::Pause(When::Now),
        Command::Resume(resume(None)),
        Command::Cancel(cancel(When::Now)),
        Command::Update(Box::new(update(monthly()))),
    ] {
        let refused = story.decide(Input::Command(command));
        let refused = refused.expect_err("it is over").to_string();
        assert!(refused.ends_with("it has status in_active"), "{refused}");
    }
}

#[test]
fn a_trial_is_no_period_of_it() {
    let mut price = months(1);
    price.trial_days = 14;
    let mut story = Story::begun(price);
    story.passes(14 + 27);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    story.passes(4);
    assert_eq!(story.status(), SubscriptionStatus::InActive);
    assert_eq!(story.invoices.len(), 2);
}

/// The period that the pause cut short is made up for afterwards.
#[test]
fn a_period_that_a_pause_cuts_short_does_not_count() {
    let mut story = Story::begun(months(2));
    story.passes(14);
    story.does(Command::Pause(When::Now));
    story.does(Command::Resume(resume(None)));
    story.passes(31 + 31 + 2);
    assert_eq!(story.status(), SubscriptionStatus::InActive);
    assert_eq!(story.invoices.len(), 3);
    // A pause at the end of a period cuts nothing short.
    let mut story = Story::begun(months(2));
    story.does(Command::Pause(When::EndOfTerm));
    story.passes(40);
    assert_eq!(story.status(), SubscriptionStatus::Paused);
    story.does(Command::Resume(resume(None)));
    story.passes(32);
    assert_eq!(story.status(), SubscriptionStatus::InActive);
    assert_eq!(story.invoices.len(), 2);
}

/// A pause planned for the end of the last period would never end.
#[test]
fn nothing_is_paused_after_the_last_period() {
    for at_a_date in [false, true] {
        let mut story = Story::begun(months(1));
        let end = story.standing.subscription.next_billing_at;
        let when = match at_a_date {
            true => When::At(end.expect("it ends")),
            false => When::EndOfTerm,
        };
        story.does(Command::Pause(when));
        story.passes(40);
        assert_eq!(story.status(), SubscriptionStatus::InActive);
        assert_eq!(story.standing.subscription.paused_at, None);
        assert_eq!(story.standing.due(), None);
    }
}

#[test]
fn another_price_counts_its_own_periods() {
    let mut story = Story::begun(months(2));
    story.passes(28);
    let mut dearer = months(2);
    dearer.amount_minor = 2_000;
    story.does(Command::Update(Box::new(update(dearer))));
    story.passes(33);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    story.passes(31);
    assert_eq!(story.status(), SubscriptionStatus::InActive);
}

/// Open invoices are still charged after the end. Held charges get an invoice of their own, and credit stays.
#[test]
fn remaining_charges_are_settled_at_the_end() {
    let mut story = Story::begun(months(2));
    let end = story.now.plus_seconds(60 * DAY).expect("in range");
    story.until(end, |_| Outcome::NotAsked {
        why: "no account".to_owned(),
    });
    assert_eq!(story.status(), SubscriptionStatus::InActive);
    assert_eq!(story.invoices[1].status.as_str(), "payment_failed");
    story.passes(3);
    let last = story.invoices.last().expect("one");
    assert_eq!((last.number, last.status.as_str()), (2, "invoice_paid"));

    let mut open = Story::begun(months(1));
    open.passes(27);
    let resumption = Resume {
        charges: ChargesHandling::AddToUnbilledCharges,
        ..resume(None)
    };
    open.does(Command::Pause(When::Now));
    open.does(Command::Resume(resumption));
    let end = open.now.plus_seconds(30 * DAY).expect("in range");
    open.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(open.status(), SubscriptionStatus::InActive);
    assert_eq!(open.invoices.len(), 2, "what was kept is billed");
    open.passes(10);
    assert_eq!(open.invoices[1].status.as_str(), "invoice_paid");
    let mut cheaper = Story::begun(months(1));
    let mut half = months(1);
    half.amount_minor = 500;
    cheaper.does(Command::Update(Box::new(update(half))));
    cheaper.passes(40);
    assert_eq!(cheaper.status(), SubscriptionStatus::InActive);
    assert_eq!(cheaper.standing.subscription.credit, 500);
    cheaper.does(Command::RefundCredit);
    cheaper.passes(1);
    assert_eq!(cheaper.standing.subscription.refunded(), 500);
}
