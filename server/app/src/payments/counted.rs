//! Checks amounts that the processor of a payment can't represent. (Specification 4.11)

use multirail_domain::payments::payment::Payment;
use multirail_kernel::money::Money;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::Units;

use crate::operations::processors::Processors;

/// Returns the units of the processor that took the payment; those of ISO 4217 where this server lacks the connector.
pub fn units_of(processors: &Processors, payment: &Payment) -> Units {
    let name = payment.active().connector.as_deref().unwrap_or_default();
    let connector = processors.connectors.find(name);
    connector.map_or(Units::ISO, |one| one.description().capabilities.units)
}

/// Refuses the amount of a capture, a raise or a refund that the payment's processor can't represent. The refusal names
/// `member`.
pub(crate) fn check_counted(
    processors: &Processors,
    payment: &Payment,
    member: &str,
    amount_minor: i64,
) -> Result<(), Refusal> {
    let money = Money::new(amount_minor, payment.terms.currency);
    let units = units_of(processors, payment);
    units.check_counted(money).map_err(|why| {
        let name = payment.active().connector.as_deref().unwrap_or_default();
        Refusal::invalid_value(format!("{member} is {money}: {name} {why}"))
    })
}
