//! The options of a run: its keys and its checks.

use std::sync::Arc;

use crate::identity_provider::IdentityProvider;
pub use crate::plan::Filter;

/// A merchant account that exists already.
#[derive(Clone)]
pub struct Given {
    pub merchant_id: String,
    pub secret_key: String,
    pub publishable_key: Option<String>,
    pub profile_id: Option<String>,
}

/// The answer to whether the account's payments go to the simulated processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Simulator {
    /// Detected by the sandbox's clock with the operator's key, else by the names of the account's connectors.
    #[default]
    Ask,
    Yes,
    No,
}

/// The keys and checks of a run.
#[derive(Clone, Default)]
pub struct Options {
    /// The operator's key, with which the run opens its own merchant accounts and closes them.
    pub admin_key: Option<String>,
    /// The account to use without that key.
    pub given: Option<Given>,
    /// The secret key of another merchant, if none can be opened.
    pub other_secret_key: Option<String>,
    pub filter: Filter,
    pub simulator: Simulator,
    /// A stand-in that the server uses as its identity provider. Only a stand-in signs in the members of a story.
    pub provider: Option<Arc<IdentityProvider>>,
    /// Checks the bounds inside each component for every operation, not only for the first.
    pub thorough: bool,
    /// Whether values at the bounds are also sent to the specification's operations.
    pub at_bounds: bool,
}
