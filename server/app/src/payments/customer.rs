//! The customer of a payment: created with the payment where new, refused where redacted.

use multirail_domain::customers::customer::{Customer, CustomerStatus};
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::{CustomerId, InvalidId, MerchantId};
use multirail_kernel::refusal::Refusal;

use super::super::AppError;
use super::Payments;
use super::calls::CallInputs;
use crate::customers::ports::CustomerStore;

impl Payments {
    /// Looks up the customer whom the payment names, before the payment is stored or sent. `before` is the stored
    /// payment.
    ///
    /// A redaction between this look and the commit finds the payment afterwards: see [`redaction`](super::redaction).
    ///
    /// # Errors
    /// A redacted customer, an invalid customer id.
    pub(super) async fn look_up_customer(
        &self,
        before: Option<&Payment>,
        payment: &mut Payment,
        inputs: &mut CallInputs,
    ) -> Result<(), AppError> {
        let Some(customer_id) = payment.terms.customer_id.clone() else {
            return Ok(());
        };
        let merchant_id = &payment.merchant_id;
        let former = before.and_then(|before| before.terms.customer_id.as_ref());
        if former == Some(&customer_id) {
            let status = self.customers.customer_status(merchant_id, &customer_id);
            return match status.await? {
                Some(CustomerStatus::Redacted) => Err(Refusal::CustomerRedacted.into()),
                Some(CustomerStatus::Active) => Ok(()),
                // Payments of early versions name customers who were never stored.
                None => {
                    let new = Customer::of_payment(payment, customer_id, self.base.now());
                    inputs.new_customer = Some(Box::new(new));
                    Ok(())
                }
            };
        }
        match self.customers.customer(merchant_id, &customer_id).await? {
            Some(known) => payment.know(&known.active()?),
            None => {
                let reserved = self.reserved_customer_ids;
                if reserved.contains(&customer_id.as_str()) {
                    return Err(InvalidId::Reserved.refusal("customer_id").into());
                }
                let new = Customer::of_payment(payment, customer_id, self.base.now());
                inputs.new_customer = Some(Box::new(new));
            }
        }
        Ok(())
    }
}

/// Refuses personal data of a redacted customer. A redaction between this look and the commit finds the data
/// afterwards, as above.
pub(crate) async fn check_not_redacted(
    customers: &dyn CustomerStore,
    merchant_id: &MerchantId,
    customer_id: Option<&CustomerId>,
) -> Result<(), AppError> {
    let Some(customer_id) = customer_id else {
        return Ok(());
    };
    let status = customers.customer_status(merchant_id, customer_id);
    match status.await? {
        Some(CustomerStatus::Redacted) => Err(Refusal::CustomerRedacted.into()),
        Some(CustomerStatus::Active) | None => Ok(()),
    }
}
