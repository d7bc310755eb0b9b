//! Measures the choice of an account among 20 accounts by 50 rules, of which the last one matches. It runs with rules alone,
//! and with dynamic routing.
//!
//! ```sh
//! cargo bench -p multirail-routing --bench routing
//! ```
//!
//! `cargo test` runs it once and without a clock, because times of unoptimized code mean nothing.

#[path = "../../domain/tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::CaptureMethod;
use multirail_domain::routing::elimination::{EliminationConfig, Full};
use multirail_domain::routing::success_based::{Counted, SuccessBasedConfig};
use multirail_domain::routing::{
    Algorithm, Dynamic, Elimination, RoutingRecord, SuccessRates, TransactionType,
};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId, RoutingId};
use multirail_kernel::unread::UnreadMembers;
use multirail_routing::{choose, learned};
use serde_json::{Value, json};

use support::{candidate, create, purchase, start};

const ACCOUNTS: usize = 20;
const RULES: usize = 50;
const ROUNDS: usize = 200;
const IN_A_ROUND: u32 = 500;
/// The largest permitted time of a choice.
const AT_MOST: Duration = Duration::from_micros(20);

/// The argument of `cargo bench`, which `cargo test` doesn't pass.
const MEASURES: &str = "--bench";

fn main() {
    let measures = std::env::args().any(|argument| argument == MEASURES);
    let (rounds, in_a_round) = if measures {
        (ROUNDS, IN_A_ROUND)
    } else {
        (1, 1)
    };
    let payment = create(purchase(CaptureMethod::Automatic))
        .expect("a payment")
        .payment;
    let instrument = payment.instrument().expect("an instrument");
    let candidates = accounts();
    let active = configuration();
    let known = dynamic();
    for (what, dynamic) in [
        ("rules", None),
        ("rules and what was learned", Some(&known)),
    ] {
        let mut took: Vec<Duration> = (0..rounds)
            .map(|_| {
                let started = Instant::now();
                for draw in 0..in_a_round {
                    let routed = choose(
                        &black_box(&payment).facts(Some(instrument)),
                        black_box(instrument),
                        black_box(&candidates),
                        black_box(Some(&active)),
                        draw,
                    );
                    let routed = routed.expect("an account");
                    let routed = black_box(learned(
                        routed,
                        &payment.facts(payment.instrument()),
                        black_box(dynamic),
                        draw,
                    ));
                    assert_eq!(routed.eligible.len(), ACCOUNTS);
                }
                started.elapsed() / in_a_round
            })
            .collect();
        if !measures {
            continue;
        }
        took.sort();
        let (median, slowest) = (took[rounds / 2], took[rounds - 1]);
        println!(
            "{ACCOUNTS} accounts, {RULES} rules; {what}: {median:?} in the middle, {slowest:?} at worst"
        );
        assert!(
            median < AT_MOST,
            "choosing by {what} takes {median:?}, and may take {AT_MOST:?}"
        );
    }
}

/// Rates of every account for five kinds of payments; every fourth account has a full bucket.
fn dynamic() -> Dynamic {
    let account =
        |place: usize| ConnectorAccountId::parse(&format!("mca_{place:020}")).expect("an id");
    let kinds = ["wallet", "network_token", "bank_debit", "pay_later", "card"];
    let counted = kinds.iter().flat_map(|kind| {
        (0..ACCOUNTS).map(move |place| Counted {
            parameters: (*kind).to_owned(),
            account: account(place),
            blocks: 8,
            decided: 100,
            approved: 50 + 7 * (place as i64) % 50,
        })
    });
    let full = (0..ACCOUNTS).step_by(4).map(|place| Full {
        parameters: "card".to_owned(),
        account: account(place),
    });
    Dynamic {
        split: 100,
        success_rates: Some(SuccessRates {
            routing_id: RoutingId::parse("routing_2").expect("an id"),
            config: SuccessBasedConfig::default(),
            counted: counted.collect(),
        }),
        elimination: Some(Elimination {
            config: EliminationConfig::default(),
            full: full.collect(),
        }),
    }
}

fn accounts() -> Vec<Candidate> {
    let enabled = json!({"payment_methods_enabled": [{
        "payment_method": "card",
        "payment_method_types": ["credit", "debit"],
        "payment_schemes": ["Visa", "Mastercard"],
        "accepted_currencies": {"type": "enable_only", "list": ["EUR", "USD"]},
        "minimum_amount": 1,
    }]});
    let account =
        |place: usize| candidate("stripe_test", &format!("mca_{place:020}"), enabled.clone());
    (0..ACCOUNTS).map(account).collect()
}

fn configuration() -> RoutingRecord {
    let shares: Vec<Value> = (0..ACCOUNTS)
        .map(|place| {
            let id = format!("mca_{place:020}");
            json!({"connector": {"connector": "stripe_test", "merchant_connector_id": id}, "split": place + 1})
        })
        .collect();
    let selection = json!({"type": "volume_split", "data": shares});
    let condition = |lhs: &str, comparison: &str, kind: &str, value: Value| json!({"lhs": lhs, "comparison": comparison, "value": {"type": kind, "value": value}, "metadata": {}});
    let rules: Vec<Value> = (1..=RULES)
        .map(|place| {
            let currency = if place == RULES { "USD" } else { "EUR" };
            let conditions = [
                condition("payment_method", "equal", "enum_variant", json!("card")),
                condition("amount", "greater_than", "number", json!(place)),
                condition(
                    "card_network",
                    "equal",
                    "enum_variant_array",
                    json!(["Mastercard", "Visa"]),
                ),
                condition("currency", "equal", "enum_variant", json!(currency)),
            ];
            json!({"name": format!("rule {place}"), "connectorSelection": selection,
                "statements": [{"condition": conditions}]})
        })
        .collect();
    let program = json!({"defaultSelection": selection, "rules": rules, "metadata": {}});
    let algorithm = Algorithm::parse(&json!({"type": "advanced", "data": program}));
    RoutingRecord {
        routing_id: RoutingId::parse("routing_1").expect("an id"),
        merchant_id: MerchantId::parse("shop").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        name: "Fifty rules".to_owned(),
        description: String::new(),
        algorithm: algorithm.expect("an algorithm"),
        transaction_type: TransactionType::Payment,
        created_at: start(),
        modified_at: start(),
        unread: UnreadMembers::default(),
    }
}
