//! Business profiles. `scope` is the one profile that a call is narrowed to; others don't exist for it.

use multirail_domain::ids::{MerchantId, ProfileId};
use multirail_domain::merchant::{MerchantAccount, MerchantAccountUpdate};
use multirail_domain::profile::{NewProfile, Profile, ProfileUpdate};
use multirail_domain::refusal::{Object, Refusal};
use multirail_domain::webhook_settings::WebhookSettingsInput;

use super::idempotency::Made;
use super::merchant_accounts::DECISIONS;
use super::{App, AppError, Origin};
use crate::ports::store::duplicate;
use crate::ports::{Change, CommitError};

impl App {
    /// Adds a profile. It becomes the merchant's default where there is none.
    ///
    /// # Errors
    /// An unknown merchant account, a name that is taken, whatever is wrong with the members.
    pub async fn create_profile(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        input: NewProfile,
    ) -> Result<Profile, AppError> {
        for _ in 0..DECISIONS {
            let merchant = self.merchant_account(merchant_id).await?;
            self.check_webhook_target(input.webhook.as_ref())?;
            let now = self.now();
            let mut profile = Profile::create(input.clone(), &merchant, now, self.random.as_ref())?;
            let mut changes = vec![Change::InsertProfile(profile.clone())];
            if merchant.default_profile.is_none() {
                let with_default = make_default(&merchant, &profile)?;
                changes.push(Change::UpdateMerchant(with_default));
            }
            self.claim_and_answer(
                origin,
                profile.profile_id.as_str(),
                Made::Profile(&profile),
                &mut changes,
            );
            let change_set = self.change_set(origin, Some(merchant_id), changes);
            match self.store.commit(change_set).await {
                Ok(()) => {
                    profile.version = 1;
                    return Ok(profile);
                }
                Err(CommitError::Conflict) => {}
                Err(error) => return Err(name_taken(&profile, error)),
            }
        }
        Err(Refusal::Busy.into())
    }

    /// Every profile of the merchant, oldest first.
    ///
    /// # Errors
    /// An unknown merchant account.
    pub async fn list_profiles(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
    ) -> Result<Vec<Profile>, AppError> {
        self.merchant_account(merchant_id).await?;
        let mut profiles = self.store.profiles(merchant_id).await?;
        profiles.retain(|profile| is_in(scope, &profile.profile_id));
        Ok(profiles)
    }

    /// One profile.
    ///
    /// # Errors
    /// An unknown merchant account or profile.
    pub async fn retrieve_profile(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        scope: Option<&ProfileId>,
    ) -> Result<Profile, AppError> {
        self.merchant_account(merchant_id).await?;
        self.store
            .profile(merchant_id, profile_id)
            .await?
            .filter(|profile| is_in(scope, &profile.profile_id))
            .ok_or_else(|| Refusal::not_found(Object::BusinessProfile).into())
    }

    /// Changes what is given.
    ///
    /// # Errors
    /// As for [`App::create_profile`], and an unknown profile.
    pub async fn update_profile(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        scope: Option<&ProfileId>,
        update: ProfileUpdate,
    ) -> Result<Profile, AppError> {
        for _ in 0..DECISIONS {
            let profile = self
                .retrieve_profile(merchant_id, profile_id, scope)
                .await?;
            self.check_webhook_target(update.webhook.as_ref())?;
            let updated = profile.update(update.clone(), self.now())?;
            let mut changes = vec![Change::UpdateProfile(updated.clone())];
            self.claim_and_answer(
                origin,
                profile_id.as_str(),
                Made::Profile(&updated),
                &mut changes,
            );
            let change_set = self.change_set(origin, Some(merchant_id), changes);
            match self.store.commit(change_set).await {
                Ok(()) => return Ok(updated),
                Err(CommitError::Conflict) => {}
                Err(error) => return Err(name_taken(&updated, error)),
            }
        }
        Err(Refusal::Busy.into())
    }

    /// Whether deliveries may be sent where these settings say, as far as that can be told without asking a resolver.
    pub(super) fn check_webhook_target(
        &self,
        settings: Option<&WebhookSettingsInput>,
    ) -> Result<(), Refusal> {
        let url = settings.and_then(|settings| settings.webhook_url.as_deref());
        url.map_or(Ok(()), |url| {
            let targets = &self.settings.webhook_targets;
            targets.check_setting("webhook_details.webhook_url", url)
        })
    }
}

/// Whether an object of this profile exists for a call that may be narrowed to one.
pub(super) fn is_in(scope: Option<&ProfileId>, profile_id: &ProfileId) -> bool {
    scope.is_none_or(|only| only == profile_id)
}

fn make_default(merchant: &MerchantAccount, profile: &Profile) -> Result<MerchantAccount, Refusal> {
    let update = MerchantAccountUpdate {
        default_profile: Some(profile.profile_id.clone()),
        ..MerchantAccountUpdate::default()
    };
    let profiles = std::slice::from_ref(&profile.profile_id);
    merchant.update(update, profiles, profile.created_at)
}

fn name_taken(profile: &Profile, error: CommitError) -> AppError {
    match error {
        CommitError::Duplicate(duplicate::PROFILE_NAME) => profile.duplicate().into(),
        CommitError::Duplicate(_) | CommitError::Conflict | CommitError::Failed(_) => {
            AppError::of_commit(error)
        }
    }
}
