//! Prevents the deletion of merchant accounts and customers with active subscriptions.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::accounts::ports::deletion_guard::{Deleted, DeletionGuard};
use multirail_app::platform::ports::{Change, StoreFailure};
use multirail_kernel::refusal::{Object, Refusal};

use crate::ports::{SubscriptionChange, SubscriptionStore};

/// The guard that subscriptions put on their merchant account and customer. Without them nobody could be charged.
pub struct Subscribed {
    pub store: Arc<dyn SubscriptionStore>,
}

#[async_trait]
impl DeletionGuard for Subscribed {
    fn guards(&self, deleted: Deleted<'_>) -> Vec<Change> {
        let (merchant_id, customer_id) = match deleted {
            Deleted::Merchant(merchant_id) => (merchant_id, None),
            Deleted::Customer(merchant_id, customer_id) => (merchant_id, Some(customer_id)),
        };
        let none_lives = SubscriptionChange::NoneLives {
            merchant_id: merchant_id.clone(),
            customer_id: customer_id.cloned(),
        };
        vec![self.store.change(none_lives)]
    }

    async fn refusal(&self, deleted: Deleted<'_>) -> Result<Option<Refusal>, StoreFailure> {
        let (merchant_id, customer_id, of) = match deleted {
            Deleted::Merchant(merchant_id) => (merchant_id, None, Object::MerchantAccount),
            Deleted::Customer(merchant_id, customer_id) => {
                (merchant_id, Some(customer_id), Object::Customer)
            }
        };
        let lives = self.store.has_live_subscription(merchant_id, customer_id);
        let refusal = Refusal::ActiveSubscriptions { of };
        Ok(lives.await?.then_some(refusal))
    }
}
