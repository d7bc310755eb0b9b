//! Each reason for which an account can't carry out a payment. Another account takes the payment; without one, the refusal
//! names the reason, and the connectors that could.

use insta::assert_snapshot;
use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::payer_method::{PayerInput, PayerMethodInput};
use multirail_domain::payments::payment::{
    AuthenticationType, CaptureMethod, Changes, FutureUsage, InstrumentInput, Particulars,
};
use multirail_domain::routing::{ConnectorAbilities, Facts, RoutingInput, RoutingStrategy};
use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, CustomerId};
use multirail_kernel::refusal::Refusal;
use multirail_routing::BuiltIn;
use multirail_sdk::connector::{Capabilities, StepForm, Units};
use multirail_sdk::payer_method::PayerMethodRules;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};
use serde_json::{Map, Value, json};

use crate::support::story::refused;
use crate::support::{ABLE, candidate, create, purchase};

/// A connector that takes cards, and iDEAL without limits.
const WHOLE: Capabilities = Capabilities {
    payment_methods: &[PaymentMethod::Card, PaymentMethod::BankRedirect],
    payer_methods: &[PayerMethodRules::new(PaymentMethodType::Ideal, &[]).reserving()],
    ..ABLE
};
/// A connector that takes cards alone.
const CARDS: Capabilities = ABLE;
/// A connector whose iDEAL has limits.
const LIMITED: Capabilities = Capabilities {
    payer_methods: &[
        PayerMethodRules::new(PaymentMethodType::Ideal, &[Currency::EUR])
            .in_countries(&[CountryCode::known("NL")])
            .between(&[(Currency::EUR, 500, 1_000_000)]),
    ],
    ..WHOLE
};
/// A connector that counts in steps of ten, from fifty.
const COUNTING: Capabilities = Capabilities {
    units: Units {
        steps: &[(Currency::USD, 10)],
        minimums: &[(Currency::USD, 50)],
        ..Units::ISO
    },
    ..WHOLE
};
/// A connector that only sells at once, and knows no extras.
const PLAIN: Capabilities = Capabilities {
    capture_methods: &[CaptureMethod::Automatic],
    redirects: false,
    verifies_cards: false,
    extends_authorizations: false,
    overcaptures: false,
    ..CARDS
};

/// A connector whose iDEAL shows a code.
const SCANNED: Capabilities = Capabilities {
    payer_methods: &[PayerMethodRules::new(PaymentMethodType::Ideal, &[]).showing(StepForm::QrCode)],
    ..WHOLE
};

const CONNECTORS: &[ConnectorAbilities] = &[
    ConnectorAbilities {
        name: "whole",
        is_simulator: false,
        capabilities: &WHOLE,
    },
    ConnectorAbilities {
        name: "cards",
        is_simulator: false,
        capabilities: &CARDS,
    },
    ConnectorAbilities {
        name: "limited",
        is_simulator: false,
        capabilities: &LIMITED,
    },
    ConnectorAbilities {
        name: "counting",
        is_simulator: false,
        capabilities: &COUNTING,
    },
    ConnectorAbilities {
        name: "plain",
        is_simulator: false,
        capabilities: &PLAIN,
    },
];

/// A payment, and the account that can't take it.
struct Row {
    name: &'static str,
    payment: Changes,
    account: Candidate,
    is_bound: bool,
}

fn row(name: &'static str, payment: Changes, members: Value, connector: &str) -> Row {
    let known = CONNECTORS.iter().find(|one| one.name == connector);
    let able = known.expect("a connector").capabilities;
    let account = candidate(connector, "mca_unable", members);
    Row {
        name,
        payment,
        account: Candidate {
            capabilities: able.clone(),
            ..account
        },
        is_bound: false,
    }
}

fn at_once() -> Changes {
    purchase(CaptureMethod::Automatic)
}

fn ideal(capture_method: CaptureMethod, currency: Currency, country: &str) -> Changes {
    Changes {
        currency: Some(currency),
        instrument: InstrumentInput {
            payment_method: Some(PaymentMethod::BankRedirect),
            payment_method_type: Some(PaymentMethodType::Ideal),
            payer: Some(Box::new(PayerMethodInput {
                payer: PayerInput {
                    country: country.parse().ok(),
                    ..PayerInput::default()
                },
                ..PayerMethodInput::new(PaymentMethodType::Ideal)
            })),
            ..InstrumentInput::default()
        },
        ..purchase(capture_method)
    }
}

fn costing(amount: i64) -> Changes {
    Changes {
        amount: Some(amount),
        ..at_once()
    }
}

fn ideal_costing(amount: i64) -> Changes {
    Changes {
        amount: Some(amount),
        ..ideal(CaptureMethod::Automatic, Currency::EUR, "NL")
    }
}

/// Members of an account that is enabled for cards with these limits.
fn enabled(mut limits: Value) -> Value {
    limits["payment_method"] = json!("card");
    json!({ "payment_methods_enabled": [limits] })
}

