//! Examples of routing: configurations, a profile's settings, and the reason for an attempt's connector.

use multirail_domain::routing::elimination::EliminationConfig;
use multirail_domain::routing::program::ThreeDsDecision;
use multirail_domain::routing::success_based::SuccessBasedConfig;
use multirail_domain::routing::{
    Algorithm, AlgorithmKind, Considered, Dropped, DynamicAlgorithm, DynamicFeature, DynamicParam,
    DynamicTrace, FallbackOrder, Moved, ProfileDynamic, ProfileRouting, RoutedBy, RoutingRecord,
    RoutingTrace, ThreeDsDecided, TransactionType,
};
use multirail_kernel::ids::{ConnectorAccountId, RoutingId};
use multirail_kernel::unread::UnreadMembers;
use serde_json::{Value, json};

use super::payment::{account_id, merchant_id, moment, profile_id};

fn routing_id() -> RoutingId {
    RoutingId::parse("routing_example").expect("an id")
}

/// One of every kind, and of every form that a rule can have.
pub(super) fn configurations() -> Vec<RoutingRecord> {
    let choice = json!({"connector": "stripe_test", "merchant_connector_id": "mca_example"});
    let priority = json!([choice, {"connector": "adyen_test"}]);
    let split = json!([{"connector": choice, "split": 70}, {"connector": {"connector": "adyen_test"}, "split": 30}]);
    let condition = |lhs: &str, comparison: &str, value: Value| json!({"lhs": lhs, "comparison": comparison, "value": value, "metadata": {"by": "ops"}});
    let statements = json!([{
        "condition": [
            condition("amount", "greater_than", json!({"type": "number", "value": 1000})),
            condition("amount", "equal", json!({"type": "number_array", "value": [1000, 2000]})),
            condition("amount", "not_equal", json!({"type": "number_comparison_array", "value": [{"comparisonType": "less_than", "number": 5}]})),
            condition("currency", "equal", json!({"type": "enum_variant", "value": "EUR"})),
        ],
        "nested": [{
            "condition": [
                condition("billing_country", "equal", json!({"type": "enum_variant_array", "value": ["DE", "AT"]})),
                condition("card_bin", "equal", json!({"type": "str_value", "value": "411111"})),
                condition("metadata", "equal", json!({"type": "metadata_variant", "value": {"key": "shelf", "value": "B"}})),
            ],
        }],
    }]);
    let program = |selection: Value| {
        json!({
            "defaultSelection": selection,
            "rules": [{"name": "in euros", "connectorSelection": selection, "statements": statements}],
            "metadata": {"ticket": "OPS-1"},
        })
    };
    let decision = json!({"decision": "challenge_requested"});
    let read = |kind: &str, data: Value| {
        let algorithm = Algorithm::parse(&json!({"type": kind, "data": data}));
        algorithm.expect("an algorithm")
    };
    let payment = TransactionType::Payment;
    let table = [
        (payment, read("single", choice.clone())),
        (TransactionType::Payout, read("priority", priority.clone())),
        (payment, read("volume_split", split.clone())),
        (
            payment,
            read(
                "advanced",
                program(json!({"type": "volume_split", "data": split})),
            ),
        ),
        (
            payment,
            read(
                "advanced",
                program(json!({"type": "priority", "data": priority})),
            ),
        ),
        (
            payment,
            read(
                "advanced",
                program(json!({"type": "least_cost", "data": priority})),
            ),
        ),
        (
            TransactionType::ThreeDsAuthentication,
            read("three_ds_decision_rule", program(decision)),
        ),
        (payment, Algorithm::Dynamic(Box::new(eliminating()))),
        (payment, Algorithm::Dynamic(Box::new(success_based()))),
    ];
    let of = |(transaction_type, algorithm)| RoutingRecord {
        routing_id: routing_id(),
        merchant_id: merchant_id(),
        profile_id: profile_id(),
        name: "By amount".to_owned(),
        description: "Until the new contract is tried".to_owned(),
        algorithm,
        transaction_type,
        created_at: moment(0),
        modified_at: moment(0),
        unread: UnreadMembers::default(),
    };
    table.map(of).into()
}

fn eliminating() -> DynamicAlgorithm {
    DynamicAlgorithm {
        elimination: Some(EliminationConfig {
            threshold: 0.35,
            params: DynamicParam::ALL.to_vec(),
            bucket_size: 5,
            bucket_leak_interval_in_secs: 60,
            unread: UnreadMembers::default(),
        }),
        ..DynamicAlgorithm::default()
    }
}

fn success_based() -> DynamicAlgorithm {
    DynamicAlgorithm {
        success_based: Some(SuccessBasedConfig {
            params: DynamicParam::ALL.to_vec(),
            min_aggregates_size: 2,
            default_success_rate: 90.0,
            max_aggregates_size: 8,
            block_minutes: 15,
            exploration_percent: 20.0,
            unread: UnreadMembers::default(),
        }),
        ..DynamicAlgorithm::default()
    }
}

pub(super) fn of_profile() -> ProfileRouting {
    let order = || {
        Some(FallbackOrder {
            accounts: vec![account_id()],
            set_at: moment(1),
            unread: UnreadMembers::default(),
        })
    };
    let dynamic = || {
        Some(ProfileDynamic {
            routing_id: routing_id(),
            feature: DynamicFeature::DynamicConnectorSelection,
            unread: UnreadMembers::default(),
        })
    };
    ProfileRouting {
        payment: Some(routing_id()),
        payout: Some(routing_id()),
        three_ds_authentication: Some(routing_id()),
        payment_fallback: order(),
        payout_fallback: order(),
        elimination: dynamic(),
        success_based: dynamic(),
        dynamic_split: Some(50),
        unread: UnreadMembers::default(),
    }
}

pub(super) fn three_ds() -> ThreeDsDecided {
    ThreeDsDecided {
        routing_id: routing_id(),
        decision: ThreeDsDecision::ChallengeRequested,
        rule: Some("large".to_owned()),
        unread: UnreadMembers::default(),
    }
}

pub(super) fn trace() -> RoutingTrace {
    let considered = |id: &str, dropped| Considered {
        connector: "stripe_test".to_owned(),
        merchant_connector_id: ConnectorAccountId::parse(id).expect("an id"),
        dropped,
        moved: Some(Moved::Elimination),
        success_rate: Some(9_750),
        expected_cost: Some(117),
    };
    RoutingTrace {
        by: RoutedBy::Configuration,
        routing_id: Some(routing_id()),
        kind: Some(AlgorithmKind::Advanced),
        rule: Some("in euros".to_owned()),
        candidates: vec![
            considered("mca_other", Some(Dropped::Country)),
            considered("mca_example", None),
        ],
        dynamic: Some(DynamicTrace {
            applies: true,
            success_based: Some(routing_id()),
            explored: Some(account_id()),
            unread: UnreadMembers::default(),
        }),
    }
}
