//! Customers at rest. Who they are is sealed on the way in; they are found by their id, or by a keyed hash of e-mail address
//! or phone number.

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
    /// A duplicate where the id is taken.
    Insert(Customer),
    /// Changes nothing where the id is taken: made along with a payment, of which two may come at once.
    InsertIfNew(Customer),
    Update(Customer),
    /// An update to one that is redacted, and has no active mandates. Its payments are redacted afterwards, in portions.
    Redact(Customer),
}

/// Which customers are listed. All that is said has to fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomerSearch {
    pub customer_id: Option<CustomerId>,
    /// As [`searched_email`](multirail_domain::customers::customer::searched_email) writes it.
    pub email: Option<String>,
    /// As [`searched_phone`](multirail_domain::customers::customer::searched_phone) writes it.
    pub phone: Option<String>,
    pub limit: i64,
    pub offset: i64,
}

#[async_trait]
pub trait CustomerStore: Changes<CustomerChange> {
    /// Redacted ones, too.
    async fn customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<Customer>, StoreFailure>;

    /// Whether there is such a customer, and it is known who that is. Opens nothing that is sealed.
    async fn customer_status(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<CustomerStatus>, StoreFailure>;

    /// One page, oldest first.
    async fn search_customers(
        &self,
        merchant_id: &MerchantId,
        search: &CustomerSearch,
    ) -> Result<Vec<Customer>, StoreFailure>;
}
