//! The choice of accounts for a payment: their order, those that can accept the payment, and the first of them. (Facts 10.2)

use multirail_domain::accounts::connector_account::{
    Candidate, ConnectorAccount, Ineligible, PaymentQuery, expected_cost,
};
use multirail_domain::routing::selection::Selection;
use multirail_domain::routing::{
    Algorithm, Choice, Considered, Dropped, Facts, Routed, RoutedBy, RoutingRecord, RoutingTrace,
    lacks_field,
};
use multirail_kernel::address::Address;
use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::money::Money;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_sdk::card::Network;
use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::NotCounted;
use multirail_sdk::instrument::{Instrument, InstrumentDetails};
use multirail_sdk::payer_method::{PayerMethod, PayerMethodRules};
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_sdk::required_field::RequiredField;

use crate::evaluate::decide;
use crate::split::{in_order, split};

/// Returns the card network, if accounts can select by it.
fn network(instrument: &Instrument) -> Option<Network> {
    match &instrument.details {
        InstrumentDetails::Card(card) | InstrumentDetails::NetworkToken(card) => card.network,
        InstrumentDetails::Wallet(details) => {
            details.card_network.as_deref().and_then(Network::of_wallet)
        }
        InstrumentDetails::Kept(_) | InstrumentDetails::Payer(_) => None,
    }
}

/// Accounts in the order of their tries, and the reason for the order.
#[derive(Clone, Debug)]
pub struct Arranged<'a> {
    pub order: Vec<&'a Candidate>,
    by: RoutedBy,
    rule: Option<&'a str>,
}

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
/// - [`Refusal::NotForPayment`]: a connector accepts the method with another currency, country or capture method.
/// - [`Refusal::NoEligibleConnector`] in all other cases.
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
    let keeps = |one: &Candidate| keeps(facts, one);
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
    keeps(facts, candidate) || is_offered(facts, candidate)
}

/// Returns whether this account offered the paying wallet in the checkout.
fn is_offered(facts: &Facts<'_>, candidate: &Candidate) -> bool {
    facts.offered_through == Some(&candidate.account.merchant_connector_id)
}

/// Returns whether the account's processor stores the payment method of a charge without the payer.
fn keeps(facts: &Facts<'_>, candidate: &Candidate) -> bool {
    is_stored_by(facts, &candidate.account.merchant_connector_id)
}

/// Returns whether this account's processor stores the payment method of a charge without the payer.
fn is_stored_by(facts: &Facts<'_>, account: &ConnectorAccountId) -> bool {
    let mut kept = facts.kept.iter();
    kept.any(|one| one.merchant_connector_id == *account)
}

/// Returns whether the charge is bound to other accounts. If no account is known, the charge isn't bound.
fn is_bound_to_others_than(facts: &Facts<'_>, account: &ConnectorAccountId) -> bool {
    let is_known = facts.agreed_through.is_some() || !facts.kept.is_empty();
    let is_its_own = is_stored_by(facts, account) || facts.agreed_through == Some(account);
    facts.is_bound && is_known && !is_its_own
}

/// The choices of a configuration.
struct Chosen<'a> {
    choices: Vec<&'a Choice>,
    /// The name of the rule that matched.
    rule: Option<&'a str>,
    /// Whether the cheapest account goes first.
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

/// Returns why the account can't accept the payment; `None` if it can.
fn dropped(
    candidate: &Candidate,
    facts: &Facts<'_>,
    instrument: &Instrument,
    query: &PaymentQuery,
) -> Option<Dropped> {
    if let Err(reason) = enables(&candidate.account, facts, query) {
        return Some(reason.into());
    }
    if !candidate.takes(instrument) {
        return Some(Dropped::ConnectorPaymentMethod);
    }
    if is_bound_to_others_than(facts, &candidate.account.merchant_connector_id) {
        return Some(Dropped::AgreedElsewhere);
    }
    let unmet = || {
        let needs = candidate.capabilities.authenticates_by_browser;
        (needs && facts.unknown_of_browser.is_some()).then_some(Dropped::Browser)
    };
    lacks(facts, candidate).or_else(unmet)
}

/// Checks that the account is enabled for the payment. If the payment method's type isn't known, any type that the payment
/// allows may pass.
fn enables(
    account: &ConnectorAccount,
    facts: &Facts<'_>,
    query: &PaymentQuery,
) -> Result<(), Ineligible> {
    let checked = account.check(query);
    if checked.is_err() || query.payment_method_type.is_some() || facts.allowed_types.is_empty() {
        return checked;
    }
    let varieties = PaymentMethodType::ALL.iter().copied();
    let mut varieties = varieties.filter(|kind| kind.belongs_to(query.payment_method));
    let is_enabled = varieties.any(|kind| {
        let query = PaymentQuery {
            payment_method_type: Some(kind),
            ..*query
        };
        allows(facts, kind) && account.check(&query).is_ok()
    });
    is_enabled
        .then_some(())
        .ok_or(Ineligible::PaymentMethodType)
}

