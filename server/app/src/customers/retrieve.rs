//! Reads one customer. (`GET /customers/{customer_id}`)

use multirail_domain::customers::customer::Customer;
use multirail_kernel::ids::{CustomerId, MerchantId};

use super::super::AppError;
use super::Customers;

impl Customers {
    /// Reads a customer of the merchant who may still be changed.
    ///
    /// # Errors
    /// An unknown customer, one that is redacted.
    pub async fn retrieve(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Customer, AppError> {
        let customer = self.store.customer(merchant_id, customer_id).await?;
        let customer = customer.ok_or_else(Customer::unknown)?;
        Ok(customer.active()?)
    }
}
