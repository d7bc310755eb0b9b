//! Periods and money over long times: every period is billed once, no time twice, and no invoice has two payments at once.

use multirail_domain::billing::charge::ReturnOption;
use multirail_domain::billing::dunning::RetryAdvice;
use multirail_domain::billing::invoice::LineKind;
use multirail_domain::ids::PaymentId;
use multirail_domain::refund::RefundStatus;
use multirail_domain::subscription::*;
use multirail_domain::timestamp::Timestamp;
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

/// Time passes, and no worker is there.
fn nobody_works(story: &mut Story, days: i64) {
    story.now = story.now.plus_seconds(days * DAY).expect("in range");
}

/// A period has begun that no worker has billed yet: whoever pauses or cancels then has used it up to now.
#[test]
fn a_command_that_outruns_the_worker_leaves_no_time_unbilled() {
    let commands = [
        Command::Pause(When::Now),
        Command::Pause(When::EndOfTerm),
        Command::Cancel(cancel(When::Now)),
        Command::Cancel(cancel(When::EndOfTerm)),
    ];
    for command in commands {
        let mut story = Story::active();
        nobody_works(&mut story, 40);
        story.does(command.clone());
        story.passes(40);
        let periods = days(&story);
        assert!(periods.len() >= 2, "{command:?}: {periods:?}");
        assert_eq!(periods[1], "2026-02-28", "{command:?}");
        let status = story.invoices[1].status.as_str();
        // Open invoices are not charged in a pause, nor after a cancellation that leaves them alone.
        let ends_at_once = matches!(
            command,
            Command::Pause(When::Now)
                | Command::Cancel(Cancel {
                    when: When::Now,
                    ..
                })
        );
        let expected = if ends_at_once {
            "invoice_created"
        } else {
            "invoice_paid"
        };
        assert_eq!(status, expected, "{command:?}");
    }
    // An update waits until what is billed is paid.
    let mut story = Story::active();
    nobody_works(&mut story, 40);
    let update = Update {
        plan: plan(monthly()),
    };
    let refused = story.decide(Input::Command(Command::Update(Box::new(update))));
    let said = refused
        .expect_err("the period before is not paid")
        .to_string();
    assert!(said.contains("one of its invoices is open"), "{said}");
}

/// What the command billed that outran the worker stays to be collected.
#[test]
fn what_a_cancellation_found_unbilled_is_open_and_not_charged() {
    let mut story = Story::active();
    nobody_works(&mut story, 40);
    story.does(Command::Cancel(cancel(When::Now)));
    assert_eq!(story.standing.due(), None);
    let open = story.invoices[1].clone();
    assert_eq!((open.amount, open.tries.len()), (1_000, 0));
    story.passes(40);
    assert_eq!(story.invoices[1], open);
    story.does(Command::Collect(open.invoice_id));
    story.passes(1);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");

    let mut collected = Story::active();
    nobody_works(&mut collected, 40);
    collected.does(Command::Cancel(Cancel {
        receivables: ReceivablesHandling::SchedulePaymentCollection,
        ..cancel(When::Now)
    }));
    collected.passes(1);
    assert_eq!(collected.invoices[1].status.as_str(), "invoice_paid");
}

/// A worker in time would have charged it before the pause: it is charged after.
#[test]
fn what_a_pause_found_unbilled_is_charged_once_it_is_over() {
    let paused = || {
        let mut story = Story::active();
        nobody_works(&mut story, 40);
        story.does(Command::Pause(When::Now));
        story.passes(30);
        assert_eq!(story.invoices[1].tries.len(), 0);
        story
    };
    let mut resumed = paused();
    resumed.does(Command::Resume(resume(None)));
    let now = resumed.now;
    resumed.until(now, |_| failed(RetryAdvice::MayRetry));
    resumed.passes(10);
    assert_eq!(resumed.invoices[1].tries.len(), 1, "once");
    let mut ended = paused();
    ended.does(Command::Cancel(cancel(When::Now)));
    ended.passes(40);
    assert_eq!(ended.invoices[1].tries.len(), 0);
}

