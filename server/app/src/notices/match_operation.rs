//! Finding the operation that a notice tells of: the store finds what it may be about, the domain decides.

use multirail_domain::connector::{About, OperationKind};
use multirail_domain::ids::{ConnectorAccountId, MerchantId, ProcessorKey};
use multirail_domain::received_notice::{ToldOf, of_payment, of_refunds};

use super::super::{App, AppError};
use crate::ports::open_operations::OpenObject;

/// What was found of what a notice names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// An operation of ours, by the object that it belongs to and its key.
    Operation {
        object: OpenObject,
        key: ProcessorKey,
    },
    /// Its payment or refund, of which nothing of the kind was asked for.
    NotAskedFor,
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
            match self.told_of(merchant_id, &object, account, about).await? {
                (object, ToldOf::Operation(key)) => return Ok(Match::Operation { object, key }),
                (_, ToldOf::NotAskedFor) => found = Match::NotAskedFor,
                (_, ToldOf::AnotherAccount) => {}
            }
        }
        Ok(found)
    }

    /// What of an object is told, and of a payment's refund that refund.
    async fn told_of(
        &self,
        merchant_id: &MerchantId,
        object: &OpenObject,
        account: &ConnectorAccountId,
        about: &About,
    ) -> Result<(OpenObject, ToldOf), AppError> {
        let refunds = match object {
            // How a dispute stands is told in words of its own, not as the outcome of an operation.
            OpenObject::Dispute(_) => return Ok((object.clone(), ToldOf::NotAskedFor)),
            OpenObject::Refund(id) => self
                .store
                .refund(merchant_id, id)
                .await?
                .into_iter()
                .collect(),
            OpenObject::Payment(id) => match about.kind {
                OperationKind::Authorize | OperationKind::Capture | OperationKind::Void => {
                    let payment = self.store.payment(merchant_id, id).await?;
                    let told = payment.map_or(ToldOf::AnotherAccount, |payment| {
                        of_payment(&payment, account, about)
                    });
                    return Ok((object.clone(), told));
                }
                // Named by the authorization whose money it gives back.
                OperationKind::Refund => self.store.refunds_of(merchant_id, id).await?,
            },
        };
        let told = of_refunds(&refunds, account, about);
        let refund = match &told {
            ToldOf::Operation(key) => refunds.iter().find(|refund| refund.operation.key == *key),
            ToldOf::NotAskedFor | ToldOf::AnotherAccount => None,
        };
        let object = match refund {
            Some(refund) => OpenObject::Refund(refund.refund_id.clone()),
            None => object.clone(),
        };
        Ok((object, told))
    }
}
