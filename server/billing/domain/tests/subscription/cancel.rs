//! Stories about the money that a cancellation returns.

use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::subscription::*;
use multirail_billing_domain::tax::TaxRate;

use crate::given::*;
use crate::story::*;

fn cancelled(story: &mut Story, when: When, returns: ReturnOption) {
    let cancel = Cancel {
        returns,
        ..cancel(when)
    };
    story.does(Command::Cancel(cancel));
    story.passes(40);
    assert_eq!(story.status(), SubscriptionStatus::Cancelled);
}

/// Cancels at once and has the credit refunded.
pub fn refunded(story: &mut Story, returns: ReturnOption) {
    let cancel = Cancel {
        returns,
        credits: RefundableCreditsHandling::ScheduleRefund,
        ..cancel(When::Now)
    };
    story.does(Command::Cancel(cancel));
}

fn lines(invoice: &Invoice) -> Vec<(&str, i64)> {
    let lines = invoice.lines.iter();
    lines
        .map(|line| (line.kind.as_str(), line.amount_minor))
        .collect()
}

/// Returns each refund's payment, amount and status.
pub fn refunds(story: &Story) -> Vec<(&str, i64, &str)> {
    let refunds = story.standing.subscription.refunds.iter();
    refunds
        .map(|it| (it.payment_id.as_str(), it.amount, it.status.as_str()))
        .collect()
}

/// 18 of 28 days at 10 euros are unused.
#[test]
fn the_rest_of_the_term_is_given_back_or_all_of_it_or_nothing() {
    let after = |returns| {
        let mut story = Story::active();
        story.passes(10);
        cancelled(&mut story, When::Now, returns);
        story
    };
    let nothing = after(ReturnOption::None);
    assert_eq!(nothing.invoices.len(), 1);
    assert_eq!(nothing.standing.subscription.credit, 0);
    let rest = after(ReturnOption::Prorate);
    assert_eq!(
        lines(&rest.invoices[1]),
        [("return", -643), ("credit_given", 643)]
    );
    assert_eq!(rest.invoices[1].status.as_str(), "invoice_paid");
    assert_eq!(rest.invoices[1].period, None);
    assert_eq!(rest.standing.subscription.credit, 643);
    let all = after(ReturnOption::Full);
    assert_eq!(
        lines(&all.invoices[1]),
        [("return", -1_000), ("credit_given", 1_000)]
    );
}

#[test]
fn taxes_go_back_too() {
    let mut taxed = monthly();
    taxed.taxes = vec![TaxRate::new("VAT", 1_900).expect("a rate")];
    let mut story = Story::begun(taxed);
    story.passes(14);
    cancelled(&mut story, When::Now, ReturnOption::Prorate);
    assert_eq!(
        lines(&story.invoices[1]),
        [("return", -500), ("tax_return", -95), ("credit_given", 595)]
    );
}

#[test]
fn at_the_end_of_a_term_and_in_a_trial_nothing_is_left() {
    for returns in [ReturnOption::Prorate, ReturnOption::Full] {
        let mut story = Story::active();
        story.passes(10);
        cancelled(&mut story, When::EndOfTerm, returns);
        assert_eq!(story.invoices.len(), 1);
        let mut free = monthly();
        free.trial_days = 14;
        let mut story = Story::begun(free);
        story.passes(3);
        cancelled(&mut story, When::Now, returns);
        assert_eq!(story.invoices.len(), 1);
        assert_eq!(story.standing.subscription.credit, 0);
    }
}

/// A late server returns the same amount.
#[test]
fn a_date_is_the_moment_that_counts() {
    let mut story = Story::active();
    let date = story.now.plus_seconds(14 * DAY).expect("in range");
    let cancel = Cancel {
        returns: ReturnOption::Prorate,
        ..cancel(When::At(date))
    };
    story.does(Command::Cancel(cancel));
    story.now = story.now.plus_seconds(90 * DAY).expect("in range");
    let now = story.now;
    story.until(now, |_| paid());
    assert_eq!(story.standing.subscription.credit, 500);
}