/// Its charge was begun before the end, and nobody was asked for it.
#[test]
fn what_nobody_was_asked_for_before_the_end_is_not_asked_for_after() {
    for command in [
        Command::Pause(When::Now),
        Command::Cancel(cancel(When::Now)),
    ] {
        let mut story = Story::active();
        nobody_works(&mut story, 28);
        story.takes(Input::Time).expect("it is billed");
        story.does(command.clone());
        story.told(Outcome::NotAsked {
            why: "no account".to_owned(),
        });
        assert_eq!(story.standing.due(), None, "{command:?}");
        if let Command::Pause(_) = command {
            story.does(Command::Resume(resume(None)));
            story.passes(1);
            assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
        }
    }
}

#[test]
fn a_resumption_that_is_due_has_happened_whoever_comes_first() {
    let mut story = Story::active();
    story.does(Command::Pause(When::Now));
    let later = story.now.plus_seconds(10 * DAY).expect("in range");
    story.does(Command::Resume(resume(Some(later))));
    nobody_works(&mut story, 20);
    let refused = story.decide(Input::Command(Command::Resume(resume(None))));
    refused.expect_err("it runs since then");
    story.does(Command::Pause(When::Now));
    assert_eq!(days(&story).pop().as_deref(), Some("2026-02-10"));
    assert_eq!(story.standing.subscription.paused_at, Some(story.now));
}

/// A pause or a cancellation that was planned for before the command comes first.
#[test]
fn what_was_planned_for_earlier_comes_first() {
    let mut story = Story::active();
    let soon = story.now.plus_seconds(3 * DAY).expect("in range");
    story.does(Command::Cancel(cancel(When::At(soon))));
    nobody_works(&mut story, 5);
    let refused = story.decide(Input::Command(Command::Pause(When::Now)));
    let said = refused.expect_err("it is over").to_string();
    assert!(said.ends_with("it has status cancelled"), "{said}");
    let mut story = Story::active();
    story.does(Command::Pause(When::At(soon)));
    nobody_works(&mut story, 5);
    story.does(Command::Cancel(cancel(When::Now)));
    let owed = story.invoices.last().expect("one");
    assert_eq!(owed.lines[0].period.expect("one").start, soon, "{owed:?}");
}

/// Of so many periods some are left to the worker.
#[test]
fn too_much_that_is_due_is_left_to_the_worker() {
    let mut price = monthly();
    price.interval = Some(
        multirail_domain::billing::calendar::Interval::new(
            multirail_domain::billing::calendar::IntervalUnit::Day,
            1,
        )
        .expect("an interval"),
    );
    let mut story = Story::begun(price);
    nobody_works(&mut story, 200);
    let refused = story.decide(Input::Command(Command::Pause(When::Now)));
    assert_eq!(refused, Err(multirail_domain::refusal::Refusal::Busy));
    let now = story.now;
    story.until(now, |_| paid());
    story.does(Command::Pause(When::Now));
    assert_eq!(story.invoices.len(), 201);
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
    /// This payment that nobody waits for, the newest first, has taken money after all.
    PaidAfterAll(usize),
    /// What it had taken was taken back, for good or perhaps.
    TakenBack(usize, TakenBack),
}

#[derive(Clone, Copy, Debug)]
enum TakenBack {
    Failed,
    Pending,
    Part,
}

impl TakenBack {
    fn outcome(self) -> Outcome {
        match self {
            TakenBack::Failed => failed(RetryAdvice::MayRetry),
            TakenBack::Pending => Outcome::Pending,
            TakenBack::Part => Outcome::NeedsReview,
        }
    }
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
        2 => (0_usize..5).prop_map(Act::PaidAfterAll),
        2 => (0_usize..5, taken_back()).prop_map(|(nth, how)| Act::TakenBack(nth, how)),
    ]
}

fn taken_back() -> impl Strategy<Value = TakenBack> {
    prop_oneof![
        2 => Just(TakenBack::Failed),
        1 => Just(TakenBack::Pending),
        1 => Just(TakenBack::Part),
    ]
}

