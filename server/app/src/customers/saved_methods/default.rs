//! Sets a customer's default method. (`POST /customers/{customer_id}/payment_methods/{payment_method_id}/default`)

use multirail_domain::customers::saved_method::SavedMethod;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentMethodId};
use multirail_kernel::refusal::{Object, Refusal};

use super::{Reach, SavedMethods};
use crate::customers::ports::SavedMethodChange;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};
use crate::{AppError, Origin};

impl SavedMethods {
    /// Makes a method the customer's default.
    ///
    /// # Errors
    /// An unknown or redacted customer, one for whom the caller's key isn't valid; a method of another customer, or one
    /// that is the default already.
    pub async fn set_default(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        reach: &Reach,
        customer_id: &CustomerId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<SavedMethod, AppError> {
        if let Reach::Customer(own) = reach
            && own != customer_id
        {
            return Err(Refusal::NotThisCustomersKey.into());
        }
        let mut decisions = Decisions::begin(Object::Customer);
        loop {
            self.customers.check(merchant_id, customer_id).await?;
            let found = self
                .store
                .saved_method(merchant_id, payment_method_id)
                .await?;
            let Some(method) = found.filter(|method| method.customer_id == *customer_id) else {
                return Err(Refusal::precondition(
                    "payment_method_id is not one of this customer's methods",
                )
                .into());
            };
            if method.is_default {
                return Err(Refusal::precondition(
                    "payment_method_id is this customer's default already",
                )
                .into());
            }
            let method = SavedMethod {
                is_default: true,
                ..method
            };
            let for_key = ForKey::Whole {
                object_id: payment_method_id.as_str(),
                made: Made::object(&method, Some(&method.customer_id)),
            };
            let change = SavedMethodChange::SetDefault {
                merchant_id: merchant_id.clone(),
                customer_id: customer_id.clone(),
                payment_method_id: payment_method_id.clone(),
            };
            let changes = vec![self.store.change(change)];
            let change_set = self
                .base
                .change_set(origin, Some(merchant_id), for_key, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(method),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }
}
