//! Signing in.

use std::sync::Arc;

use multirail_app::Origin;
use multirail_app::accounts::ports::MerchantStore;
use multirail_app::platform::base::Base;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::{Actor, CommitError, TryStore};
use multirail_identity_domain::{Grant, OidcRules, SecondFactor};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;

use super::find::Users;
use super::second_factors::SecondFactors;
use super::sessions::{Sessions, SignedIn};
use super::{AppError, Visit, storable};
use crate::ports::identity_provider::IdentityProvider;
use crate::ports::{SignIn, UserChange, UserStore};

/// The maximum number of tries to store a sign-in, in case sessions of the user are ended at the same time.
const TRIES: u32 = 5;

/// The result of the first step: by address and password, or by the identity provider.
pub enum FirstStep {
    SignedIn(SignedIn),
    /// The token for the second step, shown once. The user has a second factor.
    SecondStep(SecretText),
}

/// A first step that isn't stored yet.
pub(super) struct PendingStep {
    pub(super) step: FirstStep,
    /// The changes that store the step and use up its proof, in one commit.
    pub(super) changes: Vec<UserChange>,
    /// The account that the changes are made in; unset for a user without any.
    pub(super) merchant_id: Option<MerchantId>,
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
    /// [`Refusal::WrongPassword`], also if the password is replaced meanwhile; [`Refusal::NotAllowed`] for a user without
    /// any merchant account.
    pub async fn by_password(
        &self,
        visit: Visit,
        email: &str,
        password: &SecretText,
    ) -> Result<FirstStep, AppError> {
        let email = Email::parse(email).ok();
        let found = self.user_of_address(email.as_ref()).await?;
        let hash = found.as_ref().and_then(|user| user.password_hash.as_ref());
        let is_right = self.users.passwords.is_of(password, hash).await;
        let checked = found.filter(|_| is_right).ok_or(Refusal::WrongPassword)?;
        let mut version = checked.version;
        for _ in 0..TRIES {
            let step = self.first_step(&visit, &checked.user_id, version).await?;
            if let Some(step) = step {
                return Ok(step);
            }
            // Sessions of the user ended meanwhile. The password still counts if it is the one that was checked.
            let now = self.user_of_address(email.as_ref()).await?;
            let is_same = |now: &SignIn| {
                (&now.user_id, &now.password_hash) == (&checked.user_id, &checked.password_hash)
            };
            version = now.filter(is_same).ok_or(Refusal::WrongPassword)?.version;
        }
        Err(Refusal::busy(Object::User).into())
    }

    async fn user_of_address(&self, email: Option<&Email>) -> Result<Option<SignIn>, AppError> {
        match email {
            Some(email) => self.users.sign_in_of(email).await,
            None => Ok(None),
        }
    }

    /// Signs in a user who has proved their identity at this version, or returns the token for the second step. Returns
    /// `None` if all sign-ins of the user ended meanwhile.
    pub(super) async fn first_step(
        &self,
        visit: &Visit,
        user_id: &UserId,
        version: i64,
    ) -> Result<Option<FirstStep>, AppError> {
        let factor = self.store.second_factor(user_id).await?;
        let grants = self.store.grants(user_id).await?;
        let pending = self.pending_step(visit, (user_id, version), factor, &grants);
        self.store_step(visit, user_id, pending.await?).await
    }

