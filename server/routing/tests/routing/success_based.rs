//! Success rates sort accounts, explore a share of payments, and drop none.

use std::collections::BTreeSet;

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::{CaptureMethod, Payment};
use multirail_domain::routing::elimination::{EliminationConfig, Full};
use multirail_domain::routing::success_based::{Counted, SuccessBasedConfig};
use multirail_domain::routing::{Dynamic, Elimination, Routed, SuccessRates};
use multirail_kernel::ids::{ConnectorAccountId, RoutingId};
use multirail_kernel::random::{Random, SeededRandom};
use multirail_routing::{consider, learned};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{candidate, create, purchase};

fn payment() -> Payment {
    let created = create(purchase(CaptureMethod::Automatic));
    created.expect("a payment").payment
}

fn accounts(count: usize) -> Vec<Candidate> {
    let of = |place| candidate("stripe_test", &format!("mca_{place}"), json!({}));
    (0..count).map(of).collect()
}

fn id(place: usize) -> ConnectorAccountId {
    ConnectorAccountId::parse(&format!("mca_{place}")).expect("an id")
}

/// Counts of ten outcomes in two blocks.
fn approved(place: usize, approved: i64) -> Counted {
    Counted {
        parameters: "card".to_owned(),
        account: id(place),
        blocks: 2,
        decided: 10,
        approved,
    }
}

fn exploring(percent: f64) -> SuccessBasedConfig {
    SuccessBasedConfig {
        exploration_percent: percent,
        ..SuccessBasedConfig::default()
    }
}

fn dynamic(config: SuccessBasedConfig, counted: Vec<Counted>) -> Dynamic {
    Dynamic {
        split: 100,
        success_rates: Some(SuccessRates {
            routing_id: RoutingId::parse("routing_1").expect("an id"),
            config,
            counted,
        }),
        elimination: None,
    }
}

fn routed<'a>(candidates: &'a [Candidate], by: &Dynamic, draw: u32) -> Routed<'a> {
    let payment = payment();
    let instrument = payment.instrument().expect("a card");
    let facts = payment.facts(Some(instrument));
    let routed = consider(&facts, instrument, candidates, None, draw);
    learned(routed, &facts, Some(by), draw)
}

fn order(routed: &Routed<'_>) -> Vec<String> {
    let ids = routed.eligible.iter();
    ids.map(|one| one.account.merchant_connector_id.to_string())
        .collect()
}

#[test]
fn the_best_goes_first_and_equals_stay_as_they_stand() {
    let candidates = accounts(4);
    let counted = vec![approved(0, 5), approved(1, 9), approved(3, 5)];
    // Nothing is known of the third account, so the default makes it the best.
    let by = dynamic(exploring(0.0), counted.clone());
    let by_rate = routed(&candidates, &by, 7);
    assert_eq!(order(&by_rate), ["mca_2", "mca_1", "mca_0", "mca_3"]);
    let told = by_rate.trace.candidates.iter();
    let told: Vec<_> = told.map(|one| one.success_rate).collect();
    assert_eq!(told, [Some(10_000), Some(9_000), Some(5_000), Some(5_000)]);
    let supposed = SuccessBasedConfig {
        default_success_rate: 40.0,
        ..exploring(0.0)
    };
    let by = dynamic(supposed, counted);
    let expected = ["mca_1", "mca_0", "mca_3", "mca_2"];
    assert_eq!(order(&routed(&candidates, &by, 7)), expected);
}

#[test]
fn what_was_counted_of_other_payments_or_in_too_few_blocks_says_nothing() {
    let candidates = accounts(2);
    let other = Counted {
        parameters: "wallet".to_owned(),
        ..approved(0, 0)
    };
    let by = dynamic(exploring(0.0), vec![other]);
    assert_eq!(order(&routed(&candidates, &by, 0)), ["mca_0", "mca_1"]);
    let config = SuccessBasedConfig {
        min_aggregates_size: 3,
        ..exploring(0.0)
    };
    let by = dynamic(config, vec![approved(0, 0)]);
    assert_eq!(order(&routed(&candidates, &by, 0)), ["mca_0", "mca_1"]);
}

#[test]
fn the_trace_names_the_account_that_is_tried_first() {
    let candidates = accounts(60);
    let by = dynamic(exploring(50.0), vec![approved(0, 3), approved(1, 4)]);
    let mut explored = 0;
    for draw in 0..200 {
        let routed = routed(&candidates, &by, draw);
        assert_eq!(routed.trace.candidates.len(), 50);
        let first = &routed.first().account.merchant_connector_id;
        let chosen = routed.trace.chosen();
        assert_eq!(chosen.map(|one| &one.merchant_connector_id), Some(first));
        let dynamic = routed.trace.dynamic.as_ref().expect("what it did");
        explored += usize::from(dynamic.explored.is_some());
    }
    assert!((60..140).contains(&explored), "{explored}");
}

