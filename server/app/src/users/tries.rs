//! How often one may try to sign in, at all servers together.

use multirail_domain::refusal::Refusal;
use multirail_domain::user::TryLimit;

use super::AppError;
use crate::App;

impl App {
    /// Counts a try about an account, whether it will be right or wrong. `about`: the address, or what else the account is known
    /// by; `place`: from where.
    ///
    /// # Errors
    /// [`Refusal::TooManyTries`]
    pub async fn count_try(&self, about: &str, place: &str) -> Result<(), AppError> {
        let about = about.trim().to_lowercase();
        // A line break is in no place.
        let from_place = format!("{place}\n{about}");
        for (scope, text, limit) in [
            ("tries_from_place", from_place, TryLimit::ACCOUNT_FROM_PLACE),
            ("tries", about, TryLimit::ACCOUNT),
        ] {
            let hash = self.seal.fingerprint(scope, &text);
            if let Some(wait_seconds) = self.store.count_try(&hash, limit, self.now()).await? {
                return Err(Refusal::TooManyTries { wait_seconds }.into());
            }
        }
        Ok(())
    }
}
