//! Periods and money over long times: every period is billed once, no time twice, and no invoice has two payments at once.

use multirail_domain::billing::charge::ReturnOption;
use multirail_domain::billing::dunning::RetryAdvice;
use multirail_domain::billing::invoice::LineKind;
use multirail_domain::refund::RefundStatus;
use multirail_domain::subscription::*;
use proptest::prelude::*;

use crate::story::*;

/// The periods of all invoices, by their day of the month.
fn days(story: &Story) -> Vec<String> {
    let days = story.invoices.iter().filter_map(|invoice| invoice.period);
    days.map(|period| period.start.to_string()[..10].to_owned())
        .collect()
}

#[test]
fn a_year_has_twelve_renewals_from_the_last_day_of_january() {
    let mut story = Story::active();
    story.passes(365);
    let expected = [
        "2026-01-31",
        "2026-02-28",
        "2026-03-31",
        "2026-04-30",
        "2026-05-31",
        "2026-06-30",
        "2026-07-31",
        "2026-08-31",
        "2026-09-30",
        "2026-10-31",
        "2026-11-30",
        "2026-12-31",
        "2027-01-31",
    ];
    assert_eq!(days(&story), expected);
    assert!(
        story
            .invoices
            .iter()
            .all(|it| it.status.as_str() == "invoice_paid")
    );
    assert_eq!(story.status(), SubscriptionStatus::Active);
}

/// A server that was away for months bills each period that it missed.
#[test]
fn a_late_worker_leaves_no_period_out() {
    let mut story = Story::active();
    story.now = story.now.plus_seconds(100 * DAY).expect("in range");
    let now = story.now;
    story.until(now, |_| paid());
    assert_eq!(
        days(&story),
        ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]
    );
}

#[test]
fn trace_m() {
    let mut story = Story::active();
    story.passes(10);
    let refused = story.decide(Input::Command(Command::Resume(resume(None))));
    let said = refused.expect_err("it is active").to_string();
    assert_eq!(
        said,
        "You cannot resume this subscription because it has status active"
    );
    story.does(Command::Pause(When::Now));
    let later = story.now.plus_seconds(30 * DAY).expect("in range");
    let mut at_once = story.clone();
    at_once.does(Command::Resume(resume(None)));
    assert_eq!(at_once.status(), SubscriptionStatus::Active);
    assert_eq!(
        at_once.standing.subscription.next_billing_at,
        Some(at_once.now)
    );
    story.does(Command::Resume(resume(Some(later))));
    assert_eq!(story.status(), SubscriptionStatus::Paused);
    assert_eq!(story.standing.subscription.next_billing_at, Some(later));
    story.passes(29);
    assert_eq!(story.status(), SubscriptionStatus::Paused);
    assert_eq!(story.invoices.len(), 1);
    story.passes(2);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    // 18 of 28 days were left when it was paused.
    assert_eq!(story.invoices[1].amount, 1_000 - 643);
}

#[test]
fn a_charge_that_is_kept_stands_on_the_invoice_after_it() {
    let mut story = Story::active();
    story.passes(28);
    assert_eq!(story.invoices.len(), 2);
    story.does(Command::Pause(When::EndOfTerm));
    story.passes(40);
    assert_eq!(story.status(), SubscriptionStatus::Paused);
    story.does(Command::Resume(Resume {
        charges: ChargesHandling::AddToUnbilledCharges,
        ..resume(None)
    }));
    story.passes(1);
    assert_eq!(story.invoices.len(), 2, "nothing is invoiced yet");
    assert_eq!(story.standing.subscription.unbilled.len(), 1);
    story.passes(31);
    assert_eq!(story.invoices.len(), 3);
    assert_eq!(story.invoices[2].amount, 2_000, "two periods");
}

/// What was charged for it was to be given back once with the invoice, and once more by the pause after.
#[test]
fn a_kept_charge_is_for_the_time_before_a_pause_only() {
    let mut story = Story::active();
    story.does(Command::Pause(When::Now));
    story.does(Command::Resume(Resume {
        charges: ChargesHandling::AddToUnbilledCharges,
        ..resume(None)
    }));
    story.passes(14);
    story.does(Command::Pause(When::Now));
    let kept = &story.standing.subscription.unbilled[0];
    assert_eq!((kept.kind.as_str(), kept.amount_minor), ("proration", 500));
    assert_eq!(story.standing.subscription.charged, []);
    story.does(Command::Resume(resume(None)));
    story.passes(1);
    // Nothing of the first period was used, half of the second.
    assert_eq!(story.invoices[1].amount, 500);
    story.does(Command::Pause(When::Now));
    let owed = &story.standing.subscription.owed;
    assert_eq!(owed.len(), 1, "of the third period: {owed:?}");
}