#[test]
fn a_failed_payment_that_succeeds_after_all_pays() {
    // Before the next try, after the last one, and of an invoice that was given up.
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    let mut unpaid = story.clone();
    let mut voided = story.clone();
    let told = story.of_former(paid());
    story
        .takes(Input::Told(told.clone()))
        .expect("never refused");
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
    assert_eq!(story.invoices[1].paid_by(), Some(&told.payment_id));
    assert_eq!(story.standing.due().map(|(_, due)| due), Some(Due::Bill));

    let end = unpaid.now.plus_seconds(10 * DAY).expect("in range");
    unpaid.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(unpaid.status(), SubscriptionStatus::Unpaid);
    unpaid
        .takes(Input::Told(told.clone()))
        .expect("never refused");
    assert_eq!(unpaid.status(), SubscriptionStatus::Active);
    let again = unpaid
        .decide(Input::Told(told.clone()))
        .expect("never refused");
    assert_eq!(again.subscription, unpaid.standing.subscription);

    voided.does(Command::Void(told.invoice_id.clone()));
    voided
        .takes(Input::Told(told.clone()))
        .expect("never refused");
    assert_eq!(voided.standing.subscription.credit, 1_000);
    voided.takes(Input::Told(told)).expect("never refused");
    assert_eq!(voided.standing.subscription.credit, 1_000, "once");
}

/// Nobody is charged again while a payment that had failed may hold money.
#[test]
fn a_failed_payment_that_is_torn_after_all_stops_the_dunning() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    let told = story.of_former(Outcome::NeedsReview);
    story
        .takes(Input::Told(told.clone()))
        .expect("never refused");
    assert_eq!(story.invoices[1].status.as_str(), "manual_review");
    assert_eq!(story.standing.due().map(|(_, due)| due), Some(Due::Bill));
    // Told again later it is no news: whoever tells it until nothing moves would tell it for ever.
    let reviewed = story.invoices[1].clone();
    story.now = story.now.plus_seconds(1).expect("in range");
    story
        .takes(Input::Told(told.clone()))
        .expect("never refused");
    assert_eq!(story.invoices[1], reviewed);
    story.does(Command::Collect(told.invoice_id.clone()));
    story.takes(Input::Told(told)).expect("never refused");
    story.passes(1);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
}

/// Two payments took money for one invoice: the second one is credit.
#[test]
fn what_is_paid_twice_is_credit() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    let first = story.of_former(paid());
    story.now = story.now.plus_seconds(DAY).expect("in range");
    story.takes(Input::Time).expect("it is tried again");
    story
        .takes(Input::Told(first.clone()))
        .expect("never refused");
    let mut both = story.clone();
    both.told(paid());
    assert_eq!(both.standing.subscription.credit, 1_000);
    assert_ne!(both.invoices[1].paid_by(), Some(&first.payment_id));
    // Where the second one fails, the first one has paid.
    story.told(failed(RetryAdvice::MayRetry));
    assert_eq!(story.standing.subscription.credit, 0);
    assert_eq!(story.invoices[1].paid_by(), Some(&first.payment_id));
    assert_eq!(story.standing.due().map(|(_, due)| due), Some(Due::Bill));
}

#[test]
fn a_payment_that_is_taken_back_is_looked_at_by_somebody() {
    let mut story = Story::active();
    story.passes(28);
    let told = story.of_former(failed(RetryAdvice::MayRetry));
    story.takes(Input::Told(told)).expect("never refused");
    let id = story.invoices[1].invoice_id.clone();
    assert_eq!(story.invoices[1].status.as_str(), "manual_review");
    assert_eq!(story.standing.due().map(|(_, due)| due), Some(Due::Bill));
    let mut voided = story.clone();
    voided.does(Command::Void(id.clone()));
    assert_eq!(voided.invoices[1].status.as_str(), "voided");
    story.does(Command::Collect(id));
    story.passes(1);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
    assert_eq!(story.invoices[1].tries.len(), 2);
}

/// Nobody knows what a payment took: the merchant looks, and gives the invoice up or has it charged again.
#[test]
fn a_review_has_an_end() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| Outcome::NeedsReview);
    let id = story.invoices[1].invoice_id.clone();
    assert_eq!(story.invoices[1].status.as_str(), "manual_review");
    let mut voided = story.clone();
    voided.does(Command::Void(id.clone()));
    let update = Update {
        plan: plan(monthly()),
    };
    voided.does(Command::Update(Box::new(update)));
    let mut written_off = story.clone();
    written_off.does(Command::Cancel(Cancel {
        receivables: ReceivablesHandling::WriteOff,
        ..cancel(When::Now)
    }));
    assert_eq!(written_off.invoices[1].status.as_str(), "voided");
    story.does(Command::Collect(id));
    let set_aside = story.invoices[1].tries[0].failed.as_ref();
    assert!(set_aside.expect("it has").is_set_aside);
    story.passes(1);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
}

