//! Stories about late and reversed money: each payment's money counts once.

use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::subscription::*;
use multirail_kernel::ids::PaymentId;

use crate::given::*;
use crate::story::*;

impl Story {
    /// Reports an outcome of this payment for the invoice at this index.
    fn hears(&mut self, index: usize, payment_id: &PaymentId, outcome: Outcome) {
        let told = Told {
            invoice_id: self.invoices[index].invoice_id.clone(),
            payment_id: payment_id.clone(),
            outcome,
        };
        self.takes(Input::Told(told.clone()))
            .expect("never refused");
        // A repeated report changes nothing.
        let once = self.standing.subscription.clone();
        self.takes(Input::Told(told)).expect("never refused");
        assert_eq!(self.standing.subscription, once);
    }

    fn status_of(&self, index: usize) -> &str {
        self.invoices[index].status.as_str()
    }

    fn credit(&self) -> i64 {
        self.standing.subscription.credit
    }
}

fn taken_back() -> Outcome {
    failed(RetryAdvice::MayRetry)
}

/// The second invoice was paid by its second payment, and its first one took money after all.
fn paid_twice() -> (Story, PaymentId, PaymentId) {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    story.passes(1);
    let tries: Vec<PaymentId> = story.invoices[1]
        .tries
        .iter()
        .map(|one| one.payment_id.clone())
        .collect();
    let [first, second] = tries.as_slice() else {
        panic!("{tries:?}");
    };
    story.hears(1, first, paid());
    assert_eq!(story.credit(), 1_000);
    assert_eq!(story.invoices[1].paid_by(), Some(second));
    (story, first.clone(), second.clone())
}

/// Additionally, the next invoice was paid with that credit.
fn spent() -> (Story, PaymentId, PaymentId) {
    let (mut story, first, second) = paid_twice();
    story.passes(31);
    assert_eq!(story.invoices[2].credit_used, 1_000);
    assert_eq!((story.status_of(2), story.credit()), ("invoice_paid", 0));
    (story, first, second)
}

#[test]
fn one_of_two_payments_pays_whichever_is_reversed() {
    let (mut story, first, second) = paid_twice();
    let mut other = story.clone();
    story.hears(1, &second, taken_back());
    assert_eq!((story.status_of(1), story.credit()), ("invoice_paid", 0));
    assert_eq!(story.invoices[1].paid_by(), Some(&first));
    // The returning money is surplus again.
    story.hears(1, &second, paid());
    assert_eq!(
        (story.status_of(1), story.credit()),
        ("invoice_paid", 1_000)
    );

    other.hears(1, &first, taken_back());
    assert_eq!((other.status_of(1), other.credit()), ("invoice_paid", 0));
    assert_eq!(other.invoices[1].paid_by(), Some(&second));
    other.hears(1, &second, taken_back());
    assert_eq!((other.status_of(1), other.credit()), ("manual_review", 0));
}

#[test]
fn late_money_is_credited_once_whatever_follows() {
    let (mut story, _, second) = spent();
    story.hears(1, &second, taken_back());
    assert_eq!((story.status_of(1), story.credit()), ("manual_review", 0));
    let id = story.invoices[1].invoice_id.clone();
    let mut voided = story.clone();
    voided.does(Command::Void(id.clone()));
    assert_eq!((voided.status_of(1), voided.credit()), ("voided", 0));
    story.does(Command::Collect(id));
    story.passes(1);
    assert_eq!((story.status_of(1), story.credit()), ("invoice_paid", 0));
    let third = story.invoices[1].last_payment();
    assert_eq!(story.invoices[1].paid_by(), third);
}