/// Charges that are on no invoice yet are limited to the time before, and returns are set off against them.
#[test]
fn unbilled_charges_are_cut_and_set_off() {
    let after = |returns, unbilled| {
        let mut story = Story::active();
        story.passes(7);
        story.does(Command::Pause(When::Now));
        story.passes(1);
        story.does(Command::Resume(Resume {
            charges: ChargesHandling::AddToUnbilledCharges,
            ..resume(None)
        }));
        story.passes(14);
        let cancel = Cancel {
            returns,
            unbilled,
            ..cancel(When::Now)
        };
        story.does(Command::Cancel(cancel));
        assert_eq!(story.standing.subscription.unbilled, []);
        assert_eq!(story.standing.subscription.owed, []);
        lines(&story.invoices[1])
            .into_iter()
            .map(|(kind, amount)| format!("{kind} {amount}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (invoice, delete) = (
        UnbilledChargesOption::Invoice,
        UnbilledChargesOption::Delete,
    );
    let seen = [
        after(ReturnOption::None, invoice),
        after(ReturnOption::Prorate, invoice),
        after(ReturnOption::Full, invoice),
        after(ReturnOption::Full, delete),
    ];
    // The pause left three quarters of the first period to return, whatever option is chosen.
    assert_eq!(
        seen,
        [
            "subscription 1000, return -750",
            "proration 500, return -750, credit_given 250",
            "return -750, credit_given 750",
            "return -750, credit_given 750",
        ]
    );
}

#[test]
fn charges_of_an_open_invoice_are_returned_once_it_is_paid() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    let mut written_off = story.clone();
    refunded(&mut story, ReturnOption::Full);
    assert_eq!(story.invoices.len(), 2, "nobody has paid it");
    assert_eq!(story.standing.subscription.credit, 0);
    let open = story.invoices[1].invoice_id.clone();
    story.does(Command::Collect(open));
    story.passes(1);
    assert_eq!(
        lines(&story.invoices[2]),
        [("return", -1_000), ("credit_given", 1_000)]
    );
    assert_eq!(refunds(&story), [("pay_4", 1_000, "succeeded")]);

    let cancel = Cancel {
        returns: ReturnOption::Full,
        receivables: ReceivablesHandling::WriteOff,
        ..cancel(When::Now)
    };
    written_off.does(Command::Cancel(cancel));
    assert_eq!(written_off.standing.subscription.owed, []);
    assert_eq!(written_off.standing.subscription.credit, 0);
}

/// Half of the first price's period was used before the second price applied.
#[test]
fn all_prices_of_the_term_go_back_in_full() {
    let mut story = Story::active();
    story.passes(14);
    let mut dearer = monthly();
    dearer.amount_minor = 3_000;
    story.does(Command::Update(Box::new(update(dearer))));
    story.passes(7);
    let mut rest = story.clone();
    cancelled(&mut story, When::Now, ReturnOption::Full);
    assert_eq!(
        lines(&story.invoices[2]),
        [
            ("return", -500),
            ("return", -1_500),
            ("credit_given", 2_000)
        ]
    );
    cancelled(&mut rest, When::Now, ReturnOption::Prorate);
    assert_eq!(
        lines(&rest.invoices[2]),
        [("return", -750), ("credit_given", 750)]
    );
}

#[test]
fn returns_and_credit_of_a_voided_invoice_become_credit_again() {
    let mut story = Story::active();
    story.passes(14);
    let mut dearer = monthly();
    dearer.amount_minor = 3_000;
    story.does(Command::Update(Box::new(update(dearer))));
    let end = story.now.plus_seconds(1).expect("in range");
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(
        lines(&story.invoices[1]),
        [("proration", 1_500), ("return", -500)]
    );
    let mut written_off = story.clone();
    story.does(Command::Void(story.invoices[1].invoice_id.clone()));
    assert_eq!(story.standing.subscription.credit, 500);
    let cancel = Cancel {
        receivables: ReceivablesHandling::WriteOff,
        credits: RefundableCreditsHandling::ScheduleRefund,
        ..cancel(When::Now)
    };
    written_off.does(Command::Cancel(cancel));
    written_off.passes(1);
    assert_eq!(refunds(&written_off), [("pay_1", 500, "succeeded")]);
}

/// Money that the payer already has back isn't returned, in whatever order the events come.
#[test]
fn manually_refunded_money_is_not_returned() {
    let mut story = Story::active();
    story.passes(28);
    let second = story.invoices[1].invoice_id.clone();
    let mut meanwhile = story.clone();
    story.by_hand.push((second.clone(), 800));
    refunded(&mut story, ReturnOption::Full);
    assert_eq!(
        lines(&story.invoices[2]),
        [("return", -200), ("credit_given", 200)]
    );
    story.passes(1);
    assert_eq!(refunds(&story), [("pay_3", 200, "succeeded")]);

    refunded(&mut meanwhile, ReturnOption::Full);
    // The same holds for a manual refund that isn't known yet.
    let mut unheard = meanwhile.clone();
    unheard.by_hand.push((second.clone(), 800));
    unheard.passes(1);
    assert_eq!(refunds(&unheard), [("pay_3", 200, "succeeded")]);
    meanwhile.refunds_by_hand(&second, 800);
    meanwhile.passes(1);
    assert_eq!(refunds(&meanwhile), [("pay_3", 200, "succeeded")]);
    assert_eq!(meanwhile.standing.subscription.credit, 0);
}

/// Manual and automatic returns together never exceed the charge with taxes, and no refund counts twice.
#[test]
fn earlier_returns_count() {
    let mut taxed = monthly();
    taxed.taxes = vec![TaxRate::new("VAT", 1_900).expect("a rate")];
    let mut story = Story::begun(taxed);
    story.passes(14);
    let first = story.invoices[0].invoice_id.clone();
    story.by_hand.push((first, 800));
    story.does(Command::Pause(When::Now));
    story.does(Command::Resume(resume(None)));
    let now = story.now;
    story.until(now, |_| paid());
    // Half of the 1190 was unused, and the payer hadn't got 390 of it back yet.
    assert_eq!(
        lines(&story.invoices[1]),
        [
            ("subscription", 1_000),
            ("return", -328),
            ("tax", 190),
            ("tax_return", -62)
        ]
    );
    assert_eq!(story.invoices[1].amount, 800);
    refunded(&mut story, ReturnOption::Full);
    assert_eq!(story.standing.subscription.credit, 1_190);
}

/// A change of plan doesn't return a refunded charge either. A pause of a refunded period leaves nothing for the next
/// one.
#[test]
fn a_refunded_period_is_no_credit() {
    let mut story = Story::active();
    story.passes(14);
    let first = story.invoices[0].invoice_id.clone();
    story.by_hand.push((first.clone(), 1_000));
    let mut cheaper = monthly();
    cheaper.amount_minor = 500;
    let mut changed = story.clone();
    changed.does(Command::Update(Box::new(update(cheaper))));
    assert_eq!(lines(&changed.invoices[1]), [("proration", 250)]);
    story.by_hand.clear();
    story.does(Command::Pause(When::Now));
    story.by_hand.push((first, 1_000));
    story.does(Command::Resume(resume(None)));
    story.passes(1);
    assert_eq!(lines(&story.invoices[1]), [("subscription", 1_000)]);
}

/// An update to the same plan makes no empty invoice.
#[test]
fn an_update_to_the_same_changes_nothing() {
    let mut story = Story::active();
    story.passes(3);
    let before = story.standing.clone();
    let same = Update {
        name: "Reader".to_owned(),
        price: monthly(),
        quantity: None,
    };
    let step = story.decide(Input::Command(Command::Update(Box::new(same.clone()))));
    assert_eq!(step.expect("it may").subscription, before.subscription);
    let more = Update {
        quantity: Some(2),
        ..same
    };
    story.does(Command::Update(Box::new(more)));
    assert_eq!(story.standing.subscription.plan.quantity, 2);
    let mut dearer = monthly();
    dearer.amount_minor = 3_000;
    story.passes(1);
    story.does(Command::Update(Box::new(update(dearer))));
    assert_eq!(story.standing.subscription.plan.quantity, 2, "as before");
}

/// An unpaid invoice returns nothing; a payment that comes late is returned.
#[test]
fn a_first_payment_that_comes_after_the_end_is_given_back() {
    let mut story = Story::created(monthly());
    story.does(Command::Confirm);
    story.reports(Outcome::Pending);
    refunded(&mut story, ReturnOption::Full);
    assert_eq!(story.standing.subscription.credit, 0);
    story.reports(paid());
    assert_eq!(story.standing.subscription.credit, 1_000);
    let now = story.now;
    story.until(now, |_| paid());
    assert_eq!(refunds(&story), [("pay_1", 1_000, "pending")]);
}

/// The first payment of a subscription cancelled meanwhile succeeds. The payer received nothing and gets the money
/// back.
#[test]
fn a_subscription_cancelled_while_pending_is_refunded_in_full() {
    let mut story = Story::created(monthly());
    story.does(Command::Confirm);
    story.reports(Outcome::Pending);
    story.passes(0);
    let effects = story.does(Command::Cancel(cancel(When::Now)));
    assert!(
        matches!(effects[0], Effect::CancelPayment(_)),
        "{effects:?}"
    );
    story.reports(paid());
    assert_eq!(story.status(), SubscriptionStatus::Cancelled);
    let now = story.now.plus_seconds(60).expect("in range");
    story.until(now, |_| paid());
    assert_eq!(story.standing.subscription.refunded(), 1_000);
    assert_eq!(story.standing.subscription.credit, 0);
}

/// The first payment took only a part. Voiding and cancelling both refund the part.
#[test]
fn a_first_invoice_under_review_has_an_end() {
    let mut story = Story::created_with(monthly(), Some(half()));
    story.does(Command::Confirm);
    story.reports(Outcome::Pending);
    story.reports(Outcome::NeedsReview);
    assert_eq!(story.invoices[0].status.as_str(), "manual_review");
    let payment_id = story.of_payment(Outcome::Pending).payment_id;
    story.holds = vec![Held {
        payment_id,
        amount: 1,
        taken_back: 0,
    }];
    let mut voided = story.clone();
    let effects = voided.does(Command::Void(story.invoices[0].invoice_id.clone()));
    assert!(effects.contains(&Effect::GiveCouponBack), "{effects:?}");
    assert_eq!(voided.status(), SubscriptionStatus::Failed);
    let effects = story.does(Command::Cancel(cancel(When::Now)));
    assert!(effects.contains(&Effect::GiveCouponBack), "{effects:?}");
    assert_eq!(story.status(), SubscriptionStatus::Cancelled);
    for mut over in [voided, story] {
        assert_eq!(over.invoices[0].status.as_str(), "voided");
        over.passes(1);
        assert_eq!(refunds(&over), [("pay_1", 1, "succeeded")]);
        assert_eq!(over.standing.subscription.credit, 0);
        // If the rest comes after all, it is refunded as well.
        let told = over.of_former(paid());
        over.takes(Input::Told(told)).expect("it is never refused");
        over.passes(1);
        assert_eq!(over.standing.subscription.refunded(), 500);
    }
}

/// The review begins after the subscription was cancelled or had failed. The payment's money is refunded automatically.
#[test]
fn money_reviewed_after_the_end_is_refunded() {
    let mut begun = Story::created(monthly());
    begun.does(Command::Confirm);
    begun.reports(Outcome::Pending);
    let told = begun.of_payment(Outcome::NeedsReview);
    let mut cancelled = begun.clone();
    cancelled.does(Command::Cancel(cancel(When::Now)));
    let mut refused = begun;
    refused.reports(failed(RetryAdvice::MayRetry));
    assert_eq!(refused.status(), SubscriptionStatus::Failed);
    for mut over in [cancelled, refused] {
        // Without known money to refund, the merchant must review the invoice.
        let mut torn = over.clone();
        torn.takes(Input::Told(told.clone()))
            .expect("it is never refused");
        assert_eq!(torn.invoices[0].status.as_str(), "manual_review");
        over.holds = vec![Held {
            payment_id: told.payment_id.clone(),
            amount: 300,
            taken_back: 0,
        }];
        over.takes(Input::Told(told.clone()))
            .expect("it is never refused");
        assert_eq!(over.invoices[0].status.as_str(), "voided");
        over.passes(1);
        assert_eq!(refunds(&over), [("pay_1", 300, "succeeded")]);
        assert_eq!(over.standing.subscription.credit, 0);
        // A repeated report refunds nothing more.
        let before = over.standing.subscription.clone();
        over.takes(Input::Told(told.clone()))
            .expect("it is never refused");
        over.passes(1);
        assert_eq!(over.standing.subscription.refunds.len(), 1);
        assert_eq!(over.standing.subscription.credit, before.credit);
    }
}