fn rows() -> Vec<Row> {
    let none = || json!({});
    let only = |list: Value| json!({ "type": "enable_only", "list": list });
    let (auto, euro) = (CaptureMethod::Automatic, Currency::EUR);
    let three_ds = Changes {
        authentication_type: Some(AuthenticationType::ThreeDs),
        ..at_once()
    };
    let saves = Changes {
        customer_id: CustomerId::parse("cus_1").ok(),
        setup_future_usage: Some(FutureUsage::OffSession),
        ..at_once()
    };
    let at_a_page = Changes {
        particulars: Particulars {
            notes: Map::from_iter([("payment_experience".to_owned(), json!("redirect_to_url"))]),
            ..Particulars::default()
        },
        ..ideal(auto, euro, "NL")
    };
    let mut scanned = row("experience", at_a_page, none(), "limited");
    scanned.account.capabilities = SCANNED;
    let mut bound = row("agreed elsewhere", at_once(), none(), "whole");
    bound.is_bound = true;
    vec![
        row("disabled", at_once(), json!({ "disabled": true }), "whole"),
        row(
            "method not enabled",
            at_once(),
            json!({ "payment_methods_enabled": [{ "payment_method": "wallet" }] }),
            "whole",
        ),
        row(
            "type not enabled",
            ideal(auto, euro, "NL"),
            json!({ "payment_methods_enabled": [
                { "payment_method": "bank_redirect", "payment_method_types": ["eps"] },
            ] }),
            "whole",
        ),
        row(
            "network not enabled",
            at_once(),
            enabled(json!({ "payment_schemes": ["Mastercard"] })),
            "whole",
        ),
        row(
            "currency not enabled",
            at_once(),
            enabled(json!({ "accepted_currencies": only(json!(["EUR"])) })),
            "whole",
        ),
        row(
            "country not enabled",
            ideal(auto, euro, "FR"),
            json!({ "payment_methods_enabled": [{
                "payment_method": "bank_redirect", "accepted_countries": only(json!(["NL"])),
            }] }),
            "whole",
        ),
        row(
            "amount not enabled",
            at_once(),
            enabled(json!({ "maximum_amount": 6539 })),
            "whole",
        ),
        row(
            "saving not enabled",
            saves,
            enabled(json!({ "recurring_enabled": false })),
            "whole",
        ),
        row("method", ideal(auto, euro, "NL"), none(), "cards"),
        row(
            "currency",
            ideal(auto, Currency::USD, "NL"),
            none(),
            "limited",
        ),
        row("country", ideal(auto, euro, "FR"), none(), "limited"),
        row(
            "capture method of the type",
            ideal(CaptureMethod::Manual, euro, "NL"),
            none(),
            "limited",
        ),
        row(
            "capture method",
            purchase(CaptureMethod::Manual),
            none(),
            "plain",
        ),
        row(
            "smallest amount of the type",
            ideal_costing(499),
            none(),
            "limited",
        ),
        row(
            "largest amount of the type",
            ideal_costing(1_000_001),
            none(),
            "limited",
        ),
        row("amount step", costing(6545), none(), "counting"),
        row("smallest amount", costing(40), none(), "counting"),
        row("no amount", costing(0), none(), "plain"),
        row("authentication", three_ds, none(), "plain"),
        scanned,
        bound,
    ]
}

/// Chooses among these accounts.
fn choose(row: &Row, candidates: &[Candidate]) -> Result<String, Refusal> {
    choose_with(row, candidates, CONNECTORS)
}

fn choose_with(
    row: &Row,
    candidates: &[Candidate],
    connectors: &[ConnectorAbilities],
) -> Result<String, Refusal> {
    let payment = create(row.payment.clone()).expect("a payment").payment;
    let instrument = payment.instrument().expect("an instrument");
    let agreed: ConnectorAccountId = "mca_able".parse().expect("an id");
    let facts = Facts {
        is_bound: row.is_bound,
        agreed_through: row.is_bound.then_some(&agreed),
        ..payment.facts(Some(instrument))
    };
    let input = RoutingInput {
        candidates,
        active: None,
        dynamic: None,
        connectors,
        draw: 0,
    };
    let routed = BuiltIn.choose(&facts, instrument, input)?;
    Ok(routed.first().account.merchant_connector_id.to_string())
}

