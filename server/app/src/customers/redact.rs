//! Forget who a customer is. (`DELETE /customers/{customer_id}`)

use multirail_domain::customer::Customer;
use multirail_domain::ids::{CustomerId, MerchantId};
use multirail_domain::refusal::{Object, Refusal};

use super::super::{App, AppError, Origin};
use crate::ports::CustomerChange;

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
        let has_live = || {
            let store = &self.store;
            store.has_live_subscription(merchant_id, Some(customer_id))
        };
        let subscribes = || Refusal::ActiveSubscriptions {
            of: Object::Customer,
        };
        if has_live().await? {
            return Err(subscribes().into());
        }
        let redact = |customer: &Customer| customer.redact(self.now());
        let redacted = self.change_customer(
            origin,
            merchant_id,
            customer_id,
            redact,
            CustomerChange::Redact,
        );
        let redacted = match redacted.await {
            Ok(redacted) => redacted,
            // One was made after the look at them: the commit saw it.
            Err(_) if has_active().await? => return Err(Refusal::ActiveMandates.into()),
            Err(_) if has_live().await? => return Err(subscribes().into()),
            Err(error) => return Err(error),
        };
        self.redactions.notify();
        Ok(redacted)
    }
}