#[test]
fn what_was_open_before_a_pause_is_collected_where_that_is_wanted() {
    let open = |unpaid_invoices| {
        let mut story = Story::active();
        let end = story.now.plus_seconds(28 * DAY).expect("in range");
        story.until(end, |_| failed(RetryAdvice::MayRetry));
        story.does(Command::Pause(When::Now));
        story.passes(60);
        assert_eq!(story.invoices[1].tries.len(), 1, "it rests in a pause");
        story.does(Command::Resume(Resume {
            unpaid_invoices,
            ..resume(None)
        }));
        story.passes(1);
        story.invoices[1].status.as_str().to_owned()
    };
    assert_eq!(open(UnpaidInvoicesHandling::NoAction), "payment_failed");
    assert_eq!(
        open(UnpaidInvoicesHandling::SchedulePaymentCollection),
        "invoice_paid"
    );
}

#[test]
fn an_invoice_is_tried_by_the_schedule_and_then_unpaid() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(60 * DAY).expect("in range");
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(story.status(), SubscriptionStatus::Unpaid);
    let tries = story.invoices[1].tries.iter();
    let days: Vec<i64> = tries
        .map(|it| it.started_at.seconds_since(moment("2026-02-28T09:00:00Z")) / DAY)
        .collect();
    assert_eq!(days, [0, 1, 4]);
    assert_eq!(story.invoices.len(), 2, "nothing more is billed");
    let id = story.invoices[1].invoice_id.clone();
    story.does(Command::Collect(id));
    story.passes(1);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
    assert_eq!(
        days_of_last(&story),
        "2026-04-01",
        "time in between was nobody's"
    );
}

fn days_of_last(story: &Story) -> String {
    days(story).pop().unwrap_or_default()
}

#[derive(Clone, Debug)]
enum Act {
    Passes(i64),
    Fails(i64),
    Pause,
    PauseAtEnd,
    Resume(bool),
    Dearer(i64),
    Collect,
    Void,
    Cancel(Cancel),
    /// So much of the newest payment is refunded by hand.
    RefundByHand(i64),
    /// How refunds of credit end from now on.
    RefundsEnd(RefundStatus),
}

fn cancellation() -> impl Strategy<Value = Cancel> {
    let when = prop_oneof![3 => Just(When::Now), 1 => Just(When::EndOfTerm)];
    let unbilled = proptest::sample::select(UnbilledChargesOption::ALL);
    let receivables = proptest::sample::select(ReceivablesHandling::ALL);
    let returns = proptest::sample::select(ReturnOption::ALL);
    let credits = proptest::sample::select(RefundableCreditsHandling::ALL);
    let parts = (when, unbilled, receivables, returns, credits);
    parts.prop_map(|(when, unbilled, receivables, returns, credits)| Cancel {
        when,
        unbilled,
        receivables,
        returns,
        credits,
        reason_code: None,
    })
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (1_i64..70).prop_map(Act::Passes),
        2 => (1_i64..70).prop_map(Act::Fails),
        2 => Just(Act::Pause),
        1 => Just(Act::PauseAtEnd),
        3 => any::<bool>().prop_map(Act::Resume),
        1 => (500_i64..5_000).prop_map(Act::Dearer),
        1 => Just(Act::Collect),
        1 => Just(Act::Void),
        1 => cancellation().prop_map(Act::Cancel),
        1 => (1_i64..2_000).prop_map(Act::RefundByHand),
        1 => proptest::sample::select(RefundStatus::ALL).prop_map(Act::RefundsEnd),
    ]
}

