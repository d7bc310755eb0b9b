//! The values of a payment that rules compare, and the reading of rules.

use insta::assert_snapshot;
use multirail_domain::payments::payment::{
    AuthenticationType, CaptureMethod, Changes, FutureUsage, InstrumentDetails, Particulars,
    PayerDetails, Payment,
};
use multirail_domain::routing::Algorithm;
use multirail_domain::routing::comparison::Comparison;
use multirail_domain::routing::key::{Form, Key};
use multirail_kernel::unread::UnreadMembers;
use multirail_routing::decide;
use multirail_sdk::consent::{Consent, ConsentKind};
use multirail_sdk::payment_method::PaymentMethodType;
use serde_json::{Map, Value, json};

use crate::support::{create, purchase};

/// A payment with many members.
fn detailed() -> Payment {
    let notes = json!({"metadata": {"shelf": "B", "row": 7, "gift": true, "list": [1]}});
    let billing = json!({"address": {"country": "DE"}});
    let mut changes = Changes {
        authentication_type: Some(AuthenticationType::ThreeDs),
        setup_future_usage: Some(FutureUsage::OffSession),
        customer_id: Some(multirail_kernel::ids::CustomerId::parse("cus_1").expect("an id")),
        particulars: Particulars {
            business_country: Some("AT".parse().expect("a country")),
            business_label: Some("books".to_owned()),
            notes: notes.as_object().cloned().expect("an object"),
            ..Particulars::default()
        },
        payer: PayerDetails {
            billing: serde_json::from_value(billing).expect("an address"),
            consent: Some(Box::new(Consent {
                kind: ConsentKind::Offline,
                accepted_at: None,
                online: None,
                unread: UnreadMembers::default(),
            })),
            ..PayerDetails::default()
        },
        ..purchase(CaptureMethod::Manual)
    };
    let card = changes.instrument.card.as_mut().expect("a card");
    card.given.issuer = Some("Example Bank".to_owned());
    card.given.issuing_country = Some("de".to_owned());
    card.given.card_type = Some("CREDIT".to_owned());
    create(changes).expect("a payment").payment
}

fn holds(payment: &Payment, condition: &Value) -> bool {
    let comparison = Comparison::parse(condition, "it").expect("a condition");
    multirail_routing::holds(&comparison, &payment.facts(payment.instrument()))
}

fn condition(lhs: &str, comparison: &str, kind: &str, value: &Value) -> Value {
    json!({"lhs": lhs, "comparison": comparison, "value": {"type": kind, "value": value}, "metadata": {}})
}

/// Returns `equal` and `not_equal` for a payment with many members, and for one with few.
fn seen(lhs: &str, kind: &str, value: Value) -> String {
    let (told, plain) = (
        detailed(),
        create(purchase(CaptureMethod::Automatic))
            .expect("a payment")
            .payment,
    );
    let both = |payment: &Payment| {
        let of = |comparison| holds(payment, &condition(lhs, comparison, kind, &value));
        format!("{}/{}", of("equal"), of("not_equal"))
    };
    format!("{lhs} {value}: {}, {}", both(&told), both(&plain))
}

/// A number with up to 14 digits shows only six of them, so a condition on eight digits can't be decided.
#[test]
fn more_digits_than_are_known_satisfy_no_condition() {
    let mut short = detailed();
    let instrument = short.attempts[0].instrument.as_mut().expect("a card");
    let InstrumentDetails::Card(card) = &mut instrument.details else {
        panic!("{instrument:?}");
    };
    card.extended_bin = None;
    let of = |comparison, digits: &str| {
        let condition = condition("card_bin", comparison, "str_value", &json!(digits));
        holds(&short, &condition)
    };
    assert!(of("equal", "411111") && of("not_equal", "305693"));
    for digits in ["41111111", "30569309"] {
        assert!(!of("equal", digits) && !of("not_equal", digits), "{digits}");
    }
}

