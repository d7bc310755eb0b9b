//! The choice itself: in which order the profile's accounts are tried, which of them can take the payment, and which of
//! those comes first. (facts 10.2)

use std::sync::Arc;

use super::algorithm::Algorithm;
use super::elimination::Elimination;
use super::evaluate::Facts;
use super::record::RoutingRecord;
use super::selection::Selection;
use super::straight_through::{Choice, split};
use super::trace::{Considered, Dropped, MOST_CONSIDERED, Moved, RoutedBy, RoutingTrace};
use crate::address::Address;
use crate::connector::Capabilities;
use crate::connector_account::{ConnectorAccount, PaymentQuery};
use crate::payment::{AuthenticationType, Instrument, Payment};
use crate::refusal::Refusal;
use crate::unread::UnreadMembers;

/// An account of the payment's profile with what its connector can do.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub account: Arc<ConnectorAccount>,
    pub capabilities: Capabilities,
}

/// Where a payment goes.
#[derive(Clone, Debug)]
pub struct Routed<'a> {
    /// The accounts that can take it, in the order in which they are to be tried. There is at least one.
    pub eligible: Vec<&'a Candidate>,
    /// How that came about.
    pub trace: RoutingTrace,
}

impl<'a> Routed<'a> {
    /// The account that is tried first.
    pub fn first(&self) -> &'a Candidate {
        self.eligible[0]
    }
}

impl Routed<'_> {
    /// With the accounts behind the others that elimination moves. What the payment itself asks for stays as it is.
    #[must_use]
    pub fn eliminated(mut self, payment: &Payment, elimination: Option<&Elimination>) -> Self {
        let Some(elimination) = elimination.filter(|_| self.trace.by != RoutedBy::Request) else {
            return self;
        };
        let moved = elimination.apply(payment, &mut self.eligible);
        for candidate in moved {
            let id = &candidate.account.merchant_connector_id;
            let mut told = self.trace.candidates.iter_mut();
            if let Some(told) = told.find(|told| told.merchant_connector_id == *id) {
                told.moved = Some(Moved::Elimination);
            }
        }
        self
    }
}

/// Accounts in the order in which they are tried, and what ordered them.
#[derive(Clone, Debug)]
pub struct Arranged<'a> {
    pub order: Vec<&'a Candidate>,
    by: RoutedBy,
    rule: Option<&'a str>,
}

/// Chooses for a confirm. `candidates` stand in the profile's order of last resort, `active` is its active configuration.
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
    active: Option<&'a RoutingRecord>,
    draw: u32,
) -> Result<Routed<'a>, Refusal> {
    let facts = Facts {
        payment,
        instrument: Some(instrument),
    };
    let arranged = arrange(facts, candidates, active, draw);
    let mut eligible = Vec::with_capacity(arranged.order.len());
    let mut considered = Vec::with_capacity(arranged.order.len());
    for candidate in &arranged.order {
        let dropped = dropped(candidate, payment, instrument);
        if dropped.is_none() {
            eligible.push(*candidate);
        }
        considered.push((*candidate, dropped));
    }
    if eligible.is_empty() {
        return Err(refusal(arranged.by, &considered, instrument, candidates));
    }
    let is_by_it = arranged.by == RoutedBy::Configuration;
    let configuration = active.filter(|_| is_by_it);
    Ok(Routed {
        eligible,
        trace: RoutingTrace {
            by: arranged.by,
            routing_id: configuration.map(|active| active.routing_id.clone()),
            kind: configuration.map(RoutingRecord::kind),
            rule: arranged.rule.map(str::to_owned),
            candidates: considered
                .into_iter()
                .take(MOST_CONSIDERED)
                .map(|(candidate, dropped)| told(candidate, dropped))
                .collect(),
            unread: UnreadMembers::default(),
        },
    })
}

/// The accounts in the order in which a confirm tries them: those that the request asks for, and no other; else those that
/// the active configuration chooses, and the others of the profile behind them.
pub fn arrange<'a>(
    facts: Facts<'_>,
    candidates: &'a [Candidate],
    active: Option<&'a RoutingRecord>,
    draw: u32,
) -> Arranged<'a> {
    if let Some(routing) = &facts.payment.terms.routing {
        return Arranged {
            order: named(&routing.in_order(draw), candidates),
            by: RoutedBy::Request,
            rule: None,
        };
    }
    let Some((choices, rule)) = active.and_then(|active| chosen(&active.algorithm, facts, draw))
    else {
        return Arranged {
            order: candidates.iter().collect(),
            by: RoutedBy::Default,
            rule: None,
        };
    };
    let mut order = named(&choices, candidates);
    for candidate in candidates {
        push(&mut order, candidate);
    }
    Arranged {
        order,
        by: RoutedBy::Configuration,
        rule,
    }
}

