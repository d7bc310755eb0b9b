//! Routing of payments: configurations, the active ones, and the order of last resort. `scope` is the one profile that
//! a call is narrowed to. Such a call doesn't see objects of other profiles. (Specification 2.4, 4.13)

mod activate;
mod configurations;
mod defaults;
mod dynamic;
mod estimate;
mod evaluate;
pub mod ports;
mod routes;

use std::sync::Arc;

use multirail_domain::routing::{ConnectorAbilities, MakeTrial, RoutingStrategy};
use multirail_sdk::connector::ConnectorDirectory;

use crate::accounts::merchant_accounts::Merchants;
use crate::accounts::processor_accounts::ProcessorAccounts;
use crate::accounts::profiles::Profiles;
use crate::platform::base::Base;
use crate::routing::ports::{DynamicRoutingStore, PastPaymentStore, RoutingStore};

pub use configurations::{ActiveRouting, CreateRouting, ListRouting, RoutingPage};
pub use defaults::DefaultRouting;
pub use dynamic::{DynamicRouting, EliminationStanding, RoutingSplit};
pub use estimate::{EstimateRouting, Estimation};
pub use evaluate::{EvaluateBy, EvaluateRouting, Evaluation};
pub(crate) use routes::Routes;

/// The use cases of routing.
pub struct Routing {
    pub base: Arc<Base>,
    pub store: Arc<dyn RoutingStore>,
    /// The counters of dynamic routing.
    pub learned: Arc<dyn DynamicRoutingStore>,
    /// The payments that estimates replay.
    pub past: Arc<dyn PastPaymentStore>,
    pub merchants: Arc<Merchants>,
    pub profiles: Arc<Profiles>,
    pub accounts: Arc<ProcessorAccounts>,
    /// The connectors that refusals may name.
    pub connectors: Arc<[ConnectorAbilities]>,
    /// The rules that choose accounts.
    pub strategy: &'static dyn RoutingStrategy,
    /// Makes hypothetical payments.
    pub trials: MakeTrial,
}

/// Returns the connectors of a directory, for refusals of payments that another connector could take.
pub fn abilities(directory: &dyn ConnectorDirectory) -> Arc<[ConnectorAbilities]> {
    let names = directory.names().into_iter();
    names
        .filter_map(|name| {
            let described = directory.describe(name)?;
            Some(ConnectorAbilities {
                name,
                is_simulator: described.is_simulator,
                capabilities: &described.capabilities,
            })
        })
        .collect()
}