/// Returns whether the payment allows this payment method type.
fn allows(facts: &Facts<'_>, kind: PaymentMethodType) -> bool {
    facts.allowed_types.is_empty() || facts.allowed_types.contains(&kind)
}

/// Returns the first requirement of the payment, apart from the payment method, that the account's connector can't meet. `None`
/// if it meets all.
pub fn lacks(facts: &Facts<'_>, candidate: &Candidate) -> Option<Dropped> {
    let able = &candidate.capabilities;
    let payer = facts
        .instrument
        .and_then(|one| payer_method(candidate, one));
    let wants_three_ds = facts.authentication_type == AuthenticationType::ThreeDs;
    let wants = [
        (
            Dropped::ConnectorCurrency,
            payer.is_some_and(|rules| !rules.accepts(facts.currency)),
        ),
        (
            Dropped::ConnectorCountry,
            payer.is_some_and(|rules| {
                !rules.serves(facts.payer_address().and_then(Address::country))
            }),
        ),
        (
            Dropped::CaptureMethod,
            !candidate.captures(facts.capture_method)
                || payer.is_some_and(|rules| !rules.captures(facts.capture_method)),
        ),
        (
            Dropped::ZeroAmount,
            facts.only_verifies() && (!able.verifies_cards || payer.is_some()),
        ),
        (Dropped::ThreeDs, wants_three_ds && !able.redirects),
        (
            Dropped::ProcessorAmount,
            not_counted(facts, candidate).is_some(),
        ),
        // These come last: the refusal names them only if the account meets everything else.
        (
            Dropped::ExtendedAuthorization,
            facts.wants_longer && !able.extends_authorizations,
        ),
        (
            Dropped::Overcapture,
            facts.wants_overcapture && !able.overcaptures,
        ),
        (
            Dropped::RequiredField,
            payer.is_some_and(|rules| missing(rules, facts).is_some()),
        ),
    ];
    let mut lacking = wants.into_iter().filter(|(_, is_lacked)| *is_lacked);
    lacking.next().map(|(reason, _)| reason)
}

/// Returns the connector's rules for the instrument, if the payer finishes it elsewhere.
fn payer_method(
    candidate: &Candidate,
    instrument: &Instrument,
) -> Option<&'static PayerMethodRules> {
    match &instrument.details {
        InstrumentDetails::Payer(method) => candidate.capabilities.payer_method(method.kind),
        InstrumentDetails::Card(_)
        | InstrumentDetails::NetworkToken(_)
        | InstrumentDetails::Wallet(_)
        | InstrumentDetails::Kept(_) => None,
    }
}

/// Builds the refusal of a payer's method that no connector of the profile offers, or none for this payment.
fn refused_method(
    method: &PayerMethod,
    facts: &Facts<'_>,
    trace: &RoutingTrace,
    instrument: &Instrument,
    candidates: &[Candidate],
) -> Option<Refusal> {
    let kind = method.kind;
    if !candidates.iter().any(|one| one.takes(instrument)) {
        return Some(Refusal::MethodNotSupported {
            message: format!("no connector of the profile takes payment_method_type {kind}"),
        });
    }
    // A member that is missing can be added, while the currency of a payment stays.
    let is_missing = |one: &&Considered| one.dropped == Some(Dropped::RequiredField);
    let first = trace.candidates.iter().filter(is_missing);
    let others = trace.candidates.iter().filter(|one| !is_missing(one));
    first.chain(others).find_map(|considered| {
        let mut candidates = candidates.iter();
        let id = &considered.merchant_connector_id;
        let candidate = candidates.find(|one| one.account.merchant_connector_id == *id)?;
        let rules = payer_method(candidate, instrument)?;
        let only = match considered.dropped? {
            Dropped::RequiredField => {
                return missing(rules, facts).map(|field| Refusal::missing(field.member()));
            }
            Dropped::ConnectorCurrency => {
                let known = rules.currencies.iter().map(|one| one.as_str());
                format!("only in {}", known.collect::<Vec<_>>().join(", "))
            }
            Dropped::ConnectorCountry => {
                let known = rules.countries.iter().map(|one| one.as_str());
                format!(
                    "only from payers in {}",
                    known.collect::<Vec<_>>().join(", ")
                )
            }
            Dropped::CaptureMethod if !rules.captures(facts.capture_method) => {
                "only with capture_method automatic".to_owned()
            }
            Dropped::ConnectorType
            | Dropped::Disabled
            | Dropped::PaymentMethod
            | Dropped::PaymentMethodType
            | Dropped::CardNetwork
            | Dropped::Currency
            | Dropped::Country
            | Dropped::Amount
            | Dropped::Recurring
            | Dropped::ConnectorPaymentMethod
            | Dropped::CaptureMethod
            | Dropped::ZeroAmount
            | Dropped::ThreeDs
            | Dropped::Browser
            | Dropped::ProcessorAmount
            | Dropped::ExtendedAuthorization
            | Dropped::Overcapture
            | Dropped::AgreedElsewhere
            | Dropped::Tried => return None,
        };
        Some(Refusal::NotForPayment {
            message: format!(
                "{} takes payment_method_type {kind} {only}",
                considered.connector
            ),
        })
    })
}

