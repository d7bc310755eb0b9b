//! The order of accounts after dynamic routing, and its part of the trace.

use multirail_kernel::unread::UnreadMembers;

use super::choose::{Routed, goes_first};
use super::dynamic::{Dynamic, Learned};
use super::evaluate::Facts;
use super::trace::{Considered, DynamicTrace, MOST_CONSIDERED, Moved};
use crate::accounts::connector_account::Candidate;

impl Routed<'_> {
    /// Reorders the accounts by learned outcomes. Three kinds of accounts keep their places: those that the request names,
    /// processors that store the payment method, and the account for which the wallet made its token. Elsewhere, a charge would
    /// lack the payer's agreement.
    #[must_use]
    pub fn learned(mut self, facts: &Facts<'_>, dynamic: Option<&Dynamic>, draw: u32) -> Self {
        if let Some(dynamic) = dynamic.filter(|_| facts.routing.is_none()) {
            self.order_by(facts, dynamic, draw);
        }
        self.shorten();
        self
    }
}

impl<'a> Routed<'a> {
    fn order_by(&mut self, facts: &Facts<'_>, dynamic: &Dynamic, draw: u32) {
        let applies = dynamic.applies(draw);
        let mut trace = DynamicTrace {
            applies,
            success_based: None,
            explored: None,
            unread: UnreadMembers::default(),
        };
        if applies {
            let eligible = self.eligible.drain(..);
            let (keepers, others): (Vec<_>, Vec<_>) =
                eligible.partition(|candidate| goes_first(facts, candidate));
            let learned = dynamic.order(facts, draw, others);
            let rates = dynamic.success_rates.as_ref();
            trace.success_based = rates.map(|rates| rates.routing_id.clone());
            let drawn = learned.order.first().filter(|_| learned.is_explored);
            let drawn = drawn.filter(|_| keepers.is_empty());
            trace.explored = drawn.map(|drawn| drawn.account.merchant_connector_id.clone());
            self.tell(&keepers, &learned);
            self.eligible = keepers;
            self.eligible.extend(learned.order);
        }
        self.trace.dynamic = Some(trace);
    }

    /// Limits the trace to its largest number of accounts. The account that is tried first stays in it.
    fn shorten(&mut self) {
        let told = &mut self.trace.candidates;
        if told.len() <= MOST_CONSIDERED {
            return;
        }
        let first = self.eligible.first();
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
    fn tell(&mut self, keepers: &[&'a Candidate], learned: &Learned<'a>) {
        let told = &mut self.trace.candidates;
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
}
