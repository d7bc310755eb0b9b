//! Stories about manual refunds of payments whose charges were already returned as credit: the credit is withdrawn.

use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::subscription::*;
use multirail_kernel::ids::{InvoiceId, PaymentId};

use crate::cancel::{refunded, refunds};
use crate::given::*;
use crate::story::*;

fn goes_over_to(story: &mut Story, amount_minor: i64) {
    let mut price = monthly();
    price.amount_minor = amount_minor;
    story.does(Command::Update(Box::new(update(price))));
    story.until(story.now, |_| paid());
}

fn first(story: &Story) -> InvoiceId {
    story.invoices[0].invoice_id.clone()
}

/// Twenty euros were paid, then the price was halved: ten euros pay this period, and ten are credit.
fn with_credit() -> Story {
    let mut dear = monthly();
    dear.amount_minor = 2_000;
    let mut story = Story::begun(dear);
    goes_over_to(&mut story, 1_000);
    assert_eq!(story.standing.subscription.credit, 1_000);
    story
}

/// A negative credit is owed: the ten euros that pay this period were refunded as well.
#[test]
fn credit_of_a_payment_that_is_refunded_goes_with_it() {
    for (by_hand, credit) in [(1_000, 0), (2_000, -1_000)] {
        let mut story = with_credit();
        let invoice = first(&story);
        story.refunds_by_hand(&invoice, by_hand);
        assert_eq!(story.standing.subscription.credit, credit);
        story.passes(28);
        let renewed = story.invoices.last().expect("one");
        assert_eq!(renewed.amount, 1_000, "the next period is paid for");
        assert_eq!(story.standing.subscription.credit, credit);
    }
}

/// Half of the time was used. The first manual refund returns its cost and doesn't reduce the credit.
#[test]
fn a_refund_of_what_is_left_takes_no_credit() {
    let mut story = Story::active();
    story.passes(14);
    goes_over_to(&mut story, 500);
    let invoice = first(&story);
    for (by_hand, credit) in [(300, 250), (200, 250), (150, 100), (0, 100)] {
        story.refunds_by_hand(&invoice, by_hand);
        assert_eq!(story.standing.subscription.credit, credit, "{by_hand}");
    }
}

/// Spent credit can't be withdrawn. Later credit covers the debt first.
#[test]
fn spent_credit_is_owed() {
    let mut story = with_credit();
    story.passes(28);
    assert_eq!(story.invoices.last().expect("one").amount, 0);
    let invoice = first(&story);
    story.refunds_by_hand(&invoice, 2_000);
    assert_eq!(story.standing.subscription.owed_by_customer(), 2_000);
    story.passes(31);
    assert_eq!(story.invoices.last().expect("one").amount, 1_000);
    assert_eq!(story.standing.subscription.owed_by_customer(), 2_000);
    refunded(&mut story, ReturnOption::Full);
    story.passes(1);
    assert_eq!(story.standing.subscription.owed_by_customer(), 1_000);
    assert_eq!(refunds(&story), [], "nothing is left to be paid out");
}

/// The payer has paid the same in the end, whether the refund or the higher price comes first.
#[test]
fn the_order_of_refund_and_change_makes_no_difference() {
    let paid_in_the_end = |refund_first: bool| {
        let mut story = Story::active();
        story.passes(14);
        let invoice = first(&story);
        if refund_first {
            story.refunds_by_hand(&invoice, 1_000);
        }
        goes_over_to(&mut story, 3_000);
        if !refund_first {
            story.refunds_by_hand(&invoice, 1_000);
        }
        story.passes(7);
        refunded(&mut story, ReturnOption::Prorate);
        story.passes(1);
        let paid: i64 = story.invoices.iter().map(|invoice| invoice.amount).sum();
        let subscription = &story.standing.subscription;
        assert_eq!(subscription.credit, 0);
        paid - 1_000 - subscription.refunded()
    };
    assert_eq!(paid_in_the_end(true), 750, "a quarter at thirty euros");
    assert_eq!(paid_in_the_end(false), 750);
}

/// A command that comes before the worker doesn't spend credit that was already refunded manually.
#[test]
fn a_command_that_comes_before_the_worker_knows_of_it() {
    let mut story = with_credit();
    let invoice = first(&story);
    story.by_hand.push((invoice, 2_000));
    goes_over_to(&mut story, 1_500);
    assert_eq!(story.invoices.last().expect("one").amount, 500);
    assert_eq!(story.standing.subscription.owed_by_customer(), 1_000);
}

