//! Which operation of ours a notice is about.

use multirail_domain::connector::{About, OperationKind};
use multirail_domain::ids::{ConnectorAccountId, MerchantId, ProcessorKey};
use multirail_domain::payment::{Attempt, Operation, Payment};
use multirail_domain::refund::Refund;

use super::super::{App, AppError};
use crate::ports::open_operations::OpenObject;

/// An operation of ours, by the object that it belongs to and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Matched {
    pub object: OpenObject,
    pub key: ProcessorKey,
}

/// What was found of what a notice names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Match {
    Operation(Matched),
    /// Its payment, which has no such operation.
    Payment,
    Nothing,
}

impl App {
    /// The operation, if it was asked for through this account. What another account says of it counts for nothing.
    pub(super) async fn match_operation(
        &self,
        merchant_id: &MerchantId,
        account: &ConnectorAccountId,
        about: &About,
    ) -> Result<Match, AppError> {
        let mut found = Match::Nothing;
        for object in self.store.objects_of_notice(merchant_id, about).await? {
            let matched = match &object {
                OpenObject::Refund(id) => {
                    let refund = self.store.refund(merchant_id, id).await?;
                    match refund.filter(|refund| is_refund_of(refund, account)) {
                        Some(refund) => of_refunds(&[refund], about),
                        None => Match::Nothing,
                    }
                }
                OpenObject::Payment(id) => {
                    let payment = self.store.payment(merchant_id, id).await?;
                    match payment {
                        None => Match::Nothing,
                        Some(payment) => match about.kind {
                            OperationKind::Authorize
                            | OperationKind::Capture
                            | OperationKind::Void => of_payment(&payment, account, about),
                            // Named by the authorization whose money it gives back.
                            OperationKind::Refund => {
                                let mut refunds = self.store.refunds_of(merchant_id, id).await?;
                                refunds.retain(|refund| is_refund_of(refund, account));
                                of_refunds(&refunds, about)
                            }
                        },
                    }
                }
            };
            match matched {
                Match::Operation(_) => return Ok(matched),
                Match::Payment => found = matched,
                Match::Nothing => {}
            }
        }
        Ok(found)
    }
}

fn of_payment(payment: &Payment, account: &ConnectorAccountId, about: &About) -> Match {
    let of_account = |attempt: &&Attempt| {
        attempt.brought.is_none() && attempt.merchant_connector_id.as_ref() == Some(account)
    };
    let attempts: Vec<&Attempt> = payment.attempts.iter().filter(of_account).collect();
    if attempts.is_empty() {
        return Match::Nothing;
    }
    let operations = |attempts: &[&'_ Attempt]| -> Vec<Operation> {
        let all = attempts.iter().flat_map(|attempt| attempt.operations());
        let of_kind = all.filter(|(kind, _)| *kind == about.kind);
        of_kind.map(|(_, operation)| operation.clone()).collect()
    };
    let named = named(&operations(&attempts), about).or_else(|| {
        // The attempt whose authorization the notice names.
        let mut attempts = attempts;
        attempts.retain(|attempt| is_authorized_as(attempt, about));
        only_open(&operations(&attempts), about)
    });
    named.map_or(Match::Payment, |key| {
        Match::Operation(Matched {
            object: OpenObject::Payment(payment.payment_id.clone()),
            key,
        })
    })
}

fn is_authorized_as(attempt: &Attempt, about: &About) -> bool {
    let by_reference = about.authorization_reference.as_deref();
    let by_key = about.authorization_key.as_ref();
    (by_reference.is_some() && attempt.connector_transaction_id() == by_reference)
        || (by_key.is_some() && attempt.authorization.as_ref().map(|one| &one.key) == by_key)
}

fn is_refund_of(refund: &Refund, account: &ConnectorAccountId) -> bool {
    refund.charge.brought.is_none() && refund.charge.merchant_connector_id.as_ref() == Some(account)
}

fn of_refunds(refunds: &[Refund], about: &About) -> Match {
    let operations: Vec<Operation> = refunds
        .iter()
        .map(|refund| refund.operation.clone())
        .collect();
    let key = named(&operations, about).or_else(|| only_open(&operations, about));
    let of_key = |key: &ProcessorKey| refunds.iter().find(|refund| refund.operation.key == *key);
    let matched = key.and_then(|key| Some((of_key(&key)?.refund_id.clone(), key)));
    matched.map_or(Match::Payment, |(refund_id, key)| {
        Match::Operation(Matched {
            object: OpenObject::Refund(refund_id),
            key,
        })
    })
}

/// The operation that a notice names: by our key, else by the processor's reference.
fn named(operations: &[Operation], about: &About) -> Option<ProcessorKey> {
    let by_key = operations
        .iter()
        .find(|operation| about.key.as_ref() == Some(&operation.key));
    let by_reference = || {
        let named = about.reference.as_ref()?;
        operations
            .iter()
            .find(|operation| operation.reference.as_ref() == Some(named))
    };
    by_key
        .or_else(by_reference)
        .map(|operation| operation.key.clone())
}

/// The only operation that may still become something, where the notice names none. One that somebody asked for at the
/// processor itself has names, and is none of ours.
fn only_open(operations: &[Operation], about: &About) -> Option<ProcessorKey> {
    if about.key.is_some() || about.reference.is_some() {
        return None;
    }
    let mut open = operations
        .iter()
        .filter(|operation| operation.progress.is_open());
    let first = open.next();
    first
        .filter(|_| open.next().is_none())
        .map(|operation| operation.key.clone())
}
