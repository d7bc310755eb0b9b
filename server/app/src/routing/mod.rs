//! By what payments are routed: configurations, which of them are active, and the order of last resort. `scope` is the one
//! profile that a call is narrowed to; what belongs to others doesn't exist for it. (Specification 2.4, 4.13)

mod activate;
mod configurations;
mod defaults;
mod dynamic;
mod evaluate;

pub use configurations::{ActiveRouting, CreateRouting, ListRouting, RoutingPage};
pub use defaults::DefaultRouting;
pub use dynamic::{DynamicRouting, EliminationStanding, RoutingSplit};
pub use evaluate::{EvaluateBy, EvaluateRouting, Evaluation};
