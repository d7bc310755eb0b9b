use std::sync::Arc;

use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::Payments;
use multirail_sdk::connector::{OperationKind, Outcome, UnknownReason};
use multirail_simulator::processor::Totals;
use multirail_simulator::scripted::{Call, Fault};
use multirail_simulator_wire::OperationStatus;

use super::{THREE_DS, VISA, declined, done, unknown};
use crate::simulator::fixture::{Bench, refund_request};

/// Its refunds are pending first, and succeed when they are looked up.
const PENDS: &str = "4000000000007726";
/// Its refunds are pending first, and fail when they are looked up.
const PENDS_THEN_DECLINES: &str = "4000000000005126";
/// Its refunds are declined.
const DECLINES: &str = "4000000000000630";

fn totals(bench: &Bench) -> Totals {
    bench.processor.ledger().totals().expect("totals")["a"].clone()
}

fn filed(bench: &Bench) -> Vec<(String, i64, OperationStatus)> {
    let refunds = bench.processor.ledger().refunds().expect("a list");
    let row = |refund: multirail_simulator::processor::RefundRecord| {
        (refund.key, refund.amount, refund.status)
    };
    refunds.into_iter().map(row).collect()
}

fn is_pending(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Pending { reference: Some(_) })
}

#[tokio::test]
async fn several_refunds_up_to_what_was_taken() {
    let bench = Bench::new("stripe_test");
    assert_eq!(done(bench.sale("a", VISA).await), 6540);
    assert_eq!(done(bench.refund("r1", "a", 2000).await), 2000);
    let refused = declined(bench.refund("r2", "a", 4541).await);
    assert_eq!(
        (refused.code.as_str(), refused.message.as_str()),
        (
            "DC_03",
            "The refund is above what is left of the captured amount"
        )
    );
    assert_eq!(done(bench.refund("r3", "a", 4540).await), 4540);
    assert_eq!(declined(bench.refund("r4", "a", 1).await).code, "DC_03");
    let expected = Totals {
        authorized: 6540,
        captured: 6540,
        refunded: 6540,
        ..Totals::default()
    };
    assert_eq!(totals(&bench), expected);
    let books = [
        ("r1".to_owned(), 2000, OperationStatus::Done),
        ("r2".to_owned(), 4541, OperationStatus::Declined),
        ("r3".to_owned(), 4540, OperationStatus::Done),
        ("r4".to_owned(), 1, OperationStatus::Declined),
    ];
    assert_eq!(filed(&bench), books);
}

#[tokio::test]
async fn only_what_captures_have_taken_can_be_refunded() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("a", VISA).await);
    assert_eq!(declined(bench.refund("r1", "a", 1).await).code, "DC_06");
    bench.script().next(Call::Capture, Fault::Pends);
    assert!(is_pending(&bench.capture("c1", "a", 1000, false).await));
    assert_eq!(declined(bench.refund("r2", "a", 1).await).code, "DC_06");
    assert_eq!(
        done(bench.look_up(OperationKind::Capture, "c1").await),
        1000
    );
    assert_eq!(declined(bench.refund("r3", "a", 1001).await).code, "DC_03");
    assert_eq!(done(bench.refund("r4", "a", 700).await), 700);
    // Refunded money can't be captured again; the uncaptured rest can.
    assert_eq!(done(bench.capture("c2", "a", 5540, false).await), 5540);
    assert_eq!(declined(bench.refund("r5", "a", 5841).await).code, "DC_03");
    assert_eq!(done(bench.refund("r6", "a", 5840).await), 5840);
    assert_eq!(
        (totals(&bench).captured, totals(&bench).refunded),
        (6540, 6540)
    );
}

#[tokio::test]
async fn refunds_that_are_refused() {
    let bench = Bench::new("stripe_test");
    let missing = declined(bench.refund("r0", "nothing", 1).await);
    assert_eq!(missing.code, "DC_01");
    let table = [
        ("declined", "4000000000000002"),
        ("waiting", THREE_DS),
        ("pending", "4000000000000341"),
    ];
    for (key, number) in table {
        bench.sale(key, number).await;
        let refused = declined(bench.refund(&format!("r_{key}"), key, 1).await);
        assert_eq!(refused.code, "DC_06", "{key}");
    }
    assert_eq!(done(bench.authorize_as("check", VISA, 0, true).await), 0);
    assert_eq!(declined(bench.refund("r1", "check", 1).await).code, "DC_06");
    done(bench.reserve("released", VISA).await);
    done(bench.void("v", "released").await);
    assert_eq!(
        declined(bench.refund("r2", "released", 1).await).code,
        "DC_06"
    );

    done(bench.sale("a", VISA).await);
    let before = filed(&bench).len();
    for amount in [0, -5] {
        assert_eq!(
            declined(bench.refund("r3", "a", amount).await).code,
            "DC_02"
        );
    }
    assert_eq!(filed(&bench).len(), before, "no such refund can be filed");
    let mut in_euros = refund_request("r4", "a", 100);
    in_euros.money = Money::new(100, Currency::EUR);
    let refused = declined(bench.connector.refund(in_euros).await);
    assert_eq!(
        (refused.code.as_str(), refused.message.as_str()),
        ("DC_02", "The currency is not that of the authorization")
    );
    assert_eq!(totals(&bench).refunded, 0);
}

