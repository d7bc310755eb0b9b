//! The connectors that could take a payment method that none of the profile takes.

use multirail_domain::payments::payment::InstrumentInput;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::instrument::{Instrument, InstrumentDetails};
use multirail_sdk::payment_method::PaymentMethodType;

use super::Payments;

/// A method that a payment is to be made by.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    kind: PaymentMethodType,
    /// The payer's card comes along, which not every connector can send.
    with_card: bool,
}

impl Wanted {
    pub(super) fn given(input: &InstrumentInput) -> Option<Self> {
        let payer = input.payer.as_ref();
        Some(Wanted {
            kind: input.payment_method_type?,
            with_card: payer.is_some_and(|payer| payer.card.is_some()),
        })
    }

    pub(super) fn stored(instrument: &Instrument) -> Option<Self> {
        let with_card = match &instrument.details {
            InstrumentDetails::Payer(method) => method.last4.is_some(),
            InstrumentDetails::Card(_)
            | InstrumentDetails::NetworkToken(_)
            | InstrumentDetails::Wallet(_)
            | InstrumentDetails::Kept(_) => false,
        };
        Some(Wanted {
            kind: instrument.payment_method_type?,
            with_card,
        })
    }
}

impl Payments {
    /// Adds the names of these connectors to the refusal of a payment method type.
    pub(super) fn naming_takers(&self, refusal: Refusal, wanted: Option<Wanted>) -> Refusal {
        match (refusal, wanted) {
            (Refusal::MethodNotSupported { message }, Some(wanted)) => {
                let takers = self.takers(wanted);
                Refusal::MethodNotSupported {
                    message: match takers.is_empty() {
                        true => message,
                        false => format!("{message}; connectors that do: {}", takers.join(", ")),
                    },
                }
            }
            (refusal, _) => refusal,
        }
    }

    fn takers(&self, wanted: Wanted) -> Vec<&'static str> {
        let directory = &self.processors.connectors;
        let names = directory.names().into_iter();
        names
            .filter(|name| {
                let found = directory.describe(name);
                let rules = found.and_then(|one| one.capabilities.payer_method(wanted.kind));
                rules.is_some_and(|rules| rules.takes(wanted.with_card))
            })
            .collect()
    }
}
