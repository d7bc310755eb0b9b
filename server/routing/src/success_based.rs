//! The order of accounts by success rate, and the payments that explore.

use std::cmp::Reverse;

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::routing::params::parameters;
use multirail_domain::routing::success_based::Counted;
use multirail_domain::routing::{Facts, SuccessRates};

use crate::chance::Chance;

/// 100 percent, in the unit of rates.
const WHOLE: i64 = 10_000;

/// An account with its rate, in hundredths of a percent.
pub(crate) type Rated<'a> = (u32, &'a Candidate);

/// Returns the success rate in hundredths of a percent, rounded to the nearest.
fn rate(counted: &Counted) -> u32 {
    let decided = counted.decided.max(1);
    let rate = (counted.approved.saturating_mul(WHOLE) + decided / 2) / decided;
    u32::try_from(rate.clamp(0, WHOLE)).unwrap_or(0)
}

/// Returns the accounts with their rates, the best first. Accounts with equal rates keep their order.
pub(crate) fn rated<'a>(
    rates: &SuccessRates,
    facts: &Facts<'_>,
    order: Vec<&'a Candidate>,
) -> Vec<Rated<'a>> {
    let parameters = parameters(&rates.config.params, facts);
    let counted = rates.counted.iter();
    let least = i64::try_from(rates.config.min_aggregates_size).unwrap_or(i64::MAX);
    let known: Vec<&Counted> = counted
        .filter(|one| one.parameters == parameters && one.blocks >= least)
        .collect();
    let supposed = (rates.config.default_success_rate * 100.0).round() as u32;
    let rated = order.into_iter().map(|candidate| {
        let id = &candidate.account.merchant_connector_id;
        let known = known.iter().find(|one| one.account == *id);
        (known.map_or(supposed, |known| rate(known)), candidate)
    });
    let mut rated: Vec<_> = rated.collect();
    rated.sort_by_key(|(rate, _)| Reverse(*rate));
    rated
}

/// Moves a randomly drawn account to the front, for the share of payments that explore. Returns whether it did.
pub(crate) fn explore(rates: &SuccessRates, draw: u32, order: &mut [&Candidate]) -> bool {
    let share = (rates.config.exploration_percent * 100.0).round() as u64;
    let explores = Chance::Explores.pick(draw, WHOLE.unsigned_abs()) < share;
    if !explores || order.len() < 2 {
        return false;
    }
    let drawn = Chance::Explored.pick(draw, order.len() as u64) as usize;
    order[..=drawn].rotate_right(1);
    true
}

#[cfg(test)]
mod tests;
