//! Estimates of routing, wire to domain and back.

use multirail_app::routing::{EstimateRouting, Estimation};
use multirail_domain::routing::EstimatedAccount;
use multirail_kernel::ids::ProfileId;
use multirail_kernel::refusal::Refusal;
use multirail_types as types;

use super::evaluation::evaluated_by;
use crate::platform::convert::id;

/// Payments to read when the request names no number.
const USUAL_LIMIT: u32 = 100;

/// Reads the configuration to evaluate, and the number of payments.
///
/// # Errors
/// An invalid member of the algorithm, named by its path; two configurations.
pub fn request(request: types::RoutingEstimateRequest) -> Result<EstimateRouting, Refusal> {
    let types::RoutingEstimateRequest {
        profile_id,
        routing_id,
        algorithm,
        payment_limit,
    } = request;
    Ok(EstimateRouting {
        profile_id: id(profile_id, "profile_id", ProfileId::parse)?,
        by: evaluated_by(routing_id, algorithm)?,
        limit: payment_limit.map_or(USUAL_LIMIT, i32::cast_unsigned),
    })
}

/// Returns the counts.
pub fn answer(of: &Estimation) -> types::RoutingEstimate {
    let Estimation {
        profile_id,
        estimate,
    } = of;
    let oldest = estimate.oldest_created_at;
    types::RoutingEstimate {
        profile_id: profile_id.to_string(),
        sample_size: estimate.sample_size.cast_signed(),
        not_counted: estimate.not_counted.cast_signed(),
        oldest_created_at: oldest.map(|oldest| oldest.to_datetime()),
        moved: estimate.moved.cast_signed(),
        without_account: estimate.without_account.cast_signed(),
        connectors: estimate.accounts.iter().map(account).collect(),
    }
}

fn account(of: &EstimatedAccount) -> types::RoutingEstimateAccount {
    types::RoutingEstimateAccount {
        connector: types::ConnectorName::from(of.connector.as_str()),
        merchant_connector_id: of.merchant_connector_id.to_string(),
        first_choice: of.first_choice.cast_signed(),
        used: of.used.cast_signed(),
        approved: of.approved.cast_signed(),
        declined: of.declined.cast_signed(),
        approval_rate_basis_points: of.approval_rate(),
    }
}