/// A service that is too busy, or has no account, says nothing of the payer.
#[test]
fn a_try_for_which_nobody_was_asked_does_not_count() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(48 * DAY).expect("in range");
    story.until(end, |_| Outcome::NotAsked {
        why: "no account".to_owned(),
    });
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert_eq!(story.invoices[1].failures(), 0);
    assert!(story.invoices[1].tries.len() > 20);
    story.passes(2);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
    let mut never = Story::active();
    let end = never.now.plus_seconds(200 * DAY).expect("in range");
    never.until(end, |_| Outcome::NotAsked {
        why: "no account".to_owned(),
    });
    assert_eq!(never.status(), SubscriptionStatus::Unpaid, "in the end");
}

/// Together they are more than one payment may be.
#[test]
fn charges_that_are_too_much_for_one_invoice_have_one_each() {
    let mut price = monthly();
    price.amount_minor = multirail_domain::money::MAX_AMOUNT_MINOR - 1;
    let mut story = Story::begun(price);
    story.passes(28);
    story.does(Command::Pause(When::EndOfTerm));
    story.passes(40);
    story.does(Command::Resume(Resume {
        charges: ChargesHandling::AddToUnbilledCharges,
        ..resume(None)
    }));
    story.passes(40);
    assert_eq!(story.invoices.len(), 4);
    assert_eq!(story.invoices[2].amount, story.invoices[3].amount);
    story.does(Command::Cancel(cancel(When::EndOfTerm)));
    story.passes(40);
    assert_eq!(story.status(), SubscriptionStatus::Cancelled);
}

#[test]
fn what_is_planned_for_the_end_of_the_term_follows_the_term() {
    let mut weekly = monthly();
    weekly.interval = Some(
        multirail_domain::billing::calendar::Interval::new(
            multirail_domain::billing::calendar::IntervalUnit::Week,
            1,
        )
        .expect("an interval"),
    );
    let mut story = Story::active();
    story.does(Command::Cancel(cancel(When::EndOfTerm)));
    story.passes(3);
    let update = Update {
        plan: plan(weekly.clone()),
    };
    story.does(Command::Update(Box::new(update)));
    story.passes(7);
    assert_eq!(story.status(), SubscriptionStatus::Cancelled);
    assert_eq!(story.invoices.len(), 2, "one week");
    let mut story = Story::active();
    story.does(Command::Pause(When::EndOfTerm));
    story.passes(3);
    let update = Update { plan: plan(weekly) };
    story.does(Command::Update(Box::new(update)));
    story.passes(7);
    assert_eq!(story.status(), SubscriptionStatus::Paused);
}

/// The first payment of what was called off in between succeeds: its payer has had nothing, and gets it back.
#[test]
fn what_is_cancelled_while_pending_is_given_back_whole() {
    let mut story = Story::created(monthly());
    story.does(Command::Confirm);
    story.told(Outcome::Pending);
    story.passes(0);
    let effects = story.does(Command::Cancel(cancel(When::Now)));
    assert!(
        matches!(effects[0], Effect::CancelPayment(_)),
        "{effects:?}"
    );
    story.told(paid());
    assert_eq!(story.status(), SubscriptionStatus::Cancelled);
    let now = story.now.plus_seconds(60).expect("in range");
    story.until(now, |_| paid());
    assert_eq!(story.standing.subscription.refunded(), 1_000);
    assert_eq!(story.standing.subscription.credit, 0);
}

/// Another request's confirm is at work while one is refused: the payment is looked at still.
#[test]
fn a_refused_confirm_leaves_the_other_one_looked_at() {
    let mut story = Story::created(monthly());
    story.does(Command::Confirm);
    story.does(Command::Confirm);
    story.does(Command::Unconfirm);
    let end = story.now.plus_seconds(DAY).expect("in range");
    let mut seen = story.clone();
    seen.until(end, |_| paid());
    assert_eq!(seen.status(), SubscriptionStatus::Active);
    story.until(end, |_| Outcome::Untouched);
    assert_eq!(story.status(), SubscriptionStatus::Created);
    assert_eq!(story.standing.due(), None, "it isn't looked at for ever");
    story.does(Command::Confirm);
    assert!(story.standing.due().is_some());
}

