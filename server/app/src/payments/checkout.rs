//! Payments in checkout, as saved methods see them.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::money::Money;

use super::super::AppError;
use super::Payments;
use crate::customers::ports::checkouts::{Checkout, CheckoutSurcharge, Checkouts};
use crate::payments::ports::PaymentStore;
use crate::platform::ports::StoreFailure;

/// Looks up stored payments in checkout.
pub struct StoredCheckouts(pub Arc<dyn PaymentStore>);

#[async_trait]
impl Checkouts for StoredCheckouts {
    async fn checkout(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Checkout>, StoreFailure> {
        let payment = self.0.payment(merchant_id, payment_id).await?;
        Ok(payment.as_ref().map(checkout))
    }
}

impl Payments {
    /// Returns the checkout of a client secret, which names its payment.
    ///
    /// # Errors
    /// A secret of no payment, an expired secret.
    pub async fn checkout_of_client_secret(
        &self,
        merchant_id: &MerchantId,
        presented: &str,
    ) -> Result<Checkout, AppError> {
        let payment = self
            .payment_of_client_secret(merchant_id, presented)
            .await?;
        Ok(checkout(&payment))
    }
}

fn checkout(payment: &Payment) -> Checkout {
    Checkout {
        customer_id: payment.terms.customer_id.clone(),
        profile_id: payment.profile_id.clone(),
        spares_code: payment.spares_code(),
        surcharge: surcharge(payment),
    }
}

/// Returns the surcharge and tax that a payment adds to its amount.
pub fn surcharge(payment: &Payment) -> Option<CheckoutSurcharge> {
    let terms = &payment.terms;
    let surcharge = terms.surcharge?;
    Some(CheckoutSurcharge {
        amount: Money::new(surcharge.amount, terms.currency),
        tax: surcharge.tax_amount.unwrap_or(0),
    })
}
