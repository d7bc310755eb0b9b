//! The parts of a payment that decide eligibility and cost.

use multirail_domain::accounts::connector_account::{Candidate, PaymentQuery, expected_cost};
use multirail_domain::routing::Facts;
use multirail_sdk::card::Network;
use multirail_sdk::instrument::{Instrument, InstrumentDetails};

/// Returns the parts of the payment that decide eligibility and cost.
pub(crate) fn query(facts: &Facts<'_>, instrument: &Instrument) -> PaymentQuery {
    PaymentQuery {
        payment_method: instrument.payment_method,
        payment_method_type: instrument.payment_method_type,
        card_network: network(instrument),
        currency: facts.currency,
        country: facts.payer_country(),
        amount: facts.total,
        recurs: facts.recurs,
    }
}

/// Returns the instrument's card network; `None` for instruments whose network accounts can't restrict.
pub(crate) fn network(instrument: &Instrument) -> Option<Network> {
    match &instrument.details {
        InstrumentDetails::Card(card) | InstrumentDetails::NetworkToken(card) => card.network,
        InstrumentDetails::Wallet(details) => {
            details.card_network.as_deref().and_then(Network::of_wallet)
        }
        InstrumentDetails::Kept(_)
        | InstrumentDetails::Payer(_)
        | InstrumentDetails::BankDebit(_) => None,
    }
}

pub(crate) fn cost(candidate: &Candidate, query: &PaymentQuery) -> Option<i64> {
    expected_cost(candidate.account.fee_table.as_deref()?, query)
}
