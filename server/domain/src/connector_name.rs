//! Which connectors are built. The document lists every name there is; a name without a connector is refused when an
//! account for it is opened, so that nobody waits for payments that can't be made.

use crate::connector_account::{ConnectorType, CredentialsKind};
use crate::refusal::Refusal;

/// Names of the built-in processor simulator: one simulator under several names, so that routing has a choice.
pub const SIMULATORS: [&str; 7] = [
    "stripe_test",
    "adyen_test",
    "checkout_test",
    "paypal_test",
    "fauxpay",
    "pretendpay",
    "phonypay",
];

/// Whether the name is one of the simulator's.
pub fn is_simulator(name: &str) -> bool {
    SIMULATORS.contains(&name)
}

/// Which credentials a connector wants; `None` for a name without a connector.
pub fn wanted_credentials(name: &str) -> Option<CredentialsKind> {
    is_simulator(name).then_some(CredentialsKind::HeaderKey)
}

/// Whether the connector of this name offers this kind of service. Every connector that is built takes payments.
pub fn check_offers(name: &str, connector_type: ConnectorType) -> Result<(), Refusal> {
    if connector_type == ConnectorType::PaymentProcessor {
        return Ok(());
    }
    Err(Refusal::invalid_value(format!(
        "connector_type {connector_type} is not what connector {name} offers: it is a payment_processor"
    )))
}

/// Whether accounts can be opened for this name: the connector is built, and simulators are only for the sandbox.
pub fn check_available(name: &str, sandbox: bool) -> Result<(), Refusal> {
    if is_simulator(name) {
        if sandbox {
            return Ok(());
        }
        return Err(Refusal::invalid_value(format!(
            "connector_name {name} is a simulator, which only a sandbox has"
        )));
    }
    Err(Refusal::invalid_value(format!(
        "connector_name {name} can't be used: this version has no connector for it"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulators_are_for_the_sandbox() {
        for name in SIMULATORS {
            assert_eq!(check_available(name, true), Ok(()));
            assert!(check_available(name, false).is_err());
            assert_eq!(wanted_credentials(name), Some(CredentialsKind::HeaderKey));
        }
    }

    #[test]
    fn a_name_without_a_connector_is_refused_by_name() {
        let refusal = check_available("stripe", true).expect_err("not built");
        assert_eq!(
            refusal.to_string(),
            "connector_name stripe can't be used: this version has no connector for it"
        );
        assert_eq!(wanted_credentials("stripe"), None);
    }
}