/// The debt isn't charged automatically. Later credit covers it first.
#[test]
fn late_money_that_is_taken_back_is_no_credit_and_where_it_was_spent_it_is_owed() {
    let (mut story, first, _) = spent();
    story.hears(1, &first, taken_back());
    assert_eq!(
        (story.status_of(1), story.credit()),
        ("invoice_paid", -1_000)
    );
    assert_eq!(story.standing.subscription.owed_by_customer(), 1_000);
    let mut returned = story.clone();
    returned.hears(1, &first, paid());
    assert_eq!(returned.credit(), 0);
    story.passes(31);
    let next = story.invoices.last().expect("one");
    assert_eq!((next.amount, next.credit_used), (1_000, 0));
    let cancel = Cancel {
        returns: ReturnOption::Full,
        credits: RefundableCreditsHandling::ScheduleRefund,
        ..cancel(When::Now)
    };
    story.does(Command::Cancel(cancel));
    assert_eq!(story.credit(), 0, "a whole period came back");
    story.passes(1);
    assert_eq!(story.standing.subscription.refunds, []);
}

#[test]
fn money_reversed_before_it_counted_pays_nothing() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    let first = story.invoices[1].tries[0].payment_id.clone();
    story.now = story.now.plus_seconds(DAY).expect("in range");
    story.takes(Input::Time).expect("it is tried again");
    story.hears(1, &first, paid());
    story.hears(1, &first, taken_back());
    story.reports(failed(RetryAdvice::MayRetry));
    assert_eq!((story.status_of(1), story.credit()), ("payment_failed", 0));
    assert!(story.invoices[1].due_at.is_some(), "it is tried again");
}

/// The merchant chose to keep the credit that the cancellation returned.
#[test]
fn only_late_money_is_refunded_when_credit_stays() {
    let (mut story, first, second) = paid_twice();
    story.hears(1, &first, taken_back());
    story.passes(14);
    let cancel = Cancel {
        returns: ReturnOption::Full,
        ..cancel(When::Now)
    };
    story.does(Command::Cancel(cancel));
    assert_eq!(story.credit(), 1_000);
    let kept = story.clone();
    story.hears(1, &first, paid());
    assert_eq!(story.credit(), 2_000);
    story.passes(1);
    let refunds = &story.standing.subscription.refunds;
    let refunds: Vec<_> = refunds
        .iter()
        .map(|it| (&it.payment_id, it.amount, it.status.as_str()))
        .collect();
    assert_eq!(refunds, [(&first, 1_000, "succeeded")]);
    assert_eq!(story.credit(), 1_000);
    story.passes(40);
    assert_eq!(story.standing.subscription.refunds.len(), 1);
    // The refunded payment is reversed, and the kept credit covers it.
    story.hears(1, &first, taken_back());
    assert_eq!(story.credit(), 0);

    let mut in_time = kept;
    in_time.hears(1, &first, paid());
    in_time.hears(1, &first, taken_back());
    in_time.passes(1);
    assert_eq!(in_time.credit(), 1_000);
    assert_eq!(in_time.standing.subscription.refunds, []);
    in_time.hears(1, &second, paid());
    assert_eq!(in_time.credit(), 1_000);
}

/// A capture that fails after all leaves a payment that can be captured again.
#[test]
fn a_payment_that_has_not_taken_its_money_any_more_pays_nothing() {
    let mut story = Story::active();
    let first = story.invoices[0].tries[0].payment_id.clone();
    story.hears(0, &first, Outcome::Pending);
    assert_eq!(story.status_of(0), "manual_review");
    assert_eq!(story.invoices[0].paid_at, None);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    let mut captured = story.clone();
    let soon = story.now.plus_seconds(3_600).expect("in range");
    captured.until(soon, |_| paid());
    assert_eq!(captured.status_of(0), "invoice_paid");
    assert_eq!(captured.invoices[0].tries.len(), 1);
    // The authorization lapses: the invoice stays under review and isn't charged automatically.
    story.until(soon, |_| failed(RetryAdvice::MayRetry));
    assert_eq!(story.status_of(0), "manual_review");
    assert_eq!(story.invoices[0].due_at, None);
    assert_eq!(story.invoices[0].tries.len(), 1);
    assert_eq!(story.status(), SubscriptionStatus::Active);
    story.does(Command::Collect(story.invoices[0].invoice_id.clone()));
    story.passes(1);
    assert_eq!(story.status_of(0), "invoice_paid");
    assert_eq!(story.invoices[0].tries.len(), 2);
}