#[tokio::test]
async fn a_void_and_refunds_give_nothing_back_twice() {
    let bench = Bench::new("stripe_test");
    done(bench.sale("a", VISA).await);
    done(bench.refund("r1", "a", 2000).await);
    assert_eq!(done(bench.void("v1", "a").await), 4540);
    assert_eq!(declined(bench.refund("r2", "a", 1).await).code, "DC_03");
    assert_eq!(done(bench.void("v2", "a").await), 0);
    assert_eq!(
        (totals(&bench).reversed, totals(&bench).refunded),
        (4540, 2000)
    );

    // Pending voids and pending refunds reserve the money that they will return.
    let bench = Bench::new("stripe_test");
    done(bench.sale("a", VISA).await);
    bench.script().next(Call::Refund, Fault::Pends);
    assert!(is_pending(&bench.refund("r1", "a", 500).await));
    bench.script().next(Call::Void, Fault::Pends);
    assert!(is_pending(&bench.void("v1", "a").await));
    assert_eq!(declined(bench.refund("r2", "a", 1).await).code, "DC_03");
    assert_eq!(done(bench.look_up(OperationKind::Void, "v1").await), 6040);
    assert_eq!(done(bench.look_up(OperationKind::Refund, "r1").await), 500);
    assert_eq!(
        (totals(&bench).reversed, totals(&bench).refunded),
        (6040, 500)
    );
}

#[tokio::test]
async fn a_refund_is_pending_and_done_when_it_is_asked_about() {
    let bench = Bench::new("stripe_test");
    done(bench.sale("a", PENDS).await);
    let first = bench.refund("r1", "a", 6000).await;
    assert!(is_pending(&first));
    assert_eq!(bench.refund("r1", "a", 6000).await, first);
    assert_eq!(totals(&bench).refunded, 0);
    let refused = declined(bench.refund("r2", "a", 541).await);
    assert_eq!(refused.code, "DC_03", "the pending refund holds its amount");
    for _ in 0..2 {
        assert_eq!(done(bench.look_up(OperationKind::Refund, "r1").await), 6000);
    }
    assert_eq!(done(bench.refund("r1", "a", 6000).await), 6000);
    assert_eq!(totals(&bench).refunded, 6000);
}

#[tokio::test]
async fn a_refund_that_fails_in_the_end_leaves_the_money_refundable() {
    let bench = Bench::new("stripe_test");
    done(bench.reserve("a", PENDS_THEN_DECLINES).await);
    assert_eq!(done(bench.capture("c", "a", 6540, true).await), 6540);
    assert!(is_pending(&bench.refund("r1", "a", 6540).await));
    let failed = declined(bench.look_up(OperationKind::Refund, "r1").await);
    assert_eq!(
        (failed.code.as_str(), failed.message.as_str()),
        (
            "DC_08",
            "Refund declined: The account of the card is closed"
        )
    );
    assert_eq!(failed.issuer, None);
    assert_eq!(declined(bench.refund("r1", "a", 6540).await), failed);
    assert!(is_pending(&bench.refund("r2", "a", 6540).await));
    assert_eq!(totals(&bench).refunded, 0);
}

#[tokio::test]
async fn a_card_whose_refunds_are_declined() {
    let bench = Bench::new("stripe_test");
    done(bench.sale("a", DECLINES).await);
    let refused = declined(bench.refund("r1", "a", 6540).await);
    assert_eq!(refused.code, "DC_08");
    assert_eq!(declined(bench.refund("r1", "a", 6540).await), refused);
    let found = bench.look_up(OperationKind::Refund, "r1").await;
    assert_eq!(declined(found), refused);
    let too_large = declined(bench.refund("r2", "a", 6541).await);
    assert_eq!(
        too_large.code, "DC_03",
        "what speaks against it comes first"
    );
    assert_eq!(totals(&bench).refunded, 0);
    assert_eq!(done(bench.void("v", "a").await), 6540);
}