#[test]
fn what_is_eliminated_is_neither_first_nor_explored() {
    let candidates = accounts(3);
    let mut by = dynamic(exploring(100.0), vec![approved(1, 9), approved(2, 8)]);
    by.elimination = Some(Elimination {
        config: EliminationConfig::default(),
        full: vec![Full {
            parameters: "card".to_owned(),
            account: id(0),
        }],
    });
    let mut first = BTreeSet::new();
    for draw in 0..50 {
        let order = order(&routed(&candidates, &by, draw));
        assert_eq!(order.last().map(String::as_str), Some("mca_0"));
        first.insert(order[0].clone());
    }
    assert_eq!(first.len(), 2, "both others are explored");
}

#[test]
fn it_decides_of_its_share_of_the_payments() {
    let candidates = accounts(2);
    let random = SeededRandom::new(13);
    for split in [0, 30, 100] {
        let by = Dynamic {
            split,
            ..dynamic(exploring(0.0), vec![approved(0, 0)])
        };
        let mut second = 0;
        for _ in 0..10_000 {
            let mut draw = [0; 4];
            random.fill(&mut draw);
            let routed = routed(&candidates, &by, u32::from_le_bytes(draw));
            let is_second = order(&routed)[0] == "mca_1";
            let dynamic = routed.trace.dynamic.expect("what it did");
            assert_eq!(dynamic.applies, is_second);
            second += i32::from(is_second);
        }
        assert!((second - i32::from(split) * 100).abs() < 200, "{second}");
    }
}

/// Each account is explored equally often.
#[test]
fn the_share_that_explores_converges() {
    let candidates = accounts(4);
    let rates = vec![
        approved(0, 9),
        approved(1, 1),
        approved(2, 2),
        approved(3, 3),
    ];
    let random = SeededRandom::new(13);
    let by = dynamic(exploring(20.0), rates);
    let mut explored = [0_i32; 4];
    for _ in 0..20_000 {
        let mut draw = [0; 4];
        random.fill(&mut draw);
        let routed = routed(&candidates, &by, u32::from_le_bytes(draw));
        let dynamic = routed.trace.dynamic.as_ref().expect("what it did");
        match &dynamic.explored {
            None => assert_eq!(order(&routed)[0], "mca_0", "the best"),
            Some(drawn) => {
                let mut all = candidates.iter();
                let place = all.position(|one| one.account.merchant_connector_id == *drawn);
                explored[place.expect("one of them")] += 1;
            }
        }
    }
    // Four thousand explorations, a thousand for each account.
    assert!(
        explored.iter().all(|one| (one - 1_000).abs() < 150),
        "{explored:?}"
    );
}

proptest! {
    /// No eligible account is lost, and no other is chosen. Without exploration the order follows the rates.
    #[test]
    fn no_eligible_account_is_lost_and_no_other_is_chosen(
        rates in prop::collection::vec(0..=10_i64, 1..12),
        disabled in prop::collection::vec(any::<bool>(), 12),
        exploration in prop_oneof![Just(0.0), Just(35.5), Just(100.0)],
        split in 0..=100_u8,
        draw: u32,
    ) {
        let of = |place: usize| {
            let disabled = json!({ "disabled": disabled[place] });
            candidate("stripe_test", &format!("mca_{place}"), disabled)
        };
        let candidates: Vec<_> = (0..rates.len()).map(of).collect();
        let counted = rates.iter().enumerate().map(|(place, rate)| approved(place, *rate));
        let by = Dynamic { split, ..dynamic(exploring(exploration), counted.collect()) };
        let payment = payment();
        let instrument = payment.instrument().expect("a card");
        let before = consider(&payment.facts(Some(instrument)), instrument, &candidates, None, draw);
        let (able, places) = (order(&before), before.eligible.len());
        let after = learned(before, &payment.facts(payment.instrument()), Some(&by), draw);
        let ids = order(&after);
        prop_assert_eq!(ids.len(), places);
        prop_assert_eq!(ids.iter().collect::<BTreeSet<_>>(), able.iter().collect::<BTreeSet<_>>());
        let dynamic = after.trace.dynamic.as_ref().expect("what it did");
        if !dynamic.applies {
            prop_assert_eq!(ids, able);
        } else {
            let from = usize::from(dynamic.explored.is_some());
            let rate = |id: &String| rates[id["mca_".len()..].parse::<usize>().expect("a place")];
            let rates: Vec<_> = ids[from..].iter().map(rate).collect();
            prop_assert!(rates.is_sorted_by(|one, next| one >= next), "{:?}", rates);
        }
    }
}
