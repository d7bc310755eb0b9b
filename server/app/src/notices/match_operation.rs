//! Finding the operation that a notice tells of: the store finds what it may be about, the domain decides.

use multirail_domain::payment::DoneByOthers;
use multirail_domain::payment::told_of::{of_payment, of_refunds};
use multirail_domain::received_notice::{Sender, ToldOf};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_sdk::connector::{About, OperationKind, Outcome};

use super::super::{App, AppError};
use crate::ports::open_operations::OpenObject;

/// What was found of what a notice names.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Match {
    /// Something that it tells of this object.
    Told {
        object: OpenObject,
        told: Box<ToldOf>,
    },
    /// A payment or refund, of which nothing of the kind was asked for; a payment where others did it.
    NotAskedFor(Option<Box<(PaymentId, DoneByOthers)>>),
    Nothing,
}

impl App {
    /// What a notice tells of something that was asked for, and whether what its account says of that counts.
    pub(super) async fn match_operation(
        &self,
        merchant_id: &MerchantId,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> Result<Match, AppError> {
        let mut found = Match::Nothing;
        for object in self.store.objects_of_notice(merchant_id, about).await? {
            let told = self.told_of(merchant_id, &object, sender, about, outcome);
            match told.await? {
                (
                    object,
                    told @ (ToldOf::Fact(_) | ToldOf::Hint(_) | ToldOf::HintOfBrought { .. }),
                ) => {
                    return Ok(Match::Told {
                        object,
                        told: Box::new(told),
                    });
                }
                // Where no refund was asked for through the account, the payment's own attempts say whose it is.
                (_, told @ (ToldOf::NotAskedFor | ToldOf::AnotherAccount)) => {
                    let done = self.done_by_others(merchant_id, &object, sender, about, outcome);
                    match done.await? {
                        Some(done) => found = Match::NotAskedFor(Some(Box::new(done))),
                        None if told == ToldOf::NotAskedFor && found == Match::Nothing => {
                            found = Match::NotAskedFor(None);
                        }
                        None => {}
                    }
                }
            }
        }
        Ok(found)
    }

    async fn done_by_others(
        &self,
        merchant_id: &MerchantId,
        object: &OpenObject,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> Result<Option<(PaymentId, DoneByOthers)>, AppError> {
        let (OpenObject::Payment(id), Some(Outcome::Done(approval))) = (object, outcome) else {
            return Ok(None);
        };
        let payment = self.store.payment(merchant_id, id).await?;
        let done = payment.and_then(|payment| payment.done_by_others(sender, about, approval));
        Ok(done.map(|done| (id.clone(), done)))
    }

    /// What of an object is told, and of a payment's refund that refund.
    async fn told_of(
        &self,
        merchant_id: &MerchantId,
        object: &OpenObject,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
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
                OperationKind::Authorize
                | OperationKind::Increment
                | OperationKind::Capture
                | OperationKind::Void => {
                    let payment = self.store.payment(merchant_id, id).await?;
                    let told = payment.map_or(ToldOf::AnotherAccount, |payment| {
                        of_payment(&payment, sender, about, outcome)
                    });
                    return Ok((object.clone(), told));
                }
                // Named by the authorization whose money it gives back.
                OperationKind::Refund => self.store.refunds_of(merchant_id, id).await?,
            },
        };
        let told = of_refunds(&refunds, sender, about, outcome);
        let key = match &told {
            ToldOf::Fact(fact) => Some(&fact.about),
            ToldOf::Hint(key) | ToldOf::HintOfBrought { key, .. } => Some(key),
            ToldOf::NotAskedFor | ToldOf::AnotherAccount => None,
        };
        let mut of_key = refunds.iter();
        let refund = of_key.find(|refund| key == Some(&refund.operation.key));
        let object = match refund {
            Some(refund) => OpenObject::Refund(refund.refund_id.clone()),
            None => object.clone(),
        };
        Ok((object, told))
    }
}
