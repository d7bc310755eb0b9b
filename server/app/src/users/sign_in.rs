//! Signing in.

use multirail_domain::refusal::Refusal;
use multirail_domain::secret::SecretText;
use multirail_domain::user::Email;

use super::sessions::SignedIn;
use super::{AppError, Visit};
use crate::App;
use crate::caller::Origin;
use crate::ports::Actor;

impl App {
    /// Signs a user in by address and password. Whether nobody has the address or the password is another one can't be
    /// told from the answer nor from the time that it takes.
    ///
    /// # Errors
    /// [`Refusal::WrongPassword`]; [`Refusal::NotAllowed`] for a user without any merchant account.
    pub async fn sign_in(
        &self,
        visit: Visit,
        email: &str,
        password: &SecretText,
    ) -> Result<SignedIn, AppError> {
        let found = match Email::parse(email) {
            Ok(email) => self.store.sign_in_of(&email).await?,
            Err(_) => None,
        };
        let hash = found.as_ref().and_then(|user| user.password_hash.as_ref());
        let is_right = self.passwords.is_of(password, hash).await;
        let user = found.filter(|_| is_right).ok_or(Refusal::WrongPassword)?;
        let actor = Actor::User(user.user_id.to_string());
        let origin = Origin::of_request(actor, visit.request_id, None);
        self.begin_session(&origin, &user.user_id, visit.client)
            .await
    }
}
