//! The connectors of this version, and the selection that a server may use.
//!
//! Shared code is in this folder, and each connector has its own; [`README.md`](../README.md)
//! describes how to add one. The simulator's `wire` and `errors` are the crate
//! `multirail_simulator_wire`, because multirail also implements its processor.

pub mod account;
pub mod adyen;
pub mod amounts;
mod built_in;
mod changes;
pub mod checkout;
pub mod client;
#[cfg(any(test, fuzzing))]
#[cfg_attr(fuzzing, allow(dead_code, reason = "tests use all of it"))]
mod fixture;
pub mod form;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod mask;
#[cfg(test)]
mod members;
mod notices;
pub mod outcome;
mod pause;
pub mod simulator;
mod steps;
pub mod stripe;
mod text;
pub mod vaults;
pub mod wire;

use std::sync::Arc;
use std::time::Duration;

pub use built_in::BuiltIn;

use client::Client;
use multirail_connector_kit::{Known, TestMode};
use multirail_sdk::connector::Description;
use multirail_sdk::connector::{Connector, ConnectorDirectory};
use multirail_simulator_wire::Transport;
use simulator::Simulator;

/// Creates a connector that uses the shared client.
type Make = fn(Arc<Client>) -> Arc<dyn Connector>;

/// Connectors that move real money.
const PRODUCTION: &[Make] = &[
    |client| Arc::new(adyen::Adyen::new(client)),
    |client| Arc::new(checkout::Checkout::new(client)),
    |client| Arc::new(stripe::Stripe::new(client)),
];

/// The test modes of these connectors, by name.
const TEST_MODES: &[(&str, &TestMode)] = &[
    ("adyen", &adyen::TEST_MODE),
    ("checkout", &checkout::TEST_MODE),
    ("stripe", &stripe::TEST_MODE),
];

/// Returns the test mode of a connector that moves money.
pub fn test_mode(connector: &str) -> Option<&'static TestMode> {
    let mut modes = TEST_MODES.iter();
    modes
        .find(|(name, _)| *name == connector)
        .map(|(_, mode)| *mode)
}

/// Connectors by name.
#[derive(Clone)]
pub struct Connectors {
    entries: Vec<Arc<dyn Connector>>,
    described: Vec<&'static Description>,
}

impl Connectors {
    /// Returns the connectors that move real money. The simulators have descriptions here but can't
    /// be found.
    pub fn production(client: &Arc<Client>) -> Self {
        let made = PRODUCTION.iter().map(|make| make(Arc::clone(client)));
        Connectors {
            entries: made.collect(),
            described: Vec::new(),
        }
    }

    /// Adds account kinds that have a description and are never called.
    pub fn with_described(mut self, descriptions: &'static [Description]) -> Self {
        self.described.extend(descriptions);
        self
    }

    /// Adds the seven simulated processors, reached through `transport`. Each call waits until
    /// `deadline` at most.
    pub fn with_simulators(mut self, transport: Arc<dyn Transport>, deadline: Duration) -> Self {
        for description in &simulator::DESCRIPTIONS {
            let simulator = Simulator::new(description, Arc::clone(&transport), deadline);
            self.entries.push(Arc::new(simulator));
        }
        self
    }
}

/// Returns every connector that is built, allowed or not, in a fixed order.
pub fn known(client: &Arc<Client>) -> Vec<Known> {
    let made = PRODUCTION.iter().map(|make| make(Arc::clone(client)));
    let real = made.map(|connector| connector.description());
    let all = real.chain(&simulator::DESCRIPTIONS);
    let known = all.map(|description| Known {
        capabilities: &description.capabilities,
        name: description.name,
        api_version: description.api_version,
        is_simulator: description.is_simulator,
    });
    known.collect()
}

impl ConnectorDirectory for Connectors {
    fn find(&self, name: &str) -> Option<Arc<dyn Connector>> {
        self.entries
            .iter()
            .find(|connector| connector.description().name == name)
            .map(Arc::clone)
    }

    fn describe(&self, name: &str) -> Option<&'static Description> {
        let own = self.entries.iter().map(|connector| connector.description());
        // All simulators, allowed or not.
        let simulators = simulator::DESCRIPTIONS.iter();
        let others = simulators
            .chain(&vaults::DESCRIPTIONS)
            .chain(self.described.iter().copied());
        let mut named = own.chain(others).filter(|one| one.name == name);
        named.next()
    }

    fn names(&self) -> Vec<&'static str> {
        let entries = self.entries.iter();
        entries
            .map(|connector| connector.description().name)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use multirail_connector_kit::ClientSettings;
    use multirail_kernel::target::TargetRules;
    use multirail_simulator_wire::NAMES;

    use multirail_sdk::connector::{Ability, Capabilities, DisputeActionKind, Recovery};

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
            let list = include_str!("../README.md");
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
        }
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
}
