//! Cases of stored cards that are charged without the payer.

use multirail_connector_kit::stories;
use multirail_sdk::card::Card;
use multirail_sdk::charge::FutureUsage;
use multirail_sdk::connector::details::{Details, Initiation, Payer};
use multirail_sdk::connector::{Approval, DeleteKeptRequest, KeptAtProcessor, Outcome};

use crate::suite::bench::{Bench, agrees};
use crate::suite::subject::{Books, CardThat};

fn by_ada(initiation: Initiation) -> Details {
    Details {
        initiation,
        payer: Payer {
            customer_id: Some("ada".to_owned()),
            email: Some("ada@shopper.example".to_owned()),
            ..Payer::default()
        },
        ..Details::default()
    }
}

/// Charges with the scheme's reference and the card, which works at any processor, and with the
/// processor's stored instrument.
pub async fn a_stored_card_is_charged_without_its_payer(bench: Bench) {
    for charged in agrees(stories::charged_again(&bench).await) {
        let taken = Books {
            authorized: 6540,
            captured: 6540,
            ..Books::default()
        };
        assert_eq!(bench.books(&charged).await, taken);
    }
}

/// A card check stores the card without taking money.
pub async fn a_card_stored_by_a_check_is_charged_without_its_payer(bench: Bench) {
    let card = bench.subject.card(CardThat::IsApproved);
    let consents = Initiation {
        future_usage: Some(FutureUsage::OffSession),
        ..Initiation::default()
    };
    let agreed = bench.checks_as(card.clone(), by_ada(consents)).await;
    if bench.subject.description().capabilities.charges_kept {
        assert!(
            agreed.mandate.is_some(),
            "the processor keeps it: {agreed:?}"
        );
    }
    is_charged(&bench, &card, agreed).await;
}

/// Deleted instruments can't be charged, and may be deleted again. The simulator stores nothing:
/// its ids follow from the account.
pub async fn a_deleted_card_is_not_charged(bench: Bench) {
    if bench.subject.description().is_simulator {
        return;
    }
    let card = bench.subject.card(CardThat::IsApproved);
    let consents = Initiation {
        future_usage: Some(FutureUsage::OffSession),
        ..Initiation::default()
    };
    let (_, agreed) = bench.sells_as(card.clone(), by_ada(consents)).await;
    let Some(mandate) = agreed.mandate else {
        return;
    };
    let kept = KeptAtProcessor::Method {
        id: mandate.connector_mandate_id.clone(),
        customer_id: mandate.connector_customer_id.clone(),
    };
    let deletes = bench.connector.able(|able| able.deletes_stored);
    let deletes = deletes.expect("what it keeps can be deleted");
    for _ in 0..2 {
        let request = DeleteKeptRequest {
            access: bench.subject.access(),
            kept: kept.clone(),
        };
        assert_eq!(deletes.delete_stored(request).await, Ok(()));
    }
    let later = Initiation {
        off_session: Some(true),
        mandate: Some(*mandate),
        ..Initiation::default()
    };
    let charged = bench.asks_as(card, by_ada(later)).await;
    assert!(matches!(charged, Outcome::Declined(_)), "{charged:?}");
}

async fn is_charged(bench: &Bench, card: &Card, agreed: Approval) {
    let by_scheme = agreed.network_transaction_id.map(|reference| Initiation {
        network_transaction_id: Some(reference),
        ..Initiation::default()
    });
    let by_processor = agreed.mandate.map(|mandate| Initiation {
        mandate: Some(*mandate),
        ..Initiation::default()
    });
    let known_by: Vec<Initiation> = by_scheme.into_iter().chain(by_processor).collect();
    assert!(!known_by.is_empty(), "by what is it charged later?");
    for initiation in known_by {
        let mut kept = card.clone();
        kept.code = None;
        let later = Initiation {
            off_session: Some(true),
            ..initiation.clone()
        };
        let (charged, _) = bench.sells_as(kept, by_ada(later)).await;
        let taken = Books {
            authorized: 6540,
            captured: 6540,
            ..Books::default()
        };
        assert_eq!(bench.books(&charged).await, taken, "{initiation:?}");
    }
}
