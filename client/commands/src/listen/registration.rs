//! The webhook settings of a profile while `multirail listen` runs, and afterwards.

use multirail_client::types::{
    BusinessProfile, BusinessProfileUpdateRequest, PaymentStatus, WebhookDetailsRequest,
};
use multirail_client::{Client, Error};

use crate::failure::Failure;

/// A profile whose webhooks go to this machine.
pub(crate) struct Registration {
    url: String,
    profile: BusinessProfile,
    /// The merchant's settings, which are restored.
    settings: WebhookDetailsRequest,
}

impl Registration {
    /// Sets the address, and announces every status.
    pub(super) async fn make(
        client: &Client,
        profile: BusinessProfile,
        settings: WebhookDetailsRequest,
        url: String,
    ) -> Result<Self, Failure> {
        let details = WebhookDetailsRequest {
            webhook_url: Some(url.clone()),
            payment_statuses_enabled: Some(announced().collect()),
            refund_statuses_enabled: Some(Vec::new()),
            ..settings.clone()
        };
        let registration = Self {
            url,
            profile,
            settings,
        };
        match registration.set(client, details).await {
            Ok(()) => Ok(registration),
            Err(failure) => {
                // The change may have taken effect although its answer got lost. The first failure is the one to report.
                let _ = registration.undo(client).await;
                Err(failure)
            }
        }
    }

    /// Restores the merchant's settings, unless somebody has set another address meanwhile. Returns what was done.
    pub(crate) async fn undo(self, client: &Client) -> Result<String, Failure> {
        let profile_id = &self.profile.profile_id;
        let present = client.business_profiles_retrieve();
        let present = present
            .account_id(&self.profile.merchant_id)
            .profile_id(profile_id);
        let present = present.send().await.map_err(Error::from);
        let present = present.map_err(|error| Failure::call("the look at the profile", error))?;
        let present = present.into_inner().webhook_details.unwrap_or_default();
        if present.webhook_url.as_deref() != Some(&self.url) {
            return Ok(format!(
                "{profile_id} has another webhook address by now, which stays"
            ));
        }
        self.set(client, self.settings.clone()).await?;
        Ok(format!(
            "restored the former webhook settings of {profile_id}"
        ))
    }

    async fn set(&self, client: &Client, details: WebhookDetailsRequest) -> Result<(), Failure> {
        let body = BusinessProfileUpdateRequest::new().webhook_details(details);
        let call = client.business_profiles_update();
        let call = call
            .account_id(&self.profile.merchant_id)
            .profile_id(&self.profile.profile_id)
            .body(body);
        let set = call.send().await.map(drop).map_err(Error::from);
        set.map_err(|error| Failure::call("the change of the webhook settings", error))
    }
}

/// Returns every status of a payment that has an event.
fn announced() -> impl Iterator<Item = PaymentStatus> {
    PaymentStatus::ALL
        .iter()
        .filter(|one| has_event(one))
        .cloned()
}

fn has_event(status: &PaymentStatus) -> bool {
    match status {
        PaymentStatus::RequiresCustomerAction
        | PaymentStatus::RequiresMerchantAction
        | PaymentStatus::Processing
        | PaymentStatus::RequiresCapture
        | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
        | PaymentStatus::PartiallyCapturedAndCapturable
        | PaymentStatus::PartiallyCapturedAndProcessing
        | PaymentStatus::Succeeded
        | PaymentStatus::PartiallyCaptured
        | PaymentStatus::Failed
        | PaymentStatus::Cancelled
        | PaymentStatus::CancelledPostCapture
        | PaymentStatus::Conflicted
        | PaymentStatus::Expired => true,
        PaymentStatus::RequiresPaymentMethod
        | PaymentStatus::RequiresConfirmation
        | PaymentStatus::Unknown(_) => false,
    }
}
