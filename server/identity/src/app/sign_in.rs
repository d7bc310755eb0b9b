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

/// The result of the first step: by address and password, or by the identity provider.
pub enum FirstStep {
    SignedIn(SignedIn),
    /// The token for the second step, shown once. The user has a second factor.
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
    /// The identity provider and its rules; unset if there is none.
    pub oidc: Option<(Arc<dyn IdentityProvider>, OidcRules)>,
}

impl SignIns {
    /// Signs a user in by address and password, or returns the token for the second step if they have a second factor.
    /// Neither the answer nor its time reveals whether the address or the password was wrong.
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

    /// Signs in a user who has proved their identity, or returns the token for the second step.
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
        let begun = self
            .sessions
            .begin(&origin, user_id, visit.client, visit.kind);
        begun.await.map(FirstStep::SignedIn)
    }
}
