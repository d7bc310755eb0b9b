//! The connectors that this version has, and which of them a server may use.
//!
//! A new connector is a folder of the shape of [`simulator`]: `mod.rs` builds wire requests and sends them, `wire.rs` is
//! the processor's own language, `map.rs` turns its answers into outcomes, `errors.rs` is its table of codes. The
//! simulator's `wire` and `errors` are a crate, `multirail_simulator_wire`, because its processor is built here too. Then
//! the connector gets a line in [`Connectors::production`].

pub mod account;
pub mod adyen;
pub mod amounts;
pub mod client;
pub mod form;
mod http;
mod limits;
pub mod mask;
pub mod outcome;
pub mod simulator;
pub mod stripe;
pub mod wire;

use std::sync::Arc;
use std::time::Duration;

use multirail_app::ports::connector::{Connector, ConnectorDirectory};
use multirail_domain::connector::Description;
use multirail_simulator_wire::Transport;
use simulator::Simulator;

/// Connectors by name.
#[derive(Clone, Default)]
pub struct Connectors {
    entries: Vec<Arc<dyn Connector>>,
}

impl Connectors {
    /// What moves real money. The simulators are described here too, and not found.
    pub fn production() -> Self {
        Connectors::default()
    }

    /// Everything of [`Connectors::production`], and the seven simulated processors, reached through `transport`. None is
    /// waited for longer than `deadline`.
    pub fn sandbox(transport: Arc<dyn Transport>, deadline: Duration) -> Self {
        let mut connectors = Connectors::production();
        for description in &simulator::DESCRIPTIONS {
            let simulator = Simulator::new(description, Arc::clone(&transport), deadline);
            connectors.entries.push(Arc::new(simulator));
        }
        connectors
    }
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
        // Built, whoever may use them.
        let simulators = simulator::DESCRIPTIONS.iter();
        let mut named = own.chain(simulators).filter(|one| one.name == name);
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
    use multirail_simulator_wire::NAMES;

    use super::*;

    #[test]
    fn the_simulators_names_exist_in_the_sandbox_only() {
        let bench = simulator::fixture::Bench::new("fauxpay");
        let transport = Arc::new(multirail_simulator::InProcess::new(bench.processor));
        let sandbox = Connectors::sandbox(transport, Duration::from_secs(1));
        assert_eq!(sandbox.names(), NAMES);
        for name in NAMES {
            assert!(sandbox.find(name).is_some(), "{name}");
            assert!(Connectors::production().find(name).is_none(), "{name}");
            // A refusal there says what the name is.
            let described = Connectors::production().describe(name);
            assert!(described.is_some_and(|one| one.is_simulator), "{name}");
        }
        assert!(sandbox.find("nothing").is_none());
        assert!(sandbox.describe("nothing").is_none());
    }
}
