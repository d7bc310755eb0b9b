//! Configurations that learn from outcomes.
//!
//! The operations of dynamic routing make them (`RoutingRecord` with `Algorithm::Dynamic`, `TransactionType::Payment`); no
//! call of `POST /routing` does. What such a configuration says becomes a member of [`DynamicAlgorithm`], which one is
//! active a member of [`super::ProfileRouting`] beside `active`, and what it does to an order is called by
//! [`super::arrange`] after the eligible accounts stand in order.

use serde::{Deserialize, Serialize};

use super::elimination::EliminationConfig;
use crate::unread::UnreadMembers;

/// What a dynamic configuration says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DynamicAlgorithm {
    /// Accounts whose processor fails again and again are tried last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elimination: Option<EliminationConfig>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}
