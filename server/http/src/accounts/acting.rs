//! Calls of a platform's secret key for a connected merchant, whom `X-Connected-Merchant-Id` names.

use http::{HeaderMap, HeaderValue};
use multirail_api::{ActsBy, ApiError, Authenticated, OpInfo, Principal};
use multirail_app::accounts::merchant_accounts::Merchants;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::refusal::Refusal;

use crate::platform::errors::{api_error, refused};

/// The header that names the connected merchant account.
pub(crate) const CONNECTED_HEADER: &str = "x-connected-merchant-id";

/// Returns the account for which a secret key of `caller` makes a call.
///
/// # Errors
/// 400 `IR_43` where the operation isn't for platforms, 401 `IR_44` where the key may not act for this account.
pub(crate) async fn merchant_of_call(
    merchants: &Merchants,
    operation: &OpInfo,
    caller: &MerchantId,
    named: &HeaderValue,
) -> Result<MerchantId, ApiError> {
    if !operation.for_platforms {
        return Err(refused(Refusal::NotForPlatforms));
    }
    let named = named.to_str().map_err(|_| refused(Refusal::NotActedFor))?;
    merchants.acted_for(caller, named).await.map_err(api_error)
}

/// Refuses the header from any caller other than a platform's secret key, so that no one's header is silently ignored.
///
/// # Errors
/// As [`merchant_of_call`].
pub(crate) fn check_heeded(
    operation: &OpInfo,
    headers: &HeaderMap,
    found: &Authenticated,
) -> Result<(), ApiError> {
    if !headers.contains_key(CONNECTED_HEADER) || acts_for_another(found) {
        return Ok(());
    }
    Err(refused(if operation.for_platforms {
        Refusal::NotActedFor
    } else {
        Refusal::NotForPlatforms
    }))
}

fn acts_for_another(found: &Authenticated) -> bool {
    match found {
        Authenticated::Principal(Principal::Merchant(merchant)) => match merchant.by {
            ActsBy::Platform { .. } => true,
            ActsBy::Key(_) | ActsBy::User(_) => false,
        },
        Authenticated::Principal(
            Principal::Anonymous
            | Principal::Admin(_)
            | Principal::Client(_)
            | Principal::Customer(_)
            | Principal::Subscriber(_)
            | Principal::User(_),
        )
        | Authenticated::Publishable { .. } => false,
    }
}
