//! Cases of payers who have to act.

use multirail_connector_kit::stories;
use multirail_sdk::connector::{DeclineCategory, DeclineGroup, Finding, Outcome};

use crate::suite::bench::{Asked, Bench, PRICE, agrees, declined, done_for};
use crate::suite::subject::Books;

/// Requests a payment whose payer is redirected.
async fn sent_away(bench: &Bench, capture: bool) -> (Asked, Option<String>, String) {
    agrees(stories::authenticated_by_payer(bench, capture).await)
}

/// Looks the payment up after the payer's return.
async fn found(
    bench: &Bench,
    asked: &Asked,
    reference: Option<String>,
    returned_with: Option<String>,
) -> Outcome {
    match bench.look_up(asked, reference, returned_with).await {
        Finding::Outcome(outcome) => outcome,
        Finding::Absent { reason } => panic!("{reason}"),
    }
}

pub async fn a_payer_approves(bench: Bench) {
    for capture in [true, false] {
        let (asked, reference, url) = sent_away(&bench, capture).await;
        assert_eq!(bench.books(&asked.authorization()).await, Books::default());
        let returned_with = bench.subject.decide(&url, true).await;
        let outcome = found(&bench, &asked, reference, returned_with).await;
        done_for(outcome, PRICE);
        let books = bench.books(&asked.authorization()).await;
        let captured = if capture { 6540 } else { 0 };
        assert_eq!((books.authorized, books.captured), (6540, captured));
    }
}

pub async fn a_payer_rejects(bench: Bench) {
    let (asked, reference, url) = sent_away(&bench, true).await;
    let returned_with = bench.subject.decide(&url, false).await;
    let decline = declined(found(&bench, &asked, reference, returned_with).await);
    assert!(decline.in_authentication, "{decline:?}");
    let group = decline.category.map(DeclineCategory::group);
    assert_eq!(group, Some(DeclineGroup::Authentication), "{decline:?}");
    assert_eq!(bench.books(&asked.authorization()).await, Books::default());
}

/// A payer who returns without a decision leaves the payment undecided.
pub async fn a_payer_returns_undecided(bench: Bench) {
    let (asked, reference, _) = sent_away(&bench, true).await;
    let outcome = found(&bench, &asked, reference, None).await;
    assert!(
        matches!(
            outcome,
            Outcome::CustomerMustAct { .. }
                | Outcome::DeviceDataNeeded { .. }
                | Outcome::Pending { .. }
                | Outcome::Unknown(_)
        ),
        "{outcome:?}"
    );
    assert_eq!(bench.books(&asked.authorization()).await, Books::default());
}
