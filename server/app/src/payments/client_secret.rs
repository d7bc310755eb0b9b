//! The client secret: `<payment_id>_secret_` and 20 characters that are derived from a key of ours, so it is never
//! stored. (Specification 5, 8)

use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::session::SdkAuthorization;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use subtle::ConstantTimeEq;

use super::super::AppError;
use super::Payments;

impl Payments {
    pub(super) fn client_secret(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> SecretText {
        let end = self
            .base
            .seal
            .client_secret_suffix(merchant_id.as_str(), payment_id.as_str());
        SecretText::new(format!("{payment_id}_secret_{}", end.expose()))
    }

    /// Returns the payment that a client secret names.
    ///
    /// # Errors
    /// A secret of no payment, an expired secret.
    pub async fn payment_of_client_secret(
        &self,
        merchant_id: &MerchantId,
        presented: &str,
    ) -> Result<Payment, AppError> {
        let mismatch = || AppError::from(Refusal::ClientSecretMismatch);
        let (payment_id, _) = presented.rsplit_once("_secret_").ok_or_else(mismatch)?;
        self.check_client_secret(merchant_id, payment_id, presented)
            .await
    }

    /// Returns the secret and the merchant's publishable key in one text.
    pub(super) fn sdk_authorization(
        &self,
        payment: &Payment,
        client_secret: &SecretText,
    ) -> Option<SdkAuthorization> {
        Some(SdkAuthorization {
            profile_id: payment.profile_id.clone(),
            publishable_key: payment.publishable_key.clone()?,
            client_secret: client_secret.clone(),
            customer_id: payment.terms.customer_id.clone(),
        })
    }

    /// Checks the client secret that a payer's client sends for a payment.
    ///
    /// # Errors
    /// A wrong secret, or one of a payment that doesn't exist; an expired secret.
    pub async fn check_client_secret(
        &self,
        merchant_id: &MerchantId,
        payment_id: &str,
        presented: &str,
    ) -> Result<Payment, AppError> {
        let payment = self
            .payment_of_secret(merchant_id, payment_id, presented)
            .await?;
        self.check_not_lapsed(&payment)?;
        Ok(payment)
    }

    /// Returns the payment of a valid secret. Checks the secret before it looks anything up, so neither the answer nor
    /// its time shows a stranger whether the payment exists.
    ///
    /// # Errors
    /// [`Refusal::ClientSecretMismatch`] for a wrong secret, and for a payment that doesn't exist.
    pub(super) async fn payment_of_secret(
        &self,
        merchant_id: &MerchantId,
        payment_id: &str,
        presented: &str,
    ) -> Result<Payment, AppError> {
        let mismatch = || AppError::from(Refusal::ClientSecretMismatch);
        let payment_id = PaymentId::parse(payment_id).map_err(|_| mismatch())?;
        let ours = self.client_secret(merchant_id, &payment_id);
        let same: bool = ours.expose().as_bytes().ct_eq(presented.as_bytes()).into();
        if !same {
            return Err(mismatch());
        }
        let found = self.load(merchant_id, &payment_id).await;
        found.map_err(|error| match error {
            AppError::Refused(Refusal::NotFound { .. }) => mismatch(),
            error => error,
        })
    }

    /// Checks that the payment's client secret has not expired.
    ///
    /// # Errors
    ///
    /// [`Refusal::ClientSecretExpired`].
    pub(super) fn check_not_lapsed(&self, payment: &Payment) -> Result<(), Refusal> {
        if self.base.now() > payment.expires_at {
            return Err(Refusal::ClientSecretExpired {
                of: Object::Payment,
            });
        }
        Ok(())
    }
}
