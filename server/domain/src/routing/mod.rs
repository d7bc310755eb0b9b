//! Choosing the connector account that a payment goes to.

pub mod algorithm;
pub mod choose;
pub mod comparison;
pub mod dynamic;
pub mod elimination;
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
pub use choose::{Arranged, Candidate, Routed, arrange, choose, consider};
pub use dynamic::DynamicAlgorithm;
pub use elimination::Elimination;
pub use evaluate::Facts;
pub use of_profile::{FallbackOrder, ProfileElimination, ProfileRouting};
pub use record::{NewRouting, RoutingRecord};
pub use straight_through::{Choice, Share, StraightThrough};
pub use trace::{Considered, Dropped, Moved, RoutedBy, RoutingTrace};
pub use trial::Trial;
