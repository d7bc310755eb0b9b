//! Forget who a customer is. (`DELETE /customers/{customer_id}`)

use multirail_domain::customer::Customer;
use multirail_domain::ids::{CustomerId, MerchantId};
use multirail_domain::refusal::Refusal;

use super::super::{App, AppError, Origin};
use crate::ports::CustomerChange;
use crate::ports::deletion_guard::Deleted;

impl App {
    /// Redacts a customer. What payments tell of the customer is redacted afterwards, by a worker.
    ///
    /// # Errors
    /// An unknown customer, one that is redacted already or has active mandates or subscriptions that go on.
    pub async fn redact_customer(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Customer, AppError> {
        let has_active = || {
            let store = &self.store;
            store.has_active_mandate(merchant_id, customer_id, self.now())
        };
        if has_active().await? {
            return Err(Refusal::ActiveMandates.into());
        }
        let deleted = Deleted::Customer(merchant_id, customer_id);
        let is_needed = || self.deletion_guard.refusal(deleted);
        if let Some(refusal) = is_needed().await? {
            return Err(refusal.into());
        }
        let redact = |customer: &Customer| customer.redact(self.now());
        let redacted = self.change_customer(
            origin,
            merchant_id,
            customer_id,
            redact,
            CustomerChange::Redact,
            || self.deletion_guard.guards(deleted),
        );
        let redacted = match redacted.await {
            Ok(redacted) => redacted,
            // One was made after the look at them: the commit saw it.
            Err(_) if has_active().await? => return Err(Refusal::ActiveMandates.into()),
            Err(error) => return Err(is_needed().await?.map_or(error, AppError::from)),
        };
        self.redactions.notify();
        Ok(redacted)
    }
}
