//! Stories about planned changes: they take effect whatever happens in between.

use multirail_billing_domain::calendar::{Interval, IntervalUnit};
use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::subscription::*;
use multirail_kernel::timestamp::Timestamp;

use crate::given::*;
use crate::story::*;

fn in_days(story: &Story, days: i64) -> Timestamp {
    story.now.plus_seconds(days * DAY).expect("in range")
}

/// Lets all charges fail for this many days.
fn fails(story: &mut Story, days: i64) {
    let end = in_days(story, days);
    story.until(end, |_| failed(RetryAdvice::MayRetry));
}

fn collects(story: &mut Story) {
    let invoice = story.invoices.last().expect("one").invoice_id.clone();
    story.does(Command::Collect(invoice));
    story.passes(1);
}

#[test]
fn a_planned_pause_outlives_unpaid() {
    let mut story = Story::active();
    let date = in_days(&story, 60);
    story.does(Command::Pause(When::At(date)));
    fails(&mut story, 45);
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
    collects(&mut story);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    story.passes(60);
    assert_eq!(story.status(), SubscriptionStatus::Paused);
    assert_eq!(story.standing.subscription.paused_at, Some(date));
    assert_eq!(story.invoices.len(), 3, "no period after it");
}

/// The date comes while nothing is billed. Later time isn't charged after the invoices are paid.
#[test]
fn a_pause_whose_date_came_while_unpaid_begins_with_that_date() {
    for (days, starts) in [(35, 45), (35, 70)] {
        let mut story = Story::active();
        let date = in_days(&story, days);
        story.does(Command::Pause(When::At(date)));
        fails(&mut story, starts);
        assert_eq!(story.status(), SubscriptionStatus::Unpaid);
        assert_eq!(story.invoices.len(), 2);
        let mut voided = story.clone();
        collects(&mut story);
        let renewal = voided.invoices[1].invoice_id.clone();
        voided.does(Command::Void(renewal));
        voided.passes(1);
        for story in [&mut story, &mut voided] {
            assert_eq!(story.status(), SubscriptionStatus::Paused);
            assert_eq!(story.standing.subscription.paused_at, Some(date));
            story.passes(60);
            assert_eq!(story.invoices.len(), 2, "nothing more is billed");
        }
        let owed = &story.standing.subscription.owed;
        assert_eq!(owed[0].returned.period.start, date);
        // 24 of 31 days.
        assert_eq!(owed[0].returned.net_minor, 774);
        assert_eq!(voided.standing.subscription.owed, []);
    }
}

#[test]
fn a_pause_at_the_end_of_a_term_that_is_paid_late_begins_there() {
    let mut story = Story::active();
    story.passes(27);
    fails(&mut story, 2);
    story.does(Command::Pause(When::EndOfTerm));
    let end = story.standing.subscription.next_billing_at;
    fails(&mut story, 20);
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
    collects(&mut story);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    story.passes(60);
    assert_eq!(story.status(), SubscriptionStatus::Paused);
    assert_eq!(story.standing.subscription.paused_at, end);
    assert_eq!(story.invoices.len(), 2);
}

/// The cancellation is planned for the end of the term, and a resumption begins another term.
#[test]
fn an_end_with_the_term_follows_a_resumption() {
    for wait in [None, Some(5)] {
        let mut story = Story::active();
        story.does(Command::Cancel(cancel(When::EndOfTerm)));
        story.passes(10);
        story.does(Command::Pause(When::Now));
        if wait.is_none() {
            story.passes(5);
        }
        let resumes_at = wait.map(|days| in_days(&story, days));
        story.does(Command::Resume(resume(resumes_at)));
        if wait.is_none() {
            let planned = story.standing.subscription.cancelling.as_ref();
            let answered = planned.map(|planned| planned.at);
            assert_eq!(answered, Some(moment("2026-03-15T09:00:00Z")));
        }
        story.passes(60);
        assert_eq!(story.status(), SubscriptionStatus::Cancelled);
        let period = story.invoices[1].period.expect("one");
        assert_eq!(period.start, moment("2026-02-15T09:00:00Z"));
        let subscription = &story.standing.subscription;
        assert_eq!(subscription.cancelled_at, Some(period.end));
        assert_eq!(story.invoices.len(), 2);
        // 18 of 28 days were unused when it was paused.
        assert_eq!(story.invoices[1].amount, 1_000 - 643);
    }
}

/// The pause lasts longer than the term, so the cancellation takes effect during the pause.
#[test]
fn an_end_with_the_term_comes_in_a_pause_that_outlasts_it() {
    let mut story = Story::active();
    let end = story.standing.subscription.next_billing_at;
    story.does(Command::Cancel(cancel(When::EndOfTerm)));
    story.passes(10);
    story.does(Command::Pause(When::Now));
    story.does(Command::Resume(resume(Some(in_days(&story, 30)))));
    story.passes(60);
    assert_eq!(story.status(), SubscriptionStatus::Cancelled);
    assert_eq!(story.standing.subscription.cancelled_at, end);
}

/// A cancellation at a date keeps the date, even if it was the end of the term when it was chosen.
#[test]
fn an_end_at_a_date_stays() {
    let mut story = Story::active();
    let date = story.standing.subscription.next_billing_at.expect("one");
    let at_date = Cancel {
        returns: ReturnOption::Prorate,
        ..cancel(When::At(date))
    };
    story.does(Command::Cancel(at_date));
    story.passes(10);
    story.does(Command::Pause(When::Now));
    story.passes(4);
    story.does(Command::Resume(resume(None)));
    story.passes(60);
    let subscription = &story.standing.subscription;
    assert_eq!(subscription.cancelled_at, Some(date));
    // 14 of 28 days of the resumed period.
    assert_eq!(story.invoices[1].amount, 1_000 - 643);
    assert_eq!(subscription.credit, 500);
}

#[test]
fn a_pause_at_a_date_stays() {
    let mut story = Story::active();
    let date = story.standing.subscription.next_billing_at.expect("one");
    story.does(Command::Pause(When::At(date)));
    story.passes(10);
    let mut yearly = monthly();
    yearly.interval = Interval::new(IntervalUnit::Year, 1).ok();
    story.does(Command::Update(Box::new(update(yearly))));
    assert_eq!(story.standing.subscription.pausing_at, Some(date));
    story.passes(60);
    assert_eq!(story.status(), SubscriptionStatus::Paused);
    assert_eq!(story.standing.subscription.paused_at, Some(date));
}

/// The voided invoice leaves nothing to pay for the period after the trial, so the trial ends.
#[test]
fn a_trial_is_over_when_the_invoice_after_it_is_voided() {
    let mut price = monthly();
    price.trial_days = 14;
    let mut story = Story::begun(price);
    fails(&mut story, 14);
    assert_eq!(story.status(), SubscriptionStatus::Trial);
    let first = story.invoices[1].invoice_id.clone();
    story.does(Command::Void(first));
    assert_eq!(story.status(), SubscriptionStatus::Active);
    story.passes(30);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert_eq!(story.invoices[2].status.as_str(), "invoice_paid");
}
