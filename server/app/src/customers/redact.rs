//! Redacts a customer. (`DELETE /customers/{customer_id}`)

use multirail_domain::customers::customer::Customer;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::refusal::Refusal;

use super::super::{AppError, Origin};
use super::Customers;
use crate::accounts::ports::deletion_guard::Deleted;
use crate::customers::ports::CustomerChange;
use crate::platform::ports::StoreFailure;

impl Customers {
    /// Redacts a customer. A worker redacts the personal data in their payments afterwards.
    ///
    /// # Errors
    /// An unknown or redacted customer, one who has active mandates, or one whom another subject needs, such as an
    /// active subscription.
    pub async fn redact(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Customer, AppError> {
        if let Some(objection) = self.objection(merchant_id, customer_id).await? {
            return Err(objection.into());
        }
        let deleted = Deleted::Customer(merchant_id, customer_id);
        let redact = |customer: &Customer| customer.redact(self.base.now());
        let redacted = self.change(
            origin,
            merchant_id,
            customer_id,
            redact,
            CustomerChange::Redact,
            || self.guard.guards(deleted),
        );
        let redacted = match redacted.await {
            Ok(redacted) => redacted,
            // An active mandate was made after the check; the commit found it.
            Err(error) => match self.objection(merchant_id, customer_id).await? {
                Some(objection) => return Err(objection.into()),
                None => return Err(error),
            },
        };
        self.redactions.notify();
        Ok(redacted)
    }

    /// Returns why a customer can't be redacted now. The commit checks the same with its statements.
    async fn objection(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<Refusal>, StoreFailure> {
        let now = self.base.now();
        let has_active = self
            .mandates
            .has_active_mandate(merchant_id, customer_id, now);
        if has_active.await? {
            return Ok(Some(Refusal::ActiveMandates));
        }
        let deleted = Deleted::Customer(merchant_id, customer_id);
        self.guard.refusal(deleted).await
    }
}
