//! Forget who a customer is. (`DELETE /customers/{customer_id}`)

use multirail_domain::customer::Customer;
use multirail_domain::ids::{CustomerId, MerchantId};

use super::super::{App, AppError, Origin};
use crate::ports::CustomerChange;

impl App {
    /// Redacts a customer. What payments tell of the customer is redacted afterwards, by a worker.
    ///
    /// # Errors
    /// An unknown customer, one that is redacted already.
    pub async fn redact_customer(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Customer, AppError> {
        let redact = |customer: &Customer| customer.redact(self.now());
        let redacted = self.change_customer(
            origin,
            merchant_id,
            customer_id,
            redact,
            CustomerChange::Redact,
        );
        let redacted = redacted.await?;
        self.redactions.notify();
        Ok(redacted)
    }
}
