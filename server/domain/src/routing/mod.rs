//! The choice of connector accounts for a payment.

pub mod algorithm;
mod chance;
pub mod choose;
pub mod comparison;
pub mod dynamic;
pub mod elimination;
pub mod evaluate;
mod in_line;
pub mod key;
mod learned;
mod of_profile;
pub mod params;
mod payer_field;
pub mod program;
pub mod record;
pub mod selection;
mod stored_trace;
pub mod straight_through;
pub mod success_based;
pub mod trace;
pub mod trial;

pub use crate::accounts::profile::{
    DynamicFeature, DynamicKind, FallbackOrder, ProfileDynamic, ProfileRouting, TransactionType,
};
pub use algorithm::{Algorithm, AlgorithmKind};
pub(crate) use choose::lacks;
pub use choose::{Arranged, Routed, arrange, choose, consider};
pub use dynamic::{Dynamic, DynamicAlgorithm, DynamicInput};
pub use elimination::Elimination;
pub use evaluate::Facts;
pub use params::DynamicParam;
pub(crate) use payer_field::lacks_field;
pub use record::{NewRouting, RoutingRecord};
pub use stored_trace::StoredTrace;
pub use straight_through::{Choice, Share, StraightThrough, StraightThroughKind};
pub use success_based::SuccessRates;
pub use trace::{Considered, Dropped, DynamicTrace, Moved, RoutedBy, RoutingTrace, ThreeDsDecided};
pub use trial::{MakeTrial, Trial, TrialCard, TrialRequest};
