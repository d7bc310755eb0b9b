//! Choosing the connector account that a payment goes to.

pub mod algorithm;
pub mod choose;
pub mod comparison;
pub mod dynamic;
pub mod evaluate;
pub mod key;
pub mod of_profile;
pub mod program;
pub mod record;
pub mod selection;
pub mod straight_through;
pub mod trace;
pub mod trial;

pub use algorithm::{Algorithm, AlgorithmKind, TransactionType};
pub use choose::{Arranged, Candidate, Routed, arrange, choose, consider, eligible};
pub use dynamic::DynamicAlgorithm;
pub use evaluate::Facts;
pub use of_profile::{FallbackOrder, ProfileRouting};
pub use record::{NewRouting, RoutingRecord};
pub use straight_through::{Choice, Share, StraightThrough};
pub use trace::{Considered, Dropped, RoutedBy, RoutingTrace};
pub use trial::Trial;