#[tokio::test]
async fn a_script_counts_for_more_than_the_card() {
    let bench = Bench::new("stripe_test");
    done(bench.sale("a", PENDS).await);
    let words = |code: &str| (code.to_owned(), "not today".to_owned());
    let (code, message) = words("no_way");
    bench
        .script()
        .next(Call::Refund, Fault::Declines { code, message });
    assert_eq!(declined(bench.refund("r1", "a", 100).await).code, "no_way");
    let (code, message) = words("in_the_end");
    bench
        .script()
        .next(Call::Refund, Fault::PendsThenDeclines { code, message });
    assert!(is_pending(&bench.refund("r2", "a", 100).await));
    let failed = declined(bench.look_up(OperationKind::Refund, "r2").await);
    assert_eq!(failed.code, "in_the_end");
    bench.script().next(Call::Refund, Fault::Throttles);
    let throttled = bench.refund("r3", "a", 100).await;
    assert!(matches!(throttled, Outcome::NeverHappened { .. }));
    assert_eq!(bench.script().waiting(), 0);
}

#[tokio::test]
async fn the_same_key_refunds_once() {
    let bench = Bench::new("stripe_test");
    done(bench.sale("a", VISA).await);
    done(bench.sale("b", VISA).await);
    let first = bench.refund("r", "a", 2000).await;
    assert_eq!(bench.refund("r", "a", 2000).await, first);
    assert_eq!(done(first), 2000);
    for (of, amount) in [("a", 2001), ("b", 2000)] {
        let told = bench.refund("r", of, amount).await;
        assert_eq!(
            told,
            unknown(UnknownReason::ProcessorError),
            "{of} {amount}"
        );
    }
    let mut in_euros = refund_request("r", "a", 2000);
    in_euros.money = Money::new(2000, Currency::EUR);
    let told = bench.connector.refund(in_euros).await;
    assert_eq!(told, unknown(UnknownReason::ProcessorError));

    // Only the first reason is filed.
    let mut with_reason = refund_request("r", "a", 2000);
    with_reason.reason = Some("Returned after all".to_owned());
    assert_eq!(done(bench.connector.refund(with_reason).await), 2000);
    let mut with_reason = refund_request("s", "a", 100);
    with_reason.reason = Some("Broken".to_owned());
    assert_eq!(done(bench.connector.refund(with_reason).await), 100);
    let refunds = bench.processor.ledger().refunds().expect("a list");
    let reasons: Vec<_> = refunds.iter().map(|one| one.reason.as_deref()).collect();
    assert_eq!(reasons, [None, Some("Broken")]);
    assert_eq!(totals(&bench).refunded, 2100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn refunds_at_the_same_time_never_give_back_more_than_was_taken() {
    let bench = Arc::new(Bench::new("stripe_test"));
    done(bench.sale("a", VISA).await);
    // Eight keys, each sent three times; 6540 is enough for six of them.
    let mut refunds = tokio::task::JoinSet::new();
    for number in 0..24 {
        let bench = Arc::clone(&bench);
        let key = format!("r{}", number % 8);
        refunds.spawn(async move { bench.refund(&key, "a", 1000).await });
    }
    let outcomes = refunds.join_all().await;
    let given = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Done(_)));
    assert_eq!(given.count(), 18);
    assert_eq!(filed(&bench).len(), 8);
    assert_eq!(totals(&bench).refunded, 6000);
}

#[tokio::test]
async fn a_refund_is_looked_up_by_its_key() {
    let bench = Bench::new("stripe_test");
    done(bench.sale("a", VISA).await);
    let first = bench.refund("r1", "a", 2000).await;
    let refused = bench.refund("r2", "a", 9999).await;
    assert_eq!(bench.look_up(OperationKind::Refund, "r1").await, first);
    assert_eq!(bench.look_up(OperationKind::Refund, "r2").await, refused);
    let Outcome::Done(approval) = first else {
        panic!("not refunded");
    };
    let filed = bench.processor.ledger().refunds().expect("a list");
    assert_eq!(
        (approval.reference.as_deref(), approval.currency.as_deref()),
        (Some(filed[0].reference.as_str()), Some("USD"))
    );
    for (kind, key) in [
        (OperationKind::Refund, "r3"),
        (OperationKind::Refund, "a"),
        (OperationKind::Capture, "r1"),
    ] {
        let found = bench.look_up(kind, key).await;
        let never = matches!(found, Outcome::NeverHappened { .. });
        assert!(never, "{kind} {key}: {found:?}");
    }
}

#[tokio::test]
async fn without_credentials_no_refund_is_sent() {
    let bench = Bench::new("stripe_test");
    done(bench.sale("a", VISA).await);
    let mut request = refund_request("r", "a", 100);
    request.access.credentials = SecretText::new(r#"{"auth_type":"TemporaryAuth"}"#);
    let outcome = bench.connector.refund(request).await;
    assert!(matches!(outcome, Outcome::NeverHappened { .. }));
    assert_eq!(filed(&bench), []);
}
