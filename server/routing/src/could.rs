//! The connectors that could take a payment for which no account of the profile is eligible.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::routing::{ConnectorAbilities, Facts};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::Capabilities;
use multirail_sdk::instrument::{Instrument, InstrumentDetails};

use crate::eligible::{lacks_ability, payer_rules};

/// Adds the names of these connectors to a refusal that another account would prevent. Connectors of the `considered` accounts
/// aren't named: the refusal says what they lack.
pub(crate) fn naming(
    refusal: Refusal,
    facts: &Facts<'_>,
    instrument: &Instrument,
    considered: &[&Candidate],
    connectors: &[ConnectorAbilities],
) -> Refusal {
    let names = || {
        let is_refused = |one: &ConnectorAbilities| {
            let mut accounts = considered.iter();
            accounts.any(|candidate| candidate.account.connector_name.as_str() == one.name)
        };
        let (simulators, real): (Vec<_>, Vec<_>) =
            connectors.iter().partition(|one| one.is_simulator);
        // The names of the simulator have the same abilities, so one of them is enough.
        let is_simulator_refused = simulators.iter().copied().any(&is_refused);
        let simulator = simulators.into_iter().filter(|_| !is_simulator_refused);
        let named = real.into_iter().chain(simulator.take(1));
        let able = named.filter(|one| {
            !facts.is_bound && !is_refused(one) && could(one.capabilities, facts, instrument)
        });
        let names: Vec<&str> = able.map(|one| one.name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let after = |message: String, relation: &str| match names() {
        Some(names) => format!("{message}; connectors that {relation}: {names}"),
        None => message,
    };
    match refusal {
        Refusal::MethodNotSupported { message } => Refusal::MethodNotSupported {
            message: after(message, "do"),
        },
        Refusal::NotForPayment { message } => Refusal::NotForPayment {
            message: after(message, "could"),
        },
        Refusal::AmountNotCounted { message } => Refusal::AmountNotCounted {
            message: after(message, "could"),
        },
        Refusal::FlowNotSupported { flow } => Refusal::FlowNotSupported {
            flow: match names() {
                Some(names) => format!("{flow} (connectors that could: {names})"),
                None => flow,
            },
        },
        other => other,
    }
}

/// Returns whether an account of a connector with these abilities could carry out the payment. Members that the payer can still
/// add aren't counted.
fn could(able: &Capabilities, facts: &Facts<'_>, instrument: &Instrument) -> bool {
    let captures = able.captures(facts.capture_method);
    takes(able, instrument) && lacks_ability(facts, able, captures).is_none()
}

/// Returns whether the connector can charge this instrument with credentials of its own.
fn takes(able: &Capabilities, instrument: &Instrument) -> bool {
    able.takes(instrument.payment_method)
        && match &instrument.details {
            InstrumentDetails::Card(_) => true,
            InstrumentDetails::NetworkToken(_) => able.wallets.network_tokens,
            InstrumentDetails::Wallet(details) => {
                able.wallets.network_tokens
                    || (details.is_open != Some(true)
                        && able.wallets.opens_sealed.contains(&details.wallet))
            }
            // Only the processor that stores it can charge it.
            InstrumentDetails::Kept(_) => false,
            InstrumentDetails::Payer(method) => payer_rules(able, instrument)
                .is_some_and(|rules| rules.takes(method.last4.is_some())),
            InstrumentDetails::BankDebit(_) => payer_rules(able, instrument).is_some(),
        }
}
