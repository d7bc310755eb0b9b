//! Stories about a refused card: its attempts are counted over all invoices that charge it.

use multirail_billing_domain::calendar::{Interval, IntervalUnit};
use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::price::Price;
use multirail_billing_domain::subscription::*;
use multirail_kernel::timestamp::Timestamp;

use crate::given::*;
use crate::story::*;

fn daily() -> Price {
    Price {
        interval: Some(Interval::new(IntervalUnit::Day, 1).expect("an interval")),
        ..monthly()
    }
}

fn after(story: &Story, days: i64) -> Timestamp {
    story.now.plus_seconds(days * DAY).expect("in range")
}

/// Returns the days since the first payment on which cards were charged.
fn tried(story: &Story) -> Vec<i64> {
    let began = story.invoices[0].created_at;
    let invoices = story.invoices.iter().skip(1);
    let tries = invoices.flat_map(|invoice| &invoice.tries);
    let mut tried: Vec<i64> = tries
        .map(|one| one.started_at.seconds_since(began) / DAY)
        .collect();
    tried.sort_unstable();
    tried
}

/// Invoices of periods that begin during the retries wait for their outcome.
#[test]
fn a_daily_price_tries_a_dead_card_as_often_as_a_monthly_one() {
    let mut story = Story::begun(daily());
    let end = after(&story, 60);
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(tried(&story), [1, 2, 5]);
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
}

/// Once the card has money, all waiting invoices are paid, and the schedule restarts.
#[test]
fn waiting_invoices_are_charged_once_the_card_has_money() {
    let mut story = Story::begun(daily());
    let end = after(&story, 4);
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(tried(&story), [1, 2]);
    story.passes(1);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert!(story.standing.open.is_empty());
    assert_eq!(tried(&story), [1, 2, 5, 5, 5, 5, 5]);
    let end = after(&story, 2);
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(tried(&story)[7..], [6, 7]);
    assert_eq!(story.status(), SubscriptionStatus::Active);
}

/// An issuer's earliest time for a retry applies to all invoices.
#[test]
fn the_issuers_moment_holds_for_all_invoices_and_against_a_collection() {
    let mut story = Story::begun(daily());
    let (end, moment) = (after(&story, 3), after(&story, 7));
    story.until(end, |_| failed(RetryAdvice::NotBefore(moment)));
    assert_eq!(tried(&story), [1]);
    let newest = story.invoices.last().expect("one").invoice_id.clone();
    story.does(Command::Collect(newest));
    story.passes(3);
    assert_eq!(tried(&story), [1]);
    story.passes(1);
    assert_eq!(tried(&story), [1, 7, 7, 7, 7, 7, 7, 7]);
    assert!(story.standing.open.is_empty());
}

/// Several invoices are collected after the end. A forbidden retry of one also blocks the others until the merchant has
/// one collected.
#[test]
fn a_ban_on_retries_applies_to_all_invoices() {
    let mut story = Story::begun(daily());
    let end = after(&story, 1);
    story.until(end, |_| Outcome::NotAsked {
        why: "no account".to_owned(),
    });
    let end = after(&story, 1);
    story.until(end, |_| Outcome::NotAsked {
        why: "no account".to_owned(),
    });
    let collected = Cancel {
        receivables: ReceivablesHandling::SchedulePaymentCollection,
        ..cancel(When::Now)
    };
    story.does(Command::Cancel(collected));
    let before = tried(&story).len();
    let end = after(&story, 60);
    story.until(end, |_| failed(RetryAdvice::DoNotRetry));
    assert_eq!(tried(&story).len(), before + 1);
    let open = &story.standing.open;
    assert_eq!(open.len(), 2);
    let first = open[0].invoice_id.clone();
    story.does(Command::Collect(first));
    story.passes(0);
    assert_eq!(story.standing.open.len(), 1);
}

/// Repeated collections by the merchant never exceed the networks' limit.
#[test]
fn a_card_is_charged_at_most_fifteen_times_in_thirty_days() {
    let mut story = Story::active();
    let end = after(&story, 35);
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
    let invoice = story.invoices[1].invoice_id.clone();
    for _ in 0..20 {
        story.does(Command::Collect(invoice.clone()));
        let end = story.now.plus_seconds(60).expect("in range");
        story.until(end, |_| failed(RetryAdvice::MayRetry));
    }
    assert_eq!(tried(&story).len(), 15);
    // The first attempt was on day 28.
    let next = story.standing.open[0].due_at.expect("a moment");
    let began = story.invoices[0].created_at;
    assert_eq!(next.seconds_since(began) / DAY, 58);
    let now = story.now;
    story.until(now, |_| paid());
    story.passes(30);
    assert_eq!(story.status(), SubscriptionStatus::Active);
}