/// Returns the first member that the rules require and the payment lacks.
fn missing(rules: &PayerMethodRules, facts: &Facts<'_>) -> Option<RequiredField> {
    if !facts.knows_payer {
        return None;
    }
    let mut required = rules.required.iter().copied();
    required.find(|field| lacks_field(*field, facts.payer_address(), facts.instrument))
}

/// Returns why the account's processor can't charge the payment's total or capture its `amount_to_capture`. `None` if it can.
fn not_counted(facts: &Facts<'_>, candidate: &Candidate) -> Option<NotCounted> {
    let units = &candidate.capabilities.units;
    let money = |amount| Money::new(amount, facts.currency);
    let charged = units.check_charged(money(facts.total));
    let captured = facts
        .amount_to_capture
        .map_or(Ok(()), |amount| units.check_counted(money(amount)));
    charged.and(captured).err()
}

/// Builds the refusal for an amount that no account of the profile can charge, if one account lacks nothing else.
fn uncounted(trace: &RoutingTrace, facts: &Facts<'_>, candidates: &[Candidate]) -> Option<Refusal> {
    let mut dropped = trace.candidates.iter();
    let dropped = dropped.find(|one| one.dropped == Some(Dropped::ProcessorAmount))?;
    let mut candidates = candidates.iter();
    let id = &dropped.merchant_connector_id;
    let candidate = candidates.find(|one| one.account.merchant_connector_id == *id)?;
    let why = not_counted(facts, candidate)?;
    let amount = Money::new(facts.total, facts.currency);
    Some(Refusal::AmountNotCounted {
        message: format!(
            "no connector account of the profile can charge {amount}: {} {why}",
            dropped.connector
        ),
    })
}

/// Returns the parts of the payment that decide eligibility and cost.
fn query(facts: &Facts<'_>, instrument: &Instrument) -> PaymentQuery {
    PaymentQuery {
        payment_method: instrument.payment_method,
        payment_method_type: instrument.payment_method_type,
        card_network: network(instrument),
        currency: facts.currency,
        country: facts.payer_address().and_then(Address::country),
        amount: facts.total,
        recurs: facts.recurs,
    }
}

fn cost(candidate: &Candidate, query: &PaymentQuery) -> Option<i64> {
    expected_cost(candidate.account.fee_table.as_deref()?, query)
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

fn refusal(
    trace: &RoutingTrace,
    facts: &Facts<'_>,
    instrument: &Instrument,
    candidates: &[Candidate],
) -> Refusal {
    let is_off = |dropped: Option<Dropped>| {
        matches!(dropped, Some(Dropped::ConnectorType | Dropped::Disabled))
    };
    if let (RoutedBy::Request, [only]) = (trace.by, trace.candidates.as_slice())
        && is_off(only.dropped)
    {
        return Refusal::ConnectorAccountDisabled;
    }
    let mut reasons = trace.candidates.iter().filter_map(|one| one.dropped);
    let lacked = reasons.find(|reason| {
        matches!(
            reason,
            Dropped::ExtendedAuthorization | Dropped::Overcapture
        )
    });
    if let Some(member) = lacked {
        let flow = format!("{member} through the connectors of the profile");
        return Refusal::FlowNotSupported { flow };
    }
    let mut reasons = trace.candidates.iter().filter_map(|one| one.dropped);
    if reasons.any(|reason| reason == Dropped::Browser)
        && let Some(member) = facts.unknown_of_browser
    {
        return Refusal::missing(member);
    }
    if let InstrumentDetails::Payer(method) = &instrument.details
        && !candidates.is_empty()
        && let Some(refusal) = refused_method(method, facts, trace, instrument, candidates)
    {
        return refusal;
    }
    // The profile's connectors may accept this payment method, but not this wallet; the refusal then names the wallet.
    let of_wallet = match &instrument.details {
        InstrumentDetails::Card(_) | InstrumentDetails::Payer(_) => None,
        InstrumentDetails::NetworkToken(_) => Some("network_token".to_owned()),
        InstrumentDetails::Wallet(details) => Some(format!("wallet.{}", details.wallet)),
        InstrumentDetails::Kept(kept) => {
            let id = &kept.merchant_connector_id;
            let mut candidates = candidates.iter();
            let named = candidates.find(|one| one.account.merchant_connector_id == *id);
            return match named {
                None => Refusal::not_found(Object::ConnectorAccount),
                Some(one) if one.capabilities.charges_kept => Refusal::NoEligibleConnector,
                Some(one) => Refusal::FlowNotSupported {
                    flow: format!(
                        "recurring_details of the type processor_payment_token through {}",
                        one.account.connector_name
                    ),
                },
            };
        }
    };
    if let Some(member) = of_wallet.filter(|_| !candidates.iter().any(|c| c.takes(instrument))) {
        return Refusal::FlowNotSupported {
            flow: format!("payment_method_data.{member} through the connectors of the profile"),
        };
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
