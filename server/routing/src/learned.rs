//! The order of accounts after dynamic routing, and its part of the trace.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::routing::trace::MOST_CONSIDERED;
use multirail_domain::routing::{Considered, Dynamic, DynamicTrace, Facts, Moved, Routed};
use multirail_kernel::unread::UnreadMembers;

use crate::dynamic::{Learned, applies, order};
use crate::order::goes_first;

/// Reorders the accounts by learned outcomes. Three kinds of accounts keep their places: those that the request names,
/// processors that store the payment method, and the account for which the wallet made its token. Elsewhere, a charge would lack
/// the payer's agreement.
#[must_use]
pub fn learned<'a>(
    mut routed: Routed<'a>,
    facts: &Facts<'_>,
    dynamic: Option<&Dynamic>,
    draw: u32,
) -> Routed<'a> {
    if let Some(dynamic) = dynamic.filter(|_| facts.routing.is_none()) {
        order_by(&mut routed, facts, dynamic, draw);
    }
    shorten(&mut routed);
    routed
}

fn order_by(routed: &mut Routed<'_>, facts: &Facts<'_>, dynamic: &Dynamic, draw: u32) {
    let applies = applies(dynamic, draw);
    let mut trace = DynamicTrace {
        applies,
        success_based: None,
        explored: None,
        unread: UnreadMembers::default(),
    };
    if applies {
        let eligible = routed.eligible.drain(..);
        let (keepers, others): (Vec<_>, Vec<_>) =
            eligible.partition(|candidate| goes_first(facts, candidate));
        let learned = order(dynamic, facts, draw, others);
        let rates = dynamic.success_rates.as_ref();
        trace.success_based = rates.map(|rates| rates.routing_id.clone());
        let drawn = learned.order.first().filter(|_| learned.is_explored);
        let drawn = drawn.filter(|_| keepers.is_empty());
        trace.explored = drawn.map(|drawn| drawn.account.merchant_connector_id.clone());
        tell(&mut routed.trace.candidates, &keepers, &learned);
        routed.eligible = keepers;
        routed.eligible.extend(learned.order);
    }
    routed.trace.dynamic = Some(trace);
}

/// Limits the trace to its largest number of accounts. The account that is tried first stays in it.
fn shorten(routed: &mut Routed<'_>) {
    let told = &mut routed.trace.candidates;
    if told.len() <= MOST_CONSIDERED {
        return;
    }
    let first = routed.eligible.first();
    let first = first.map(|first| &first.account.merchant_connector_id);
    let place = told
        .iter()
        .position(|told| Some(&told.merchant_connector_id) == first);
    if let Some(place) = place.filter(|place| *place >= MOST_CONSIDERED) {
        told.swap(MOST_CONSIDERED - 1, place);
    }
    told.truncate(MOST_CONSIDERED);
}

/// Records an order in the trace.
fn tell(told: &mut [Considered], keepers: &[&Candidate], learned: &Learned<'_>) {
    let is_of = |one: &Considered, candidate: &Candidate| {
        one.merchant_connector_id == candidate.account.merchant_connector_id
    };
    for moved in &learned.moved {
        if let Some(told) = told.iter_mut().find(|told| is_of(told, moved)) {
            told.moved = Some(Moved::Elimination);
        }
    }
    if learned.rated.is_empty() {
        return;
    }
    for (rate, rated) in &learned.rated {
        if let Some(told) = told.iter_mut().find(|told| is_of(told, rated)) {
            told.success_rate = Some(*rate);
        }
    }
    let order = keepers.iter().copied();
    let order: Vec<_> = order.chain(learned.rated.iter().map(|one| one.1)).collect();
    // Accounts that can't accept the payment come last.
    told.sort_by_cached_key(|told| {
        let place = order.iter().position(|candidate| is_of(told, candidate));
        place.unwrap_or(usize::MAX)
    });
}
