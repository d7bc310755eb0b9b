//! Cases of stored cards that are charged without the payer.

use multirail_connector_kit::stories;
use multirail_sdk::card::Card;
use multirail_sdk::charge::FutureUsage;
use multirail_sdk::connector::details::{Details, Initiation, Payer};
use multirail_sdk::connector::{
    Approval, DeleteKeptRequest, KeptAtProcessor, OperationKind, Outcome, Recovery, UnknownReason,
};

use crate::suite::bench::{Asked, Bench, PRICE, agrees, done_for, never_happened, unknown};
use crate::suite::mishaps::{Mishap, Operation};
use crate::suite::peer::Fault;
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

/// The charge comes without the payer, so nobody else would tell of a charge that was lost or made twice.
pub async fn a_charge_of_a_stored_card_stands_every_fault(mut bench: Bench) {
    let card = bench.subject.card(CardThat::IsApproved);
    let consents = Initiation {
        future_usage: Some(FutureUsage::OffSession),
        ..Initiation::default()
    };
    let (_, agreed) = bench.sells_as(card.clone(), by_ada(consents)).await;
    let card = without_code(&card);
    for later in later_charges(agreed) {
        for fault in [Fault::LosesRequest, Fault::LosesAnswer] {
            let asked = bench.authorize(CardThat::IsApproved, PRICE, true);
            bench.subject.peer().faults().next(fault);
            let lost = unknown(charge(&bench, &asked, &card, &later).await);
            assert_eq!(lost, UnknownReason::ConnectionLost, "{later:?}");
            settles(&bench, fault, &asked, &card, &later).await;
        }

        let patient = bench.loses_patience();
        // Opens the connection first, so that the deadline measures only the call.
        bench.sold().await;
        let asked = bench.authorize(CardThat::IsApproved, PRICE, true);
        bench.subject.peer().faults().next(Fault::AnswersNever);
        let late = unknown(charge(&bench, &asked, &card, &later).await);
        assert_eq!(late, UnknownReason::Timeout, "{later:?}");
        bench.connector = patient;
        settles(&bench, Fault::AnswersNever, &asked, &card, &later).await;

        let asked = bench.authorize(CardThat::IsApproved, PRICE, true);
        let first = charge(&bench, &asked, &card, &later).await;
        let first = done_for(bench.settled(&asked, first).await, PRICE);
        let again = charge(&bench, &asked, &card, &later).await;
        let again = done_for(bench.settled(&asked, again).await, PRICE);
        assert_eq!(again.reference, first.reference, "{later:?}");
        bench.assert_done(&asked, true).await;
        bench.has_met(Operation::ChargeStoredCard, Mishap::SentTwice);
    }
}

async fn charge(bench: &Bench, asked: &Asked, card: &Card, later: &Initiation) -> Outcome {
    bench
        .charges_as(&asked.key, card.clone(), by_ada(later.clone()))
        .await
}

/// Asserts that the true outcome of a charge is learned, and that it took the money once or not at all.
async fn settles(bench: &Bench, fault: Fault, asked: &Asked, card: &Card, later: &Initiation) {
    let is_done = fault.is_done();
    bench.assert_done(asked, is_done).await;
    let capabilities = &bench.subject.description().capabilities;
    let recovery = bench.recovery(OperationKind::Authorize);
    let repeats = match recovery {
        Recovery::Repeat { .. } => true,
        Recovery::LookUp(_) | Recovery::Notice | Recovery::GiveUp { .. } => {
            capabilities.repeats_authorizations
        }
    };
    let told = if repeats {
        let again = charge(bench, asked, card, later).await.of_a_repeat();
        Some(bench.settled(asked, again).await)
    } else {
        bench.learn(asked).await
    };
    let is_known = match told {
        Some(told) if is_done || repeats => {
            done_for(told, PRICE);
            true
        }
        Some(told) => {
            never_happened(told);
            false
        }
        None => {
            assert!(!is_done, "{fault:?}: nothing tells of {asked:?}");
            false
        }
    };
    bench.assert_done(asked, is_known).await;
    bench.stood(Operation::ChargeStoredCard, fault);
}

fn without_code(card: &Card) -> Card {
    let mut kept = card.clone();
    kept.code = None;
    kept
}

/// Returns the ways to charge later: with the scheme's reference, and with the processor's stored instrument.
fn later_charges(agreed: Approval) -> Vec<Initiation> {
    let by_scheme = agreed.network_transaction_id.map(|reference| Initiation {
        off_session: Some(true),
        network_transaction_id: Some(reference),
        ..Initiation::default()
    });
    let by_processor = agreed.mandate.map(|mandate| Initiation {
        off_session: Some(true),
        mandate: Some(*mandate),
        ..Initiation::default()
    });
    let known_by: Vec<Initiation> = by_scheme.into_iter().chain(by_processor).collect();
    assert!(!known_by.is_empty(), "by what is it charged later?");
    known_by
}

async fn is_charged(bench: &Bench, card: &Card, agreed: Approval) {
    for initiation in later_charges(agreed) {
        let later = by_ada(initiation.clone());
        let (charged, _) = bench.sells_as(without_code(card), later).await;
        let taken = Books {
            authorized: 6540,
            captured: 6540,
            ..Books::default()
        };
        assert_eq!(bench.books(&charged).await, taken, "{initiation:?}");
    }
}
