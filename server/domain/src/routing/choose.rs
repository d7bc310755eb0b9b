//! The choice itself: which of the profile's accounts can take the payment, and which of those comes first.

use std::sync::Arc;

use crate::address::Address;
use crate::connector::Capabilities;
use crate::connector_account::{ConnectorAccount, PaymentQuery};
use crate::payment::{Instrument, Payment};
use crate::refusal::Refusal;
use crate::routing::straight_through::Choice;

/// An account of the payment's profile with what its connector can do.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub account: Arc<ConnectorAccount>,
    pub capabilities: Capabilities,
}

/// Chooses the account for a confirm: what the request asks for, else the oldest account that is eligible.
///
/// # Errors
/// [`Refusal::MethodNotSupported`] when no connector of the profile takes the method at all,
/// [`Refusal::ConnectorAccountDisabled`] when the only account that was named is switched off,
/// [`Refusal::FlowNotSupported`] when an account is eligible but for what is asked of the authorization, else
/// [`Refusal::NoEligibleConnector`].
pub fn choose<'a>(
    payment: &Payment,
    instrument: &Instrument,
    candidates: &'a [Candidate],
    draw: u32,
) -> Result<&'a Candidate, Refusal> {
    let mut lacks = None;
    let mut eligible = |candidate: &&Candidate| {
        let takes_it = is_eligible(candidate, payment, instrument);
        let lacked = lacked(candidate, payment).filter(|_| takes_it);
        lacks = lacks.or(lacked);
        takes_it && lacked.is_none()
    };
    let Some(routing) = &payment.terms.routing else {
        return match candidates.iter().find(&mut eligible) {
            Some(candidate) => Ok(candidate),
            None => Err(refusal(lacks, instrument, candidates)),
        };
    };
    let mut named = Vec::new();
    for choice in routing.in_order(draw) {
        for candidate in candidates.iter().filter(|c| is_named(c, choice)) {
            if eligible(&candidate) {
                return Ok(candidate);
            }
            named.push(candidate);
        }
    }
    match named.as_slice() {
        [only] if !only.account.is_routable() => Err(Refusal::ConnectorAccountDisabled),
        _ => Err(refusal(lacks, instrument, candidates)),
    }
}

/// The accounts in the order in which a confirm tries them: those that the request asks for, else all, the oldest first.
pub fn in_order<'a>(
    payment: &Payment,
    candidates: &'a [Candidate],
    draw: u32,
) -> Vec<&'a Candidate> {
    let Some(routing) = &payment.terms.routing else {
        return candidates.iter().collect();
    };
    let choices = routing.in_order(draw).into_iter();
    choices
        .flat_map(|choice| candidates.iter().filter(move |one| is_named(one, choice)))
        .collect()
}

/// Every account that can take the payment, in the order in which they are tried.
pub fn eligible<'a>(
    payment: &Payment,
    instrument: &Instrument,
    candidates: &'a [Candidate],
    draw: u32,
) -> Vec<&'a Candidate> {
    let mut able = in_order(payment, candidates, draw);
    able.retain(|candidate| {
        is_eligible(candidate, payment, instrument) && lacked(candidate, payment).is_none()
    });
    able
}

fn is_named(candidate: &Candidate, choice: &Choice) -> bool {
    let account = &candidate.account;
    account.connector_name.as_str() == choice.connector
        && choice
            .merchant_connector_id
            .as_ref()
            .is_none_or(|id| *id == account.merchant_connector_id)
}

fn is_eligible(candidate: &Candidate, payment: &Payment, instrument: &Instrument) -> bool {
    let terms = &payment.terms;
    let own = instrument.billing.as_deref();
    let billing = own.or(payment.particulars.billing.as_deref());
    let query = PaymentQuery {
        payment_method: instrument.payment_method,
        payment_method_type: instrument.payment_method_type,
        card_network: instrument.details.card().and_then(|card| card.network),
        currency: terms.currency,
        country: billing.and_then(Address::country),
        amount: terms.total(),
    };
    candidate.account.is_routable()
        && candidate.capabilities.takes(instrument.payment_method)
        && candidate.capabilities.captures(terms.capture_method)
        && (candidate.capabilities.verifies_cards || !terms.only_verifies())
        && candidate.account.accepts(&query)
}

/// The member by which the payment asks for an authorization that this connector doesn't make.
fn lacked(candidate: &Candidate, payment: &Payment) -> Option<&'static str> {
    let able = &candidate.capabilities;
    let wants = [
        (
            "request_extended_authorization",
            payment.wants_longer() && !able.extends_authorizations,
        ),
        (
            "enable_overcapture",
            payment.wants_overcapture() && !able.overcaptures,
        ),
    ];
    let mut lacking = wants.into_iter().filter(|(_, is_lacked)| *is_lacked);
    lacking.next().map(|(member, _)| member)
}

fn refusal(lacks: Option<&str>, instrument: &Instrument, candidates: &[Candidate]) -> Refusal {
    if let Some(member) = lacks {
        let flow = format!("{member} through the connectors of the profile");
        return Refusal::FlowNotSupported { flow };
    }
    let method = instrument.payment_method;
    let taken = candidates.iter().any(|c| c.capabilities.takes(method));
    if taken || candidates.is_empty() {
        Refusal::NoEligibleConnector
    } else {
        Refusal::MethodNotSupported {
            message: format!("no connector of the profile takes payment_method {method}"),
        }
    }
}
