//! Cases of repeated keys.

use multirail_connector_kit::stories;
use multirail_kernel::money::Money;
use multirail_sdk::connector::Outcome;

use crate::suite::bench::{Bench, PRICE, agrees, done_for};
use crate::suite::mishaps::{Mishap, Operation};
use crate::suite::subject::CardThat;

pub async fn every_kind_is_done_once(bench: Bench) {
    let asked = agrees(stories::repeated_key(&bench).await);
    bench.assert_done(&asked, true).await;
    for asked in bench.one_of_each().await {
        let first = done_for(bench.finish(&asked).await, asked.money);
        let again = done_for(bench.finish(&asked).await, asked.money);
        assert_eq!(again.reference, first.reference, "{asked:?}");
        bench.assert_done(&asked, true).await;
        bench.has_met(Operation::of_kind(asked.kind()), Mishap::SentTwice);
    }
}

/// A different request under a used key isn't executed. Its answer is the first request's, if any.
pub async fn a_key_stands_for_one_request(bench: Bench) {
    let first = bench.authorize(CardThat::IsApproved, PRICE, true);
    done_for(bench.finish(&first).await, PRICE);
    let mut other = first.clone();
    other.money = Money::new(100, PRICE.currency);
    match bench.ask(&other).await {
        Outcome::Unknown(_) => {}
        Outcome::Done(approval) => assert_eq!(approval.amount_minor, Some(6540)),
        told => panic!("{told:?}"),
    }
    bench.assert_done(&first, true).await;
}
