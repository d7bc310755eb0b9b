//! Creates a customer. (`POST /customers`)

use multirail_domain::customers::customer::{Customer, Personal};
use multirail_kernel::ids::{CustomerId, MerchantId};

use super::super::{AppError, Origin};
use super::Customers;
use crate::customers::ports::CustomerChange;
use crate::platform::idempotency::{ForKey, Made};
use crate::platform::ports::CommitError;
use crate::platform::ports::failure::duplicate;

/// The request, translated.
#[derive(Debug)]
pub struct CreateCustomer {
    pub merchant_id: MerchantId,
    /// The id that the caller chose; the server makes one where it is absent.
    pub customer_id: Option<String>,
    pub personal: Personal,
}

impl Customers {
    /// Makes a customer.
    ///
    /// # Errors
    /// An id that is taken, even by a redacted customer.
    pub async fn create(
        &self,
        origin: &Origin,
        request: CreateCustomer,
    ) -> Result<Customer, AppError> {
        let CreateCustomer {
            merchant_id,
            customer_id,
            personal,
        } = request;
        let customer_id = match &customer_id {
            Some(chosen) => CustomerId::parse_chosen(chosen, self.reserved_ids)
                .map_err(|invalid| invalid.refusal("customer_id"))?,
            None => CustomerId::generate(self.base.random.as_ref()),
        };
        let customer = Customer::create(merchant_id, customer_id, personal, self.base.now());
        let for_key = ForKey::Whole {
            object_id: customer.customer_id.as_str(),
            made: Made::object(&customer, Some(&customer.customer_id)),
        };
        let insert = CustomerChange::Insert(customer.clone());
        let changes = vec![self.store.change(insert)];
        let merchant_id = Some(&customer.merchant_id);
        let change_set = self.base.change_set(origin, merchant_id, for_key, changes);
        match self.base.commit(change_set).await {
            Ok(()) => Ok(customer),
            Err(CommitError::Duplicate(duplicate::CUSTOMER)) => {
                Err(Customer::id_taken(&customer.customer_id).into())
            }
            Err(error) => Err(AppError::of_commit(error)),
        }
    }
}
