//! Invariants for all configurations and accounts.

use std::collections::{BTreeMap, BTreeSet};

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::{CaptureMethod, Payment};
use multirail_domain::routing::{Algorithm, Routed, RoutingRecord, TransactionType};
use multirail_kernel::ids::{MerchantId, ProfileId, RoutingId};
use multirail_kernel::random::{Random, SeededRandom};
use multirail_kernel::unread::UnreadMembers;
use multirail_routing::choose;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{candidate, create, purchase, start};

const CONNECTORS: [&str; 3] = ["stripe_test", "adyen_test", "fauxpay"];

pub fn record(algorithm: &Value) -> RoutingRecord {
    RoutingRecord {
        routing_id: RoutingId::parse("routing_1").expect("an id"),
        merchant_id: MerchantId::parse("shop").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        name: "By chance".to_owned(),
        description: String::new(),
        algorithm: Algorithm::parse(algorithm).expect("an algorithm"),
        transaction_type: TransactionType::Payment,
        created_at: start(),
        modified_at: start(),
        unread: UnreadMembers::default(),
    }
}

fn payment() -> Payment {
    let created = create(purchase(CaptureMethod::Automatic));
    created.expect("a payment").payment
}

/// Accounts of three connectors, some of which accept no payment.
fn candidates(switches: &[u8]) -> Vec<Candidate> {
    let of = |(place, switch): (usize, &u8)| {
        let members = match switch {
            0 => json!({"disabled": true}),
            1 => json!({"payment_methods_enabled": []}),
            2 => {
                json!({"payment_methods_enabled": [{"payment_method": "card", "maximum_amount": 1}]})
            }
            _ => json!({}),
        };
        candidate(CONNECTORS[place % 3], &format!("mca_{place}"), members)
    };
    switches.iter().enumerate().map(of).collect()
}

fn ids(candidates: &[&Candidate]) -> Vec<String> {
    let ids = candidates
        .iter()
        .map(|one| &one.account.merchant_connector_id);
    ids.map(ToString::to_string).collect()
}

/// Generates any choice of an account, also of a missing one or of another connector's.
fn choice() -> impl Strategy<Value = Value> {
    (0..3_usize, prop::option::of(0..12_usize)).prop_map(|(connector, place)| {
        let connector = CONNECTORS[connector];
        match place {
            None => json!({"connector": connector}),
            Some(place) => {
                json!({"connector": connector, "merchant_connector_id": format!("mca_{place}")})
            }
        }
    })
}

fn distinct(choices: Vec<Value>) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    choices
        .into_iter()
        .filter(|one| seen.insert(one.to_string()))
        .collect()
}

fn selection() -> impl Strategy<Value = Value> {
    let priority = prop::collection::vec(choice(), 1..6)
        .prop_map(|choices| json!({"type": "priority", "data": distinct(choices)}));
    let split = (prop::collection::vec(choice(), 1..6), 1..=255_u32).prop_map(|(choices, split)| {
        let shares = distinct(choices).into_iter().enumerate();
        let shares: Vec<Value> = shares
            .map(|(place, choice)| json!({"connector": choice, "split": split / (place as u32 + 1)}))
            .collect();
        json!({"type": "volume_split", "data": shares})
    });
    prop_oneof![priority, split]
}

fn condition() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        (0..20_000_i64).prop_map(|n| ("amount", json!({"type": "number", "value": n}))),
        Just(("currency", json!({"type": "enum_variant", "value": "USD"}))),
        Just((
            "billing_country",
            json!({"type": "enum_variant", "value": "DE"})
        )),
        Just((
            "metadata",
            json!({"type": "metadata_variant", "value": {"key": "a", "value": "b"}})
        )),
    ];
    (value, any::<bool>()).prop_map(|((lhs, value), is_equal)| {
        let comparison = if is_equal { "equal" } else { "not_equal" };
        json!({"lhs": lhs, "comparison": comparison, "value": value, "metadata": {}})
    })
}

