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

impl App {
    /// The operation, if it was asked for through this account. What another account says of it counts for nothing.
    pub(super) async fn match_operation(
        &self,
        merchant_id: &MerchantId,
        account: &ConnectorAccountId,
        about: &About,
    ) -> Result<Option<Matched>, AppError> {
        let found = self.store.object_of_notice(merchant_id, about).await?;
        match found {
            None => Ok(None),
            Some(OpenObject::Refund(id)) => {
                let refund = self.store.refund(merchant_id, &id).await?;
                Ok(refund.and_then(|refund| of_refund(&refund, account, about)))
            }
            Some(OpenObject::Payment(id)) => {
                let Some(payment) = self.store.payment(merchant_id, &id).await? else {
                    return Ok(None);
                };
                match about.kind {
                    OperationKind::Authorize | OperationKind::Capture | OperationKind::Void => {
                        Ok(of_payment(&payment, account, about))
                    }
                    // Named by the authorization whose money it gives back.
                    OperationKind::Refund => {
                        let refunds = self.store.refunds_of(merchant_id, &id).await?;
                        let mut matched = refunds
                            .iter()
                            .filter_map(|refund| of_refund(refund, account, about));
                        let first = matched.next();
                        Ok(first.filter(|_| matched.next().is_none()))
                    }
                }
            }
        }
    }
}

fn of_payment(payment: &Payment, account: &ConnectorAccountId, about: &About) -> Option<Matched> {
    let of_account = |attempt: &&Attempt| {
        attempt.brought.is_none() && attempt.merchant_connector_id.as_ref() == Some(account)
    };
    let operations = payment
        .attempts
        .iter()
        .filter(of_account)
        .filter(|attempt| is_of(attempt, about))
        .flat_map(|attempt| attempt.operations())
        .filter(|(kind, _)| *kind == about.kind)
        .map(|(_, operation)| operation);
    only(operations, about).map(|operation| Matched {
        object: OpenObject::Payment(payment.payment_id.clone()),
        key: operation.key.clone(),
    })
}

/// Whether the attempt is the one whose authorization the notice names, where it names any.
fn is_of(attempt: &Attempt, about: &About) -> bool {
    let named = about.authorization_reference.as_deref();
    named.is_none_or(|named| attempt.connector_transaction_id() == Some(named))
}

fn of_refund(refund: &Refund, account: &ConnectorAccountId, about: &About) -> Option<Matched> {
    let of_account = refund.charge.brought.is_none()
        && refund.charge.merchant_connector_id.as_ref() == Some(account);
    only(std::iter::once(&refund.operation), about)
        .filter(|_| of_account && about.kind == OperationKind::Refund)
        .map(|operation| Matched {
            object: OpenObject::Refund(refund.refund_id.clone()),
            key: operation.key.clone(),
        })
}

/// The one operation that a notice is about: by our key, else by the processor's reference, else the only one that has no
/// reference yet. Nothing where that leaves a choice.
fn only<'a>(
    operations: impl Iterator<Item = &'a Operation>,
    about: &About,
) -> Option<&'a Operation> {
    let operations: Vec<&Operation> = operations.collect();
    if let Some(key) = &about.key {
        let by_key = operations.iter().find(|operation| operation.key == *key);
        if by_key.is_some() {
            return by_key.copied();
        }
    }
    if about.reference.is_some() {
        let by_reference = operations
            .iter()
            .find(|operation| operation.reference == about.reference);
        if by_reference.is_some() {
            return by_reference.copied();
        }
    }
    let mut unnamed = operations
        .iter()
        .filter(|operation| operation.reference.is_none() || about.reference.is_none());
    let first = unnamed.next();
    first.filter(|_| unnamed.next().is_none()).copied()
}
