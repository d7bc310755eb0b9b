//! The choice of connector accounts for a payment: what is stored and said about it. The program brings the rules that choose,
//! as a [`RoutingStrategy`].

pub mod algorithm;
pub mod comparison;
pub mod dynamic;
pub mod elimination;
mod estimate;
mod facts;
mod in_line;
pub mod key;
mod of_profile;
pub mod params;
mod payer_field;
pub mod program;
pub mod record;
mod routed;
pub mod selection;
mod stored_trace;
pub mod straight_through;
mod strategy;
pub mod success_based;
pub mod trace;
pub mod trial;

pub use crate::accounts::profile::{
    DynamicFeature, DynamicKind, FallbackOrder, ProfileDynamic, ProfileRouting, TransactionType,
};
pub use algorithm::{Algorithm, AlgorithmKind};
pub use dynamic::{Dynamic, DynamicAlgorithm, DynamicInput};
pub use elimination::Elimination;
pub use estimate::{Estimate, EstimatedAccount, FirstTry, PastPayment, TryResult, estimate};
pub use facts::Facts;
pub use params::DynamicParam;
pub use payer_field::lacking;
pub use record::{NewRouting, RoutingRecord};
pub use routed::Routed;
pub use stored_trace::StoredTrace;
pub use straight_through::{Choice, Share, StraightThrough, StraightThroughKind};
pub use strategy::{ConnectorAbilities, RoutingInput, RoutingStrategy};
pub use success_based::SuccessRates;
pub use trace::{Considered, Dropped, DynamicTrace, Moved, RoutedBy, RoutingTrace, ThreeDsDecided};
pub use trial::{MakeTrial, Trial, TrialCard, TrialRequest};
