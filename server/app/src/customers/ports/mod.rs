//! Stored customers. Their personal data is sealed. The store finds them by id, or by a keyed hash of e-mail address or
//! phone number.

pub mod checkouts;
pub mod connector_customers;
pub mod consents;
pub mod mandates;
pub mod saved_methods;
pub mod vault;

pub use connector_customers::ConnectorCustomerStore;
pub use consents::ConsentStore;
pub use mandates::{MandateChange, MandateSearch, MandateStore};
pub use saved_methods::{SavedMethodChange, SavedMethodStore};
pub use vault::Vault;

use async_trait::async_trait;
use multirail_domain::customers::customer::{Customer, CustomerStatus};
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;

/// A change of a customer.
#[derive(Debug)]
pub enum CustomerChange {
    /// Fails as a duplicate where the id is taken.
    Insert(Customer),
    /// Changes nothing where the id is taken: two payments may make the same customer at once.
    InsertIfNew(Customer),
    Update(Customer),
    /// Updates a customer to a redacted one. Conflicts where they have active mandates. A worker redacts their payments
    /// afterwards, in portions.
    Redact(Customer),
}

/// The filter for a list of customers. A customer has to match every member that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomerSearch {
    pub customer_id: Option<CustomerId>,
    /// In the form that [`searched_email`](multirail_domain::customers::customer::searched_email) returns.
    pub email: Option<String>,
    /// In the form that [`searched_phone`](multirail_domain::customers::customer::searched_phone) returns.
    pub phone: Option<String>,
    pub limit: i64,
    pub offset: i64,
}

#[async_trait]
pub trait CustomerStore: Changes<CustomerChange> {
    /// Returns a customer, even a redacted one.
    async fn customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<Customer>, StoreFailure>;

    /// Returns the status of a customer, if there is one. Opens no sealed data.
    async fn customer_status(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<CustomerStatus>, StoreFailure>;

    /// Returns one page, oldest first.
    async fn search_customers(
        &self,
        merchant_id: &MerchantId,
        search: &CustomerSearch,
    ) -> Result<Vec<Customer>, StoreFailure>;
}
