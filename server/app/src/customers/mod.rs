//! What can be done with customers. They are the merchant's: a call that is narrowed to a profile sees all of them.
//! (Facts 3.15, 7.6)

mod create;
mod list;
mod redact;
mod redaction;
mod retrieve;
mod update;

pub use create::CreateCustomer;
pub use list::ListCustomers;
pub use redaction::RedactionNotifier;

use multirail_domain::customer::Customer;
use multirail_domain::ids::{CustomerId, MerchantId};
use multirail_domain::refusal::{Object, Refusal};

use super::decisions::Decisions;
use super::idempotency::{ForKey, Made};
use super::{App, AppError, Origin};
use crate::ports::{Change, CustomerChange};

impl App {
    /// Loads a customer of the merchant who may still be read and changed.
    ///
    /// # Errors
    /// An unknown customer, one that is redacted.
    pub(crate) async fn active_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Customer, AppError> {
        let customer = self.store.customer(merchant_id, customer_id).await?;
        let customer = customer.ok_or_else(Customer::unknown)?;
        Ok(customer.active()?)
    }

    /// Decides and stores; decides again where the customer changed meanwhile. `beside`: what is stored in the same commit.
    async fn change_customer(
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
            let customer = self.active_customer(merchant_id, customer_id).await?;
            let changed = decide(&customer)?;
            let for_key = ForKey::Whole {
                object_id: customer_id.as_str(),
                made: Made::Customer(&changed),
            };
            let mut changes = vec![self.store.change(change(changed.clone())).into()];
            changes.extend(beside());
            let change_set = self.change_set(origin, Some(merchant_id), for_key, changes);
            match self.store.commit(change_set).await {
                Ok(()) => return Ok(changed),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }
}
