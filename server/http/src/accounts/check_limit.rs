//! Limits how often credentials may be checked. Without a limit a stranger in a merchant's account could try stolen keys at
//! processors through this server.

use std::time::{Duration, Instant};

use multirail_api::{ActsBy, AdminOrMerchant, ApiError};

use crate::platform::errors::too_many_checks;
use crate::platform::rate_limit::{Asker, RateLimit};

/// The pause between checks and the burst, for one merchant account.
const CHECKS: (Duration, u32) = (Duration::from_secs(6), 20);

/// The checks at one server.
pub struct CheckLimit(RateLimit);

impl CheckLimit {
    pub fn new(now: Instant) -> Self {
        let (pause, burst) = CHECKS;
        Self(RateLimit::every(pause, burst, now))
    }

    /// Counts a check for a merchant account.
    ///
    /// # Errors
    /// 429 `MR_03`.
    pub(crate) fn take(&self, merchant_id: &str, now: Instant) -> Result<(), ApiError> {
        let taken = self.0.take(Asker::merchant(merchant_id), now);
        taken.map_err(too_many_checks)
    }

    /// Counts a check for an account, stored or new, if a user wants it. Keys have their own rate limit.
    ///
    /// # Errors
    /// 429 `MR_03`.
    pub(crate) fn take_for_user(
        &self,
        caller: &AdminOrMerchant,
        now: Instant,
    ) -> Result<(), ApiError> {
        match caller {
            AdminOrMerchant::Admin(_) => Ok(()),
            AdminOrMerchant::Merchant(merchant) => match merchant.by {
                ActsBy::User(_) => self.take(&merchant.merchant_id, now),
                ActsBy::Key(_) | ActsBy::Platform { .. } => Ok(()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use multirail_api::{Admin, Merchant};

    use super::*;

    #[test]
    fn a_merchant_account_has_twenty_checks_at_once_and_then_one_each_six_seconds() {
        let start = Instant::now();
        let limit = CheckLimit::new(start);
        let checks = |merchant_id: &str, after: u64| {
            let now = start + Duration::from_secs(after);
            let checks = (0..100).map(|_| limit.take(merchant_id, now).is_ok());
            checks.take_while(|is_let| *is_let).count()
        };
        assert_eq!(checks("bookshop", 0), 20);
        assert_eq!(checks("florist", 0), 20);
        assert_eq!(checks("bookshop", 5), 0);
        assert_eq!(checks("bookshop", 12), 2);
        let refused = limit.take("florist", start).expect_err("too many");
        assert_eq!((refused.status.as_u16(), refused.code), (429, "MR_03"));
    }

    #[test]
    fn accounts_are_checked_without_limit_by_keys() {
        let start = Instant::now();
        let limit = CheckLimit::new(start);
        let checks = |caller: AdminOrMerchant| {
            let checks = (0..30).map(|_| limit.take_for_user(&caller, start).is_ok());
            checks.take_while(|is_let| *is_let).count()
        };
        let merchant = |by: ActsBy| {
            AdminOrMerchant::Merchant(Merchant {
                merchant_id: "bookshop".to_owned(),
                profile_id: None,
                by,
                closed: Vec::new(),
            })
        };
        assert_eq!(checks(AdminOrMerchant::Admin(Admin::default())), 30);
        assert_eq!(checks(merchant(ActsBy::Key("snd_1".to_owned()))), 30);
        assert_eq!(checks(merchant(ActsBy::User("user_1".to_owned()))), 20);
    }
}
