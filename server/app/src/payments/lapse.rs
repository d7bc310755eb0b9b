//! Deletes cards and callers' credentials of payments that weren't confirmed in time.

use futures::{StreamExt, TryStreamExt, stream};
use multirail_domain::payments::payment::{Command, Input, transition};
use multirail_kernel::ids::{MerchantId, PaymentId};

use super::super::Origin;
use super::Payments;
use super::calls::CallInputs;
use crate::operations::driver::Stage;
use crate::payments::ports::HeldChange;
use crate::platform::idempotency::ForKey;
use crate::platform::ports::{Change, CommitError, StoreFailure};

/// The number of payments that are worked on together, so that their commits share a disk write.
const AT_ONCE: usize = 16;

impl Payments {
    /// Deletes the expired secrets of up to `at_most` payments; returns the number of payments found.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn let_lapse(&self, origin: &Origin, at_most: i64) -> Result<u64, StoreFailure> {
        let lapsed = self.held.lapsed(self.base.now(), at_most).await?;
        let found = lapsed.len() as u64;
        stream::iter(lapsed)
            .map(|(merchant_id, payment_id)| async move {
                self.let_one_lapse(origin, &merchant_id, &payment_id).await
            })
            .buffer_unordered(AT_ONCE)
            .try_collect::<()>()
            .await?;
        Ok(found)
    }

    async fn let_one_lapse(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<(), StoreFailure> {
        let delete = || {
            let delete = HeldChange::DeleteLapsed {
                merchant_id: merchant_id.clone(),
                payment_id: payment_id.clone(),
            };
            self.held.change(delete)
        };
        let before = match self.store.payment(merchant_id, payment_id).await {
            Ok(Some(payment)) => payment,
            Ok(None) => return self.store_alone(origin, merchant_id, delete()).await,
            // Secrets are deleted even where their payment can't be read any more.
            Err(StoreFailure::Broken(why) | StoreFailure::Destroyed(why)) => {
                tracing::warn!(%payment_id, why, "card and credentials of a payment that can't be read are deleted");
                return self.store_alone(origin, merchant_id, delete()).await;
            }
            Err(failure @ (StoreFailure::Unavailable(_) | StoreFailure::Standstill(_, _))) => {
                return Err(failure);
            }
        };
        let context = self.base.context();
        let is_over = context.now > before.expires_at;
        let lapse = Input::Command(Command::Lapse);
        let Ok(step) = transition(&before, lapse, &context) else {
            return Ok(());
        };
        if step.payment == before {
            // Either the session was extended, or an earlier deletion left something behind.
            let change = if is_over {
                delete()
            } else {
                let put_off = HeldChange::PutOffLapse {
                    merchant_id: merchant_id.clone(),
                    payment_id: payment_id.clone(),
                    expires_at: before.expires_at,
                };
                self.held.change(put_off)
            };
            return self.store_alone(origin, merchant_id, change).await;
        }
        self.codes.take(merchant_id, payment_id);
        let mut none = CallInputs::default();
        let committed =
            self.driver
                .commit_step(self, origin, Some(before), step, &mut none, Stage::FIRST);
        done_or_left(committed.await.map(|_| ()))
    }

    async fn store_alone(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        change: Change,
    ) -> Result<(), StoreFailure> {
        let change_set =
            self.base
                .change_set(origin, Some(merchant_id), ForKey::Nothing, vec![change]);
        done_or_left(self.base.commit(change_set).await)
    }
}

/// The next round looks at payments that changed meanwhile.
fn done_or_left(committed: Result<(), CommitError>) -> Result<(), StoreFailure> {
    match committed {
        Ok(()) | Err(CommitError::Conflict | CommitError::Duplicate(_) | CommitError::Gone(_)) => {
            Ok(())
        }
        Err(CommitError::Failed(failure)) => Err(failure),
    }
}