#[test]
fn every_reason_is_named_with_the_connectors_that_could() {
    let mut told = String::new();
    for row in rows() {
        let able = Candidate {
            capabilities: WHOLE.clone(),
            ..candidate("whole", "mca_able", json!({}))
        };
        let unable = row.account.clone();
        let chosen = choose(&row, &[unable.clone(), able]);
        assert_eq!(chosen.ok().as_deref(), Some("mca_able"), "{}", row.name);
        let refusal = choose(&row, &[unable]).expect_err(row.name);
        told += &format!("{}: {}\n", row.name, refused(&refusal));
    }
    assert_snapshot!(told, @"
    disabled: NotForPayment: no connector account of the profile can take this payment: whole is disabled; connectors that could: cards, limited, counting, plain
    method not enabled: NotForPayment: no connector account of the profile can take this payment: whole isn't enabled for payment_method card; connectors that could: cards, limited, counting, plain
    type not enabled: NotForPayment: no connector account of the profile can take this payment: whole isn't enabled for payment_method_type ideal; connectors that could: limited, counting
    network not enabled: NotForPayment: no connector account of the profile can take this payment: whole isn't enabled for card_network Visa; connectors that could: cards, limited, counting, plain
    currency not enabled: NotForPayment: no connector account of the profile can take this payment: whole isn't enabled for currency USD; connectors that could: cards, limited, counting, plain
    country not enabled: NotForPayment: no connector account of the profile can take this payment: whole isn't enabled for payers in FR; connectors that could: counting
    amount not enabled: NotForPayment: no connector account of the profile can take this payment: whole isn't enabled for the amount 65.40 USD; connectors that could: cards, limited, counting, plain
    saving not enabled: NotForPayment: no connector account of the profile can take this payment: whole isn't enabled for charges without the payer; connectors that could: cards, limited, counting, plain
    method: MethodNotSupported: no connector of the profile takes payment_method_type ideal; connectors that do: whole, limited, counting
    currency: NotForPayment: limited takes payment_method_type ideal only in EUR; connectors that could: whole, counting
    country: NotForPayment: limited takes payment_method_type ideal only from payers in NL; connectors that could: whole, counting
    capture method of the type: NotForPayment: limited takes payment_method_type ideal only with capture_method automatic; connectors that could: whole, counting
    capture method: NotForPayment: no connector account of the profile can take this payment: plain doesn't take capture_method manual; connectors that could: whole, cards, limited, counting
    smallest amount of the type: AmountNotCounted: no connector account of the profile can charge 4.99 EUR: limited takes payment_method_type ideal only from 5.00 EUR to 10000.00 EUR; connectors that could: whole, counting
    largest amount of the type: AmountNotCounted: no connector account of the profile can charge 10000.01 EUR: limited takes payment_method_type ideal only from 5.00 EUR to 10000.00 EUR; connectors that could: whole, counting
    amount step: AmountNotCounted: no connector account of the profile can charge 65.45 USD: counting takes only multiples of 0.10 USD; connectors that could: whole, cards, limited, plain
    smallest amount: AmountNotCounted: no connector account of the profile can charge 0.40 USD: counting charges no less than 0.50 USD; connectors that could: whole, cards, limited, plain
    no amount: NotForPayment: no connector account of the profile can take this payment: plain can't verify it without an amount; connectors that could: whole, cards, limited, counting
    authentication: NotForPayment: no connector account of the profile can take this payment: plain can't authenticate the payer; connectors that could: whole, cards, limited, counting
    experience: NotForPayment: limited takes payment_method_type ideal only with payment_experience display_qr_code; connectors that could: whole, counting
    agreed elsewhere: NotForPayment: no connector account of the profile can take this payment: whole isn't the account of the payer's agreement
    ");
}

/// A long list of reasons is cut.
#[test]
fn many_accounts_and_none_at_all() {
    let off = |place: usize| {
        let members = json!({ "disabled": true });
        candidate(&format!("shop_{place}"), &format!("mca_{place}"), members)
    };
    let accounts: Vec<Candidate> = (0..7).map(off).collect();
    let plain = row("plain", at_once(), json!({}), "whole");
    let mut told = String::new();
    for candidates in [&accounts[..], &accounts[..1], &[]] {
        let refusal = choose(&plain, candidates).expect_err("a refusal");
        told += &format!("{}: {}\n", candidates.len(), refused(&refusal));
    }
    assert_snapshot!(told, @"
    7: NotForPayment: no connector account of the profile can take this payment: shop_0 is disabled; shop_1 is disabled; shop_2 is disabled; shop_3 is disabled; shop_4 is disabled; and 2 more; connectors that could: whole, cards, limited, counting, plain
    1: NotForPayment: no connector account of the profile can take this payment: shop_0 is disabled; connectors that could: whole, cards, limited, counting, plain
    0: NotForPayment: the profile has no connector account; connectors that could: whole, cards, limited, counting, plain
    ");
}

/// The simulated processor has several names, with the same abilities.
#[test]
fn the_simulator_is_named_once_after_the_real_connectors_and_never_if_it_refused() {
    let one = |name, is_simulator| ConnectorAbilities {
        name,
        is_simulator,
        capabilities: &WHOLE,
    };
    let connectors = [
        one("first_test", true),
        one("second_test", true),
        one("whole", false),
    ];
    let plain = row("plain", at_once(), json!({}), "whole");
    let mut told = String::new();
    for name in ["cards", "second_test", "whole"] {
        let off = candidate(name, "mca_1", json!({ "disabled": true }));
        let refusal = choose_with(&plain, &[off], &connectors).expect_err("a refusal");
        told += &format!("{}\n", refused(&refusal));
    }
    assert_snapshot!(told, @"
    NotForPayment: no connector account of the profile can take this payment: cards is disabled; connectors that could: whole, first_test
    NotForPayment: no connector account of the profile can take this payment: second_test is disabled; connectors that could: whole
    NotForPayment: no connector account of the profile can take this payment: whole is disabled; connectors that could: first_test
    ");
}
