//! Changes the details of a saved card. (`POST /payment_methods/{payment_method_id}/update`)

use multirail_domain::customers::saved_method::CardUpdate;
use multirail_kernel::ids::{MerchantId, PaymentMethodId};
use multirail_kernel::refusal::Object;

use super::{Reach, SavedMethods, ShownMethod};
use crate::customers::ports::SavedMethodChange;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};
use crate::{AppError, Origin};

impl SavedMethods {
    /// Changes the members that are given.
    ///
    /// # Errors
    /// An unknown method, an invalid or past expiry.
    pub async fn update(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        reach: &Reach,
        payment_method_id: &PaymentMethodId,
        update: Option<CardUpdate>,
    ) -> Result<ShownMethod, AppError> {
        let mut decisions = Decisions::begin(Object::PaymentMethod);
        loop {
            let mut method = self
                .method_within(merchant_id, reach, payment_method_id)
                .await?;
            if let Some(update) = update.clone() {
                method.update_card(update, "card", self.base.now())?;
            }
            let change = SavedMethodChange::Update(Box::new(method.clone()));
            let shown = self.shown(method).await?;
            let for_key = ForKey::Whole {
                object_id: payment_method_id.as_str(),
                made: Made::object(&shown, Some(&shown.method.customer_id)),
            };
            let changes = vec![self.store.change(change)];
            let change_set = self
                .base
                .change_set(origin, Some(merchant_id), for_key, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(shown),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }
}
