//! Read one saved method. (`GET /payment_methods/{payment_method_id}`)

use multirail_domain::ids::{MerchantId, PaymentMethodId};

use super::super::{App, AppError};
use super::{Reach, ShownMethod};

impl App {
    /// Reads a method.
    ///
    /// # Errors
    /// An unknown method.
    pub async fn retrieve_saved_method(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<ShownMethod, AppError> {
        let found = self.method_within(merchant_id, &Reach::Merchant, payment_method_id);
        self.shown(found.await?).await
    }
}
