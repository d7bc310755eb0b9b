//! Limits the tries to sign in, at all servers together.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::try_limit::TryLimit;

use super::AppError;
use super::sessions::SignedIn;
use super::sign_in::SignIns;

/// Seconds for which a place is remembered after a sign-in: 90 days.
const PLACE_SECONDS: i64 = 7_776_000;

impl SignIns {
    /// Counts a try for an account before its result is known. `about` is the address or another name of the account,
    /// `place` the origin. Places where the user signed in before have their own tries, so that strangers can't use
    /// them up.
    ///
    /// # Errors
    /// [`Refusal::TooManyTries`]
    pub async fn count_try(&self, about: &str, place: &str) -> Result<(), AppError> {
        let from_place = self.tries_hash("tries_from_place", about, place);
        self.count_one(&from_place, TryLimit::ACCOUNT_FROM_PLACE)
            .await?;
        let of_all = self.base.seal.fingerprint("tries", &folded(about));
        match self.count_one(&of_all, TryLimit::ACCOUNT).await {
            Err(AppError::Refused(refusal)) => match self.is_known_place(about, place).await? {
                true => Ok(()),
                false => Err(refusal.into()),
            },
            counted => counted,
        }
    }

    async fn count_one(&self, hash: &str, limit: TryLimit) -> Result<(), AppError> {
        match self.tries.count_try(hash, limit, self.base.now()).await? {
            Some(wait_seconds) => Err(Refusal::TooManyTries { wait_seconds }.into()),
            None => Ok(()),
        }
    }

    /// Checks whether the user of an address has recently signed in from a place.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn is_known_place(&self, email: &str, place: &str) -> Result<bool, AppError> {
        let hash = self.tries_hash("known_place", email, place);
        Ok(self.tries.is_known_place(&hash, self.base.now()).await?)
    }

    /// Remembers the place of a sign-in. A failure doesn't affect the sign-in.
    pub async fn remember_place(&self, signed_in: &SignedIn, place: &str) {
        if let Err(error) = self.store_place(signed_in, place).await {
            tracing::debug!(%error, "the place of a sign-in could not be remembered");
        }
    }

    async fn store_place(&self, signed_in: &SignedIn, place: &str) -> Result<(), StoreFailure> {
        let Some(user) = self.store.user(&signed_in.session.user_id).await? else {
            return Ok(());
        };
        let hash = self.tries_hash("known_place", user.personal.email.as_str(), place);
        let now = self.base.now();
        let until = now.plus_seconds(PLACE_SECONDS).unwrap_or(now);
        self.tries.remember_place(&hash, until).await
    }

    fn tries_hash(&self, scope: &str, about: &str, place: &str) -> String {
        // A place contains no line break.
        let text = format!("{place}\n{}", folded(about));
        self.base.seal.fingerprint(scope, &text)
    }
}

/// Returns the key by which tries are counted. All spellings of an address share it, and similar addresses of different
/// users may share it too.
fn folded(about: &str) -> String {
    about.trim().to_lowercase()
}