fn algorithm() -> impl Strategy<Value = Value> {
    let rule = (selection(), prop::collection::vec(condition(), 1..3));
    let rules = (selection(), prop::collection::vec(rule, 0..5)).prop_map(|(default, rules)| {
        let rules = rules.into_iter().enumerate();
        let rules: Vec<Value> = rules
            .map(|(place, (selection, conditions))| {
                json!({"name": format!("rule {place}"), "connectorSelection": selection,
                    "statements": [{"condition": conditions}]})
            })
            .collect();
        json!({"type": "advanced", "data": {"defaultSelection": default, "rules": rules, "metadata": {}}})
    });
    let single = choice().prop_map(|choice| json!({"type": "single", "data": choice}));
    prop_oneof![rules, single, selection()]
}

fn routed<'a>(
    payment: &Payment,
    candidates: &'a [Candidate],
    active: &'a RoutingRecord,
    draw: u32,
) -> Option<Routed<'a>> {
    let instrument = payment.instrument().expect("an instrument");
    choose(
        &payment.facts(Some(instrument)),
        instrument,
        candidates,
        Some(active),
        draw,
    )
    .ok()
}

proptest! {
    /// Every eligible account is in the order once, and no other is.
    #[test]
    fn all_eligible_accounts_and_no_others(
        algorithm in algorithm(), switches in prop::collection::vec(0..8_u8, 0..12), draw in any::<u32>()
    ) {
        let (payment, active) = (payment(), record(&algorithm));
        let candidates = candidates(&switches);
        let able = switches.iter().enumerate().filter(|(_, switch)| **switch > 2);
        let able: BTreeSet<String> = able.map(|(place, _)| format!("mca_{place}")).collect();
        let found = routed(&payment, &candidates, &active, draw);
        prop_assert_eq!(found.is_none(), able.is_empty());
        if let Some(routed) = found {
            let order = ids(&routed.eligible);
            prop_assert_eq!(order.len(), able.len(), "nobody twice");
            prop_assert_eq!(order.iter().cloned().collect::<BTreeSet<_>>(), able);
            // The trace has every account, in the same order, and why others were dropped.
            prop_assert_eq!(routed.trace.candidates.len(), candidates.len());
            let told = routed.trace.candidates.iter().filter(|one| one.dropped.is_none());
            let told: Vec<String> = told.map(|one| one.merchant_connector_id.to_string()).collect();
            prop_assert_eq!(told, order);
        }
    }

    /// Equal inputs give equal choices.
    #[test]
    fn nothing_else_decides(
        algorithm in algorithm(), switches in prop::collection::vec(0..8_u8, 0..12), draw in any::<u32>()
    ) {
        let (payment, active) = (payment(), record(&algorithm));
        let candidates = candidates(&switches);
        let one = routed(&payment, &candidates, &active, draw).map(|routed| routed.trace);
        let other = routed(&payment, &candidates, &active, draw).map(|routed| routed.trace);
        prop_assert_eq!(one, other);
    }
}

#[test]
fn a_split_converges_to_its_weights() {
    const TIMES: usize = 100_000;
    let payment = payment();
    let candidates = candidates(&[9, 9, 9]);
    let share = |place: usize, split: u32| json!({"connector": {"connector": CONNECTORS[place], "merchant_connector_id": format!("mca_{place}")}, "split": split});
    for weights in [[70, 20, 10], [1, 1, 1], [255, 1, 0]] {
        let shares: Vec<Value> = weights
            .iter()
            .enumerate()
            .map(|(place, split)| share(place, *split))
            .collect();
        let active = record(&json!({"type": "volume_split", "data": shares}));
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let random = SeededRandom::new(42);
        for _ in 0..TIMES {
            let mut draw = [0; 4];
            random.fill(&mut draw);
            let draw = u32::from_le_bytes(draw);
            let routed = routed(&payment, &candidates, &active, draw).expect("an account");
            *counts
                .entry(ids(&routed.eligible[..1]).remove(0))
                .or_default() += 1;
        }
        let sum: u32 = weights.iter().sum();
        for (place, weight) in weights.iter().enumerate() {
            let wanted = f64::from(*weight) / f64::from(sum);
            let counted =
                counts.get(&format!("mca_{place}")).copied().unwrap_or(0) as f64 / TIMES as f64;
            // Four standard deviations.
            let allowed = 4.0 * (wanted * (1.0 - wanted) / TIMES as f64).sqrt();
            assert!(
                (counted - wanted).abs() <= allowed,
                "{weights:?} {place}: {counted}, not {wanted}"
            );
        }
    }
}
