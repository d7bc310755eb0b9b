//! Signing in.

use std::sync::Arc;

use multirail_app::Origin;
use multirail_app::accounts::ports::MerchantStore;
use multirail_app::platform::base::Base;
use multirail_app::platform::ports::{Actor, TryStore};
use multirail_identity_domain::{OidcRules, SecondFactor};
use multirail_kernel::email::Email;
use multirail_kernel::ids::UserId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;

use super::find::Users;
use super::second_factors::SecondFactors;
use super::sessions::{Sessions, SignedIn};
use super::{AppError, Visit};
use crate::ports::UserStore;
use crate::ports::identity_provider::IdentityProvider;

/// What comes of address and password, or of the identity provider's word.
pub enum FirstStep {
    SignedIn(SignedIn),
    /// The user has a second factor: what lets him go on, shown once.
    SecondStep(SecretText),
}

/// The use cases of signing in, by password or identity provider.
pub struct SignIns {
    pub base: Arc<Base>,
    pub store: Arc<dyn UserStore>,
    pub tries: Arc<dyn TryStore>,
    pub accounts: Arc<dyn MerchantStore>,
    pub users: Arc<Users>,
    pub sessions: Arc<Sessions>,
    pub second_factors: Arc<SecondFactors>,
    /// By whom users sign in beside their passwords, and who may; nothing where there is nobody.
    pub oidc: Option<(Arc<dyn IdentityProvider>, OidcRules)>,
}

impl SignIns {
    /// Signs a user in by address and password, or asks for the second step who has a second factor. Whether nobody has the address
    /// or the password is another one can't be told from the answer nor from the time that it takes.
    ///
    /// # Errors
    /// [`Refusal::WrongPassword`]; [`Refusal::NotAllowed`] for a user without any merchant account.
    pub async fn by_password(
        &self,
        visit: Visit,
        email: &str,
        password: &SecretText,
    ) -> Result<FirstStep, AppError> {
        let found = match Email::parse(email) {
            Ok(email) => self.users.sign_in_of(&email).await?,
            Err(_) => None,
        };
        let hash = found.as_ref().and_then(|user| user.password_hash.as_ref());
        let is_right = self.users.passwords.is_of(password, hash).await;
        let user = found.filter(|_| is_right).ok_or(Refusal::WrongPassword)?;
        self.first_step(visit, &user.user_id).await
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
            let asked = self.second_factors.ask_for_step(&origin, &factor).await?;
            return Ok(FirstStep::SecondStep(asked));
        }
        let begun = self.sessions.begin(&origin, user_id, visit.client);
        begun.await.map(FirstStep::SignedIn)
    }
}
