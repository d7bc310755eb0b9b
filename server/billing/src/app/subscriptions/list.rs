//! Lists subscriptions of a merchant account. (`GET /subscriptions`, `GET /user/subscriptions`)

use multirail_app::AppError;
use multirail_billing_domain::subscription::SubscriptionStatus;
use multirail_kernel::ids::{CustomerId, MerchantId, ProfileId};

use super::{SubscriptionReads, SubscriptionView, page};
use crate::ports::SubscriptionSearch;

/// The request for a list, translated. Absent filters select everything.
#[derive(Clone, Debug, Default)]
pub struct ListSubscriptions {
    pub profile_id: Option<ProfileId>,
    pub customer_id: Option<CustomerId>,
    pub status: Option<SubscriptionStatus>,
    pub limit: Option<i32>,
    pub offset: Option<i32>,
}

impl SubscriptionReads {
    /// Returns one page, the newest first, without invoices and payments.
    ///
    /// # Errors
    /// A limit outside 0 to 100.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        request: ListSubscriptions,
    ) -> Result<Vec<SubscriptionView>, AppError> {
        let search = SubscriptionSearch {
            profile_id: request.profile_id,
            customer_id: request.customer_id,
            status: request.status,
            page: page(request.limit, request.offset)?,
        };
        let found = self.store.subscriptions(merchant_id, &search).await?;
        let views = found.iter();
        Ok(views
            .map(|subscription| self.view(subscription, None, None))
            .collect())
    }
}
