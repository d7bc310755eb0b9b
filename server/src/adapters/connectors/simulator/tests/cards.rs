use multirail_domain::connector::{OperationKind, Outcome, UnknownReason};

use super::{THREE_DS, VISA, declined, done, redirect, unknown};
use crate::adapters::connectors::simulator::fixture::Bench;

#[tokio::test]
async fn cards_that_succeed() {
    let numbers = [
        "4111111111111111",
        "4242424242424242",
        "5555555555554444",
        "38000000000006",
        "378282246310005",
        "6011111111111117",
        "4000000000000259",
    ];
    let bench = Bench::new("adyen_test");
    for number in numbers {
        assert_eq!(done(bench.sale(number, number).await), 6540, "{number}");
        let found = bench.look_up(OperationKind::Authorize, number).await;
        assert_eq!(done(found), 6540, "{number}");
    }
}

#[tokio::test]
async fn cards_that_are_declined() {
    let table = [
        (
            "5105105105105100",
            "DC_08",
            "Payment declined: Card declined",
        ),
        (
            "4000000000000002",
            "DC_08",
            "Payment declined: Card declined",
        ),
        (
            "4000000000009995",
            "DC_08",
            "Payment declined: Internal Server Error from Connector, Please try again later",
        ),
        ("4000000000009987", "DC_08", "Payment declined: Lost card"),
        ("4000000000009979", "DC_08", "Payment declined: Stolen card"),
        (
            "30569309025904",
            "DC_04",
            "Card not supported. Please use test cards",
        ),
    ];
    let bench = Bench::new("adyen_test");
    for (number, code, message) in table {
        let decline = declined(bench.sale(number, number).await);
        assert_eq!(
            (decline.code.as_str(), decline.message.as_str()),
            (code, message)
        );
        assert!(!decline.in_authentication);
        let found = bench.look_up(OperationKind::Authorize, number).await;
        assert_eq!(declined(found), decline, "a look-up says the same");
    }
    let totals = bench.processor.ledger().totals().expect("totals");
    assert!(
        totals
            .values()
            .all(|sums| sums.authorized == 0 && sums.captured == 0)
    );
}

#[tokio::test]
async fn one_card_succeeds_at_one_processor_only() {
    for (name, succeeds) in [("stripe_test", true), ("fauxpay", false)] {
        let outcome = Bench::new(name).sale("a", "4000000000009995").await;
        assert_eq!(matches!(outcome, Outcome::Done(_)), succeeds, "{name}");
    }
}

#[tokio::test]
async fn three_ds_is_by_redirect() {
    let bench = Bench::new("stripe_test");
    let url = redirect(bench.sale("a", THREE_DS).await);
    let token = url.strip_prefix("http://127.0.0.1:8080/dummy-connector/authorize/");
    assert_eq!(token.map(str::len), Some(32), "{url}");
    let found = bench.look_up(OperationKind::Authorize, "a").await;
    assert_eq!(redirect(found), url);
}

#[tokio::test]
async fn pending_until_asked() {
    let bench = Bench::new("stripe_test");
    let outcome = bench.sale("a", "4000000000000341").await;
    assert!(matches!(outcome, Outcome::Pending { reference: Some(_) }));
    assert_eq!(
        bench.processor.ledger().totals().expect("totals")["a"].captured,
        0
    );
    assert_eq!(
        done(bench.look_up(OperationKind::Authorize, "a").await),
        6540
    );
    assert_eq!(
        bench.processor.ledger().totals().expect("totals")["a"].captured,
        6540
    );
}

#[tokio::test]
async fn a_processor_in_trouble_has_filed_nothing() {
    let bench = Bench::new("stripe_test");
    let outcome = bench.sale("a", "4000000000000119").await;
    assert_eq!(outcome, unknown(UnknownReason::ProcessorError));
    assert_eq!(
        bench.processor.ledger().authorizations().expect("a list"),
        []
    );
    let found = bench.look_up(OperationKind::Authorize, "a").await;
    assert!(matches!(found, Outcome::NeverHappened { .. }));
}

#[tokio::test]
async fn a_zero_amount_checks_the_card() {
    let bench = Bench::new("stripe_test");
    assert_eq!(done(bench.authorize_as("a", VISA, 0, true).await), 0);
    assert_eq!(
        declined(bench.authorize_as("b", "4000000000000002", 0, true).await).code,
        "DC_08"
    );
}

#[tokio::test]
async fn currency_and_reference_come_back() {
    let bench = Bench::new("stripe_test");
    let Outcome::Done(approval) = bench.sale("a", VISA).await else {
        panic!("not approved");
    };
    assert_eq!(approval.currency.as_deref(), Some("USD"));
    let filed = bench.processor.ledger().authorizations().expect("a list");
    assert_eq!(
        approval.reference.as_deref(),
        Some(filed[0].reference.as_str())
    );
    assert_eq!(filed[0].connector, "stripe_test");
}
