//! Elimination moves accounts to the end, and drops none.

use std::collections::BTreeSet;

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::{CaptureMethod, Payment};
use multirail_domain::routing::elimination::{EliminationConfig, Full};
use multirail_domain::routing::{Dynamic, Elimination, Moved};
use multirail_kernel::ids::ConnectorAccountId;
use multirail_routing::{choose, learned};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{candidate, create, purchase};

fn payment(asks: Option<&str>) -> Payment {
    let created = create(purchase(CaptureMethod::Automatic));
    let mut payment = created.expect("a payment").payment;
    payment.terms.routing = asks.map(|connector| {
        let routing = json!({ "type": "single", "data": { "connector": connector } });
        serde_json::from_value(routing).expect("routing")
    });
    payment
}

fn accounts(count: usize) -> Vec<Candidate> {
    let of = |place| candidate("stripe_test", &format!("mca_{place}"), json!({}));
    (0..count).map(of).collect()
}

fn full(parameters: &str, place: usize) -> Full {
    Full {
        parameters: parameters.to_owned(),
        account: ConnectorAccountId::parse(&format!("mca_{place}")).expect("an id"),
    }
}

fn elimination(full: Vec<Full>) -> Dynamic {
    Dynamic {
        split: 100,
        success_rates: None,
        elimination: Some(Elimination {
            config: EliminationConfig::default(),
            full,
        }),
    }
}

fn order(payment: &Payment, candidates: &[Candidate], by: &Dynamic) -> Vec<String> {
    let instrument = payment.instrument().expect("a card");
    let routed = choose(
        &payment.facts(Some(instrument)),
        instrument,
        candidates,
        None,
        0,
    )
    .expect("a route");
    let routed = learned(routed, &payment.facts(payment.instrument()), Some(by), 0);
    let ids = routed.eligible.iter();
    ids.map(|one| one.account.merchant_connector_id.to_string())
        .collect()
}

#[test]
fn what_is_full_for_other_payments_moves_nothing() {
    let candidates = accounts(2);
    let of = |parameters| {
        order(
            &payment(None),
            &candidates,
            &elimination(vec![full(parameters, 0)]),
        )
    };
    assert_eq!(of("card"), ["mca_1", "mca_0"]);
    assert_eq!(of("wallet"), ["mca_0", "mca_1"]);
}

#[test]
fn what_the_payment_asks_for_stays() {
    let candidates = accounts(2);
    let by = elimination(vec![full("card", 0)]);
    assert_eq!(
        order(&payment(Some("stripe_test")), &candidates, &by),
        ["mca_0", "mca_1"]
    );
}

#[test]
fn the_trace_says_who_was_moved() {
    let (payment, candidates) = (payment(None), accounts(2));
    let instrument = payment.instrument().expect("a card");
    let routed = choose(
        &payment.facts(Some(instrument)),
        instrument,
        &candidates,
        None,
        0,
    )
    .expect("a route");
    let routed = learned(
        routed,
        &payment.facts(payment.instrument()),
        Some(&elimination(vec![full("card", 0)])),
        0,
    );
    let moved: Vec<_> = routed
        .trace
        .candidates
        .iter()
        .map(|one| one.moved)
        .collect();
    assert_eq!(moved, [Some(Moved::Elimination), None]);
}

proptest! {
    #[test]
    fn no_account_is_lost_and_the_others_keep_their_order(
        count in 1..12_usize,
        places in prop::collection::vec(0..12_usize, 0..8),
    ) {
        let (payment, candidates) = (payment(None), accounts(count));
        let full: Vec<_> = places.iter().map(|place| full("card", *place)).collect();
        let after = order(&payment, &candidates, &elimination(full));
        let moved: BTreeSet<_> = places.iter().map(|place| format!("mca_{place}")).collect();
        let all: Vec<_> = (0..count).map(|place| format!("mca_{place}")).collect();
        let (last, first): (Vec<_>, Vec<_>) = all.into_iter().partition(|id| moved.contains(id));
        prop_assert_eq!(after, [first, last].concat());
    }
}

/// A charge without the payer goes to the processor that stores the payment method, whatever was learned: the payer agreed to
/// it there.
#[test]
fn who_keeps_what_is_charged_stays_first() {
    let candidates = accounts(4);
    let mut payment = payment(None);
    let kept = json!({
        "kind": "payment_method_id",
        "connector_mandates": [{
            "merchant_connector_id": "mca_2", "mandate": { "connector_mandate_id": "seti_1" },
        }],
    });
    payment.attempts[0].recurring = Some(serde_json::from_value(kept).expect("a mandate"));
    let by = elimination(vec![full("card", 2), full("card", 0)]);
    let expected = ["mca_2", "mca_1", "mca_3", "mca_0"];
    assert_eq!(order(&payment, &candidates, &by), expected);
    let instrument = payment.instrument().expect("a card");
    let routed = choose(
        &payment.facts(Some(instrument)),
        instrument,
        &candidates,
        None,
        0,
    )
    .expect("a route");
    let routed = learned(routed, &payment.facts(payment.instrument()), Some(&by), 0);
    let chosen = routed.trace.chosen().expect("an account");
    assert_eq!(chosen.merchant_connector_id.as_str(), "mca_2");
}
