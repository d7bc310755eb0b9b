//! The [`PaymentStore`], whose reads are in three files.

use async_trait::async_trait;
use multirail_app::payments::ports::{PaymentSearch, PaymentStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::{MerchantId, PaymentId};

use super::{search, unfinished};
use crate::payments;
use crate::platform::sql_store::SqlStore;

#[async_trait]
impl PaymentStore for SqlStore {
    async fn payment(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Payment>, StoreFailure> {
        payments::payment(&self.engine, &self.keys, merchant_id, payment_id).await
    }

    async fn search_payments(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
    ) -> Result<Vec<Payment>, StoreFailure> {
        search::search_payments(&self.engine, &self.keys, merchant_id, search).await
    }

    async fn count_payments(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
        most: i64,
    ) -> Result<i64, StoreFailure> {
        search::count_payments(&self.engine, merchant_id, search, most).await
    }

    async fn payments_held_or_open(
        &self,
        merchant_id: &MerchantId,
        after: Option<&PaymentId>,
        limit: i64,
    ) -> Result<Vec<Payment>, StoreFailure> {
        unfinished::payments(&self.engine, &self.keys, merchant_id, after, limit).await
    }
}
