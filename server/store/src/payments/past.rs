//! The newest payments of a profile, for estimates of routing.

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::routing::ports::PastPaymentStore;
use multirail_domain::routing::PastPayment;
use multirail_kernel::ids::{MerchantId, ProfileId};

use super::listed;
use crate::engine::{Read, values};
use crate::platform::record::failure;
use crate::platform::sql_store::SqlStore;

/// Returns the statement for the newest payments, each with its first attempt. It reads the merchant's index of lists backwards,
/// which has the profile, and stops at the limit. The two constants are the numbers of
/// attempts and captures in the row, so nothing else is read. The limit is written into the text, as in lists.
pub(crate) fn newest(most: u32) -> String {
    format!(
        "select p.payment_id as payment_id, p.version as version, p.record as record, p.personal as personal, \
         1 as attempt_count, 0 as capture_count, a.record as attempt_record \
         from payments p join attempts a on a.merchant_id = p.merchant_id \
         and a.payment_id = p.payment_id and a.attempt_number = 1 \
         where p.merchant_id = $1 and p.profile_id = $2 \
         order by p.created_at desc, p.payment_id desc limit {most}"
    )
}

#[async_trait]
impl PastPaymentStore for SqlStore {
    async fn past_payments(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        most: u32,
    ) -> Result<Vec<Box<dyn PastPayment>>, StoreFailure> {
        let parameters = values![merchant_id.as_str(), profile_id.as_str()];
        let read = Read::new(newest(most), parameters).long();
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        let payments = listed(&self.engine, &self.keys, merchant_id, rows).await?;
        let payments = payments.into_iter().flatten();
        Ok(payments
            .map(|payment| Box::new(payment) as Box<dyn PastPayment>)
            .collect())
    }
}
