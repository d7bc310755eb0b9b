//! Finds the mandates that a payment names: the one that it charges, and the one that it changes.

use multirail_domain::customers::mandate::Mandate;
use multirail_domain::payments::payment::recurring::{FoundMandate, FoundMethod};
use multirail_kernel::ids::{CustomerId, MandateId, MerchantId};

use super::super::AppError;
use super::Payments;

impl Payments {
    /// Looks up a mandate by its id. `customer_id` is the payment's customer.
    pub(in super::super) async fn find_mandate(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
        id: &str,
    ) -> Result<FoundMandate, AppError> {
        if customer_id.is_none() {
            return Ok(FoundMandate::NoCustomer);
        }
        let Ok(id) = MandateId::parse(id) else {
            return Ok(FoundMandate::Nothing);
        };
        let found = self.mandates.mandate(merchant_id, &id).await?;
        Ok(match found {
            Some(view) => FoundMandate::Mandate(Box::new(view.mandate)),
            None => FoundMandate::Nothing,
        })
    }

    /// Looks up the mandate that a payment charges, with its method.
    pub(in super::super) async fn find_charged_mandate(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
        id: &str,
    ) -> Result<(FoundMandate, FoundMethod), AppError> {
        let found = self.find_mandate(merchant_id, customer_id, id).await?;
        let method = match &found {
            FoundMandate::NoCustomer | FoundMandate::Nothing => FoundMethod::Nothing,
            FoundMandate::Mandate(mandate) => {
                let Mandate {
                    customer_id,
                    payment_method_id,
                    ..
                } = mandate.as_ref();
                let id = payment_method_id.as_str();
                self.charged_method(merchant_id, Some(customer_id), id)
                    .await?
            }
        };
        Ok((found, method))
    }
}
