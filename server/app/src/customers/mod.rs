//! The operations on customers. Customers belong to the merchant: a call that is narrowed to a profile sees all of
//! them. (Facts 3.15, 7.6)

mod create;
mod list;
pub mod mandates;
mod notifier;
pub mod ports;
mod redact;
mod retrieve;
pub mod saved_methods;
#[cfg(test)]
pub(crate) mod tests;
mod update;

pub use create::CreateCustomer;
pub use list::ListCustomers;
pub use notifier::RedactionNotifier;

use std::sync::Arc;

use multirail_domain::customers::customer::{Customer, CustomerStatus};
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::refusal::{Object, Refusal};

use super::{AppError, Origin};
use crate::accounts::ports::DeletionGuard;
use crate::customers::ports::{CustomerChange, CustomerStore, MandateStore};
use crate::platform::base::Base;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};
use crate::platform::ports::Change;

/// The use cases of customers.
pub struct Customers {
    pub base: Arc<Base>,
    pub store: Arc<dyn CustomerStore>,
    pub mandates: Arc<dyn MandateStore>,
    /// The hook by which other subjects prevent the redaction of customers.
    pub guard: Arc<dyn DeletionGuard>,
    /// Wakes the worker that redacts payments.
    pub redactions: Arc<RedactionNotifier>,
    /// The literal path segments that stand in the place of a customer's id. No caller may choose them as ids.
    pub reserved_ids: &'static [&'static str],
}

impl Customers {
    /// Checks that a customer exists and is not redacted. Opens no sealed data.
    ///
    /// # Errors
    /// An unknown or redacted customer.
    pub(crate) async fn check(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<(), AppError> {
        let status = self.store.customer_status(merchant_id, customer_id).await?;
        match status {
            Some(CustomerStatus::Active) => Ok(()),
            Some(CustomerStatus::Redacted) => Err(Refusal::CustomerRedacted.into()),
            None => Err(Customer::unknown().into()),
        }
    }

    /// Decides and stores; decides again where the customer changed meanwhile. The commit also stores the changes in
    /// `beside`.
    async fn change(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        decide: impl Fn(&Customer) -> Result<Customer, Refusal>,
        change: impl Fn(Customer) -> CustomerChange,
        beside: impl Fn() -> Vec<Change>,
    ) -> Result<Customer, AppError> {
        let mut decisions = Decisions::begin(Object::Customer);
        loop {
            let customer = self.retrieve(merchant_id, customer_id).await?;
            let changed = decide(&customer)?;
            let for_key = ForKey::Whole {
                object_id: customer_id.as_str(),
                made: Made::object(&changed, Some(&changed.customer_id)),
            };
            let mut changes = vec![self.store.change(change(changed.clone()))];
            changes.extend(beside());
            let change_set = self
                .base
                .change_set(origin, Some(merchant_id), for_key, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(changed),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }
}
