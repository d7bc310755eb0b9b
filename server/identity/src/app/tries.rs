//! Limits the tries to sign in, at all servers together.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::try_limit::TryLimit;

use super::AppError;
use super::sessions::SignedIn;
use super::sign_in::SignIns;

/// Seconds for which a place is remembered after a sign-in: 90 days.
const PLACE_SECONDS: i64 = 7_776_000;

/// The subject of a try. Each has its own count, so that no text that a stranger sends uses up another one's tries.
#[derive(Clone, Copy, Debug)]
pub enum TrySubject<'a> {
    /// A sign-in with this e-mail address.
    SignIn(&'a str),
    /// A sign-up with this e-mail address.
    SignUp(&'a str),
    /// The mail for this address that lets its user choose a password.
    PasswordMail(&'a str),
    /// A token that works once, of a link or of a begun sign-in.
    Token(&'a str),
    /// The password or codes of this signed-in user.
    User(&'a str),
    /// A new merchant account of this user.
    NewAccount(&'a str),
    /// An invitation by this user.
    Invitation(&'a str),
}

impl<'a> TrySubject<'a> {
    /// Returns the key by which tries are counted. All spellings of an address share it, and similar addresses of
    /// different users may share it too.
    pub fn key(self) -> String {
        let (kind, text) = match self {
            Self::SignIn(email) => ("sign_in", email),
            Self::SignUp(email) => ("sign_up", email),
            Self::PasswordMail(email) => ("forgot_password", email),
            Self::Token(token) => ("token", token),
            Self::User(user_id) => ("user", user_id),
            Self::NewAccount(user_id) => ("new_account", user_id),
            Self::Invitation(user_id) => ("team_invite", user_id),
        };
        // No kind contains a space, so the first one ends it.
        format!("{kind} {}", folded(text))
    }

    /// Returns the address whose user may have signed in from a known place.
    fn address(self) -> Option<&'a str> {
        match self {
            Self::SignIn(email) => Some(email),
            Self::SignUp(_)
            | Self::PasswordMail(_)
            | Self::Token(_)
            | Self::User(_)
            | Self::NewAccount(_)
            | Self::Invitation(_) => None,
        }
    }
}

impl SignIns {
    /// Counts a try before its result is known. `place` is its origin. Places where the user signed in before have
    /// their own tries, so that strangers can't use them up.
    ///
    /// # Errors
    /// [`Refusal::TooManyTries`]
    pub async fn count_try(&self, about: TrySubject<'_>, place: &str) -> Result<(), AppError> {
        let key = about.key();
        let from_place = self.tries_hash("tries_from_place", &key, place);
        self.count_one(&from_place, TryLimit::ACCOUNT_FROM_PLACE)
            .await?;
        let of_all = self.base.seal.fingerprint("tries", &key);
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

    /// Checks whether the user of an address has recently signed in from a place. Other subjects have no known places.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn is_known_place(
        &self,
        about: TrySubject<'_>,
        place: &str,
    ) -> Result<bool, AppError> {
        let Some(email) = about.address() else {
            return Ok(false);
        };
        let hash = self.tries_hash("known_place", &folded(email), place);
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
        let email = folded(user.personal.email.as_str());
        let hash = self.tries_hash("known_place", &email, place);
        let now = self.base.now();
        let until = now.plus_seconds(PLACE_SECONDS).unwrap_or(now);
        self.tries.remember_place(&hash, until).await
    }

    fn tries_hash(&self, scope: &str, key: &str, place: &str) -> String {
        // A place contains no line break.
        let text = format!("{place}\n{key}");
        self.base.seal.fingerprint(scope, &text)
    }
}

/// Returns the text in lower case, without spaces around it.
fn folded(text: &str) -> String {
    text.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_a_stranger_chooses_counts_for_its_own_subject_only() {
        let user = "user_1";
        let of_user = [
            TrySubject::User(user),
            TrySubject::NewAccount(user),
            TrySubject::Invitation(user),
        ]
        .map(TrySubject::key);
        // An address is any text, also the key of another subject.
        let texts = of_user.iter().map(String::as_str).chain([user]);
        for text in texts {
            for chosen in [
                TrySubject::SignIn(text),
                TrySubject::SignUp(text),
                TrySubject::PasswordMail(text),
                TrySubject::Token(text),
            ] {
                assert!(!of_user.contains(&chosen.key()), "{chosen:?}");
            }
        }
        let spelled = TrySubject::SignIn(" ADA@books.example").key();
        assert_eq!(spelled, TrySubject::SignIn("ada@books.example").key());
    }
}
