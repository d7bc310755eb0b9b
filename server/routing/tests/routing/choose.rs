//! The choice among the accounts of a profile.

use insta::assert_snapshot;
use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::payer_method::{PayerInput, PayerMethodInput};
use multirail_domain::payments::payment::{
    AuthenticationType, CaptureMethod, Changes, InstrumentInput, Particulars, PayerDetails,
};
use multirail_domain::routing::StraightThrough;
use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_routing::choose;
use multirail_sdk::connector::{Capabilities, Units};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::{PayerMethod, PayerMethodRules};
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};
use multirail_sdk::required_field::RequiredField;
use serde_json::{Value, json};

use crate::support::story::refused;
use crate::support::{ABLE, candidate, create, purchase};

/// Returns the account that is chosen for a payment with these members.
fn chosen(changes: Changes, candidates: &[Candidate], draw: u32) -> String {
    let payment = create(changes).expect("a payment").payment;
    let instrument = payment.instrument().expect("an instrument");
    match choose(
        &payment.facts(Some(instrument)),
        instrument,
        candidates,
        None,
        draw,
    ) {
        Ok(routed) => routed.first().account.merchant_connector_id.to_string(),
        Err(refusal) => refused(&refusal),
    }
}

fn routed(routing: Value) -> Changes {
    Changes {
        routing: Some(StraightThrough::parse(&routing).expect("a routing")),
        ..purchase(CaptureMethod::Automatic)
    }
}

fn three() -> Vec<Candidate> {
    vec![
        candidate("stripe_test", "mca_1", json!({})),
        candidate("adyen_test", "mca_2", json!({})),
        candidate("stripe_test", "mca_3", json!({})),
    ]
}