    /// Stores a first step. Returns `None` if the user or the proof changed meanwhile.
    pub(super) async fn store_step(
        &self,
        visit: &Visit,
        user_id: &UserId,
        pending: PendingStep,
    ) -> Result<Option<FirstStep>, AppError> {
        let actor = Actor::User(user_id.to_string());
        let origin = Origin::of_request(actor, visit.request_id.clone(), None);
        let merchant_id = pending.merchant_id.as_ref();
        let changes = storable(self.store.as_ref(), pending.changes);
        let change_set = self
            .base
            .change_set(&origin, merchant_id, ForKey::Nothing, changes);
        match self.base.commit(change_set).await {
            Ok(()) => Ok(Some(pending.step)),
            Err(CommitError::Conflict) => Ok(None),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    /// Returns the first step of a user with this second factor and these roles, who was checked at this version.
    pub(super) async fn pending_step(
        &self,
        visit: &Visit,
        checked: (&UserId, i64),
        factor: Option<SecondFactor>,
        grants: &[Grant],
    ) -> Result<PendingStep, AppError> {
        if let Some(factor) = factor.filter(SecondFactor::is_on) {
            let (_, version) = checked;
            let (token, change) = self.second_factors.ask_for_step(&factor, version);
            let begins = self.sessions.first_open(grants).await?;
            return Ok(PendingStep {
                step: FirstStep::SecondStep(token),
                changes: vec![change],
                merchant_id: begins.map(|(account, _)| account.merchant_id.clone()),
            });
        }
        let holder = (visit.client.clone(), visit.kind);
        let (signed_in, change) = self.sessions.begin(checked, grants, holder).await?;
        Ok(PendingStep {
            merchant_id: Some(signed_in.session.merchant_id.clone()),
            step: FirstStep::SignedIn(signed_in),
            changes: vec![change],
        })
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use multirail_app::fixture::{Committed, base};
    use multirail_app::platform::ports::Passwords;
    use multirail_identity_domain::{Role, User};
    use multirail_kernel::timestamp::Timestamp;

    use super::*;
    use crate::fixture::{Stored, account, grant, sign_ins, users, visit};

    const EMAIL: &str = "ada@books.example";
    const PASSWORD: &str = "Correct-horse-1";

    fn ada() -> User {
        let user_id = UserId::parse("user_1").expect("an id");
        let email = Email::parse(EMAIL).expect("an address");
        let hash = Some(SecretText::new(PASSWORD));
        User::create(
            user_id,
            account().merchant_id,
            email,
            hash,
            Timestamp::EPOCH,
        )
    }

    /// Makes the service and its stores. Ada is an admin of the bookshop, at the third version.
    fn service() -> (SignIns, Arc<Stored>, Arc<Committed>) {
        let committed = Arc::new(Committed::default());
        let (base, store) = (base(&committed), Arc::new(Stored::default()));
        let known = SignIn {
            user_id: ada().user_id,
            password_hash: ada().password_hash,
            version: 3,
        };
        let known = (EMAIL.to_owned(), known);
        store.sign_ins.lock().expect("no panic").push(known);
        let role = grant(Role::OrgAdmin);
        store.grants.lock().expect("no panic").push(role);
        (sign_ins(&base, &store), store, committed)
    }

    async fn signs_in(sign_ins: &SignIns) -> Result<FirstStep, AppError> {
        let password = SecretText::new(PASSWORD);
        sign_ins.by_password(visit(), EMAIL, &password).await
    }

    /// While a password is checked, the user gets another version, and perhaps another password.
    struct Overtaken(Arc<Stored>, Option<&'static str>);

    #[async_trait]
    impl Passwords for Overtaken {
        async fn hash(&self, password: &SecretText) -> SecretText {
            password.clone()
        }

        async fn is_of(&self, password: &SecretText, hash: Option<&SecretText>) -> bool {
            let mut known = self.0.sign_ins.lock().expect("no panic");
            for (_, sign_in) in known.iter_mut() {
                sign_in.version += 1;
                if let Some(other) = self.1 {
                    sign_in.password_hash = Some(SecretText::new(other));
                }
            }
            Some(password) == hash
        }
    }

    /// Signs in while the user gets another version, and perhaps another password. The first commit is a conflict.
    async fn signs_in_late(
        service: (SignIns, Arc<Stored>, &Committed),
        replaced_by: Option<&'static str>,
    ) -> Result<FirstStep, AppError> {
        let (sign_ins, store, committed) = service;
        let users = users(&sign_ins.base, &store);
        let users = Arc::into_inner(users).expect("the only one");
        let sign_ins = SignIns {
            users: Arc::new(Users {
                passwords: Arc::new(Overtaken(store, replaced_by)),
                ..users
            }),
            ..sign_ins
        };
        committed.refuse(CommitError::Conflict);
        signs_in(&sign_ins).await
    }

    /// Checks that the step is stored at the version at which the password is still the checked one.
    async fn is_stored_as_checked(has_factor: bool, change: &str) {
        let service = || {
            let (sign_ins, store, committed) = service();
            let base = &sign_ins.base;
            let begun = SecondFactor::begin(&ada(), base.now(), base.random.as_ref());
            let factor = SecondFactor {
                confirmed_at: Some(base.now()),
                ..begun
            };
            *store.factor.lock().expect("no panic") = has_factor.then_some(factor);
            (sign_ins, store, committed)
        };
        let (sign_ins, store, committed) = service();
        let refused = signs_in_late((sign_ins, store, &committed), Some("Battery-staple-2"));
        let refused = refused.await.err();
        let is_wrong = matches!(refused, Some(AppError::Refused(Refusal::WrongPassword)));
        assert!(is_wrong, "{refused:?}");
        assert_eq!(committed.lines(), Vec::<String>::new());

        let (sign_ins, store, committed) = service();
        let signed_in = signs_in_late((sign_ins, store, &committed), None);
        signed_in.await.expect("a first step");
        let lines = committed.lines();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[1].contains(change), "{lines:?}");
        assert!(lines[1].contains("version: 4"), "{lines:?}");
    }

    /// An admin may end sessions of the user while they sign in.
    #[tokio::test]
    async fn a_session_begins_unless_the_password_was_replaced_meanwhile() {
        is_stored_as_checked(false, "OpenSession").await;
    }

    #[tokio::test]
    async fn a_second_step_is_asked_for_unless_the_password_was_replaced_meanwhile() {
        is_stored_as_checked(true, "AddSecondStep").await;
    }
}
