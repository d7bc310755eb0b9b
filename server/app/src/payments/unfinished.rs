//! The payments that prevent the deletion of a merchant account.

use async_trait::async_trait;
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::{MerchantId, PaymentId};

use super::super::{AppError, Origin};
use super::Payments;
use crate::accounts::ports::OpenPayments;
use crate::accounts::ports::open_payments::Fate;
use crate::platform::ports::StoreFailure;

/// The number of payments that are read at once.
const PAGE: i64 = 100;

#[async_trait]
impl OpenPayments for Payments {
    async fn unfinished(
        &self,
        merchant_id: &MerchantId,
        at_most: usize,
    ) -> Result<Vec<PaymentId>, StoreFailure> {
        let mut unfinished = Vec::new();
        let mut after: Option<PaymentId> = None;
        loop {
            let store = &self.store;
            let page = store.payments_held_or_open(merchant_id, after.as_ref(), PAGE);
            let page = page.await?;
            after = page.last().map(|payment| payment.payment_id.clone());
            let is_last = (page.len() as i64) < PAGE;
            let found = page.into_iter().filter(Payment::is_unfinished);
            unfinished.extend(found.map(|payment| payment.payment_id));
            if is_last || unfinished.len() >= at_most {
                return Ok(unfinished);
            }
        }
    }

    async fn release_payment(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        reason: &str,
    ) -> Result<Fate, AppError> {
        match self.release(origin, merchant_id, payment_id, reason).await {
            Ok(payment) if payment.is_unfinished() && payment.is_void_refused() => {
                Ok(Fate::Refused)
            }
            Ok(payment) if payment.is_unfinished() => Ok(Fate::Open),
            Ok(_) => Ok(Fate::Free),
            // Another request is changing it.
            Err(AppError::Refused(_)) => Ok(Fate::Open),
            Err(AppError::Broken(why) | AppError::Destroyed(why)) => {
                tracing::error!(%merchant_id, %payment_id, why, "an open payment could not be voided");
                Ok(Fate::Open)
            }
            Err(error @ (AppError::Unavailable(_) | AppError::Standstill(..))) => Err(error),
        }
    }
}
