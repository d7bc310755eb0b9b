//! Rules decide whether the payer authenticates, if the merchant didn't.

use multirail_domain::payments::payment::{AuthenticationType, CaptureMethod, Changes, Payment};
use multirail_domain::routing::{Algorithm, Dropped, NewRouting, RoutingRecord};
use multirail_kernel::ids::{MerchantId, ProfileId};
use multirail_kernel::random::SeededRandom;
use multirail_routing::{BuiltIn, consider};
use serde_json::{Value, json};

use crate::support::{candidate, create, purchase, start};

/// Challenges amounts above 50.00; `otherwise` applies below.
fn rules(otherwise: &str) -> RoutingRecord {
    let above = json!({
        "lhs": "amount", "comparison": "greater_than", "value": { "type": "number", "value": 5000 }, "metadata": {},
    });
    let program = json!({
        "defaultSelection": { "decision": otherwise },
        "rules": [{
            "name": "large", "connectorSelection": { "decision": "challenge_requested" },
            "statements": [{ "condition": [above] }],
        }],
        "metadata": {},
    });
    let algorithm = json!({ "type": "three_ds_decision_rule", "data": program });
    let new = NewRouting {
        name: "Large ones".to_owned(),
        description: String::new(),
        algorithm: Algorithm::parse(&algorithm).expect("rules"),
        transaction_type: None,
    };
    let random = SeededRandom::new(1);
    let of = (MerchantId::generate(&random), ProfileId::generate(&random));
    let accounts: [multirail_domain::accounts::connector_account::ConnectorAccount; 0] = [];
    RoutingRecord::create(new, of.0, of.1, &accounts, start(), &random).expect("a record")
}

fn decided(changes: Changes, rules: &RoutingRecord) -> Payment {
    let created = create(changes);
    let mut payment = created.expect("a payment").payment;
    payment.decide_three_ds(Some(rules), &BuiltIn);
    payment
}

fn authentication(payment: &Payment) -> AuthenticationType {
    payment.authentication_type(payment.active())
}

fn with_amount(amount: i64) -> Changes {
    Changes {
        amount: Some(amount),
        ..purchase(CaptureMethod::Automatic)
    }
}

#[test]
fn they_decide_by_the_first_rule_that_matches() {
    let rules = rules("no_three_ds");
    let large = decided(with_amount(6540), &rules);
    assert_eq!(authentication(&large), AuthenticationType::ThreeDs);
    let told = large.active().three_ds.as_deref().expect("a decision");
    assert_eq!(told.rule.as_deref(), Some("large"));
    let small = decided(with_amount(4000), &rules);
    assert_eq!(authentication(&small), AuthenticationType::NoThreeDs);
    let told = small.active().three_ds.as_deref().expect("a decision");
    assert_eq!(told.rule, None, "the default");
}

#[test]
fn what_the_merchant_says_goes_before() {
    let rules = rules("challenge_preferred");
    let said = |authentication_type| Changes {
        authentication_type: Some(authentication_type),
        ..with_amount(6540)
    };
    for word in [AuthenticationType::NoThreeDs, AuthenticationType::ThreeDs] {
        let payment = decided(said(word), &rules);
        assert_eq!(authentication(&payment), word);
        assert_eq!(payment.active().three_ds, None);
    }
}

#[test]
fn an_absent_payer_is_not_challenged() {
    let rules = rules("challenge_preferred");
    let mut away = with_amount(6540);
    away.particulars.off_session = Some(true);
    let mut by_telephone = with_amount(6540);
    by_telephone.particulars.payment_channel = Some("telephone_order".to_owned());
    for changes in [away, by_telephone] {
        let payment = decided(changes, &rules);
        assert_eq!(authentication(&payment), AuthenticationType::NoThreeDs);
    }
}

#[test]
fn who_can_not_challenge_is_not_chosen() {
    let rules = rules("no_three_ds");
    let payment = decided(with_amount(6540), &rules);
    let mut unable = candidate("stripe_test", "mca_1", json!({}));
    unable.capabilities.redirects = false;
    let able = candidate("stripe_test", "mca_2", json!({}));
    let candidates = [unable, able];
    let instrument = payment.instrument().expect("a card");
    let routed = consider(
        &payment.facts(Some(instrument)),
        instrument,
        &candidates,
        None,
        0,
    );
    assert_eq!(
        routed.first().account.merchant_connector_id.as_str(),
        "mca_2"
    );
    let dropped: Vec<_> = routed
        .trace
        .candidates
        .iter()
        .map(|one| one.dropped)
        .collect();
    assert_eq!(dropped, [Some(Dropped::ThreeDs), None]);
}

/// Other configurations decide nothing about authentication.
#[test]
fn only_rules_for_it_decide() {
    let mut other = rules("challenge_preferred");
    let single: Value = json!({ "type": "single", "data": { "connector": "stripe_test" } });
    other.algorithm = Algorithm::parse(&single).expect("an algorithm");
    assert_eq!(decided(with_amount(6540), &other).active().three_ds, None);
}
