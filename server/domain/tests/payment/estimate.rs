//! Estimates of routing: past payments, evaluated under other rules.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};
use multirail_domain::payments::payment::{CaptureMethod, Changes, PayerDetails, Payment};
use multirail_domain::routing::{Estimate, PastPayment, RoutingInput, TryResult, estimate};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::Outcome;
use serde_json::json;

use crate::support::outcomes::*;
use crate::support::routing::InOrder;
use crate::support::story::{AUTHORIZE, CAPTURE, Story};
use crate::support::{candidate, purchase, start, with_card};

/// Builds a payment whose first attempt got this answer from the only account, `mca_1`.
fn answered(outcome: Outcome) -> Story {
    let mut story = Story::created(Automatic);
    story.manual_retry_enabled = true;
    story.confirm();
    story.answer(AUTHORIZE, outcome);
    story
}

/// Estimates where these payments would go; the accounts have no rules but their order.
fn estimated(payments: Vec<Payment>, candidates: &[Candidate]) -> Estimate {
    let boxed = |payment: Payment| (Box::new(payment) as Box<dyn PastPayment>, 0);
    let payments: Vec<_> = payments.into_iter().map(boxed).collect();
    let input = RoutingInput {
        candidates,
        active: None,
        dynamic: None,
        connectors: &[],
        draw: 0,
    };
    estimate(&payments, &InOrder, input)
}

/// Returns an account in each line: first choices, and the attempts with their results.
fn page(of: &Estimate) -> String {
    let accounts = of.accounts.iter().map(|one| {
        format!(
            "{} {}: {} first, {} used, {} approved, {} declined, rate {:?}",
            one.connector,
            one.merchant_connector_id,
            one.first_choice,
            one.used,
            one.approved,
            one.declined,
            one.approval_rate(),
        )
    });
    accounts.collect::<Vec<_>>().join("\n")
}

fn later(story: Story, seconds: i64) -> Payment {
    Payment {
        created_at: start().plus_seconds(seconds).expect("a moment"),
        ..story.payment
    }
}

#[test]
fn payments_are_counted_where_they_went_and_where_they_would_go() {
    let never_sent = Story::created(Automatic);
    let sample = vec![
        later(answered(done()), 30),
        later(answered(done()), 10),
        later(answered(declined()), 20),
        later(answered(pending()), 40),
        later(never_sent, 0),
    ];
    let oldest: Timestamp = start().plus_seconds(10).expect("a moment");
    let other_first = [
        candidate("adyen_test", "mca_2", json!({})),
        candidate("stripe_test", "mca_1", json!({})),
    ];
    let estimate = estimated(sample.clone(), &other_first);
    assert_eq!((estimate.sample_size, estimate.not_counted), (4, 1));
    assert_eq!(estimate.oldest_created_at, Some(oldest));
    assert_eq!((estimate.moved, estimate.without_account), (4, 0));
    insta::assert_snapshot!(page(&estimate), @"
    adyen_test mca_2: 4 first, 0 used, 0 approved, 0 declined, rate None
    stripe_test mca_1: 0 first, 4 used, 2 approved, 1 declined, rate Some(6666)
    ");
    // The same account as before: nothing moves.
    let estimate = estimated(sample.clone(), &other_first[1..]);
    assert_eq!((estimate.moved, estimate.without_account), (0, 0));
    // The only account is disabled.
    let off = [candidate("stripe_test", "mca_1", json!({"disabled": true}))];
    let estimate = estimated(sample, &off);
    assert_eq!((estimate.moved, estimate.without_account), (0, 4));
    insta::assert_snapshot!(page(&estimate), @"stripe_test mca_1: 0 first, 4 used, 2 approved, 1 declined, rate Some(6666)");
}

#[test]
fn without_payments_there_is_nothing_to_estimate() {
    let one = [candidate("stripe_test", "mca_1", json!({}))];
    assert_eq!(estimated(Vec::new(), &one), Estimate::default());
}

/// A second attempt is the payer's or the server's answer to the first, so it would not take place.
#[test]
fn a_payment_counts_with_its_first_attempt() {
    let mut story = answered(declined());
    story.candidates = vec![candidate("adyen_test", "mca_2", json!({}))];
    story.confirm_with(with_card());
    story.answer(AUTHORIZE, done());
    assert_eq!(story.payment.attempts.len(), 2);
    let tried = story.payment.first_try().expect("a first attempt");
    assert_eq!(tried.account.as_str(), "mca_1");
    assert_eq!(tried.result, TryResult::Declined);
}

#[test]
fn an_approval_counts_whatever_became_of_the_money() {
    let result = |capture: CaptureMethod, then: fn(&mut Story)| {
        let mut story = Story::approved(capture);
        then(&mut story);
        story.payment.first_try().expect("an attempt").result
    };
    let cancelled = result(Manual, |story| {
        story.cancel();
    });
    let not_captured = result(Manual, |story| {
        story.capture(None);
        story.answer(CAPTURE, declined());
    });
    assert_eq!([cancelled, not_captured], [TryResult::Approved; 2]);
}

/// Redaction removes what a processor may require, so its absence excludes no account.
#[test]
fn a_redacted_payment_is_judged_without_its_payer() {
    let payer = PayerDetails {
        name: Some("Ada Okafor".to_owned()),
        ..PayerDetails::default()
    };
    let mut story = Story::create(Changes {
        payer,
        ..purchase(Automatic)
    });
    story.confirm();
    let tried = story.payment.first_try().expect("an attempt");
    assert!(tried.facts.knows_payer);
    let redacted = story.payment.redacted().expect("it names its payer");
    let tried = redacted.first_try().expect("an attempt");
    assert!(!tried.facts.knows_payer);
    assert_eq!(tried.facts.unknown_of_browser, None);
}
