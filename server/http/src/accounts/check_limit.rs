//! Limits how often credentials may be checked. Without a limit a stranger in a merchant's account could try stolen keys at
//! processors through this server.

use std::time::{Duration, Instant};

use multirail_api::{ActsBy, AdminOrMerchant, ApiError, Merchant};

use crate::Context;
use crate::platform::errors::{api_error, too_many_checks};
use crate::platform::rate_limit::{Asker, RateLimit};
use crate::platform::scope;

/// The pause between checks and the burst, for one organization and for one user.
const CHECKS: (Duration, u32) = (Duration::from_secs(6), 20);

/// The checks at one server.
pub struct CheckLimit(RateLimit);

impl CheckLimit {
    pub fn new(now: Instant) -> Self {
        let (pause, burst) = CHECKS;
        Self(RateLimit::every(pause, burst, now))
    }

    /// Counts a check for an organization, because users make further merchant accounts and keys in it. A user makes further
    /// organizations too, so their checks also count for themselves.
    ///
    /// # Errors
    /// 429 `MR_03`.
    fn take(&self, organization_id: &str, by: &ActsBy, now: Instant) -> Result<(), ApiError> {
        let user = match by {
            ActsBy::User(user_id) => Some(Asker::user(user_id)),
            ActsBy::Key(_) | ActsBy::Platform { .. } => None,
        };
        let organization = Asker::organization(organization_id);
        let mut askers = user.into_iter().chain([organization]);
        // A refusal takes no token of either.
        let is_free = askers
            .clone()
            .try_for_each(|asker| self.0.check(asker, now));
        let taken = is_free.and_then(|()| askers.try_for_each(|asker| self.0.take(asker, now)));
        taken.map_err(too_many_checks)
    }
}

/// Counts a check of credentials, stored or new, by a merchant's key or user.
///
/// # Errors
/// 429 `MR_03`, and a store that fails.
pub(crate) async fn count_check(context: &Context, caller: &Merchant) -> Result<(), ApiError> {
    let merchant_id = scope::merchant_id(&caller.merchant_id)?;
    let account = context.services.merchants.find(&merchant_id).await;
    let organization_id = &account.map_err(api_error)?.organization_id;
    let limit = &context.credential_checks;
    limit.take(organization_id.as_str(), &caller.by, Instant::now())
}

/// Counts a check as [`count_check`] does. The operator's checks don't count.
///
/// # Errors
/// 429 `MR_03`, and a store that fails.
pub(crate) async fn count_check_by(
    context: &Context,
    caller: &AdminOrMerchant,
) -> Result<(), ApiError> {
    match caller {
        AdminOrMerchant::Admin(_) => Ok(()),
        AdminOrMerchant::Merchant(merchant) => count_check(context, merchant).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of checks that are let through at once, some seconds after the start.
    fn checks(limit: &CheckLimit, organization: &str, by: &ActsBy, now: Instant) -> usize {
        let checks = (0..100).map(|_| limit.take(organization, by, now).is_ok());
        checks.take_while(|is_let| *is_let).count()
    }

    #[test]
    fn an_organization_has_twenty_checks_at_once_and_then_one_each_six_seconds() {
        let start = Instant::now();
        let limit = CheckLimit::new(start);
        let at = |after: u64| start + Duration::from_secs(after);
        let key = |name: &str| ActsBy::Key(name.to_owned());
        assert_eq!(checks(&limit, "org_books", &key("snd_1"), at(0)), 20);
        assert_eq!(checks(&limit, "org_flowers", &key("snd_2"), at(0)), 20);
        // Another key is no way around it.
        assert_eq!(checks(&limit, "org_books", &key("snd_3"), at(5)), 0);
        assert_eq!(checks(&limit, "org_books", &key("snd_3"), at(12)), 2);
        let refused = limit.take("org_flowers", &key("snd_2"), start);
        let refused = refused.expect_err("too many");
        assert_eq!((refused.status.as_u16(), refused.code), (429, "MR_03"));
    }

    #[test]
    fn another_organization_gives_a_user_no_further_checks() {
        let start = Instant::now();
        let limit = CheckLimit::new(start);
        let user = |name: &str| ActsBy::User(name.to_owned());
        assert_eq!(checks(&limit, "org_books", &user("user_1"), start), 20);
        assert_eq!(checks(&limit, "org_flowers", &user("user_1"), start), 0);
        // The refused checks took nothing from the organization.
        assert_eq!(checks(&limit, "org_flowers", &user("user_2"), start), 20);
        assert_eq!(checks(&limit, "org_books", &user("user_3"), start), 0);
    }
}