#[test]
fn what_rules_see_of_a_payment() {
    let word = "enum_variant";
    let table = [
        seen("payment_method", word, json!("card")),
        seen(
            "payment_method",
            "enum_variant_array",
            json!(["wallet", "card"]),
        ),
        seen("card_type", word, json!("credit")),
        seen("card_network", word, json!("Visa")),
        seen("card_bin", "str_value", json!("411111")),
        seen("card_bin", "str_value", json!("41111112")),
        seen("wallet", word, json!("google_pay")),
        seen("issuer_name", "str_value", json!("Example Bank")),
        seen("issuer_country", word, json!("DE")),
        seen("amount", "number", json!(6540)),
        seen("amount", "number_array", json!([1, 6540])),
        seen(
            "amount",
            "number_comparison_array",
            json!([{"comparisonType": "less_than", "number": 5}, {"comparisonType": "greater_than", "number": 6000}]),
        ),
        seen("currency", word, json!("USD")),
        seen("authentication_type", word, json!("three_ds")),
        seen("capture_method", word, json!("manual")),
        seen("setup_future_usage", word, json!("off_session")),
        seen("mandate_acceptance_type", word, json!("offline")),
        seen("payment_type", word, json!("new_mandate")),
        seen("billing_country", word, json!("DE")),
        seen("country", word, json!("AT")),
        seen("business_label", "str_value", json!("books")),
        seen(
            "metadata",
            "metadata_variant",
            json!({"key": "shelf", "value": "B"}),
        ),
        seen(
            "metadata",
            "metadata_variant",
            json!({"key": "row", "value": "7"}),
        ),
        seen(
            "metadata",
            "metadata_variant",
            json!({"key": "gift", "value": "true"}),
        ),
        seen(
            "metadata",
            "metadata_variant",
            json!({"key": "list", "value": "[1]"}),
        ),
    ];
    assert_snapshot!(table.join("\n"), @r#"
    payment_method "card": true/false, true/false
    payment_method ["wallet","card"]: true/false, true/false
    card_type "credit": true/false, false/false
    card_network "Visa": true/false, true/false
    card_bin "411111": true/false, true/false
    card_bin "41111112": false/true, false/true
    wallet "google_pay": false/false, false/false
    issuer_name "Example Bank": true/false, false/false
    issuer_country "DE": true/false, false/false
    amount 6540: true/false, true/false
    amount [1,6540]: true/false, true/false
    amount [{"comparisonType":"less_than","number":5},{"comparisonType":"greater_than","number":6000}]: true/false, true/false
    currency "USD": true/false, true/false
    authentication_type "three_ds": true/false, false/true
    capture_method "manual": true/false, false/true
    setup_future_usage "off_session": true/false, false/false
    mandate_acceptance_type "offline": true/false, false/false
    payment_type "new_mandate": true/false, false/true
    billing_country "DE": true/false, false/false
    country "AT": true/false, false/false
    business_label "books": true/false, false/false
    metadata {"key":"shelf","value":"B"}: true/false, false/false
    metadata {"key":"row","value":"7"}: true/false, false/false
    metadata {"key":"gift","value":"true"}: true/false, false/false
    metadata {"key":"list","value":"[1]"}: false/false, false/false
    "#);
}

#[test]
fn amounts_have_an_order() {
    let payment = detailed();
    let table = [
        ("less_than", 6540, false),
        ("less_than", 6541, true),
        ("less_than_equal", 6540, true),
        ("greater_than", 6540, false),
        ("greater_than", 6539, true),
        ("greater_than_equal", 6540, true),
        ("greater_than_equal", 6541, false),
    ];
    for (comparison, number, expected) in table {
        let condition = condition("amount", comparison, "number", &json!(number));
        assert_eq!(holds(&payment, &condition), expected, "{condition}");
    }
}

/// Returns whether a rule with these statements matches.
fn matches(statements: Value) -> bool {
    let to = |connector: &str| json!({"type": "priority", "data": [{"connector": connector}]});
    let algorithm = Algorithm::parse(&json!({"type": "advanced", "data": {
        "defaultSelection": to("default"),
        "rules": [{"name": "rule", "connectorSelection": to("rule"), "statements": statements}],
        "metadata": {},
    }}));
    let Ok(Algorithm::Advanced(program)) = algorithm else {
        panic!("{algorithm:?}");
    };
    let payment = detailed();
    let facts = payment.facts(payment.instrument());
    decide(&program, &facts).1.is_some()
}

#[test]
fn a_rule_matches_where_one_statement_does_with_all_its_conditions() {
    let yes = || condition("currency", "equal", "enum_variant", &json!("USD"));
    let no = || condition("currency", "equal", "enum_variant", &json!("EUR"));
    let table = [
        (json!([{"condition": [yes()]}]), true),
        (json!([{"condition": [no()]}]), false),
        (json!([{"condition": [yes(), no()]}]), false),
        (
            json!([{"condition": [no()]}, {"condition": [yes(), yes()]}]),
            true,
        ),
        (
            json!([{"condition": [yes()], "nested": [{"condition": [no()]}]}]),
            false,
        ),
        (
            json!([{"condition": [yes()], "nested": [{"condition": [no()]}, {"condition": [yes()]}]}]),
            true,
        ),
        (
            json!([{"condition": [no()], "nested": [{"condition": [yes()]}]}]),
            false,
        ),
        (
            json!([{"condition": [yes()], "nested": [{"condition": [yes()], "nested": [{"condition": [no()]}]}]}]),
            false,
        ),
    ];
    for (statements, expected) in table {
        assert_eq!(matches(statements.clone()), expected, "{statements}");
    }
}

/// Returns a value of the form that the key accepts.
fn some_value(key: Key) -> (&'static str, Value) {
    match key.form() {
        Form::Number => ("number", json!(1)),
        Form::Metadata => ("metadata_variant", json!({"key": "a", "value": "b"})),
        Form::Text(_) => ("str_value", json!("411111")),
        Form::Words(is_word) => {
            let types = PaymentMethodType::ALL.iter().map(|kind| kind.as_str());
            let words = [
                "card",
                "Visa",
                "online",
                "non_mandate",
                "EUR",
                "three_ds",
                "manual",
                "DE",
                "on_session",
            ];
            let mut words = words.into_iter().chain(types);
            let word = words.find(|word| is_word(word));
            (
                "enum_variant",
                json!(word.unwrap_or_else(|| panic!("a word of {key}"))),
            )
        }
    }
}

/// Every accepted rule can be stored, read again and evaluated.
#[test]
fn what_is_let_in_can_be_evaluated() {
    let plain = create(purchase(CaptureMethod::Automatic))
        .expect("a payment")
        .payment;
    for key in Key::ALL {
        let (kind, value) = some_value(*key);
        for comparison in ["equal", "not_equal"] {
            let given = condition(key.as_str(), comparison, kind, &value);
            let read = Comparison::parse(&given, "it").expect("a condition");
            let stored = serde_json::to_value(&read).expect("a record");
            let again: Comparison = serde_json::from_value(stored).expect("a condition");
            assert_eq!(again, read);
            for payment in [&detailed(), &plain] {
                for instrument in [payment.instrument(), None] {
                    multirail_routing::holds(&again, &payment.facts(instrument));
                }
            }
        }
    }
}

#[test]
fn notes_have_a_bound() {
    let notes: Map<String, Value> = (0..51).map(|n| (n.to_string(), json!(n))).collect();
    let given = json!({"lhs": "amount", "comparison": "equal", "value": {"type": "number", "value": 1}, "metadata": notes});
    let refusal = Comparison::parse(&given, "it").expect_err("a refusal");
    assert_eq!(refusal.to_string(), "it.metadata has more than 50 keys");
}
