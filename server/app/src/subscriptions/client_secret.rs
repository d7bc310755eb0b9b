//! The client secret of a subscription: `<subscription_id>_secret_` and 20 characters, derived from a key of ours like a payment's.
//! (Facts 6.2)

use multirail_domain::ids::{MerchantId, ProfileId, SubscriptionId};
use multirail_domain::refusal::{Object, Refusal};
use multirail_domain::secret::SecretText;
use multirail_domain::subscription::{SECRET_SECONDS, Subscription};
use subtle::ConstantTimeEq;

use super::super::{App, AppError};
use super::Named;

impl App {
    /// The subscription that a payer's client presents the secret of. Where the call doesn't name it, the secret does.
    ///
    /// # Errors
    /// One that is named and unknown, or another profile's; a secret that is another's, of none or of another profile's; a lapsed
    /// secret. In this order, so that nobody without the secret learns more.
    pub async fn subscription_of_client_secret(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        subscription_id: Option<&str>,
        presented: &str,
    ) -> Result<Subscription, AppError> {
        let mismatch = || AppError::from(Refusal::SubscriptionSecretMismatch);
        let found = match subscription_id {
            Some(named) => {
                let named = SubscriptionId::parse(named).map_err(|_| {
                    AppError::from(Refusal::UnknownSubscription {
                        id: named.to_owned(),
                    })
                })?;
                self.own_subscription(merchant_id, profile_id, &named)
                    .await?
            }
            None => {
                let (named, _) = presented.rsplit_once("_secret_").ok_or_else(mismatch)?;
                let named = SubscriptionId::parse(named).map_err(|_| mismatch())?;
                let found = self.own_subscription(merchant_id, profile_id, &named).await;
                found.map_err(|error| match error {
                    AppError::Refused(Refusal::UnknownSubscription { .. }) => mismatch(),
                    error => error,
                })?
            }
        };
        self.check_subscription_secret(&found, presented)?;
        Ok(found)
    }

    async fn own_subscription(
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
        Ok(self.subscription_standing(named).await?.subscription)
    }

    pub(super) fn subscription_secret(&self, subscription: &Subscription) -> SecretText {
        let id = subscription.subscription_id.as_str();
        let end = self
            .seal
            .client_secret_suffix(subscription.merchant_id.as_str(), id);
        SecretText::new(format!("{id}_secret_{}", end.expose()))
    }

    /// Whether this is the subscription's secret, and still good.
    pub(super) fn check_subscription_secret(
        &self,
        subscription: &Subscription,
        presented: &str,
    ) -> Result<(), Refusal> {
        let ours = self.subscription_secret(subscription);
        let same: bool = ours.expose().as_bytes().ct_eq(presented.as_bytes()).into();
        if !same {
            return Err(Refusal::SubscriptionSecretMismatch);
        }
        let lapses = subscription.created_at.plus_seconds(SECRET_SECONDS);
        if lapses.is_some_and(|lapses| self.now() > lapses) {
            return Err(Refusal::ClientSecretExpired {
                of: Object::Subscription,
            });
        }
        Ok(())
    }
}
