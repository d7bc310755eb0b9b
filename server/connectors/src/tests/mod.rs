//! The connectors that are built, and tests of all of them.

mod members;

use multirail_connector_kit::ClientSettings;
use multirail_connector_kit::stories::debits;
use multirail_kernel::target::TargetRules;
use multirail_simulator_wire::NAMES;

use multirail_sdk::connector::{
    Ability, Capabilities, DisputeActionKind, Recovery, WebhookSecrets,
};
use multirail_sdk::payment_method::PaymentMethodType;

use super::*;

fn production() -> Connectors {
    let client = Client::new(ClientSettings {
        targets: TargetRules::default(),
        deadline: Duration::from_secs(1),
        calls_per_account: 1,
        proxy: None,
        trusted: Vec::new(),
    });
    Connectors::production(&Arc::new(client))
}

#[test]
fn the_simulators_names_exist_in_the_sandbox_only() {
    let bench = simulator::fixture::Bench::new("fauxpay");
    let transport = Arc::new(multirail_simulator::InProcess::new(bench.processor));
    let production = production();
    let sandbox = production
        .clone()
        .with_simulators(transport, Duration::from_secs(1));
    assert_eq!(
        sandbox.names(),
        [production.names(), NAMES.to_vec()].concat()
    );
    for name in NAMES {
        assert!(sandbox.find(name).is_some(), "{name}");
        assert!(production.find(name).is_none(), "{name}");
        // The description lets a refusal explain the name.
        let described = production.describe(name);
        assert!(described.is_some_and(|one| one.is_simulator), "{name}");
    }
    assert!(sandbox.find("nobody").is_none());
    assert!(sandbox.describe("nobody").is_none());
}

#[test]
fn every_connector_of_money_may_be_sent_elsewhere_and_has_a_name_of_its_own() {
    let production = production();
    for connector in &production.entries {
        let description = connector.description();
        let name = description.name;
        let mut settings = description.settings.iter();
        assert!(
            settings.any(|own| own.name == account::BASE_URL.name),
            "{name}"
        );
        let named = production.names().into_iter().filter(|own| *own == name);
        assert_eq!(named.count(), 1, "{name}");
        assert!(!description.is_simulator, "{name}");
        let page = format!("(src/{name}/README.md)");
        let list = include_str!("../../README.md");
        assert!(list.contains(&page), "the README lists no {name}");
        let mode = test_mode(name).expect("a test mode");
        let page = format!("{}/src/{name}/README.md", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(page)
            .expect("a page")
            .replace(' ', "");
        for card in [mode.approved, mode.declined, mode.asks_payer] {
            assert!(page.contains(card.number), "{name}: {}", card.number);
            card.entered().expect("a card that payers can enter");
        }
        for (rules, scheme) in debits(&description.capabilities) {
            assert!(mode.account(scheme).is_some(), "{name}: {}", rules.kind);
        }
    }
}

#[test]
fn credentials_and_webhook_secrets_have_the_processors_names() {
    let simulators = simulator::DESCRIPTIONS.iter();
    for description in production().descriptions().into_iter().chain(simulators) {
        let (name, members) = (description.name, description.credentials.members());
        assert_eq!(description.credential_names.len(), members.len(), "{name}");
        let secrets = description.webhook_secrets.len();
        assert_eq!(secrets == 0, description.is_never_called(), "{name}");
        assert!(secrets <= WebhookSecrets::MEMBERS.len(), "{name}");
    }
}

#[test]
fn the_described_types_are_those_that_an_account_can_be_charged_with() {
    let production = production();
    let types = |name: &str| -> Vec<&'static str> {
        let described = production.describe(name).expect("a connector");
        let able = &described.capabilities;
        let methods = able.payment_methods.iter();
        let types = methods.flat_map(|method| able.types(*method));
        types.map(PaymentMethodType::as_str).collect()
    };
    let of_checkout = [
        "credit",
        "debit",
        "apple_pay",
        "google_pay",
        "network_token",
    ];
    assert_eq!(types("checkout"), of_checkout);
    let of_stripe = types("stripe");
    // Stripe opens no token of Apple Pay, and takes no transfer by `ach`.
    assert!(of_stripe.contains(&"google_pay") && !of_stripe.contains(&"apple_pay"));
    let transfers = of_stripe.iter().filter(|kind| **kind == "ach");
    assert_eq!(transfers.count(), 1);
}

/// Adds whether a described ability leads to the code of this connector.
fn reaches<T: ?Sized>(
    connector: &dyn Connector,
    ability: Option<Ability<T>>,
    reached: &mut Vec<bool>,
) {
    reached.extend(ability.map(|find| find(connector).is_some()));
}

#[test]
fn described_abilities_lead_to_the_connectors_own_code() {
    let bench = simulator::fixture::Bench::new("fauxpay");
    let transport = Arc::new(multirail_simulator::InProcess::new(bench.processor));
    let all = production().with_simulators(transport, Duration::from_secs(1));
    let mut counted = Vec::new();
    for connector in &all.entries {
        let (connector, mut reached) = (&**connector, Vec::new());
        let Capabilities {
            completes_authorizations,
            looks_over,
            voids_captured,
            keeps_customers,
            deletes_stored,
            raises_authorizations,
            wallets,
            disputes,
            ..
        } = connector.description().capabilities.clone();
        reaches(connector, completes_authorizations, &mut reached);
        reaches(connector, looks_over, &mut reached);
        reaches(connector, voids_captured, &mut reached);
        reaches(connector, keeps_customers, &mut reached);
        reaches(connector, deletes_stored, &mut reached);
        reaches(connector, raises_authorizations, &mut reached);
        reaches(connector, wallets.sessions.map(|it| it.0), &mut reached);
        reaches(connector, disputes.accepts.map(|it| it.0), &mut reached);
        reaches(connector, disputes.challenges.map(|it| it.0), &mut reached);
        reaches(connector, disputes.finds, &mut reached);
        reaches(connector, disputes.lists, &mut reached);
        let name = connector.description().name;
        assert!(reached.iter().all(|reached| *reached), "{name}");
        counted.push(format!("{name} {}", reached.len()));
    }
    insta::assert_snapshot!(counted[..4].join("\n"), @"
    adyen 4
    checkout 4
    stripe 8
    stripe_test 8
    ");
}

#[test]
fn recovery_of_disputes_by_look_up_needs_look_ups() {
    let own = production();
    let names = own.names().into_iter().chain(NAMES);
    for description in names.map(|name| own.describe(name).expect("a connector")) {
        let abilities = &description.capabilities.disputes;
        for kind in DisputeActionKind::ALL {
            let recovery = abilities.recovery(*kind);
            let looks_up = matches!(recovery, Some(Recovery::LookUp(_)));
            let finds = abilities.finds.is_some();
            assert!(!looks_up || finds, "{}", description.name);
        }
    }
}
