//! The order of accounts by learned outcomes.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::routing::{Dynamic, Facts};

use crate::chance::Chance;
use crate::elimination::part;
use crate::success_based::{Rated, explore, rated};

/// An order made by dynamic routing.
pub(crate) struct Learned<'a> {
    pub order: Vec<&'a Candidate>,
    /// The success rates that ordered the accounts, the best first. Empty if they weren't used.
    pub rated: Vec<Rated<'a>>,
    /// True if the first account was drawn at random to explore.
    pub is_explored: bool,
    /// The accounts that elimination moved to the end.
    pub moved: Vec<&'a Candidate>,
}

/// Returns whether dynamic routing decides a payment with this draw.
pub(crate) fn applies(dynamic: &Dynamic, draw: u32) -> bool {
    Chance::Share.pick(draw, 100) < u64::from(dynamic.split)
}

/// Orders the accounts by success rate. If the payment explores, a randomly drawn account comes first. Eliminated accounts come
/// last and are never explored.
pub(crate) fn order<'a>(
    dynamic: &Dynamic,
    facts: &Facts<'_>,
    draw: u32,
    order: Vec<&'a Candidate>,
) -> Learned<'a> {
    let (order, rated) = match &dynamic.success_rates {
        None => (order, Vec::new()),
        Some(rates) => {
            let rated = rated(rates, facts, order);
            let order = rated.iter().map(|(_, candidate)| *candidate).collect();
            (order, rated)
        }
    };
    let (mut order, moved) = match &dynamic.elimination {
        None => (order, Vec::new()),
        Some(elimination) => part(elimination, facts, order),
    };
    let rates = dynamic.success_rates.as_ref();
    let is_explored = rates.is_some_and(|rates| explore(rates, draw, &mut order));
    order.extend(moved.iter().copied());
    Learned {
        order,
        rated,
        is_explored,
        moved,
    }
}
