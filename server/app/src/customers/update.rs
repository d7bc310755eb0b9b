//! Note something else of a customer. (`POST /customers/{customer_id}`)

use multirail_domain::customer::{Customer, Personal};
use multirail_domain::ids::{CustomerId, MerchantId};

use super::super::{App, AppError, Origin};
use crate::ports::CustomerChange;

impl App {
    /// Replaces what is said. Payments keep what was said with them.
    ///
    /// # Errors
    /// An unknown customer, one that is redacted.
    pub async fn update_customer(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        said: Personal,
    ) -> Result<Customer, AppError> {
        let update = |customer: &Customer| customer.update(said.clone(), self.now());
        self.change_customer(
            origin,
            merchant_id,
            customer_id,
            update,
            CustomerChange::Update,
            Vec::new,
        )
        .await
    }
}
