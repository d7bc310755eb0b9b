use multirail_sdk::card::CardNumber;
use multirail_sdk::connector::{Decline, OperationKind, Outcome, UnknownReason};
use multirail_simulator::pages;
use multirail_simulator::processor::cards;

use super::{THREE_DS, VISA, declined, done, redirect, unknown};
use crate::simulator::fixture::Bench;

/// Renders the table of all test cards by observing each card.
async fn table() -> String {
    let mut table = String::from(
        "| Card | Network | What happens | Code | Message | Issuer | Advice | Remark |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (number, note) in cards::all() {
        let parsed = CardNumber::parse(number).expect("a number");
        let network = parsed.network().map_or("", |network| network.as_str());
        let (what, refusal) = card_behavior(number).await;
        let decline = refusal.unwrap_or_default();
        let issuer = decline.issuer.unwrap_or_default();
        let issuer_words = format!("{} {}", issuer.code, issuer.message);
        let advice = [issuer.advice_code, issuer.advice_message];
        let advice = advice.map(Option::unwrap_or_default).join(" ");
        let cells = [
            number,
            network,
            what,
            &decline.code,
            &decline.message,
            issuer_words.trim(),
            advice.trim(),
            note,
        ];
        let row = format!("| {} |\n", cells.join(" | "));
        table.push_str(&row.replace("  |", " |"));
    }
    table
}

/// Authorizes a card at a fresh processor and follows the payment to its end.
async fn card_behavior(number: &str) -> (&'static str, Option<Decline>) {
    let bench = Bench::new("adyen_test");
    let look_up = async || bench.look_up(OperationKind::Authorize, "a").await;
    match bench.reserve("a", number).await {
        Outcome::Done(approval) if approval.review.is_some() => {
            done(bench.capture("c", "a", 6540, true).await);
            ("held for your decision", None)
        }
        Outcome::Done(approval) if approval.amount_minor == Some(3270) => {
            done(bench.capture("c", "a", 3270, true).await);
            ("approved for half of the amount", None)
        }
        Outcome::Done(_) => match bench.capture("c", "a", 6540, true).await {
            Outcome::Done(_) => refund_outcome(&bench).await,
            Outcome::Declined(decline) if decline.authorization_gone => (
                "approved; a capture finds the authorization lapsed",
                Some(decline),
            ),
            Outcome::Declined(decline) => ("approved; captures are refused", Some(decline)),
            other => panic!("{number}: {other:?}"),
        },
        Outcome::Declined(decline) => ("declined", Some(decline)),
        Outcome::CustomerMustAct { step, .. } => {
            let token = step
                .url()
                .expect("a page")
                .rsplit('/')
                .next()
                .expect("a token");
            pages::complete(&bench.processor, token, Some("true"));
            match look_up().await {
                Outcome::Done(_) => ("3-D Secure; approved if the payer approves", None),
                Outcome::Declined(decline) => (
                    "3-D Secure; declined also if the payer approves",
                    Some(decline),
                ),
                other => panic!("{number}: {other:?}"),
            }
        }
        Outcome::DeviceDataNeeded { .. } => ("asks for device data", None),
        Outcome::Pending { .. } => {
            done(look_up().await);
            ("pending; approved when it is asked about", None)
        }
        Outcome::Unknown(UnknownReason::ProcessorError) => {
            assert!(matches!(look_up().await, Outcome::NeverHappened { .. }));
            ("the processor fails; found never to have happened", None)
        }
        other => panic!("{number}: {other:?}"),
    }
}

/// Returns the result of a card's refund.
async fn refund_outcome(bench: &Bench) -> (&'static str, Option<Decline>) {
    match bench.refund("r", "a", 6540).await {
        Outcome::Done(_) => ("approved", None),
        Outcome::Declined(decline) => ("approved; refunds are declined", Some(decline)),
        Outcome::Pending { .. } => match bench.look_up(OperationKind::Refund, "r").await {
            Outcome::Done(_) => (
                "approved; refunds are pending, and done when they are asked about",
                None,
            ),
            Outcome::Declined(decline) => (
                "approved; refunds are pending, and declined when they are asked about",
                Some(decline),
            ),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_documented_cards_behave_as_documented() {
    let written = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../TEST_CARDS.md"));
    let table = table().await;
    assert!(
        written.contains(&table),
        "server/TEST_CARDS.md needs:\n{table}"
    );
    let readme = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md"));
    let named = readme.split_once("## Test cards").expect("a section").1;
    let named = named.split("\n## ").next().unwrap_or_default();
    for row in named.lines().filter(|line| line.starts_with("| 4")) {
        let number = row.split('|').nth(1).unwrap_or_default().trim();
        let known = table.lines().find(|line| line.contains(number));
        let known = known.unwrap_or_else(|| panic!("{number} of README.md is no test card"));
        let what = row.split('|').nth(2).unwrap_or_default().trim();
        assert!(known.contains(&format!("| {what} |")), "{row} is {known}");
    }
}

#[tokio::test]
async fn a_look_up_says_the_same_as_the_first_answer() {
    let bench = Bench::new("adyen_test");
    let unknown = ("4000000000000994", "");
    let mut declines = 0;
    for (number, _) in cards::all().chain([unknown]) {
        let outcome = bench.sale(number, number).await;
        if let Outcome::Declined(decline) = outcome {
            let found = bench.look_up(OperationKind::Authorize, number).await;
            assert_eq!(declined(found), decline, "{number}");
            assert!(!decline.in_authentication);
            declines += 1;
        }
    }
    assert_eq!(declines, 11);
    let books = bench.processor.ledger().authorizations().expect("a list");
    let refused = books
        .iter()
        .filter(|one| one.error.is_some() && one.approved_amount.is_none());
    assert_eq!(
        refused.count(),
        declines + 2,
        "and those that the payer has to see first"
    );
}

#[tokio::test]
async fn an_unknown_card() {
    let bench = Bench::new("adyen_test");
    let decline = declined(bench.sale("a", "4000000000000994").await);
    assert_eq!(
        (decline.code.as_str(), decline.message.as_str()),
        ("DC_04", "Card not supported. Please use test cards")
    );
    assert_eq!(decline.issuer, None);
}

#[tokio::test]
async fn captures_that_a_card_refuses() {
    for (number, released) in [("4000000000000614", 0), ("4000000000000622", 6540)] {
        let bench = Bench::new("adyen_test");
        done(bench.reserve("a", number).await);
        let first = declined(bench.capture("c1", "a", 6540, true).await);
        assert_eq!(first.authorization_gone, released > 0);
        let again = declined(bench.capture("c2", "a", 100, true).await);
        assert_eq!(again.code, first.code);
        let totals = bench.processor.ledger().totals().expect("totals")["a"].clone();
        assert_eq!((totals.captured, totals.released), (0, released));
    }
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
