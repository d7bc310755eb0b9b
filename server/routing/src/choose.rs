//! The choice of accounts for a payment: their order, those that can accept the payment, and the first of them. (Facts 10.2)

use multirail_domain::accounts::connector_account::{Candidate, PaymentQuery};
use multirail_domain::routing::{
    Considered, Dropped, Facts, Routed, RoutedBy, RoutingRecord, RoutingTrace,
};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::instrument::Instrument;

use crate::eligible::dropped;
use crate::order::arrange;
use crate::query::{cost, query};
use crate::refusal::{refusal, uncounted};

/// Chooses accounts for a confirm. `candidates` are in the profile's fallback order; `active` is its active configuration.
///
/// # Errors
/// If no account is eligible:
///
/// - [`Refusal::AmountNotCounted`]: an account would be eligible with another amount.
/// - [`Refusal::ConnectorAccountDisabled`]: the request names a single account, and that is switched off.
/// - [`Refusal::FlowNotSupported`]: an account would be eligible without a special request for the authorization.
/// - [`Refusal::Missing`]: an account would be eligible with more data of the browser or the payer.
/// - [`Refusal::MethodNotSupported`]: no connector of the profile accepts the method at all.
/// - [`Refusal::NotForPayment`]: the message says that the profile has no account, why each of them isn't eligible, or what the
///   connector accepts in place of this currency, country or capture method.
pub fn choose<'a>(
    facts: &Facts<'_>,
    instrument: &Instrument,
    candidates: &'a [Candidate],
    active: Option<&'a RoutingRecord>,
    draw: u32,
) -> Result<Routed<'a>, Refusal> {
    let routed = consider(facts, instrument, candidates, active, draw);
    match routed.eligible.is_empty() {
        true => {
            let uncounted = uncounted(&routed.trace, facts, candidates);
            Err(uncounted.unwrap_or_else(|| refusal(&routed.trace, facts, instrument, candidates)))
        }
        false => Ok(routed),
    }
}

/// Checks every account. The result may have no eligible one.
pub fn consider<'a>(
    facts: &Facts<'_>,
    instrument: &Instrument,
    candidates: &'a [Candidate],
    active: Option<&'a RoutingRecord>,
    draw: u32,
) -> Routed<'a> {
    let arranged = arrange(facts, candidates, active, draw);
    let query = query(facts, instrument);
    let mut eligible = Vec::with_capacity(arranged.order.len());
    let mut considered = Vec::with_capacity(arranged.order.len());
    for candidate in arranged.order {
        let dropped = dropped(candidate, facts, instrument, &query);
        if dropped.is_none() {
            eligible.push(candidate);
        }
        considered.push(trace_entry(candidate, dropped, &query));
    }
    let is_by_it = arranged.by == RoutedBy::Configuration;
    let configuration = active.filter(|_| is_by_it);
    Routed {
        eligible,
        trace: RoutingTrace {
            by: arranged.by,
            routing_id: configuration.map(|active| active.routing_id.clone()),
            kind: configuration.map(RoutingRecord::kind),
            rule: arranged.rule.map(str::to_owned),
            candidates: considered,
            dynamic: None,
        },
    }
}

fn trace_entry(
    candidate: &Candidate,
    dropped: Option<Dropped>,
    query: &PaymentQuery,
) -> Considered {
    Considered {
        connector: candidate.account.connector_name.clone(),
        merchant_connector_id: candidate.account.merchant_connector_id.clone(),
        dropped,
        moved: None,
        success_rate: None,
        expected_cost: cost(candidate, query),
    }
}
