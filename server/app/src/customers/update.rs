//! Changes a customer. (`POST /customers/{customer_id}`)

use multirail_domain::customers::customer::{Customer, Personal};
use multirail_kernel::ids::{CustomerId, MerchantId};

use super::super::{AppError, Origin};
use super::Customers;
use crate::customers::ports::CustomerChange;

impl Customers {
    /// Replaces the members that are given. Payments keep the data that came with them.
    ///
    /// # Errors
    /// An unknown customer, one that is redacted.
    pub async fn update(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        said: Personal,
    ) -> Result<Customer, AppError> {
        let update = |customer: &Customer| customer.update(said.clone(), self.base.now());
        self.change(
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