/// Returns the invoices' numbers in the order of their charges, with the day since the start, from `days` on.
fn charged_from(story: &Story, days: i64) -> Vec<(i64, u32)> {
    let began = story.invoices[0].created_at;
    let tries = story.invoices.iter().flat_map(|invoice| {
        let of = |one: &Try| (one.started_at, one.payment_id.clone(), invoice.number);
        invoice.tries.iter().map(of)
    });
    let mut tries: Vec<_> = tries.collect();
    tries.sort();
    let tries = tries
        .iter()
        .map(|(at, _, number)| (at.seconds_since(began) / DAY, *number));
    tries.filter(|(day, _)| *day >= days).collect()
}

/// The oldest debt is charged first, whatever became due later and however late the worker is.
#[test]
fn the_oldest_that_waits_is_charged_first() {
    let mut story = Story::begun(daily());
    for hours in [25, 30, 30, 30, 60] {
        let (now, end) = (story.now, story.now.plus_seconds(hours * 3_600));
        story.now = end.expect("in range");
        assert!(story.now > now);
        story.until(story.now, |_| failed(RetryAdvice::MayRetry));
    }
    let asked: Vec<u32> = charged_from(&story, 1)
        .iter()
        .map(|(_, number)| *number)
        .collect();
    assert_eq!(asked, [2, 2, 2]);
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
}

/// Invoices that waited for the card are owed too. They are charged once the card pays, and then the subscription
/// continues.
#[test]
fn given_up_invoices_are_charged_once_one_of_them_is_paid() {
    let mut story = Story::begun(daily());
    let end = after(&story, 10);
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
    let waiting = story.standing.open.len();
    assert!(waiting > 2, "{waiting}");
    let newest = story.invoices.last().expect("one").invoice_id.clone();
    let number = story.invoices.last().expect("one").number;
    story.does(Command::Collect(newest));
    story.passes(0);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert!(story.standing.open.is_empty());
    let order = [number].into_iter().chain(2..number);
    let order: Vec<(i64, u32)> = order.map(|number| (10, number)).collect();
    // The last charge belongs to the period that begins on reactivation. No time in between is billed.
    assert_eq!(charged_from(&story, 10)[..order.len()], order);
}

/// A card with money for only one invoice is refused for the next one. The rest waits and is given up with it.
#[test]
fn a_refusal_after_one_was_paid_follows_the_schedule() {
    let mut story = Story::begun(daily());
    let end = after(&story, 10);
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    let second = story.invoices[1].invoice_id.clone();
    let before = tried(&story).len();
    story.does(Command::Collect(second.clone()));
    let end = after(&story, 60);
    story.until(end, |told| match told.invoice_id == second {
        true => paid(),
        false => failed(RetryAdvice::MayRetry),
    });
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
    let since = [(10, 2), (10, 3), (11, 3), (14, 3)];
    assert_eq!(charged_from(&story, 10), since);
    assert_eq!(tried(&story).len(), before + since.len());
    assert!(story.standing.open.iter().all(|one| one.due_at.is_none()));

    // Voiding charges nobody. After the last open invoice is voided, the subscription continues.
    let open: Vec<_> = story
        .standing
        .open
        .iter()
        .map(|one| one.invoice_id.clone())
        .collect();
    for invoice_id in open {
        assert_eq!(story.status(), SubscriptionStatus::Unpaid);
        story.does(Command::Void(invoice_id));
    }
    assert_eq!(story.status(), SubscriptionStatus::Active);
}

/// Invoices that a resumption left uncollected are charged only at the merchant's request. They don't keep the
/// subscription unpaid.
#[test]
fn uncollected_invoices_block_nothing() {
    let mut story = Story::active();
    let end = after(&story, 29);
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    let left = story.standing.open[0].invoice_id.clone();
    story.does(Command::Pause(When::Now));
    story.does(Command::Resume(resume(None)));
    let end = after(&story, 30);
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
    let given_up = story
        .standing
        .open
        .iter()
        .find(|one| one.invoice_id != left);
    let given_up = given_up.expect("a later one").invoice_id.clone();
    story.does(Command::Collect(given_up));
    story.passes(0);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    let open: Vec<_> = story
        .standing
        .open
        .iter()
        .map(|one| &one.invoice_id)
        .collect();
    assert_eq!(open, [&left]);
}
