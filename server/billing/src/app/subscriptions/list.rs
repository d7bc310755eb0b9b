//! Lists the subscriptions of a profile. (`GET /subscriptions/list`)

use multirail_app::AppError;
use multirail_kernel::ids::{MerchantId, ProfileId};

use super::{SubscriptionReads, SubscriptionView, page};

impl SubscriptionReads {
    /// Returns one page, the newest first, without invoices and payments.
    ///
    /// # Errors
    /// A limit outside 0 to 100.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        limit: Option<i32>,
        offset: Option<i32>,
    ) -> Result<Vec<SubscriptionView>, AppError> {
        let page = page(limit, offset)?;
        let found = self.store.subscriptions(merchant_id, profile_id, page);
        let found = found.await?;
        let views = found.iter();
        Ok(views
            .map(|subscription| self.view(subscription, None, None))
            .collect())
    }
}
