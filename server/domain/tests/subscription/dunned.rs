//! A card that is refused: its tries are counted over all invoices that are charged with it.

use multirail_domain::billing::calendar::{Interval, IntervalUnit};
use multirail_domain::billing::dunning::RetryAdvice;
use multirail_domain::billing::price::Price;
use multirail_domain::subscription::*;
use multirail_domain::timestamp::Timestamp;

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

/// When its cards were charged after the first payment, in days since that.
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

/// Periods begin while the card is tried again: their invoices wait for that.
#[test]
fn a_daily_price_tries_a_dead_card_as_often_as_a_monthly_one() {
    let mut story = Story::begun(daily());
    let end = after(&story, 60);
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(tried(&story), [1, 2, 5]);
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
}

/// Once it has money, all that waited is paid, and the schedule begins anew.
#[test]
fn what_waited_is_charged_once_the_card_has_money() {
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

/// Whoever said for one invoice when he wants to be asked again is not asked for another one before.
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

/// After the end several invoices are collected: who forbids one more try is not asked for the next invoice either, until the
/// merchant wants one collected.
#[test]
fn what_is_forbidden_for_one_invoice_is_forbidden_for_all() {
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

/// Its merchant has invoices collected again and again: never more often than the networks allow.
#[test]
fn nobody_is_asked_more_than_fifteen_times_in_thirty_days() {
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
    // The first of them was on day 28.
    let next = story.standing.open[0].due_at.expect("a moment");
    let began = story.invoices[0].created_at;
    assert_eq!(next.seconds_since(began) / DAY, 58);
    let now = story.now;
    story.until(now, |_| paid());
    story.passes(30);
    assert_eq!(story.status(), SubscriptionStatus::Active);
}