/// What a configuration chooses, and by which rule; nothing where it is of a kind that puts no accounts in order.
fn chosen<'a>(
    algorithm: &'a Algorithm,
    facts: Facts<'_>,
    draw: u32,
) -> Option<(Vec<&'a Choice>, Option<&'a str>)> {
    match algorithm {
        Algorithm::Single(choice) => Some((vec![choice], None)),
        Algorithm::Priority(choices) => Some((choices.iter().collect(), None)),
        Algorithm::VolumeSplit(shares) => Some((split(shares, draw), None)),
        Algorithm::Advanced(program) => {
            let (selection, rule) = program.decide(facts);
            let choices = match selection {
                Selection::Priority(choices) => choices.iter().collect(),
                Selection::VolumeSplit(shares) => split(shares, draw),
            };
            Some((choices, rule.map(|rule| rule.name.as_str())))
        }
        Algorithm::ThreeDsDecisionRule(_) | Algorithm::Dynamic(_) => None,
    }
}

/// The accounts that the choices name, each where it is named first.
fn named<'a>(choices: &[&Choice], candidates: &'a [Candidate]) -> Vec<&'a Candidate> {
    let mut order = Vec::with_capacity(candidates.len());
    for choice in choices {
        for candidate in candidates.iter().filter(|one| is_named(one, choice)) {
            push(&mut order, candidate);
        }
    }
    order
}

fn push<'a>(order: &mut Vec<&'a Candidate>, candidate: &'a Candidate) {
    if !order.iter().any(|other| std::ptr::eq(*other, candidate)) {
        order.push(candidate);
    }
}

fn is_named(candidate: &Candidate, choice: &Choice) -> bool {
    let account = &candidate.account;
    account.connector_name.as_str() == choice.connector
        && choice
            .merchant_connector_id
            .as_ref()
            .is_none_or(|id| *id == account.merchant_connector_id)
}

/// Why the account can't take the payment; `None` where it can.
fn dropped(candidate: &Candidate, payment: &Payment, instrument: &Instrument) -> Option<Dropped> {
    let terms = &payment.terms;
    let able = &candidate.capabilities;
    let facts = Facts {
        payment,
        instrument: Some(instrument),
    };
    let query = PaymentQuery {
        payment_method: instrument.payment_method,
        payment_method_type: instrument.payment_method_type,
        card_network: instrument.details.card().and_then(|card| card.network),
        currency: terms.currency,
        country: facts.billing().and_then(Address::country),
        amount: terms.total(),
    };
    if let Err(reason) = candidate.account.check(&query) {
        return Some(reason.into());
    }
    let wants_three_ds = terms.authentication_type == AuthenticationType::ThreeDs;
    let wants = [
        (
            Dropped::ConnectorPaymentMethod,
            !able.takes(instrument.payment_method),
        ),
        (Dropped::CaptureMethod, !able.captures(terms.capture_method)),
        (
            Dropped::ZeroAmount,
            terms.only_verifies() && !able.verifies_cards,
        ),
        (Dropped::ThreeDs, wants_three_ds && !able.redirects),
        // These two last: an account that lacks nothing else is named by the refusal.
        (
            Dropped::ExtendedAuthorization,
            payment.wants_longer() && !able.extends_authorizations,
        ),
        (
            Dropped::Overcapture,
            payment.wants_overcapture() && !able.overcaptures,
        ),
    ];
    let mut lacking = wants.into_iter().filter(|(_, is_lacked)| *is_lacked);
    lacking.next().map(|(reason, _)| reason)
}

fn told(candidate: &Candidate, dropped: Option<Dropped>) -> Considered {
    Considered {
        connector: candidate.account.connector_name.clone(),
        merchant_connector_id: candidate.account.merchant_connector_id.clone(),
        dropped,
        moved: None,
        unread: UnreadMembers::default(),
    }
}

fn refusal(
    by: RoutedBy,
    considered: &[(&Candidate, Option<Dropped>)],
    instrument: &Instrument,
    candidates: &[Candidate],
) -> Refusal {
    if let (RoutedBy::Request, [(only, _)]) = (by, considered)
        && !only.account.is_routable()
    {
        return Refusal::ConnectorAccountDisabled;
    }
    let lacked = considered.iter().find_map(|(_, dropped)| match dropped {
        Some(lack @ (Dropped::ExtendedAuthorization | Dropped::Overcapture)) => Some(lack),
        Some(_) | None => None,
    });
    if let Some(member) = lacked {
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
