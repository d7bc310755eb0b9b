//! Matching a notice with refunds, and the trust in its sender.

use multirail_sdk::connector::{About, OperationKind, Outcome};

use crate::operations::operation::Operation;
use crate::operations::received_notice::{Sender, ToldOf};
use crate::payments::payment::notice::{fact_if_proven, fact_or_hint, named, only_open, unmatched};
use crate::payments::refund::{Charge, Refund};

/// Returns the content of a notice as far as it concerns these refunds, one or all of a payment.
pub fn of_refunds(
    refunds: &[Refund],
    sender: Sender<'_>,
    about: &About,
    outcome: Option<&Outcome>,
) -> ToldOf {
    let operations = |is_own: &dyn Fn(&Charge) -> bool| {
        let own = refunds.iter().filter(|refund| is_own(&refund.charge));
        own.map(|refund| &refund.operation).collect::<Vec<_>>()
    };
    let stored = operations(&|charge| {
        charge.brought.is_none() && charge.merchant_connector_id.as_ref() == Some(sender.account)
    });
    let brought =
        operations(&|charge| charge.brought.is_some() && charge.connector == sender.connector);
    let is_of_refund = about.kind == OperationKind::Refund;
    let found = |all: &[&'_ Operation]| {
        let operation = named(all, about).or_else(|| only_open(all, about));
        operation.filter(|_| is_of_refund).cloned()
    };
    if let Some(operation) = found(&stored) {
        fact_or_hint(&operation, outcome)
    } else if let Some(operation) = found(&brought) {
        let mut of_others = refunds
            .iter()
            .filter(|own| own.profile_id != *sender.profile);
        let is_own = of_others.next().is_none();
        fact_if_proven(&operation, about, outcome, is_own)
    } else {
        unmatched(stored.is_empty())
    }
}
