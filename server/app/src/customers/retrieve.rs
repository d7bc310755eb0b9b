//! Read one customer. (`GET /customers/{customer_id}`)

use multirail_domain::customer::Customer;
use multirail_domain::ids::{CustomerId, MerchantId};

use super::super::{App, AppError};

impl App {
    /// Reads a customer.
    ///
    /// # Errors
    /// An unknown customer, one that is redacted.
    pub async fn retrieve_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Customer, AppError> {
        self.active_customer(merchant_id, customer_id).await
    }
}
