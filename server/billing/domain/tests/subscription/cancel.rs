//! What a cancellation gives back.

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

/// Cancelled at once, and its credit is refunded.
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

/// The payments that were refunded, how much of each, and how that stands.
pub fn refunds(story: &Story) -> Vec<(&str, i64, &str)> {
    let refunds = story.standing.subscription.refunds.iter();
    refunds
        .map(|it| (it.payment_id.as_str(), it.amount, it.status.as_str()))
        .collect()
}

/// Of 28 days at 10 euros 18 are left.
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

/// A server that comes late gives back no less.
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

/// What no invoice has yet is charged for the time before only, and what is given back is set off against it.
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
    // The pause left three quarters of the first period over, whatever is chosen.
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
fn what_an_open_invoice_charged_is_given_back_once_it_is_paid() {
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

/// Half of the first price was used before the second one came.
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
fn what_a_voided_invoice_had_set_off_is_credit_again() {
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

/// What the payer has back already is not given back, whatever comes first.
#[test]
fn what_was_refunded_by_hand_is_not_given_back() {
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
    // Neither does a refund that is made before it is heard of.
    let mut unheard = meanwhile.clone();
    unheard.by_hand.push((second.clone(), 800));
    unheard.passes(1);
    assert_eq!(refunds(&unheard), [("pay_3", 200, "succeeded")]);
    meanwhile.refunds_by_hand(&second, 800);
    meanwhile.passes(1);
    assert_eq!(refunds(&meanwhile), [("pay_3", 200, "succeeded")]);
    assert_eq!(meanwhile.standing.subscription.credit, 0);
}

/// By hand and by itself no more goes back than was charged, taxes included, and it isn't counted twice.
#[test]
fn what_was_given_back_before_counts() {
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
    // Of the 1190 half was left over, and 390 the payer had not back yet.
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

/// A plan that is changed gives nothing back either, and the pause of a refunded period leaves nothing for the next one.
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

/// Who says what it is already has no invoice of nothing.
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

/// Who has not paid is given back nothing, and whose payment comes late is.
#[test]
fn a_first_payment_that_comes_after_the_end_is_given_back() {
    let mut story = Story::created(monthly());
    story.does(Command::Confirm);
    story.told(Outcome::Pending);
    refunded(&mut story, ReturnOption::Full);
    assert_eq!(story.standing.subscription.credit, 0);
    story.told(paid());
    assert_eq!(story.standing.subscription.credit, 1_000);
    let now = story.now;
    story.until(now, |_| paid());
    assert_eq!(refunds(&story), [("pay_1", 1_000, "pending")]);
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

/// Only a part of the first payment was taken. Whoever gives it up, by voiding or by cancelling, gives the part back.
#[test]
fn a_first_invoice_under_review_has_an_end() {
    let mut story = Story::created_with(monthly(), Some(half()));
    story.does(Command::Confirm);
    story.told(Outcome::Pending);
    story.told(Outcome::NeedsReview);
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
        // Should the rest come after all, it goes back as well.
        let told = over.of_former(paid());
        over.takes(Input::Told(told)).expect("it is never refused");
        over.passes(1);
        assert_eq!(over.standing.subscription.refunded(), 500);
    }
}

/// It comes under review when it was cancelled already, or had failed: what its payment holds goes back by itself.
#[test]
fn what_comes_under_review_after_the_end_goes_back() {
    let mut begun = Story::created(monthly());
    begun.does(Command::Confirm);
    begun.told(Outcome::Pending);
    let told = begun.of_payment(Outcome::NeedsReview);
    let mut cancelled = begun.clone();
    cancelled.does(Command::Cancel(cancel(When::Now)));
    let mut refused = begun;
    refused.told(failed(RetryAdvice::MayRetry));
    assert_eq!(refused.status(), SubscriptionStatus::Failed);
    for mut over in [cancelled, refused] {
        // Where nothing is known that could go back, somebody has to look.
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
        // Told once more, nothing more goes back.
        let before = over.standing.subscription.clone();
        over.takes(Input::Told(told.clone()))
            .expect("it is never refused");
        over.passes(1);
        assert_eq!(over.standing.subscription.refunds.len(), 1);
        assert_eq!(over.standing.subscription.credit, before.credit);
    }
}
