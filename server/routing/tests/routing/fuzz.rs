//! Fuzzing of routing rules: any input is a configuration, or is refused with a short message. The test replays
//! `conformance/fuzz/corpus`; cargo-fuzz builds this file too.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::{CaptureMethod, Payment};
use multirail_domain::routing::{Algorithm, RoutingRecord, TransactionType};
use multirail_kernel::ids::{MerchantId, ProfileId, RoutingId};
use multirail_kernel::unread::UnreadMembers;
use multirail_routing::choose;
use serde_json::{Value, json};

use crate::support::{candidate, create, purchase, start};

/// The longest refusal, in characters.
const LONGEST_REFUSAL: usize = 1_024;

/// Checks one configuration.
///
/// # Panics
/// If it changes when it is stored and read, or doesn't choose the same account twice.
pub fn rules(input: &[u8]) {
    let Ok(value) = serde_json::from_slice::<Value>(input) else {
        return;
    };
    let algorithm = match Algorithm::parse(&value) {
        Ok(algorithm) => algorithm,
        Err(refusal) => {
            let told = refusal.to_string();
            let is_short = told.chars().count() <= LONGEST_REFUSAL;
            assert!(is_short && !told.contains(char::is_control), "{told:?}");
            return;
        }
    };
    let stored = serde_json::to_value(&algorithm).expect("a configuration is JSON");
    assert_eq!(
        serde_json::from_value(stored.clone()).ok().as_ref(),
        Some(&algorithm)
    );
    assert_eq!(
        Algorithm::parse(&stored).as_ref(),
        Ok(&algorithm),
        "as it is answered"
    );
    for payment in [
        payment(CaptureMethod::Automatic),
        payment(CaptureMethod::Manual),
    ] {
        chosen(&payment, algorithm.clone());
    }
}

fn payment(capture_method: CaptureMethod) -> Payment {
    create(purchase(capture_method)).expect("a payment").payment
}

fn chosen(payment: &Payment, algorithm: Algorithm) {
    let candidates: Vec<Candidate> = [
        ("stripe_test", "mca_1"),
        ("adyen_test", "mca_2"),
        ("fauxpay", "mca_3"),
    ]
    .map(|(connector, id)| candidate(connector, id, json!({})))
    .into();
    let record = RoutingRecord {
        routing_id: RoutingId::parse("routing_1").expect("an id"),
        merchant_id: MerchantId::parse("shop").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        name: "Hostile".to_owned(),
        description: String::new(),
        algorithm,
        transaction_type: TransactionType::Payment,
        created_at: start(),
        modified_at: start(),
        unread: UnreadMembers::default(),
    };
    let instrument = payment.instrument().expect("an instrument");
    for draw in [0, 1, u32::MAX / 2, u32::MAX] {
        let choice = || {
            let routed = choose(
                &payment.facts(Some(instrument)),
                instrument,
                &candidates,
                Some(&record),
                draw,
            );
            routed.expect("accounts that take it").trace
        };
        let trace = choice();
        assert_eq!(trace.candidates.len(), candidates.len(), "each once");
        assert_eq!(trace, choice());
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn configurations() {
        multirail_test_replay::replay("rules", 4_000, super::rules);
    }
}
