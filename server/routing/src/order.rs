//! The order in which accounts are tried, before dynamic routing.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::routing::selection::Selection;
use multirail_domain::routing::{Algorithm, Choice, Facts, RoutedBy, RoutingRecord};
use multirail_kernel::ids::ConnectorAccountId;

use crate::evaluate::decide;
use crate::query::{cost, query};
use crate::split::{in_order, split};

/// Accounts in the order of their tries, and the reason for the order.
#[derive(Clone, Debug)]
pub struct Arranged<'a> {
    pub order: Vec<&'a Candidate>,
    pub(crate) by: RoutedBy,
    pub(crate) rule: Option<&'a str>,
}

/// Returns the accounts in the order in which a confirm tries them. For a charge without the payer, processors that store the
/// payment method come first. Under a mandate they come even before the accounts that the request names.
pub fn arrange<'a>(
    facts: &Facts<'_>,
    candidates: &'a [Candidate],
    active: Option<&'a RoutingRecord>,
    draw: u32,
) -> Arranged<'a> {
    let wished = as_offered(facts, wished(facts, candidates, active, draw));
    let is_asked_for = wished.by == RoutedBy::Request && !facts.is_under_mandate;
    let keeps = |one: &Candidate| is_stored_by(facts, &one.account.merchant_connector_id);
    if is_asked_for || !candidates.iter().any(keeps) {
        return wished;
    }
    let mut order: Vec<&Candidate> = candidates.iter().filter(|one| keeps(one)).collect();
    // Several such processors keep the order that the merchant asked for.
    let place = |one: &Candidate| {
        let mut wished = wished.order.iter();
        wished.position(|wished| std::ptr::eq(*wished, one))
    };
    order.sort_by_key(|one| place(one).unwrap_or(usize::MAX));
    for candidate in wished.order {
        push(&mut order, candidate);
    }
    Arranged {
        order,
        by: RoutedBy::Mandate,
        rule: None,
    }
}

/// Moves the account that offered the paying wallet in the checkout to the front. If the request names accounts, only one of
/// them moves.
fn as_offered<'a>(facts: &Facts<'_>, mut wished: Arranged<'a>) -> Arranged<'a> {
    let is_it = |one: &Candidate| is_offered(facts, one);
    if !wished.order.iter().any(|one| is_it(one)) {
        return wished;
    }
    wished.order.sort_by_key(|one| !is_it(one));
    match wished.by {
        RoutedBy::Request => wished,
        RoutedBy::Session | RoutedBy::Configuration | RoutedBy::Mandate | RoutedBy::Default => {
            Arranged {
                by: RoutedBy::Session,
                rule: None,
                ..wished
            }
        }
    }
}

/// Returns the order that the merchant asked for. If the request names accounts, it has only those. Else the accounts of the
/// active configuration come first, and the profile's other accounts follow.
fn wished<'a>(
    facts: &Facts<'_>,
    candidates: &'a [Candidate],
    active: Option<&'a RoutingRecord>,
    draw: u32,
) -> Arranged<'a> {
    if let Some(routing) = facts.routing {
        return Arranged {
            order: named(&in_order(routing, draw), candidates),
            by: RoutedBy::Request,
            rule: None,
        };
    }
    let chosen = active.and_then(|active| chosen(&active.algorithm, facts, draw));
    let Some(Chosen {
        choices,
        rule,
        is_by_cost,
    }) = chosen
    else {
        return Arranged {
            order: candidates.iter().collect(),
            by: RoutedBy::Default,
            rule: None,
        };
    };
    let mut order = named(&choices, candidates);
    if let (true, Some(instrument)) = (is_by_cost, facts.instrument) {
        let query = query(facts, instrument);
        order.sort_by_cached_key(|candidate| cost(candidate, &query).unwrap_or(i64::MAX));
    }
    for candidate in candidates {
        push(&mut order, candidate);
    }
    Arranged {
        order,
        by: RoutedBy::Configuration,
        rule,
    }
}

/// Returns whether dynamic routing leaves the account in front.
pub(crate) fn goes_first(facts: &Facts<'_>, candidate: &Candidate) -> bool {
    is_stored_by(facts, &candidate.account.merchant_connector_id) || is_offered(facts, candidate)
}

/// Returns whether this account offered the paying wallet in the checkout.
fn is_offered(facts: &Facts<'_>, candidate: &Candidate) -> bool {
    facts.offered_through == Some(&candidate.account.merchant_connector_id)
}

/// Returns whether this account's processor stores the payment method of a charge without the payer.
pub(crate) fn is_stored_by(facts: &Facts<'_>, account: &ConnectorAccountId) -> bool {
    let mut kept = facts.kept.iter();
    kept.any(|one| one.merchant_connector_id == *account)
}

/// The choices of a configuration.
struct Chosen<'a> {
    choices: Vec<&'a Choice>,
    /// The name of the rule that matched.
    rule: Option<&'a str>,
    /// True if the cheapest account goes first.
    is_by_cost: bool,
}

/// Returns the choices of a configuration; `None` for kinds that don't order accounts.
fn chosen<'a>(algorithm: &'a Algorithm, facts: &Facts<'_>, draw: u32) -> Option<Chosen<'a>> {
    let as_they_stand = |choices| Chosen {
        choices,
        rule: None,
        is_by_cost: false,
    };
    match algorithm {
        Algorithm::Single(choice) => Some(as_they_stand(vec![choice])),
        Algorithm::Priority(choices) => Some(as_they_stand(choices.iter().collect())),
        Algorithm::VolumeSplit(shares) => Some(as_they_stand(split(shares, draw))),
        Algorithm::Advanced(program) => {
            let (selection, rule) = decide(program, facts);
            let (choices, is_by_cost) = match selection {
                Selection::Priority(choices) => (choices.iter().collect(), false),
                Selection::VolumeSplit(shares) => (split(shares, draw), false),
                Selection::LeastCost(choices) => (choices.iter().collect(), true),
            };
            Some(Chosen {
                choices,
                rule: rule.map(|rule| rule.name.as_str()),
                is_by_cost,
            })
        }
        Algorithm::ThreeDsDecisionRule(_) | Algorithm::Dynamic(_) => None,
    }
}

/// Returns the accounts that the choices name, each at its first place.
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
