//! Elimination moves accounts with a full bucket to the end of the order.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::routing::params::parameters;
use multirail_domain::routing::{Elimination, Facts};
use multirail_kernel::ids::ConnectorAccountId;

/// Returns whether the account moves to the end: its bucket is full.
fn moves(elimination: &Elimination, parameters: &str, account: &ConnectorAccountId) -> bool {
    let mut full = elimination.full.iter();
    full.any(|one| one.parameters == parameters && one.account == *account)
}

/// Splits an order into the accounts that stay in place and those that move to the end.
pub(crate) fn part<'a>(
    elimination: &Elimination,
    facts: &Facts<'_>,
    order: Vec<&'a Candidate>,
) -> (Vec<&'a Candidate>, Vec<&'a Candidate>) {
    if elimination.full.is_empty() {
        return (order, Vec::new());
    }
    let parameters = parameters(&elimination.config.params, facts);
    let stays = |candidate: &&Candidate| {
        let account = &candidate.account.merchant_connector_id;
        !moves(elimination, &parameters, account)
    };
    order.into_iter().partition(stays)
}

#[cfg(test)]
mod tests;
