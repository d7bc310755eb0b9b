//! The connectors that could take a payment method that none of the profile takes.

use multirail_kernel::refusal::Refusal;
use multirail_sdk::payment_method::PaymentMethodType;

use super::Payments;

impl Payments {
    /// Adds the names of these connectors to the refusal of a payment method type.
    pub(super) fn naming_takers(
        &self,
        refusal: Refusal,
        kind: Option<PaymentMethodType>,
    ) -> Refusal {
        match (refusal, kind) {
            (Refusal::MethodNotSupported { message }, Some(kind)) => {
                let takers = self.takers(kind);
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

    fn takers(&self, kind: PaymentMethodType) -> Vec<&'static str> {
        let directory = &self.processors.connectors;
        let names = directory.names().into_iter();
        names
            .filter(|name| {
                let found = directory.describe(name);
                found.is_some_and(|one| one.capabilities.payer_method(kind).is_some())
            })
            .collect()
    }
}
