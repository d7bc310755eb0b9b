//! Stories about replacing the saved method that is charged.

use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::subscription::*;
use multirail_kernel::ids::PaymentMethodId;
use multirail_kernel::refusal::Refusal;

use crate::given::*;
use crate::story::*;

fn method(name: &str) -> PaymentMethodId {
    PaymentMethodId::parse(name).expect("an id")
}

/// Makes a subscription whose second invoice was charged without success for this many days.
fn dunned(days: i64, advice: RetryAdvice) -> Story {
    let mut story = Story::active();
    let end = story.now.plus_seconds(days * DAY).expect("in range");
    story.until(end, |_| failed(advice));
    story
}

/// Returns the method that each attempt of the newest invoice charged.
fn charged(story: &Story) -> Vec<&str> {
    let newest = story.invoices.last().expect("one");
    let tries = newest.tries.iter();
    let charged = tries.map(|one| one.payment_method_id.as_ref().expect("one").as_str());
    charged.collect()
}

#[test]
fn retried_invoices_are_charged_with_the_new_method_at_once() {
    let mut story = dunned(29, RetryAdvice::MayRetry);
    assert_eq!(charged(&story), ["pm_1", "pm_1"]);
    story.does(replace("pm_2"));
    story.passes(0);
    assert_eq!(charged(&story), ["pm_1", "pm_1", "pm_2"]);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
    assert_eq!(story.status(), SubscriptionStatus::Active);
    // Every later period is charged with it too.
    story.passes(31);
    assert_eq!(charged(&story), ["pm_2"]);
}

/// The schedule restarts, whatever the refusals of the old card said.
#[test]
fn given_up_invoices_are_collected_with_the_new_method() {
    for (days, advice) in [(29, RetryAdvice::DoNotRetry), (35, RetryAdvice::MayRetry)] {
        let mut story = dunned(days, advice);
        assert_eq!(story.status(), SubscriptionStatus::Unpaid);
        let tries = story.invoices[1].tries.len();
        story.does(replace("pm_2"));
        // The new method has no money at first, and then it has.
        let end = story.now.plus_seconds(DAY / 2).expect("in range");
        story.until(end, |_| failed(RetryAdvice::MayRetry));
        assert_eq!(story.invoices[1].tries.len(), tries + 1);
        story.passes(1);
        assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
        assert_eq!(story.status(), SubscriptionStatus::Active);
    }
}

/// No second charge is made while one is under way. After it fails, the new method is next, whatever the refusal said.
#[test]
fn a_payment_under_way_goes_on() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| Outcome::Pending);
    assert!(story.does(replace("pm_2")).is_empty());
    story.until(end, |_| Outcome::Pending);
    assert_eq!(charged(&story), ["pm_1"]);
    let mut taken = story.clone();
    taken.reports(paid());
    assert_eq!(taken.invoices[1].status.as_str(), "invoice_paid");
    taken.passes(0);
    assert_eq!(charged(&taken), ["pm_1"]);
    story.reports(failed(RetryAdvice::DoNotRetry));
    story.passes(0);
    assert_eq!(charged(&story), ["pm_1", "pm_2"]);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
    assert_eq!(story.status(), SubscriptionStatus::Active);
}

/// Nobody is charged during a pause, nor for invoices that the merchant left uncollected.
#[test]
fn uncollected_invoices_are_not_charged() {
    let mut story = dunned(29, RetryAdvice::MayRetry);
    story.does(Command::Pause(When::Now));
    story.does(replace("pm_2"));
    story.passes(30);
    assert_eq!(charged(&story), ["pm_1", "pm_1"]);
    story.does(Command::Resume(resume(None)));
    story.does(replace("pm_3"));
    story.passes(1);
    assert_eq!(story.invoices[1].status.as_str(), "payment_failed");
    let left = story.invoices[1].invoice_id.clone();
    assert_eq!(charged(&story), ["pm_3"], "of the new period");
    story.does(Command::Collect(left));
    story.passes(0);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
}

#[test]
fn the_same_method_changes_nothing() {
    let mut story = dunned(29, RetryAdvice::MayRetry);
    let before = story.standing.clone();
    story.does(replace("pm_1"));
    assert_eq!(story.standing, before);
}

/// Both changes are made or neither: an open invoice forbids another price.
#[test]
fn another_price_comes_with_it_or_neither_does() {
    let mut dearer = monthly();
    dearer.amount_minor = 1_500;
    let both = |to: &str| {
        Command::Replace(Box::new(Replace {
            payment_method_id: method(to),
            update: Some(update(dearer.clone())),
        }))
    };
    let mut open = dunned(29, RetryAdvice::MayRetry);
    let refused = open.takes(Input::Command(both("pm_2")));
    assert!(matches!(refused, Err(Refusal::Precondition { .. })));
    assert_eq!(
        open.standing.subscription.payment_method_id,
        Some(method("pm_1"))
    );
    let mut story = Story::active();
    story.does(both("pm_2"));
    story.passes(0);
    assert_eq!(charged(&story), ["pm_2"]);
    assert_eq!(story.standing.subscription.plan.price.amount_minor, 1_500);
}
