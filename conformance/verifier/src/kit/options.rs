//! What a run is asked to check, and by whose keys.

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

/// Whether payments of the account end at the simulated processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Simulator {
    /// Found out: by the sandbox's clock with the operator's key, else by the names of the account's connectors.
    #[default]
    Ask,
    Yes,
    No,
}

/// What to check, and by whose keys.
#[derive(Clone, Default)]
pub struct Options {
    /// The operator's: with it the run opens merchant accounts of its own and closes them.
    pub admin_key: Option<String>,
    /// The account to use where there is no such key.
    pub given: Option<Given>,
    /// The secret key of another merchant, where none can be opened.
    pub other_secret_key: Option<String>,
    pub filter: Filter,
    pub simulator: Simulator,
    /// A stand-in that the server was started with as its identity provider: it alone lets in whom a story says.
    pub provider: Option<Arc<IdentityProvider>>,
    /// Tries the bounds inside each component for every operation that takes it, not for the first one only.
    pub thorough: bool,
    /// Whether the bounds and words of the specification's operations are reached, too.
    pub at_bounds: bool,
}
