//! Signing up: creates a user with their own organization, merchant account and role.

use multirail_app::Origin;
use multirail_app::accounts::ports::OrganizationChange;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{Actor, CommitError};
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::accounts::organization::Organization;
use multirail_identity_domain::{Grant, IdentityLink, Role, User, check_password};
use multirail_kernel::email::Email;
use multirail_kernel::ids::UserId;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;

use super::accounts::{NAMES_TRIED, by_the_clock};
use super::find::Users;
use super::sessions::SignedIn;
use super::{AppError, Visit, not_allowed, storable};
use crate::ports::UserChange;

impl Users {
    /// Creates a user and signs them in.
    ///
    /// # Errors
    /// [`Refusal::NotAllowed`] if signing up is closed, [`Refusal::EmailInvalid`], [`Refusal::PasswordInvalid`],
    /// [`Refusal::UserExists`].
    pub async fn sign_up(
        &self,
        visit: Visit,
        email: &str,
        password: &SecretText,
    ) -> Result<SignedIn, AppError> {
        if !self.open_sign_up {
            let why = "nobody can sign up here: ask whoever operates the service for an invitation";
            return Err(not_allowed(why));
        }
        let email = Email::parse(email)?;
        check_password(password)?;
        // The hash is computed before the address is looked up, so that the time doesn't reveal whether it is free.
        let hash = self.passwords.hash(password).await;
        if self.sign_in_of(&email).await?.is_some() {
            return Err(Refusal::UserExists.into());
        }
        let user_id = UserId::generate(self.base.random.as_ref());
        let origin = Origin::of_request(Actor::User(user_id.to_string()), visit.request_id, None);
        let (client, kind) = (&visit.client, visit.kind);
        let mut session = None;
        let made = self.make_own_account(&origin, &user_id, (&email, Some(hash)), |account| {
            let opened = self.sessions.begin_for(&user_id, account, kind);
            session = Some(opened.clone());
            UserChange::OpenSession {
                session: opened,
                client: client.clone(),
                version: User::FIRST_VERSION,
            }
        });
        match (made.await?, session) {
            (true, Some(session)) => Ok(self.sessions.signed_in(session, Role::OrgAdmin)),
            (true, None) | (false, _) => Err(Refusal::UserExists.into()),
        }
    }

    /// Creates a user for a person of the identity provider, to whom `link` links them. Returns false if another
    /// request of the same person or address was faster.
    pub(super) async fn open_own_account(
        &self,
        origin: &Origin,
        user_id: &UserId,
        email: &Email,
        link: &IdentityLink,
    ) -> Result<bool, AppError> {
        let linked = |_: &MerchantAccount| UserChange::Link {
            link: link.clone(),
            version: User::FIRST_VERSION,
        };
        self.make_own_account(origin, user_id, (email, None), linked)
            .await
    }

    /// Creates a user with their own organization, merchant account and role, and makes one further change. Returns
    /// false if the address or the identity belongs to another user.
    async fn make_own_account(
        &self,
        origin: &Origin,
        user_id: &UserId,
        (email, hash): (&Email, Option<SecretText>),
        mut and: impl FnMut(&MerchantAccount) -> UserChange,
    ) -> Result<bool, AppError> {
        for attempt in 0..NAMES_TRIED {
            let merchant_id = by_the_clock(self.base.now(), attempt)?;
            let organization =
                Organization::standard(None, self.base.now(), self.base.random.as_ref());
            let (account, mut changes) =
                self.first_account(&organization, merchant_id.clone(), None)?;
            let user = User::create(
                user_id.clone(),
                merchant_id.clone(),
                email.clone(),
                hash.clone(),
                self.base.now(),
            );
            let grant = Grant {
                user_id: user_id.clone(),
                organization_id: organization.organization_id.clone(),
                merchant_id: merchant_id.clone(),
                role: Role::OrgAdmin,
                created_at: self.base.now(),
            };
            let insert = OrganizationChange::Insert(organization);
            changes.insert(0, self.organizations.change(insert));
            let of_user = [
                UserChange::Insert(Box::new(user)),
                UserChange::Grant(grant),
                and(&account),
            ];
            changes.extend(storable(self.store.as_ref(), of_user));
            let change_set =
                self.base
                    .change_set(origin, Some(&merchant_id), ForKey::Nothing, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(true),
                // Another user signed up in the same second.
                Err(CommitError::Duplicate(duplicate::MERCHANT)) => {}
                Err(CommitError::Duplicate(duplicate::USER | duplicate::IDENTITY)) => {
                    return Ok(false);
                }
                Err(error) => return Err(AppError::of_commit(error)),
            }
        }
        Err(Refusal::busy(Object::User).into())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use multirail_app::fixture::{Committed, base};
    use multirail_identity_domain::{SessionKind, SignInClient};

    use super::*;
    use crate::fixture::{Stored, users};

    #[tokio::test]
    async fn signing_up_where_it_is_closed_is_refused_before_anybody_looks() {
        let committed = Arc::new(Committed::default());
        let store = Arc::new(Stored::default());
        let users = users(&base(&committed), &store);
        let visit = Visit {
            request_id: "req_1".to_owned(),
            client: SignInClient::default(),
            kind: SessionKind::Token,
        };
        let password = SecretText::new("Correct-horse-1");
        let refused = users.sign_up(visit, "ada@books.example", &password).await;
        let refused = refused.err().expect("closed").to_string();
        assert!(refused.contains("invitation"), "{refused}");
        assert_eq!(*store.looks.lock().expect("no panic"), 0);
        assert_eq!(committed.lines(), Vec::<String>::new());
    }
}
