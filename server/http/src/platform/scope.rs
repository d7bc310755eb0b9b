//! The objects that a caller may reach: those of its own merchant account, and of one profile where the call is
//! narrowed.

use multirail_api::{
    ActsBy, AdminOrMerchant, AdminOrUser, ApiError, Merchant, MerchantOrSubscriber, User,
};
use multirail_kernel::ids::{MerchantId, OrganizationId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};

use super::errors::refused;

/// Returns the path's merchant account; a secret key reaches only its own.
///
/// # Errors
/// 401 `IR_01` for another merchant's account, 404 for an invalid account id.
pub(crate) fn own_account(
    caller: &AdminOrMerchant,
    account_id: &str,
) -> Result<MerchantId, ApiError> {
    match caller {
        AdminOrMerchant::Admin(_) => any_account(account_id),
        AdminOrMerchant::Merchant(merchant) => merchants_account(merchant, account_id),
    }
}

/// As [`own_account`], for operations that take only a secret key.
pub(crate) fn merchants_account(
    caller: &Merchant,
    account_id: &str,
) -> Result<MerchantId, ApiError> {
    if caller.merchant_id == account_id {
        return any_account(account_id);
    }
    if let ActsBy::User(_) = caller.by {
        return Err(not_the_users_account());
    }
    let mut error = ApiError::unauthorized();
    error.message = "This key is not one of the merchant account that the path names.".to_owned();
    Err(error)
}

/// Returns the path's merchant account; a user reaches only the one they act in.
///
/// # Errors
/// 403 `IR_22` for another merchant's account, 404 for an invalid account id.
pub(crate) fn users_account(
    caller: &AdminOrUser,
    account_id: &str,
) -> Result<MerchantId, ApiError> {
    match caller {
        AdminOrUser::Admin(_) => any_account(account_id),
        AdminOrUser::User(user) if user.merchant_id == account_id => any_account(account_id),
        AdminOrUser::User(_) => Err(not_the_users_account()),
    }
}

/// Returns the path's organization; a user reaches only the one they act in.
///
/// # Errors
/// 403 `IR_22` for another organization, 404 for an invalid organization id.
pub(crate) fn users_organization(
    caller: &AdminOrUser,
    organization_id: &str,
) -> Result<OrganizationId, ApiError> {
    if let AdminOrUser::User(user) = caller
        && user.organization_id != organization_id
    {
        let message = "You act in another organization than the one that the path names.";
        return Err(ApiError::not_allowed(message));
    }
    OrganizationId::parse(organization_id).map_err(|_| not_found(Object::Organization))
}

fn not_the_users_account() -> ApiError {
    ApiError::not_allowed("You act in another merchant account than the one that the path names.")
}

/// Returns the path's merchant account, for the operator.
pub fn any_account(account_id: &str) -> Result<MerchantId, ApiError> {
    MerchantId::parse(account_id).map_err(|_| not_found(Object::MerchantAccount))
}

/// Returns the merchant of a key. Stored keys have valid ids.
pub(crate) fn merchant_id(of_key: &str) -> Result<MerchantId, ApiError> {
    MerchantId::parse(of_key).map_err(|_| ApiError::internal("a key belongs to no merchant id"))
}

/// Returns the one profile that the call is narrowed to.
pub(crate) fn narrowed(caller: &AdminOrMerchant) -> Option<ProfileId> {
    match caller {
        AdminOrMerchant::Admin(admin) => found_profile(admin.profile_id.as_deref()),
        AdminOrMerchant::Merchant(merchant) => merchants_profile(merchant),
    }
}

/// As [`narrowed`], for operations that take only a secret key.
pub(crate) fn merchants_profile(caller: &Merchant) -> Option<ProfileId> {
    found_profile(caller.profile_id.as_deref())
}

pub(crate) fn found_profile(profile_id: Option<&str>) -> Option<ProfileId> {
    // Authentication found this profile in the store.
    Some(ProfileId::parse(profile_id?).expect("an id that was found is an id"))
}

/// Returns the merchant account in which a user acts, and the one profile that the call is narrowed to.
///
/// # Errors
/// A sign-in that names no valid merchant id.
pub fn users_scope(caller: &User) -> Result<(MerchantId, Option<ProfileId>), ApiError> {
    let profile_id = found_profile(caller.narrowed_to.as_deref());
    Ok((merchant_id(&caller.merchant_id)?, profile_id))
}

/// Returns the merchant's profile of a call that has to name one.
///
/// # Errors
/// 400 `IR_04` where the header is missing.
pub fn profile_named(caller: &Merchant) -> Result<(MerchantId, ProfileId), ApiError> {
    let merchant_id = merchant_id(&caller.merchant_id)?;
    let profile_id = merchants_profile(caller);
    let profile_id = profile_id.ok_or_else(|| refused(Refusal::missing("X-Profile-Id")))?;
    Ok((merchant_id, profile_id))
}

/// As [`profile_named`], also for a payer's client, whose subscription names the profile.
pub fn profile_named_by(
    caller: &MerchantOrSubscriber,
) -> Result<(MerchantId, ProfileId), ApiError> {
    match caller {
        MerchantOrSubscriber::Merchant(merchant) => profile_named(merchant),
        MerchantOrSubscriber::Subscriber(subscriber) => {
            let profile_id = ProfileId::parse(&subscriber.profile_id)
                .map_err(|_| ApiError::internal("a subscription belongs to no profile id"))?;
            Ok((merchant_id(&subscriber.merchant_id)?, profile_id))
        }
    }
}

/// Returns 404 for an invalid id.
pub fn not_found(object: Object) -> ApiError {
    refused(Refusal::not_found(object))
}

#[cfg(test)]
mod tests {
    use multirail_api::Admin;

    use super::*;

    fn merchant(profile_id: Option<&str>) -> AdminOrMerchant {
        AdminOrMerchant::Merchant(Merchant {
            merchant_id: "bookshop".to_owned(),
            profile_id: profile_id.map(str::to_owned),
            by: ActsBy::Key("snd_1".to_owned()),
            closed: Vec::new(),
        })
    }

    #[test]
    fn a_key_opens_its_own_account_only() {
        let own = own_account(&merchant(None), "bookshop").expect("its own");
        assert_eq!(own.as_str(), "bookshop");
        let error = own_account(&merchant(None), "flower_shop").expect_err("another's");
        assert_eq!((error.status.as_u16(), error.code), (401, "IR_01"));
        let admin = AdminOrMerchant::Admin(Admin::default());
        assert!(own_account(&admin, "flower_shop").is_ok());
    }

    #[test]
    fn a_key_may_be_narrowed_to_a_profile() {
        assert_eq!(narrowed(&merchant(None)), None);
        let profile = narrowed(&merchant(Some("pro_1"))).expect("a profile");
        assert_eq!(profile.as_str(), "pro_1");
        let operator = |profile_id: Option<&str>| {
            let profile_id = profile_id.map(str::to_owned);
            AdminOrMerchant::Admin(Admin {
                profile_id,
                ..Admin::default()
            })
        };
        assert_eq!(narrowed(&operator(None)), None);
        assert_eq!(narrowed(&operator(Some("pro_1"))), Some(profile));
    }
}