proptest! {
    /// A worker who is late finds what one in time would have done.
    #[test]
    fn a_command_that_outruns_the_worker_bills_the_same(acts in proptest::collection::vec(late_act(), 1..12)) {
        let (mut late, mut in_time) = (Story::active(), Story::active());
        for act in acts {
            let end = late.now.plus_seconds(3_601).expect("in range");
            late.now = end;
            in_time.until(end, |_| paid());
            let command = match act {
                LateAct::Passes(days) => {
                    nobody_works(&mut late, days);
                    in_time.passes(days);
                    continue;
                }
                LateAct::Works => {
                    let now = late.now;
                    late.until(now, |_| paid());
                    continue;
                }
                LateAct::Pause(when) => Command::Pause(when.on(late.now)),
                LateAct::Cancel(when) => Command::Cancel(cancel(when.on(late.now))),
                LateAct::Resume(days) => {
                    let at = days.map(|days| late.now.plus_seconds(days * DAY).expect("in range"));
                    Command::Resume(resume(at))
                }
            };
            let first = late.takes(Input::Command(command.clone()));
            let second = in_time.takes(Input::Command(command));
            prop_assert_eq!(first.is_ok(), second.is_ok());
        }
        // Enough for all that is planned.
        let end = late.now;
        late.until(end, |_| paid());
        in_time.until(end, |_| paid());
        check(&late)?;
        prop_assert_eq!(late.status(), in_time.status());
        let next = |story: &Story| story.standing.subscription.next_billing_at;
        prop_assert_eq!(next(&late), next(&in_time));
        let billed = billed_time(&in_time);
        prop_assert_eq!(billed_time(&late), billed.clone());
        for (start, end) in &in_time.runs {
            let (start, end) = (start.as_micros(), end.unwrap_or(in_time.now).as_micros());
            let is_billed = |(from, to): &(i64, i64)| *from <= start && end <= *to;
            prop_assert!(billed.iter().any(is_billed), "not billed: {start} to {end}, {billed:?}");
        }
    }
}

#[derive(Clone, Debug)]
enum LateWhen {
    Now,
    EndOfTerm,
    In(i64),
}

impl LateWhen {
    fn on(self, now: Timestamp) -> When {
        match self {
            LateWhen::Now => When::Now,
            LateWhen::EndOfTerm => When::EndOfTerm,
            LateWhen::In(days) => When::At(now.plus_seconds(days * DAY).expect("in range")),
        }
    }
}

#[derive(Clone, Debug)]
enum LateAct {
    /// Nobody works meanwhile.
    Passes(i64),
    Works,
    Pause(LateWhen),
    Resume(Option<i64>),
    Cancel(LateWhen),
}

fn late_act() -> impl Strategy<Value = LateAct> {
    let when = || {
        prop_oneof![
            2 => Just(LateWhen::Now),
            1 => Just(LateWhen::EndOfTerm),
            1 => (1_i64..60).prop_map(LateWhen::In),
        ]
    };
    prop_oneof![
        5 => (1_i64..90).prop_map(LateAct::Passes),
        1 => Just(LateAct::Works),
        3 => when().prop_map(LateAct::Pause),
        4 => proptest::option::of(1_i64..60).prop_map(LateAct::Resume),
        1 => when().prop_map(LateAct::Cancel),
    ]
}

/// The stretches of time that are billed in the end, each as start and end in microseconds.
fn billed_time(story: &Story) -> Vec<(i64, i64)> {
    let mut depth = 0;
    let mut stretches: Vec<(i64, i64)> = Vec::new();
    for (at, change) in edges(story) {
        let before = depth;
        depth += change;
        match (before, depth) {
            (0, 1) => match stretches.last_mut() {
                Some(last) if last.1 == at => {}
                Some(_) | None => stretches.push((at, at)),
            },
            (1, 0) => {
                if let Some(last) = stretches.last_mut() {
                    last.1 = at;
                }
            }
            _ => {}
        }
    }
    stretches
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
                Act::PaidAfterAll(nth) => {
                    let told = story.of_nth_former(nth, paid());
                    story.takes(Input::Told(told)).expect("it is never refused");
                }
                Act::TakenBack(nth, how) => {
                    let told = story.of_nth_former(nth, how.outcome());
                    story.takes(Input::Told(told)).expect("it is never refused");
                }
            }
            check(&story)?;
            check_money(&story)?;
        }
    }
}