proptest! {
    #[test]
    fn no_time_is_billed_twice(acts in proptest::collection::vec(act(), 1..25)) {
        let mut story = Story::active();
        for act in acts {
            // Nobody does two things in one microsecond.
            let end = story.now.plus_seconds(1).expect("in range");
            story.until(end, |_| paid());
            match act {
                Act::Passes(days) => story.passes(days),
                Act::Fails(days) => {
                    let end = story.now.plus_seconds(days * DAY).expect("in range");
                    story.until(end, |_| failed(RetryAdvice::MayRetry));
                }
                Act::Pause => drop(story.takes(Input::Command(Command::Pause(When::Now)))),
                Act::PauseAtEnd => drop(story.takes(Input::Command(Command::Pause(When::EndOfTerm)))),
                Act::Resume(holds) => {
                    let charges = if holds {
                        ChargesHandling::AddToUnbilledCharges
                    } else {
                        ChargesHandling::InvoiceImmediately
                    };
                    let resume = Resume { charges, ..resume(None) };
                    drop(story.takes(Input::Command(Command::Resume(resume))));
                }
                Act::Dearer(amount) => {
                    let mut dearer = monthly();
                    dearer.amount_minor = amount;
                    let update = Update { plan: plan(dearer) };
                    drop(story.takes(Input::Command(Command::Update(Box::new(update)))));
                }
                Act::Collect => {
                    let id = story.invoices.last().map(|it| it.invoice_id.clone()).expect("one");
                    drop(story.takes(Input::Command(Command::Collect(id))));
                }
                Act::Void => {
                    let id = story.invoices.last().map(|it| it.invoice_id.clone()).expect("one");
                    drop(story.takes(Input::Command(Command::Void(id))));
                }
                Act::Cancel(cancel) => {
                    drop(story.takes(Input::Command(Command::Cancel(cancel))));
                }
                Act::RefundByHand(amount) => {
                    let newest = story.invoices.iter().rev().find(|it| it.paid_by().is_some());
                    if let Some(newest) = newest {
                        let amount = amount.min(story.room_of(newest));
                        story.by_hand.push((newest.invoice_id.clone(), amount));
                    }
                }
                Act::RefundsEnd(status) => story.refunds_end = status,
            }
            check(&story)?;
            check_money(&story)?;
        }
    }
}

/// Lines add up, numbers and periods are unique, and what is charged and not given back never overlaps.
fn check(story: &Story) -> Result<(), TestCaseError> {
    let mut starts = Vec::new();
    let mut charged: Vec<(i64, i64, i64)> = Vec::new();
    for (index, invoice) in story.invoices.iter().enumerate() {
        prop_assert_eq!(invoice.number as usize, index + 1);
        let sum: i64 = invoice.lines.iter().map(|line| line.amount_minor).sum();
        prop_assert_eq!(sum, invoice.amount);
        prop_assert!(invoice.amount >= 0);
        let under_way = invoice
            .tries
            .iter()
            .filter(|it| it.failed.is_none())
            .count();
        prop_assert!(under_way <= 1);
        starts.extend(invoice.period.map(|period| period.start));
        for line in &invoice.lines {
            // What a voided invoice charged was given up; what it gave back is credit again.
            if invoice.status.as_str() == "voided" && line.amount_minor > 0 {
                continue;
            }
            let Some(period) = line.period else { continue };
            let (start, end) = (period.start.as_micros(), period.end.as_micros());
            match line.kind.as_str() {
                "return" => charged.push((start, end, -1)),
                "subscription" | "proration" => charged.push((start, end, 1)),
                _ => {}
            }
        }
    }
    // What waits to be given back or to be invoiced counts as well.
    let subscription = &story.standing.subscription;
    for owed in &subscription.owed {
        let period = owed.returned.period;
        charged.push((period.start.as_micros(), period.end.as_micros(), -1));
    }
    for charge in &subscription.unbilled {
        let period = charge.period;
        charged.push((period.start.as_micros(), period.end.as_micros(), 1));
    }
    let unique = starts.len();
    starts.sort();
    starts.dedup();
    prop_assert_eq!(starts.len(), unique, "a period has one invoice");
    let mut edges: Vec<(i64, i64)> = charged
        .iter()
        .flat_map(|(start, end, sign)| [(*start, *sign), (*end, -*sign)])
        .collect();
    edges.sort();
    let mut depth = 0;
    let mut index = 0;
    while index < edges.len() {
        let at = edges[index].0;
        while index < edges.len() && edges[index].0 == at {
            depth += edges[index].1;
            index += 1;
        }
        prop_assert!((0..=1).contains(&depth), "billed {} times at {}", depth, at);
    }
    Ok(())
}

/// What was paid is what was charged, credit, or was refunded: nothing is lost and nothing is made.
fn check_money(story: &Story) -> Result<(), TestCaseError> {
    let subscription = &story.standing.subscription;
    let sum = |invoice: &Invoice, kinds: &[LineKind]| {
        let lines = invoice.lines.iter();
        let of_kinds = lines.filter(|line| kinds.contains(&line.kind));
        of_kinds.map(|line| line.amount_minor).sum::<i64>()
    };
    let (mut paid, mut kept) = (0, 0);
    for invoice in &story.invoices {
        let credit = sum(invoice, &[LineKind::CreditUsed, LineKind::CreditGiven]);
        let back = sum(invoice, &[LineKind::Return, LineKind::TaxReturn]);
        kept += match invoice.status.as_str() {
            "invoice_paid" => {
                paid += invoice.amount;
                invoice.amount - credit
            }
            // Only what had been paid before.
            "voided" => back,
            _ => -credit,
        };
    }
    prop_assert!(subscription.credit >= 0);
    prop_assert_eq!(paid - subscription.refunded() - subscription.credit, kept);
    Ok(())
}
