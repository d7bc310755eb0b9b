//! The connectors of this version, and the selection that a server may use.
//!
//! Shared code is in this folder, and each connector has its own; [`README.md`](../README.md)
//! describes how to add one. The simulator's `wire` and `errors` are the crate
//! `multirail_simulator_wire`, because multirail also implements its processor.

pub mod account;
pub mod adyen;
pub mod amounts;
mod built_in;
#[cfg(any(test, fuzzing))]
mod canned;
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

/// A connector that moves real money, as its folder registers it.
pub(crate) struct Registered {
    pub(crate) make: Make,
    pub(crate) description: &'static Description,
    pub(crate) test_mode: &'static TestMode,
}

/// Connectors that move real money.
const PRODUCTION: &[Registered] = &[adyen::REGISTERED, checkout::REGISTERED, stripe::REGISTERED];

/// Makes the connectors that move real money.
fn made(client: &Arc<Client>) -> impl Iterator<Item = Arc<dyn Connector>> {
    PRODUCTION
        .iter()
        .map(move |one| (one.make)(Arc::clone(client)))
}

/// Returns the test mode of a connector that moves money.
pub fn test_mode(connector: &str) -> Option<&'static TestMode> {
    let mut all = PRODUCTION.iter();
    all.find(|one| one.description.name == connector)
        .map(|one| one.test_mode)
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
        Connectors {
            entries: made(client).collect(),
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
    let real = made(client).map(|connector| connector.description());
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

    fn descriptions(&self) -> Vec<&'static Description> {
        let own = self.entries.iter().map(|connector| connector.description());
        let never_called = vaults::DESCRIPTIONS.iter();
        own.chain(never_called.chain(self.described.iter().copied()))
            .collect()
    }
}

#[cfg(test)]
mod tests;