/// Lines add up, numbers and periods are unique, and what is charged and not given back never overlaps.
fn check(story: &Story) -> Result<(), TestCaseError> {
    let mut starts = Vec::new();
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
        prop_assert!(under_way <= 1, "one payment at a time");
        starts.extend(invoice.period.map(|period| period.start));
    }
    let unique = starts.len();
    starts.sort();
    starts.dedup();
    prop_assert_eq!(starts.len(), unique, "a period has one invoice");
    let edges = edges(story);
    // What an invoice charged may have been given back before its payment was taken back and it was voided.
    let was_paid = |invoice: &&Invoice| invoice.tries.iter().any(|one| one.is_taken_back);
    let voided = |invoice: &&Invoice| invoice.status.as_str() == "voided" && was_paid(invoice);
    let least = -i64::try_from(story.invoices.iter().filter(voided).count()).expect("few");
    let mut depth = 0;
    let mut index = 0;
    while index < edges.len() {
        let at = edges[index].0;
        while index < edges.len() && edges[index].0 == at {
            depth += edges[index].1;
            index += 1;
        }
        prop_assert!(
            (least..=1).contains(&depth),
            "billed {} times at {}",
            depth,
            at
        );
    }
    Ok(())
}

/// Where what is billed begins and ends, with what that adds to how often it is billed.
fn edges(story: &Story) -> Vec<(i64, i64)> {
    let mut charged: Vec<(i64, i64, i64)> = Vec::new();
    for invoice in &story.invoices {
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
    let mut edges: Vec<(i64, i64)> = charged
        .iter()
        .flat_map(|(start, end, sign)| [(*start, *sign), (*end, -*sign)])
        .collect();
    edges.sort();
    edges
}

/// What payments hold is what was charged, credit, or was refunded: nothing is lost and nothing is made.
fn check_money(story: &Story) -> Result<(), TestCaseError> {
    let subscription = &story.standing.subscription;
    let sum = |invoice: &Invoice, kinds: &[LineKind]| {
        let lines = invoice.lines.iter();
        let of_kinds = lines.filter(|line| kinds.contains(&line.kind));
        of_kinds.map(|line| line.amount_minor).sum::<i64>()
    };
    let (mut held, mut kept) = (0, 0);
    for invoice in &story.invoices {
        let credit = sum(invoice, &[LineKind::CreditUsed, LineKind::CreditGiven]);
        let back = sum(invoice, &[LineKind::Return, LineKind::TaxReturn]);
        let holds = |payment_id: &PaymentId| story.held.contains(payment_id);
        let tries = invoice.tries.iter().map(|one| &one.payment_id);
        let holding = tries.filter(|id| holds(id)).count();
        // What came while another payment is under way waits for what becomes of that.
        let waits = invoice.is_under_way() && holding > 0;
        let credited = invoice.credited().count();
        prop_assert!(invoice.credited().all(holds), "credit of no payment");
        if let Some(paid_by) = invoice.paid_by() {
            prop_assert!(holds(paid_by), "paid by nothing");
            prop_assert_eq!(holding, credited + 1);
        } else if !waits {
            prop_assert_eq!(holding, credited, "{:?}", invoice);
        }
        held +=
            invoice.amount * i64::try_from(if waits { credited } else { holding }).expect("few");
        kept += match invoice.status.as_str() {
            "invoice_paid" => invoice.amount - credit,
            // Only what had been paid before.
            "voided" => back,
            _ => -credit,
        };
    }
    prop_assert_eq!(held - subscription.refunded() - subscription.credit, kept);
    // What is given back was chosen, or came late.
    let at_most = subscription.refunding.as_ref().and_then(|it| it.at_most);
    prop_assert!(at_most.unwrap_or(0) >= 0);
    Ok(())
}
