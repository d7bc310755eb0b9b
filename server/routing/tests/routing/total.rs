//! Rules are total: every accepted rule selects accounts for every payment.

use std::sync::Arc;

use std::cell::RefCell;
use std::collections::BTreeSet;

use multirail_domain::payments::payment::{
    AuthenticationType, CaptureMethod, Changes, FutureUsage, Particulars, PayerDetails, Payment,
};
use multirail_domain::routing::Algorithm;
use multirail_domain::routing::comparison::{Comparison, Operator};
use multirail_domain::routing::key::{Form, Key};
use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::unread::UnreadMembers;
use multirail_routing::{decide, holds};
use multirail_sdk::consent::{Consent, ConsentKind};
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::{Value, json};

use crate::support::{create, purchase};

/// Fixed random seed, so that a failing rule is found again.
fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(13),
        ..Config::default()
    })
}

/// Words of all keys that rules may use.
fn words() -> Vec<String> {
    let mut words: Vec<String> = [
        "Visa",
        "Mastercard",
        "online",
        "offline",
        "non_mandate",
        "new_mandate",
        "setup_mandate",
        "recurring_mandate",
        "USD",
        "EUR",
        "DE",
        "AT",
        "411111",
        "b",
        "",
    ]
    .map(str::to_owned)
    .into();
    words.extend(PaymentMethod::ALL.iter().map(ToString::to_string));
    words.extend(PaymentMethodType::ALL.iter().map(ToString::to_string));
    words.extend(AuthenticationType::ALL.iter().map(ToString::to_string));
    words.extend(CaptureMethod::ALL.iter().map(ToString::to_string));
    words.extend(FutureUsage::ALL.iter().map(ToString::to_string));
    words
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![4 => prop::sample::select(words()), 1 => ".{0,12}"]
}

/// Generates a word, mostly one that the key accepts.
fn word_of(key: Key) -> impl Strategy<Value = String> {
    let fits = |word: &String| match key.form() {
        Form::Words(is_word) | Form::Text(is_word) => is_word(word),
        Form::Number | Form::Metadata => true,
    };
    let own: Vec<String> = words().into_iter().filter(fits).collect();
    prop_oneof![3 => prop::sample::select(own), 1 => word()]
}

fn number() -> impl Strategy<Value = i64> {
    prop_oneof![0..20_000_i64, any::<i64>(), Just(0), Just(i64::MAX)]
}

fn operator() -> impl Strategy<Value = &'static str> {
    let words: Vec<_> = Operator::ALL.iter().map(|one| one.as_str()).collect();
    prop::sample::select(words)
}

/// Generates a value of any form, more often of the key's own.
fn value(key: Key) -> BoxedStrategy<Value> {
    let typed = |kind: &'static str| move |value: Value| json!({ "type": kind, "value": value });
    let numbers = prop_oneof![
        number().prop_map(|n| json!(n)).prop_map(typed("number")),
        prop::collection::vec(number(), 0..4)
            .prop_map(|all| json!(all))
            .prop_map(typed("number_array")),
        prop::collection::vec((operator(), number()), 0..4)
            .prop_map(|all| {
                let all = all.into_iter();
                let all =
                    all.map(|(word, number)| json!({ "comparisonType": word, "number": number }));
                json!(all.collect::<Vec<_>>())
            })
            .prop_map(typed("number_comparison_array")),
    ];
    let words = prop_oneof![
        word_of(key)
            .prop_map(|word| json!(word))
            .prop_map(typed("enum_variant")),
        prop::collection::vec(word_of(key), 0..4)
            .prop_map(|all| json!(all))
            .prop_map(typed("enum_variant_array")),
    ];
    let text = word_of(key)
        .prop_map(|text| json!(text))
        .prop_map(typed("str_value"));
    let entry = (prop::sample::select(vec!["a", "list", "nothing"]), word())
        .prop_map(|(key, value)| json!({ "key": key, "value": value }))
        .prop_map(typed("metadata_variant"));
    let weight = |is_own: bool| if is_own { 12 } else { 1 };
    let form = key.form();
    prop_oneof![
        weight(matches!(form, Form::Number)) => numbers,
        weight(matches!(form, Form::Words(_))) => words,
        weight(matches!(form, Form::Text(_))) => text,
        weight(matches!(form, Form::Metadata)) => entry,
    ]
    .boxed()
}

fn condition() -> impl Strategy<Value = Value> {
    let of_key = prop::sample::select(Key::ALL.to_vec())
        .prop_flat_map(|key| (Just(key), operator(), value(key)));
    of_key.prop_map(|(key, comparison, value)| {
        json!({ "lhs": key.as_str(), "comparison": comparison, "value": value, "metadata": {} })
    })
}

fn statement() -> impl Strategy<Value = Value> {
    let conditions = || prop::collection::vec(condition(), 1..3);
    let leaf = conditions().prop_map(|all| json!({ "condition": all }));
    leaf.prop_recursive(3, 8, 2, move |inner| {
        let nested = prop::collection::vec(inner, 1..3);
        (conditions(), nested)
            .prop_map(|(all, nested)| json!({ "condition": all, "nested": nested }))
    })
}

