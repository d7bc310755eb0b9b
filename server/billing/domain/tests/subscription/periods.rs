//! Stories about periods and their invoices over a long time.

use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::subscription::*;

use crate::given::*;
use crate::story::*;

/// Returns the first day of each invoice's period.
pub(crate) fn days(story: &Story) -> Vec<String> {
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

/// A server that was down for months bills each missed period.
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
    // 18 of 28 days were unused when it was paused.
    assert_eq!(story.invoices[1].amount, 1_000 - 643);
}

#[test]
fn a_held_charge_stands_on_the_next_invoice() {
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

/// The charge's return must not be made twice, by the invoice and by the next pause.
#[test]
fn a_held_charge_is_limited_by_a_pause() {
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
    // None of the first period was used, and half of the second.
    assert_eq!(story.invoices[1].amount, 500);
    story.does(Command::Pause(When::Now));
    let owed = &story.standing.subscription.owed;
    assert_eq!(owed.len(), 1, "of the third period: {owed:?}");
}

#[test]
fn open_invoices_are_collected_after_a_pause_if_requested() {
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

/// The charges together exceed the limit of one payment.
#[test]
fn charges_that_are_too_much_for_one_invoice_have_one_each() {
    let mut price = monthly();
    price.amount_minor = multirail_kernel::money::MAX_AMOUNT_MINOR - 1;
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
fn plans_for_the_end_of_the_term_move_with_it() {
    let mut weekly = monthly();
    weekly.interval = Some(
        multirail_billing_domain::calendar::Interval::new(
            multirail_billing_domain::calendar::IntervalUnit::Week,
            1,
        )
        .expect("an interval"),
    );
    let mut story = Story::active();
    story.does(Command::Cancel(cancel(When::EndOfTerm)));
    story.passes(3);
    story.does(Command::Update(Box::new(update(weekly.clone()))));
    story.passes(7);
    assert_eq!(story.status(), SubscriptionStatus::Cancelled);
    assert_eq!(story.invoices.len(), 2, "one week");
    let mut story = Story::active();
    story.does(Command::Pause(When::EndOfTerm));
    story.passes(3);
    story.does(Command::Update(Box::new(update(weekly))));
    story.passes(7);
    assert_eq!(story.status(), SubscriptionStatus::Paused);
}

/// The charge held from the earlier period is for time that was used.
#[test]
fn a_full_return_is_of_the_current_period_alone() {
    let mut story = Story::active();
    story.does(Command::Pause(When::EndOfTerm));
    story.passes(40);
    story.does(Command::Resume(Resume {
        charges: ChargesHandling::AddToUnbilledCharges,
        ..resume(None)
    }));
    story.passes(35);
    assert_eq!(story.invoices[1].amount, 2_000, "two periods");
    story.does(Command::Cancel(Cancel {
        returns: multirail_billing_domain::charge::ReturnOption::Full,
        ..cancel(When::Now)
    }));
    assert_eq!(story.standing.subscription.credit, 1_000);
}
