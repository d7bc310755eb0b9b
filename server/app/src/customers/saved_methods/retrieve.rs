//! Reads one saved method. (`GET /payment_methods/{payment_method_id}`)

use multirail_kernel::ids::{MerchantId, PaymentMethodId};

use super::{Reach, SavedMethods, ShownMethod};
use crate::AppError;

impl SavedMethods {
    /// Reads a method.
    ///
    /// # Errors
    /// An unknown method.
    pub async fn retrieve(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<ShownMethod, AppError> {
        let found = self.method_within(merchant_id, &Reach::Merchant, payment_method_id);
        self.shown(found.await?).await
    }
}