/// A pending manual refund reduces the credit at once. When it fails, the credit is restored.
#[test]
fn a_refund_by_hand_that_fails_leaves_the_credit() {
    let mut story = with_credit();
    let invoice = first(&story);
    for (by_hand, credit) in [(1_500, -500), (-1_500, 1_000), (700, 300), (-700, 1_000)] {
        story.refunds_by_hand(&invoice, by_hand);
        assert_eq!(story.standing.subscription.credit, credit);
    }
    refunded(&mut story, ReturnOption::Full);
    story.refunds_by_hand(&invoice, 2_000);
    assert_eq!(story.standing.subscription.credit, 0);
    story.passes(1);
    assert_eq!(refunds(&story), []);
    story.refunds_by_hand(&invoice, -2_000);
    story.passes(1);
    assert_eq!(story.standing.subscription.credit, 0);
    assert_eq!(refunds(&story), [("pay_1", 2_000, "succeeded")]);
}

/// An invoice was voided after its payment had failed, and then the payment took the money after all.
fn with_late_credit() -> (Story, PaymentId) {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    let told = story.of_former(paid());
    story.does(Command::Void(told.invoice_id.clone()));
    let payment_id = told.payment_id.clone();
    story.takes(Input::Told(told)).expect("never refused");
    assert_eq!(story.standing.subscription.credit, 1_000);
    (story, payment_id)
}

/// A manual refund of late money reduces the credit, in parts or in full, unless the refund fails.
#[test]
fn late_money_that_is_refunded_by_hand_is_credit_no_more() {
    let (mut story, payment_id) = with_late_credit();
    for (by_hand, credit) in [(400, 600), (600, 0), (-600, 600), (-400, 1_000), (300, 700)] {
        story.refunds_credited_by_hand(&payment_id, by_hand);
        assert_eq!(story.standing.subscription.credit, credit);
    }
    story.passes(31);
    assert_eq!(story.invoices.last().expect("one").amount, 300);
    assert_eq!(story.standing.subscription.credit, 0);
    // The payer owes the part that was spent.
    story.refunds_credited_by_hand(&payment_id, 200);
    assert_eq!(story.standing.subscription.owed_by_customer(), 200);
    story.refunds_credited_by_hand(&payment_id, -200);
    assert_eq!(story.standing.subscription.owed_by_customer(), 0);
}

/// The subscription ends and all credit is refunded, except money that was already refunded manually.
#[test]
fn late_money_goes_back_once() {
    let (mut story, payment_id) = with_late_credit();
    story.credited_by_hand.push((payment_id.clone(), 400));
    refunded(&mut story, ReturnOption::None);
    assert_eq!(story.standing.subscription.credit, 600);
    let mut other = story.clone();
    story.passes(1);
    assert_eq!(refunds(&story), [(payment_id.as_str(), 600, "succeeded")]);
    assert_eq!(story.standing.subscription.credit, 0);
    // The manual refund fails, so its amount is refunded as well.
    story.refunds_credited_by_hand(&payment_id, -400);
    story.passes(1);
    assert_eq!(story.standing.subscription.refunded(), 1_000);
    other.refunds_credited_by_hand(&payment_id, 600);
    other.passes(1);
    assert_eq!(refunds(&other), []);
    assert_eq!(other.standing.subscription.credit, 0);
}

/// A later reversal by the processor takes only the rest. A partly refunded payment can't pay an invoice.
#[test]
fn late_money_is_taken_out_once() {
    let (mut story, payment_id) = with_late_credit();
    story.refunds_credited_by_hand(&payment_id, 400);
    let invoice_id = story.invoices[1].invoice_id.clone();
    let told = |outcome| {
        Input::Told(Told {
            invoice_id: invoice_id.clone(),
            payment_id: payment_id.clone(),
            outcome,
        })
    };
    let gone = told(failed(RetryAdvice::MayRetry));
    story.takes(gone).expect("never refused");
    assert_eq!(story.standing.subscription.credit, 0);
    story.takes(told(paid())).expect("never refused");
    story.refunds_credited_by_hand(&payment_id, 0);
    assert_eq!(story.standing.subscription.credit, 600);
}