/// Generates one rule, which is either accepted or refused.
fn rules() -> impl Strategy<Value = Value> {
    let to = |connector: &str| json!({ "type": "priority", "data": [{ "connector": connector }] });
    prop::collection::vec(statement(), 1..3).prop_map(move |statements| {
        json!({ "type": "advanced", "data": {
            "defaultSelection": to("default"),
            "rules": [{ "name": "rule", "connectorSelection": to("rule"), "statements": statements }],
            "metadata": {},
        } })
    })
}

prop_compose! {
    /// Generates a payment with many members, few, or none.
    fn payment()(
        amount in prop_oneof![1..20_000_i64, Just(99_999_999_i64)],
        currency in prop::sample::select(vec![Currency::USD, Currency::EUR, Currency::JPY, Currency::KWD]),
        authentication_type in prop::option::of(prop::sample::select(AuthenticationType::ALL.to_vec())),
        capture in prop::sample::select(vec![CaptureMethod::Automatic, CaptureMethod::Manual]),
        usage in prop::option::of(prop::sample::select(FutureUsage::ALL.to_vec())),
        off_session in prop::option::of(any::<bool>()),
        countries in prop::option::of(prop::sample::select(vec!["DE", "AT", "US"])),
        label in prop::option::of(word()),
        metadata in prop::option::of(prop_oneof![
            Just(json!({ "a": "b", "list": [1] })), Just(json!({ "a": 7 })), Just(json!({ "a": null })), Just(json!("text")),
        ]),
        consents in prop::option::of(prop::sample::select(ConsentKind::ALL.to_vec())),
        issuer in prop::option::of(word()),
        kind in prop::option::of(prop::sample::select(vec!["credit", "DEBIT", "of another kind"])),
        has_card in any::<bool>(),
    ) -> Payment {
        let mut changes = Changes {
            amount: Some(amount), currency: Some(currency), authentication_type, ..purchase(capture)
        };
        let card = changes.instrument.card.as_mut().expect("a card");
        card.given.issuer = issuer;
        card.given.card_type = kind.map(str::to_owned);
        card.given.issuing_country = countries.map(str::to_ascii_lowercase);
        let mut payment = create(changes).expect("a payment").payment;
        payment.terms.setup_future_usage = usage;
        let billing = countries.map(|country| json!({ "address": { "country": country } }));
        payment.particulars = Arc::new(Particulars {
            off_session,
            business_country: countries.map(|code| code.parse::<CountryCode>().expect("a country")),
            business_label: label,
            notes: metadata.map(|said| [("metadata".to_owned(), said)].into_iter().collect()).unwrap_or_default(),
            ..Particulars::default()
        });
        payment.payer = Arc::new(PayerDetails {
            billing: billing.map(|one| serde_json::from_value(one).expect("an address")),
            consent: consents.map(|kind| Box::new(Consent {
                kind, accepted_at: None, online: None, unread: UnreadMembers::default(),
            })),
            ..PayerDetails::default()
        });
        if !has_card {
            payment.attempts[0].instrument = None;
        }
        payment
    }
}

/// Every stored rule selects its own or the default accounts, the same before and after storing. A condition and its opposite
/// never both hold.
#[test]
fn every_rule_that_is_let_in_is_evaluated_for_every_payment() {
    let (let_in, outcomes) = (RefCell::new(BTreeSet::new()), RefCell::new(BTreeSet::new()));
    let mut runner = runner(500);
    let judged = runner.run(&(rules(), payment()), |(given, payment)| {
        let Ok(read) = Algorithm::parse(&given) else {
            return Ok(());
        };
        let stored = serde_json::to_string(&read).expect("a record");
        let again: Algorithm = serde_json::from_str(&stored).expect("rules");
        let (Algorithm::Advanced(read), Algorithm::Advanced(again)) = (read, again) else {
            return Err(TestCaseError::fail("other than rules came back"));
        };
        let facts = payment.facts(payment.instrument());
        let (selected, rule) = decide(&read, &facts);
        prop_assert_eq!(selected, decide(&again, &facts).0);
        prop_assert_eq!(rule.is_some(), *selected != read.default_selection);
        Ok(())
    });
    judged.expect("rules that are evaluated");
    let mut runner = self::runner(3_000);
    let judged = runner.run(&(condition(), payment()), |(given, payment)| {
        let Ok(read) = Comparison::parse(&given, "it") else {
            return Ok(());
        };
        let facts = payment.facts(payment.instrument());
        let opposite = match read.comparison {
            Operator::Equal => Operator::NotEqual,
            Operator::NotEqual => Operator::Equal,
            Operator::LessThan => Operator::GreaterThanEqual,
            Operator::LessThanEqual => Operator::GreaterThan,
            Operator::GreaterThan => Operator::LessThanEqual,
            Operator::GreaterThanEqual => Operator::LessThan,
        };
        let opposite = Comparison {
            comparison: opposite,
            ..read.clone()
        };
        let both = (holds(&read, &facts), holds(&opposite, &facts));
        prop_assert_ne!(both, (true, true));
        let_in.borrow_mut().insert(read.lhs.to_string());
        outcomes.borrow_mut().insert(both);
        Ok(())
    });
    judged.expect("conditions that are evaluated");
    // The test would be void if no rules were accepted.
    let all: BTreeSet<_> = Key::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(let_in.into_inner(), all);
    assert_eq!(
        outcomes.into_inner().len(),
        3,
        "one holds, the other does, neither does"
    );
}
