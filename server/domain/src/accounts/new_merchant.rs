//! Creation of a merchant account together with its first profiles.

use multirail_kernel::environment::Environment;
use multirail_kernel::random::{Random, alphanumeric};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde_json::Map;

use crate::accounts::api_key::publishable_key;
use crate::accounts::merchant::{
    MerchantAccount, MerchantAccountType, MerchantSecrets, NewMerchantAccount,
};
use crate::accounts::organization::{Organization, OrganizationType};
use crate::accounts::profile::{NewProfile, Profile};

/// A new merchant account with its first profiles.
#[derive(Clone, Debug, PartialEq)]
pub struct NewMerchant {
    pub account: MerchantAccount,
    /// One profile named `default`, or one for each line of business.
    pub profiles: Vec<Profile>,
}

impl MerchantAccount {
    /// Creates an account in `organization` with its profiles. A single profile becomes the default one. The store checks that
    /// the id is free. `is_first`: the organization has no account yet.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a type that the organization doesn't allow. Settings have their own refusals.
    pub fn create(
        input: NewMerchantAccount,
        organization: &Organization,
        is_first: bool,
        environment: Environment,
        now: Timestamp,
        random: &dyn Random,
    ) -> Result<NewMerchant, Refusal> {
        let blank = MerchantAccount {
            merchant_id: input.merchant_id,
            organization_id: organization.organization_id.clone(),
            merchant_account_type: account_type(
                input.merchant_account_type,
                organization.organization_type,
                is_first,
            )?,
            merchant_name: None,
            publishable_key: publishable_key(environment, random),
            default_profile: None,
            return_url: None,
            webhook: None,
            enable_payment_response_hash: false,
            redirect_to_merchant_with_http_post: false,
            primary_business_details: Vec::new(),
            notes: Map::new(),
            deleted_at: None,
            secrets: MerchantSecrets {
                payment_response_hash_key: Some(SecretText::new(alphanumeric(random, 64))),
                webhook_password: None,
                unread: UnreadMembers::default(),
            },
            version: 0,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        };
        let mut account = blank.update(input.settings, &[], now)?;
        let profiles = account.first_profiles(now, random)?;
        if let [only] = profiles.as_slice() {
            account.default_profile = Some(only.profile_id.clone());
        }
        Ok(NewMerchant { account, profiles })
    }

    fn first_profiles(&self, now: Timestamp, random: &dyn Random) -> Result<Vec<Profile>, Refusal> {
        let mut names: Vec<String> = Vec::new();
        for detail in &self.primary_business_details {
            let name = format!("{}_{}", detail.country, detail.business);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            names.push("default".to_owned());
        }
        // Creation times are a microsecond apart, so that lists show the profiles in the order in which they were named.
        let profile = |(place, name): (i64, String)| {
            let input = NewProfile {
                profile_name: Some(name),
                ..NewProfile::default()
            };
            let moment = Timestamp::from_micros(now.as_micros() + place);
            Profile::create(input, self, moment, random)
        };
        (0..).zip(names).map(profile).collect()
    }
}

/// Decides the type of a new account. A standard organization has only standard accounts. In a platform organization the first
/// account is the platform, and no other account can be.
pub(crate) fn account_type(
    asked: Option<MerchantAccountType>,
    organization: OrganizationType,
    is_first: bool,
) -> Result<MerchantAccountType, Refusal> {
    let refused = |reason: &str| {
        Err(Refusal::invalid_value(format!(
            "merchant_account_type: {reason}"
        )))
    };
    match (organization, is_first, asked) {
        (_, _, Some(MerchantAccountType::Platform)) => refused(
            "platform can't be asked for, the first account of a platform organization is it",
        ),
        (OrganizationType::Platform, true, _) => Ok(MerchantAccountType::Platform),
        (OrganizationType::Platform, false, asked) => {
            Ok(asked.unwrap_or(MerchantAccountType::Standard))
        }
        (OrganizationType::Standard, _, Some(MerchantAccountType::Connected)) => {
            refused("only a platform organization has connected accounts")
        }
        (OrganizationType::Standard, _, None | Some(MerchantAccountType::Standard)) => {
            Ok(MerchantAccountType::Standard)
        }
    }
}
