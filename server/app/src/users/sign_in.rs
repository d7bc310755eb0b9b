//! Signing in.

use multirail_domain::ids::UserId;
use multirail_domain::refusal::Refusal;
use multirail_domain::secret::SecretText;
use multirail_domain::user::{Email, SecondFactor};

use super::sessions::SignedIn;
use super::{AppError, Visit};
use crate::App;
use crate::caller::Origin;
use crate::ports::Actor;
use crate::ports::users::SignIn;

/// What comes of address and password, or of the identity provider's word.
pub enum FirstStep {
    SignedIn(SignedIn),
    /// The user has a second factor: what lets him go on, shown once.
    SecondStep(SecretText),
}

impl App {
    /// Signs a user in by address and password, or asks for the second step who has a second factor. Whether nobody has the address
    /// or the password is another one can't be told from the answer nor from the time that it takes.
    ///
    /// # Errors
    /// [`Refusal::WrongPassword`]; [`Refusal::NotAllowed`] for a user without any merchant account.
    pub async fn sign_in(
        &self,
        visit: Visit,
        email: &str,
        password: &SecretText,
    ) -> Result<FirstStep, AppError> {
        let found = match Email::parse(email) {
            Ok(email) => self.sign_in_of(&email).await?,
            Err(_) => None,
        };
        let hash = found.as_ref().and_then(|user| user.password_hash.as_ref());
        let is_right = self.passwords.is_of(password, hash).await;
        let user = found.filter(|_| is_right).ok_or(Refusal::WrongPassword)?;
        self.first_step(visit, &user.user_id).await
    }

    /// The user of an address as it is stored now, or else as earlier versions stored it.
    pub(super) async fn sign_in_of(&self, email: &Email) -> Result<Option<SignIn>, AppError> {
        let found = self.store.sign_in_of(email).await?;
        match (found, email.stored_before()) {
            (None, Some(before)) => Ok(self.store.sign_in_of(&before).await?),
            (found, _) => Ok(found),
        }
    }

    /// Signs in who has shown who he is, or asks for the second step.
    pub(super) async fn first_step(
        &self,
        visit: Visit,
        user_id: &UserId,
    ) -> Result<FirstStep, AppError> {
        let actor = Actor::User(user_id.to_string());
        let origin = Origin::of_request(actor, visit.request_id, None);
        let factor = self.store.second_factor(user_id).await?;
        if let Some(factor) = factor.filter(SecondFactor::is_on) {
            let asked = self.ask_for_second_step(&origin, &factor).await?;
            return Ok(FirstStep::SecondStep(asked));
        }
        let begun = self.begin_session(&origin, user_id, visit.client);
        begun.await.map(FirstStep::SignedIn)
    }
}
