//! Customers as processors know them. A processor that stores cards for its own customers gets each customer once.

use multirail_sdk::connector::{Customers, KeepCustomerRequest, UnknownReason};

use super::super::Origin;
use super::Payments;
use super::calls::Addressed;
use crate::customers::ports::SavedMethodChange;
use crate::platform::idempotency::ForKey;
use crate::platform::ports::Actor;

impl Payments {
    /// Returns the processor's customer for whom the payment's card is stored, one for each customer. Where none is
    /// created within half of the deadline, the payment continues and no card is stored.
    pub(super) async fn processor_customer(
        &self,
        customers: &dyn Customers,
        addressed: &Addressed<'_>,
        instead_of: Option<String>,
    ) -> Option<String> {
        let Addressed {
            payment,
            attempt,
            access,
            ..
        } = addressed;
        // A caller's own credentials may belong to another account.
        let is_stored = attempt.brought.is_none();
        let account = attempt
            .merchant_connector_id
            .as_ref()
            .filter(|_| is_stored)?;
        let customer_id = payment.terms.customer_id.as_ref()?;
        let details = payment.details(attempt);
        if !details.keeps() {
            return None;
        }
        let merchant_id = &payment.merchant_id;
        let known = self
            .connector_customers
            .connector_customer(merchant_id, customer_id, account);
        if let Some(known) = known.await.ok()? {
            return Some(known);
        }
        let now = self.base.clock.wall();
        let request = KeepCustomerRequest {
            instead_of,
            ..KeepCustomerRequest::for_payer(access, account.as_str(), &details.payer, now)?
        };
        let patience = self.base.leases.processor_deadline / 2;
        let made = tokio::time::timeout(patience, customers.keep_customer(request)).await;
        let made = match made.unwrap_or(Err(UnknownReason::Timeout)) {
            Ok(made) => made,
            Err(reason) => {
                let payment_id = payment.payment_id.as_str();
                tracing::warn!(payment_id, %reason, "the processor made no customer: this payment's card is not stored there");
                return None;
            }
        };
        let keep = SavedMethodChange::KeepConnectorCustomer {
            merchant_id: merchant_id.clone(),
            customer_id: customer_id.clone(),
            merchant_connector_id: account.clone(),
            connector_customer_id: made.clone(),
        };
        let origin = Origin::of_service(Actor::Worker("payments"));
        let merchant_id = Some(merchant_id);
        let changes = vec![self.saved_methods.change(keep)];
        let change_set = self
            .base
            .change_set(&origin, merchant_id, ForKey::Nothing, changes);
        if let Err(error) = self.base.commit(change_set).await {
            let payment_id = payment.payment_id.as_str();
            tracing::warn!(payment_id, %error, "the processor's customer could not be stored: the next payment makes another one");
        }
        Some(made)
    }

    /// Creates another customer in place of one that the processor no longer has, for the next payment.
    pub(super) async fn replace_processor_customer(
        &self,
        customers: &dyn Customers,
        addressed: &Addressed<'_>,
        gone: String,
    ) -> Option<String> {
        let Addressed {
            payment, attempt, ..
        } = addressed;
        let forget = SavedMethodChange::ForgetConnectorCustomer {
            merchant_id: payment.merchant_id.clone(),
            merchant_connector_id: attempt.merchant_connector_id.clone()?,
            customer_id: payment.terms.customer_id.clone()?,
            connector_customer_id: gone.clone(),
        };
        let origin = Origin::of_service(Actor::Worker("payments"));
        let merchant_id = Some(&payment.merchant_id);
        let changes = vec![self.saved_methods.change(forget)];
        let change_set = self
            .base
            .change_set(&origin, merchant_id, ForKey::Nothing, changes);
        self.base.commit(change_set).await.ok()?;
        self.processor_customer(customers, addressed, Some(gone))
            .await
    }
}
