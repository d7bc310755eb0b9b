//! Deletes a saved method. (`DELETE /payment_methods/{payment_method_id}`)

use multirail_kernel::ids::{MerchantId, PaymentMethodId};
use multirail_kernel::refusal::Object;

use super::{Reach, SavedMethods};
use crate::customers::ports::SavedMethodChange;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::ForKey;
use crate::{AppError, Origin};

impl SavedMethods {
    /// Deletes a method with its tokens, and its card from the vault unless another customer saved the card too. A
    /// deleted default has no successor. Revokes the mandates that charge the method.
    ///
    /// # Errors
    /// An unknown method.
    pub async fn delete(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        reach: &Reach,
        payment_method_id: &PaymentMethodId,
    ) -> Result<(), AppError> {
        let mut decisions = Decisions::begin(Object::PaymentMethod);
        loop {
            let method = self
                .method_within(merchant_id, reach, payment_method_id)
                .await?;
            let (revoked, events) = self
                .mandates
                .revoke_with_method(merchant_id, payment_method_id)
                .await?;
            let delete = SavedMethodChange::Delete(Box::new(method));
            let changes = vec![self.store.change(delete), revoked];
            let mut change_set =
                self.base
                    .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
            change_set.events = events;
            match self.announcer.commit(change_set).await {
                Ok(()) => return Ok(()),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }
}