#[test]
fn the_oldest_eligible_account_takes_it() {
    let plain = || purchase(CaptureMethod::Automatic);
    let off = json!({"disabled": true});
    let euros = json!({"payment_methods_enabled": [{
        "payment_method": "card",
        "accepted_currencies": {"type": "enable_only", "list": ["EUR"]},
    }]});
    let no_cards = json!({"payment_methods_enabled": []});
    let small =
        json!({"payment_methods_enabled": [{"payment_method": "card", "maximum_amount": 6539}]});
    let first = |members: &Value| {
        vec![
            candidate("stripe_test", "mca_1", members.clone()),
            candidate("adyen_test", "mca_2", json!({})),
        ]
    };
    let none: Vec<Candidate> = Vec::new();
    let table = [
        ("all eligible", chosen(plain(), &three(), 0)),
        ("the first disabled", chosen(plain(), &first(&off), 0)),
        ("the first for euros", chosen(plain(), &first(&euros), 0)),
        (
            "the first for nothing",
            chosen(plain(), &first(&no_cards), 0),
        ),
        ("the first for less", chosen(plain(), &first(&small), 0)),
        ("only a disabled one", chosen(plain(), &first(&off)[..1], 0)),
        ("no account", chosen(plain(), &none, 0)),
    ];
    assert_snapshot!(page(&table), @"
    all eligible               mca_1
    the first disabled         mca_2
    the first for euros        mca_2
    the first for nothing      mca_2
    the first for less         mca_2
    only a disabled one        NotForPayment: no connector account of the profile can take this payment: stripe_test is disabled
    no account                 NotForPayment: the profile has no connector account
    ");
}

#[test]
fn what_connectors_can_do_counts() {
    let able = |capabilities: Capabilities| {
        let mut candidates = three();
        candidates.truncate(2);
        candidates[0].capabilities = capabilities;
        candidates
    };
    let no_cards = able(Capabilities {
        payment_methods: &[],
        ..ABLE
    });
    let one_capture = able(Capabilities {
        capture_methods: &[CaptureMethod::Automatic],
        ..ABLE
    });
    let no_checks = able(Capabilities {
        verifies_cards: false,
        ..ABLE
    });
    let free = || Changes {
        amount: Some(0),
        ..purchase(CaptureMethod::Automatic)
    };
    let table = [
        (
            "takes no cards",
            chosen(purchase(CaptureMethod::Automatic), &no_cards, 0),
        ),
        (
            "nobody takes cards",
            chosen(purchase(CaptureMethod::Automatic), &no_cards[..1], 0),
        ),
        (
            "captures later",
            chosen(purchase(CaptureMethod::Manual), &one_capture, 0),
        ),
        (
            "captures at once",
            chosen(purchase(CaptureMethod::Automatic), &one_capture, 0),
        ),
        ("checks a card", chosen(free(), &no_checks, 0)),
        (
            "does not check",
            chosen(purchase(CaptureMethod::Automatic), &no_checks, 0),
        ),
    ];
    assert_snapshot!(page(&table), @"
    takes no cards             mca_2
    nobody takes cards         MethodNotSupported: no connector of the profile takes payment_method card
    captures later             mca_2
    captures at once           mca_1
    checks a card              mca_2
    does not check             mca_1
    ");
}

#[test]
fn an_amount_that_its_processor_can_not_charge_passes_an_account_by() {
    const UNITS: Units = Units {
        steps: &[(Currency::USD, 10)],
        minimums: &[(Currency::USD, 50)],
        ..Units::ISO
    };
    let mut candidates = three();
    candidates.truncate(2);
    candidates[0].capabilities.units = UNITS;
    let of = |amount| Changes {
        amount: Some(amount),
        ..purchase(CaptureMethod::Automatic)
    };
    let in_part = Changes {
        amount_to_capture: Some(6_535),
        ..purchase(CaptureMethod::Manual)
    };
    let table = [
        ("counted", chosen(of(6_540), &candidates, 0)),
        ("between two steps", chosen(of(6_545), &candidates, 0)),
        ("too small", chosen(of(40), &candidates, 0)),
        ("a check of the card", chosen(of(0), &candidates, 0)),
        ("captured in part", chosen(in_part, &candidates, 0)),
        ("nobody counts it", chosen(of(6_545), &candidates[..1], 0)),
        ("nobody charges it", chosen(of(40), &candidates[..1], 0)),
    ];
    assert_snapshot!(page(&table), @"
    counted                    mca_1
    between two steps          mca_2
    too small                  mca_2
    a check of the card        mca_1
    captured in part           mca_2
    nobody counts it           AmountNotCounted: no connector account of the profile can charge 65.45 USD: stripe_test takes only multiples of 0.10 USD
    nobody charges it          AmountNotCounted: no connector account of the profile can charge 0.40 USD: stripe_test charges no less than 0.50 USD
    ");
}

#[test]
fn a_method_that_the_payer_finishes_elsewhere_goes_only_where_it_is_offered() {
    const RULES: &[PayerMethodRules] = &[
        PayerMethodRules::new(PaymentMethodType::Ideal, &[Currency::EUR])
            .in_countries(&[CountryCode::known("NL")])
            .requiring(&[RequiredField::BillingEmail]),
        PayerMethodRules::new(PaymentMethodType::BancontactCard, &[])
            .reserving_once()
            .without_card(),
    ];
    let mut candidates = three();
    candidates.truncate(2);
    candidates[1].capabilities.payment_methods = &[PaymentMethod::BankRedirect];
    candidates[1].capabilities.payer_methods = RULES;
    let of = |email: &str, country: &str| PayerInput {
        email: (!email.is_empty()).then(|| email.to_owned()),
        country: country.parse().ok(),
        ..PayerInput::default()
    };
    let ada = || of("ada@example.com", "NL");
    let by_ideal = |capture_method, currency, payer| Changes {
        currency: Some(currency),
        instrument: InstrumentInput {
            payment_method: Some(PaymentMethod::BankRedirect),
            payment_method_type: Some(PaymentMethodType::Ideal),
            payer: Some(Box::new(PayerMethodInput {
                payer,
                ..PayerMethodInput::new(PaymentMethodType::Ideal)
            })),
            ..InstrumentInput::default()
        },
        ..purchase(capture_method)
    };
    let in_euro = || by_ideal(CaptureMethod::Automatic, Currency::EUR, ada());
    let in_dollars = by_ideal(CaptureMethod::Automatic, Currency::USD, ada());
    let later = by_ideal(CaptureMethod::Manual, Currency::EUR, ada());
    let of_payer = |payer| by_ideal(CaptureMethod::Automatic, Currency::EUR, payer);
    let (abroad, unreachable) = (of("ada@example.com", "US"), of("", "NL"));
    let nowhere = of("ada@example.com", "");
    let bancontact = |capture_method, last4: Option<&str>| {
        let kind = PaymentMethodType::BancontactCard;
        let payment = create(purchase(capture_method)).expect("a payment").payment;
        let method = PayerMethod {
            last4: last4.map(str::to_owned),
            ..PayerMethod::new(kind)
        };
        let data = PaymentMethodData::Payer(Box::new(method.into()));
        let instrument = data.instrument(PaymentMethod::BankRedirect, Some(kind), None);
        let facts = payment.facts(Some(&instrument));
        match choose(&facts, &instrument, &candidates, None, 0) {
            Ok(routed) => routed.first().account.merchant_connector_id.to_string(),
            Err(refusal) => refused(&refusal),
        }
    };
    let table = [
        ("in euro", chosen(in_euro(), &candidates, 0)),
        ("in dollars", chosen(in_dollars, &candidates, 0)),
        ("captured later", chosen(later, &candidates, 0)),
        ("from abroad", chosen(of_payer(abroad), &candidates, 0)),
        ("from nowhere", chosen(of_payer(nowhere), &candidates, 0)),
        (
            "without e-mail",
            chosen(of_payer(unreachable), &candidates, 0),
        ),
        ("offered nowhere", chosen(in_euro(), &candidates[..1], 0)),
        ("captured once", bancontact(CaptureMethod::Manual, None)),
        ("in parts", bancontact(CaptureMethod::ManualMultiple, None)),
        (
            "with a card",
            bancontact(CaptureMethod::Automatic, Some("1111")),
        ),
    ];
    assert_snapshot!(page(&table), @"
    in euro                    mca_2
    in dollars                 NotForPayment: adyen_test takes payment_method_type ideal only in EUR
    captured later             NotForPayment: adyen_test takes payment_method_type ideal only with capture_method automatic
    from abroad                NotForPayment: adyen_test takes payment_method_type ideal only from payers in NL
    from nowhere               mca_2
    without e-mail             Missing: payment_method_data.billing.email (or payment_method_data.bank_redirect.ideal.billing_details.email) is required and was not given
    offered nowhere            MethodNotSupported: no connector of the profile takes payment_method_type ideal
    captured once              mca_2
    in parts                   NotForPayment: adyen_test takes payment_method_type bancontact_card only with capture_method automatic or manual
    with a card                MethodNotSupported: no connector of the profile takes payment_method_type bancontact_card with a card
    ");
}

#[test]
fn what_a_request_asks_for_wins() {
    let named = |connector: &str, id: Option<&str>| json!({"connector": connector, "merchant_connector_id": id});
    let single = |choice: Value| routed(json!({"type": "single", "data": choice}));
    let priority = |choices: Value| routed(json!({"type": "priority", "data": choices}));
    let mut switched_off = three();
    switched_off[1] = candidate("adyen_test", "mca_2", json!({"disabled": true}));
    let older_form = Changes {
        routing: StraightThrough::from_names(vec!["fauxpay".to_owned(), "adyen_test".to_owned()]),
        ..purchase(CaptureMethod::Automatic)
    };
    let table = [
        (
            "by name",
            chosen(single(named("adyen_test", None)), &three(), 0),
        ),
        (
            "by name and account",
            chosen(single(named("stripe_test", Some("mca_3"))), &three(), 0),
        ),
        (
            "account of another name",
            chosen(single(named("adyen_test", Some("mca_3"))), &three(), 0),
        ),
        (
            "not in the profile",
            chosen(single(named("fauxpay", None)), &three(), 0),
        ),
        (
            "named and disabled",
            chosen(single(named("adyen_test", None)), &switched_off, 0),
        ),
        (
            "priority, first disabled",
            chosen(
                priority(json!([
                    named("adyen_test", None),
                    named("stripe_test", Some("mca_3"))
                ])),
                &switched_off,
                0,
            ),
        ),
        (
            "priority, none there",
            chosen(priority(json!([named("fauxpay", None)])), &three(), 0),
        ),
        ("older form", chosen(older_form, &three(), 0)),
    ];
    assert_snapshot!(page(&table), @"
    by name                    mca_2
    by name and account        mca_3
    account of another name    NotForPayment: routing names no connector account of the profile
    not in the profile         NotForPayment: routing names no connector account of the profile
    named and disabled         ConnectorAccountDisabled: the connector account that was named is disabled
    priority, first disabled   mca_3
    priority, none there       NotForPayment: routing names no connector account of the profile
    older form                 mca_2
    ");
}

#[test]
fn shares_are_drawn_in_proportion() {
    let split = || {
        routed(json!({"type": "volume_split", "data": [
            {"connector": {"connector": "stripe_test", "merchant_connector_id": "mca_1"}, "split": 70},
            {"connector": {"connector": "adyen_test"}, "split": 30},
            {"connector": {"connector": "stripe_test", "merchant_connector_id": "mca_3"}, "split": 0},
        ]}))
    };
    let mut counts = std::collections::BTreeMap::new();
    for draw in 0..1000 {
        *counts.entry(chosen(split(), &three(), draw)).or_insert(0) += 1;
    }
    assert_eq!(
        counts.into_iter().collect::<Vec<_>>(),
        [("mca_1".to_owned(), 700), ("mca_2".to_owned(), 300)]
    );
    let mut candidates = three();
    candidates[0] = candidate("stripe_test", "mca_1", json!({"disabled": true}));
    assert_eq!(
        chosen(split(), &candidates, 0),
        "mca_2",
        "the others stand in"
    );
}

#[test]
fn routings_that_can_not_be_read() {
    let table = [
        ("unknown type", json!({"type": "advanced", "data": []})),
        ("no data", json!({"type": "single"})),
        ("no connector", json!({"type": "priority", "data": []})),
        ("no shares", json!({"type": "volume_split", "data": []})),
        (
            "nothing to share",
            json!({"type": "volume_split", "data": [{"connector": {"connector": "a"}, "split": 0}]}),
        ),
        (
            "too large a share",
            json!({"type": "volume_split", "data": [{"connector": {"connector": "a"}, "split": 256}]}),
        ),
        (
            "one twice",
            json!({"type": "priority", "data": [{"connector": "a"}, {"connector": "a"}]}),
        ),
        (
            "negative share",
            json!({"type": "volume_split", "data": [{"connector": {"connector": "a"}, "split": -1}]}),
        ),
        (
            "a slip in a name",
            json!({"type": "single", "data": {"connector": "a", "merchant_connector": "mca_1"}}),
        ),
        (
            "a slip deeper down",
            json!({"type": "volume_split", "data": [{"connector": {"connector": "a"}, "share": 1}]}),
        ),
        ("no list", json!({"type": "priority", "data": "a"})),
        ("no object", json!({"type": "single", "data": "a"})),
    ];
    let answers = table.map(|(name, routing)| {
        let refusal = StraightThrough::parse(&routing).expect_err(name);
        (name, refused(&refusal))
    });
    assert_snapshot!(page(&answers), @"
    unknown type               Malformed: routing.type has to be one of: single, priority, volume_split
    no data                    Missing: routing.data is required and was not given
    no connector               InvalidValue: routing.data names no connector
    no shares                  InvalidValue: routing.data names no connector
    nothing to share           InvalidValue: the splits of routing.data add up to 0
    too large a share          InvalidValue: routing.data[0].split is above 255
    one twice                  InvalidValue: routing.data[1] names what stands before it already
    negative share             Malformed: routing.data[0].split has to be a whole number, not negative
    a slip in a name           Malformed: routing.data.merchant_connector is not a known member here
    a slip deeper down         Malformed: routing.data[0].share is not a known member here
    no list                    Malformed: routing.data has to be a list
    no object                  Malformed: routing.data has to be an object
    ");
    assert_eq!(StraightThrough::from_names(Vec::new()), None);
}

fn page(table: &[(&str, String)]) -> String {
    let lines = table
        .iter()
        .map(|(name, answer)| format!("{name:<26} {answer}\n"));
    lines.collect()
}

/// Some processors permit several captures only to some accounts.
#[test]
fn who_may_not_capture_in_several_parts_is_not_chosen() {
    let accounts = |metadata: Value| {
        let members = json!({"notes": {"metadata": metadata}});
        let mut accounts = vec![
            candidate("stripe_test", "mca_1", members),
            candidate("adyen_test", "mca_2", json!({})),
        ];
        accounts[0].capabilities.several_captures_setting = Some("multicapture");
        accounts
    };
    let several = || purchase(CaptureMethod::ManualMultiple);
    let silent = accounts(json!({}));
    let table = [
        ("silent", chosen(several(), &silent, 0)),
        ("silent, and alone", chosen(several(), &silent[..1], 0)),
        (
            "silent, by one capture",
            chosen(purchase(CaptureMethod::Manual), &silent, 0),
        ),
        (
            "false",
            chosen(several(), &accounts(json!({"multicapture": false})), 0),
        ),
        (
            "true",
            chosen(several(), &accounts(json!({"multicapture": true})), 0),
        ),
    ];
    assert_snapshot!(page(&table), @"
    silent                     mca_2
    silent, and alone          NotForPayment: no connector account of the profile can take this payment: stripe_test takes capture_method manual_multiple only if its metadata.multicapture is true
    silent, by one capture     mca_1
    false                      mca_2
    true                       mca_1
    ");
}

/// A processor that authenticates by browser data needs that data.
#[test]
fn an_authentication_wants_to_know_the_browser_where_the_processor_does() {
    let mut accounts = vec![
        candidate("adyen_test", "mca_1", json!({})),
        candidate("stripe_test", "mca_2", json!({})),
    ];
    accounts[0].capabilities.authenticates_by_browser = true;
    let wants = |browser: Value| Changes {
        authentication_type: Some(AuthenticationType::ThreeDs),
        payer: PayerDetails {
            browser: serde_json::from_value(browser).expect("a browser"),
            ..PayerDetails::default()
        },
        ..purchase(CaptureMethod::Automatic)
    };
    let by_phone = Changes {
        particulars: Particulars {
            force_challenge: Some(true),
            payment_channel: Some("telephone_order".to_owned()),
            ..Particulars::default()
        },
        ..purchase(CaptureMethod::Automatic)
    };
    let whole = json!({
        "accept_header": "text/html", "color_depth": 24, "java_enabled": false, "language": "en",
        "screen_height": 1080, "screen_width": 1920, "time_zone": 0, "user_agent": "Mozilla/5.0",
    });
    let mut no_zone = whole.clone();
    no_zone
        .as_object_mut()
        .expect("an object")
        .remove("time_zone");
    let table = [
        ("nothing known", chosen(wants(json!(null)), &accounts, 0)),
        ("and alone", chosen(wants(json!(null)), &accounts[..1], 0)),
        ("no zone", chosen(wants(no_zone), &accounts[..1], 0)),
        ("all known", chosen(wants(whole), &accounts, 0)),
        (
            "not wanted",
            chosen(purchase(CaptureMethod::Automatic), &accounts, 0),
        ),
        ("nobody there", chosen(by_phone, &accounts, 0)),
    ];
    assert_snapshot!(page(&table), @"
    nothing known              mca_2
    and alone                  Missing: browser_info.accept_header is required and was not given
    no zone                    Missing: browser_info.time_zone is required and was not given
    all known                  mca_1
    not wanted                 mca_1
    nobody there               mca_1
    ");
}
