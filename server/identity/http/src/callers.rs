//! Converts signed-in users between the operations and the use cases.

use multirail_api::{ApiError, User};
use multirail_identity::app::UserCaller;
use multirail_identity_domain::Role;
use multirail_kernel::ids::{MerchantId, OrganizationId, ProfileId, SessionId, UserId};

/// Converts the caller for the use cases. Authentication has read all its members from the store.
pub(crate) fn user(caller: &User) -> Result<UserCaller, ApiError> {
    let ours = |_| ApiError::internal("a sign-in names what is no id");
    let profile_id = caller.profile_id.as_deref().map(ProfileId::parse);
    Ok(UserCaller {
        session_id: SessionId::parse(&caller.session_id).map_err(ours)?,
        user_id: UserId::parse(&caller.user_id).map_err(ours)?,
        organization_id: OrganizationId::parse(&caller.organization_id).map_err(ours)?,
        merchant_id: MerchantId::parse(&caller.merchant_id).map_err(ours)?,
        profile_id: profile_id.transpose().map_err(ours)?,
        role: match caller.role {
            multirail_api::Role::OrgAdmin => Role::OrgAdmin,
            multirail_api::Role::MerchantAdmin => Role::MerchantAdmin,
            multirail_api::Role::MerchantDeveloper => Role::MerchantDeveloper,
            multirail_api::Role::MerchantOperator => Role::MerchantOperator,
            multirail_api::Role::MerchantViewOnly => Role::MerchantViewOnly,
        },
        lacks_second_factor: caller.lacks_second_factor,
    })
}

/// Converts the caller for the operations.
pub(crate) fn principal(caller: UserCaller) -> User {
    User {
        user_id: caller.user_id.to_string(),
        session_id: caller.session_id.to_string(),
        organization_id: caller.organization_id.to_string(),
        merchant_id: caller.merchant_id.to_string(),
        profile_id: caller.profile_id.map(|id| id.to_string()),
        narrowed_to: None,
        lacks_second_factor: caller.lacks_second_factor,
        role: match caller.role {
            Role::OrgAdmin => multirail_api::Role::OrgAdmin,
            Role::MerchantAdmin => multirail_api::Role::MerchantAdmin,
            Role::MerchantDeveloper => multirail_api::Role::MerchantDeveloper,
            Role::MerchantOperator => multirail_api::Role::MerchantOperator,
            Role::MerchantViewOnly => multirail_api::Role::MerchantViewOnly,
        },
    }
}
