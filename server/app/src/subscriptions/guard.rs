//! Customers whose subscriptions go on are kept.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::ids::{CustomerId, MerchantId};
use multirail_domain::refusal::{Object, Refusal};

use crate::ports::customers::CustomerGuard;
use crate::ports::{StoreFailure, SubscriptionStore};

/// Keeps a customer from being redacted while one of their subscriptions goes on.
pub struct KeepsSubscribers(pub Arc<dyn SubscriptionStore>);

#[async_trait]
impl CustomerGuard for KeepsSubscribers {
    async fn objection(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<Refusal>, StoreFailure> {
        let goes_on = self.0.has_live_subscription(merchant_id, Some(customer_id));
        let of = Object::Customer;
        Ok(goes_on
            .await?
            .then_some(Refusal::ActiveSubscriptions { of }))
    }
}
