//! The client secret: `<payment_id>_secret_` and 20 characters, derived from a key of ours, so it is never stored.
//! (Specification 5, 8)

use multirail_domain::ids::{MerchantId, PaymentId};
use multirail_domain::payment::Payment;
use multirail_domain::refusal::{Object, Refusal};
use multirail_domain::secret::SecretText;
use multirail_domain::session::SdkAuthorization;
use subtle::ConstantTimeEq;

use super::super::{App, AppError};

impl App {
    pub(super) fn client_secret(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> SecretText {
        let end = self
            .seal
            .client_secret_suffix(merchant_id.as_str(), payment_id.as_str());
        SecretText::new(format!("{payment_id}_secret_{}", end.expose()))
    }

    /// The payment that a client secret is of, which says so itself.
    ///
    /// # Errors
    /// A secret of no payment, a lapsed secret.
    pub async fn payment_of_client_secret(
        &self,
        merchant_id: &MerchantId,
        presented: &str,
    ) -> Result<Payment, AppError> {
        let mismatch = || AppError::from(Refusal::ClientSecretMismatch);
        let (payment_id, _) = presented.rsplit_once("_secret_").ok_or_else(mismatch)?;
        let payment_id = PaymentId::parse(payment_id).map_err(|_| mismatch())?;
        let checked = self.check_client_secret(merchant_id, &payment_id, presented);
        checked.await.map_err(|error| match error {
            AppError::Refused(Refusal::NotFound { .. }) => mismatch(),
            error => error,
        })
    }

    /// The secret and the merchant's publishable key in one text.
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

    /// Checks what a payer's client presents for a payment.
    ///
    /// # Errors
    /// Unknown payment, another secret, a lapsed secret; in this order, so that nobody without the secret learns more.
    pub async fn check_client_secret(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        presented: &str,
    ) -> Result<Payment, AppError> {
        let payment = self.load(merchant_id, payment_id).await?;
        self.check_presented(&payment, presented)?;
        Ok(payment)
    }

    /// Whether this is the payment's secret, and still good.
    pub(super) fn check_presented(
        &self,
        payment: &Payment,
        presented: &str,
    ) -> Result<(), Refusal> {
        let ours = self.client_secret(&payment.merchant_id, &payment.payment_id);
        let same: bool = ours.expose().as_bytes().ct_eq(presented.as_bytes()).into();
        if !same {
            return Err(Refusal::ClientSecretMismatch);
        }
        if self.now() > payment.expires_at {
            return Err(Refusal::ClientSecretExpired {
                of: Object::Payment,
            });
        }
        Ok(())
    }
}
