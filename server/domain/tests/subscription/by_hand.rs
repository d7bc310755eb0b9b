//! A payment is refunded by hand after something of its invoice was given back as credit: that credit goes with it.

use multirail_domain::billing::charge::ReturnOption;
use multirail_domain::ids::InvoiceId;
use multirail_domain::subscription::*;

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

/// Twenty euros were paid. The price is half as much since: ten euros pay this period, and ten are credit.
fn with_credit() -> Story {
    let mut dear = monthly();
    dear.amount_minor = 2_000;
    let mut story = Story::begun(dear);
    goes_over_to(&mut story, 1_000);
    assert_eq!(story.standing.subscription.credit, 1_000);
    story
}

/// Below 0 it is owed: the ten euros that pay this period were refunded as well.
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

/// Half of the time was used: what it cost is refunded first, and takes no credit.
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

/// What was spent can't be taken back. Credit that comes later goes to it first.
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

/// Whatever comes first, a dearer price or the refund, the payer has paid the same in the end.
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

/// Whoever outruns the worker spends nothing that is not his any more.
#[test]
fn a_command_that_comes_before_the_worker_knows_of_it() {
    let mut story = with_credit();
    let invoice = first(&story);
    story.by_hand.push((invoice, 2_000));
    goes_over_to(&mut story, 1_500);
    assert_eq!(story.invoices.last().expect("one").amount, 500);
    assert_eq!(story.standing.subscription.owed_by_customer(), 1_000);
}
