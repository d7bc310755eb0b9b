//! The profile of a new object.

use std::sync::Arc;

use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::accounts::profile::{Profile, choose_profile};
use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::ProfileId;

use crate::AppError;
use crate::accounts::ports::ProfileStore;

/// Returns the named profile, else the merchant's default, else the one for the line of business, else the only one. Reads
/// all profiles only where no id decides.
///
/// # Errors
/// A profile that isn't the merchant's, and profiles of which nothing decides for one.
pub(crate) async fn chosen(
    store: &dyn ProfileStore,
    merchant: &MerchantAccount,
    named: Option<&ProfileId>,
    business: Option<(CountryCode, &str)>,
) -> Result<Arc<Profile>, AppError> {
    let decided = named.or(merchant.default_profile.as_ref());
    let profiles: Vec<Arc<Profile>> = match decided {
        Some(profile_id) => {
            let found = store.profile(&merchant.merchant_id, profile_id).await?;
            found.into_iter().collect()
        }
        None => {
            let all = store.profiles(&merchant.merchant_id).await?;
            all.into_iter().map(Arc::new).collect()
        }
    };
    let profile = choose_profile(named, merchant, business, &profiles)?;
    Ok(Arc::clone(profile))
}
