//! The client secret of a subscription: `<subscription_id>_secret_` and 20 characters. It is derived from a key of the
//! server like a payment's secret. (Facts 6.2)

use multirail_app::AppError;
use multirail_billing_domain::subscription::{SECRET_SECONDS, Subscription};
use multirail_kernel::ids::{MerchantId, ProfileId, SubscriptionId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use subtle::ConstantTimeEq;

use super::{Named, SubscriptionReads};

impl SubscriptionReads {
    /// Returns the subscription that belongs to the presented secret. If the call doesn't name a subscription, the
    /// secret names it.
    ///
    /// # Errors
    /// A secret that doesn't match; a subscription of another profile; an expired secret. The checks have this order so
    /// that callers without the secret can't learn, by answer or timing, whether a subscription exists.
    pub async fn by_client_secret(
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
            // Without a named subscription, the secret belongs to none of the profile's.
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
            profile_id: Some(profile_id),
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

    /// Checks that the secret is the subscription's and hasn't expired.
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