#[test]
fn late_and_credited_payments_may_be_reversed_too() {
    let (mut story, first, second) = paid_twice();
    for outcome in [Outcome::Pending, Outcome::NeedsReview, Outcome::Untouched] {
        story.hears(1, &first, outcome);
        assert_eq!(story.credit(), 0);
        story.hears(1, &first, paid());
        assert_eq!(story.credit(), 1_000);
    }
    story.hears(1, &second, Outcome::Pending);
    assert_eq!(story.invoices[1].paid_by(), Some(&first));
    assert_eq!(story.credit(), 0);
    story.hears(1, &first, Outcome::Pending);
    assert_eq!(story.status_of(1), "manual_review");
    story.hears(1, &first, paid());
    assert_eq!((story.status_of(1), story.credit()), ("invoice_paid", 0));
    story.hears(1, &second, paid());
    assert_eq!(
        (story.status_of(1), story.credit()),
        ("invoice_paid", 1_000)
    );
    // A payment that holds only a part needs a review, whatever else was paid.
    story.hears(1, &first, Outcome::NeedsReview);
    assert_eq!(story.status_of(1), "manual_review");
}

/// An invoice under review isn't charged with the others. Otherwise it would stay due and block all other work.
#[test]
fn a_review_is_no_part_of_a_collection_of_all() {
    let mut story = Story::active();
    let first = story.invoices[0].tries[0].payment_id.clone();
    story.hears(0, &first, taken_back());
    let collect = Cancel {
        receivables: ReceivablesHandling::SchedulePaymentCollection,
        ..cancel(When::Now)
    };
    let mut resumed = story.clone();
    story.does(Command::Cancel(collect));
    assert_eq!(story.standing.due(), None);
    resumed.does(Command::Pause(When::Now));
    resumed.does(Command::Resume(Resume {
        unpaid_invoices: UnpaidInvoicesHandling::SchedulePaymentCollection,
        ..resume(None)
    }));
    resumed.passes(1);
    assert_eq!(resumed.status_of(0), "manual_review");
    assert_eq!(resumed.status_of(1), "invoice_paid");
}

/// A payment that was set aside may be made again, but money that is already there pays first.
#[test]
fn another_payment_that_took_the_money_pays() {
    let (mut story, first, second) = spent();
    story.hears(1, &first, taken_back());
    story.hears(1, &second, Outcome::Pending);
    assert_eq!(story.status_of(1), "manual_review");
    story.hears(1, &first, paid());
    assert_eq!(
        story.status_of(1),
        "manual_review",
        "the other may pay still"
    );
    story.does(Command::Collect(story.invoices[1].invoice_id.clone()));
    assert_eq!(story.status_of(1), "invoice_paid");
    assert_eq!(story.invoices[1].paid_by(), Some(&first));
    assert_eq!(story.invoices[1].tries.len(), 2);
}

#[test]
fn a_failed_payment_that_succeeds_after_all_pays() {
    // The success comes before the next attempt, after the last attempt, and for a voided invoice.
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

/// Nobody is charged while a failed payment may hold money.
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
    // A repeated report changes nothing, so a caller that repeats it until nothing changes will stop.
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

/// Two payments took money for one invoice: the second one becomes credit.
#[test]
fn a_second_payment_becomes_credit() {
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
    both.reports(paid());
    assert_eq!(both.standing.subscription.credit, 1_000);
    assert_ne!(both.invoices[1].paid_by(), Some(&first.payment_id));
    // If the second payment fails, the first one has paid.
    story.reports(failed(RetryAdvice::MayRetry));
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

/// The money that a payment took is unknown. The merchant reviews the invoice and voids it or has it charged again.
#[test]
fn a_review_has_an_end() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| Outcome::NeedsReview);
    let id = story.invoices[1].invoice_id.clone();
    assert_eq!(story.invoices[1].status.as_str(), "manual_review");
    let mut voided = story.clone();
    voided.does(Command::Void(id.clone()));
    voided.does(Command::Update(Box::new(update(monthly()))));
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
