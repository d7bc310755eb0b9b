//! The client secret of a subscription: `<subscription_id>_secret_` and 20 characters, derived from a key of ours like a payment's.
//! (Facts 6.2)

use multirail_app::AppError;
use multirail_billing_domain::subscription::{SECRET_SECONDS, Subscription};
use multirail_kernel::ids::{MerchantId, ProfileId, SubscriptionId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use subtle::ConstantTimeEq;

use super::{Named, SubscriptionReads};

impl SubscriptionReads {
    /// The subscription that a payer's client presents the secret of. Where the call doesn't name it, the secret does.
    ///
    /// # Errors
    /// A secret that is another's or of none; a subscription that is another profile's; a lapsed secret. In this order: without the
    /// secret nobody learns, by the answer or by its time, whether there is such a subscription.
    pub async fn of_client_secret(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        subscription_id: Option<&str>,
        presented: &str,
    ) -> Result<Subscription, AppError> {
        let mismatch = || AppError::from(Refusal::SubscriptionSecretMismatch);
        let named = match subscription_id {
            Some(named) => named,
            None => {
                let (named, _) = presented.rsplit_once("_secret_").ok_or_else(mismatch)?;
                named
            }
        };
        let named = SubscriptionId::parse(named).map_err(|_| mismatch())?;
        if !self.is_secret_of(merchant_id, &named, presented) {
            return Err(mismatch());
        }
        let found = self.of_profile(merchant_id, profile_id, &named).await;
        let found = found.map_err(|error| match error {
            // Where nothing names it, the secret is of none of the profile's.
            AppError::Refused(Refusal::UnknownSubscription { .. }) if subscription_id.is_none() => {
                mismatch()
            }
            error => error,
        })?;
        self.check_secret(&found, presented)?;
        Ok(found)
    }

    fn is_secret_of(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
        presented: &str,
    ) -> bool {
        let ours = self.secret_of(merchant_id, subscription_id);
        ours.expose().as_bytes().ct_eq(presented.as_bytes()).into()
    }

    async fn of_profile(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        subscription_id: &SubscriptionId,
    ) -> Result<Subscription, AppError> {
        let named = Named {
            merchant_id,
            profile_id,
            subscription_id,
        };
        Ok(self.standing(named).await?.subscription)
    }

    pub(super) fn secret(&self, subscription: &Subscription) -> SecretText {
        self.secret_of(&subscription.merchant_id, &subscription.subscription_id)
    }

    fn secret_of(&self, merchant_id: &MerchantId, subscription_id: &SubscriptionId) -> SecretText {
        let id = subscription_id.as_str();
        let end = self
            .base
            .seal
            .client_secret_suffix(merchant_id.as_str(), id);
        SecretText::new(format!("{id}_secret_{}", end.expose()))
    }

    /// Whether this is the subscription's secret, and still good.
    pub(super) fn check_secret(
        &self,
        subscription: &Subscription,
        presented: &str,
    ) -> Result<(), Refusal> {
        let Subscription {
            merchant_id,
            subscription_id,
            ..
        } = subscription;
        if !self.is_secret_of(merchant_id, subscription_id, presented) {
            return Err(Refusal::SubscriptionSecretMismatch);
        }
        let lapses = subscription.created_at.plus_seconds(SECRET_SECONDS);
        if lapses.is_some_and(|lapses| self.base.now() > lapses) {
            return Err(Refusal::ClientSecretExpired {
                of: Object::Subscription,
            });
        }
        Ok(())
    }
}
