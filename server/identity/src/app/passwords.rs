//! Changes a password, by the former one or by a link.

use multirail_app::Origin;
use multirail_app::platform::decisions::Decisions;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::{Actor, CommitError};
use multirail_identity_domain::{Grant, PasswordLink, User, check_password};
use multirail_kernel::ids::UserId;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;

use super::find::Users;
use super::sessions::UserCaller;
use super::{AppError, storable};
use crate::ports::UserChange;

/// The proof by which a user replaces their password.
enum Proof<'a> {
    /// The former password, which has this hash. The session in which the caller gave it stays valid.
    Former(&'a SecretText, &'a UserCaller),
    Link(PasswordLink),
}

impl Users {
    /// Replaces the password and ends all other sign-ins of the user.
    ///
    /// # Errors
    /// [`Refusal::WrongPassword`] for a wrong former password, [`Refusal::PasswordInvalid`], also for an unchanged
    /// password.
    pub async fn change_password(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        former: &SecretText,
        next: &SecretText,
    ) -> Result<(), AppError> {
        check_password(next)?;
        if former == next {
            let why = "it has to be another one than before";
            return Err(Refusal::PasswordInvalid { why }.into());
        }
        let user = self.store.user(&caller.user_id).await?;
        let stored = user.and_then(|user| user.password_hash);
        let is_right = self.passwords.is_of(former, stored.as_ref()).await;
        let stored = stored.filter(|_| is_right).ok_or(Refusal::WrongPassword)?;
        let hash = self.passwords.hash(next).await;
        let proof = Proof::Former(&stored, caller);
        self.store_password(origin, &caller.user_id, &hash, &proof)
            .await
    }

    /// Sets the password that the holder of a link has chosen, once, and ends all sign-ins of the user. The link proves
    /// that they own the address, so the role that it was sent for takes effect, and no other one.
    ///
    /// # Errors
    /// [`Refusal::PasswordLinkInvalid`], [`Refusal::PasswordInvalid`].
    pub async fn choose_password(
        &self,
        request_id: String,
        link: &SecretText,
        password: &SecretText,
    ) -> Result<(), AppError> {
        check_password(password)?;
        let stored = self.base.seal.hash_api_key(link);
        let found = self.store.password_link(&stored).await?;
        let now = self.base.now();
        let link = found
            .filter(|link| now < link.expires_at)
            .ok_or(Refusal::PasswordLinkInvalid)?;
        let hash = self.passwords.hash(password).await;
        let actor = Actor::User(link.user_id.to_string());
        let origin = Origin::of_request(actor, request_id, None);
        let user_id = link.user_id.clone();
        self.store_password(&origin, &user_id, &hash, &Proof::Link(link))
            .await
    }

    /// Checks that the proof is still valid for the user. What it relies on may have changed since the first check.
    async fn check_again(&self, proof: &Proof<'_>, user: &User) -> Result<(), AppError> {
        match proof {
            Proof::Former(hash, _) if user.password_hash.as_ref() != Some(*hash) => {
                Err(Refusal::WrongPassword.into())
            }
            Proof::Former(..) => Ok(()),
            Proof::Link(link) => match self.store.password_link(&link.hash).await? {
                Some(_) => Ok(()),
                None => Err(Refusal::PasswordLinkInvalid.into()),
            },
        }
    }

    async fn store_password(
        &self,
        origin: &Origin,
        user_id: &UserId,
        hash: &SecretText,
        proof: &Proof<'_>,
    ) -> Result<(), AppError> {
        let mut decisions = Decisions::begin(Object::User);
        loop {
            let user = self.store.user(user_id).await?;
            let user = user.ok_or_else(|| AppError::Broken("a sign-in has no user".to_owned()))?;
            self.check_again(proof, &user).await?;
            let changed = user.with_password(hash.clone(), self.base.now());
            let mut changes = vec![
                UserChange::Update(Box::new(changed)),
                UserChange::EndSessions {
                    user_id: user_id.clone(),
                    except: match proof {
                        Proof::Former(_, caller) => Some(caller.session_id.clone()),
                        Proof::Link(_) => None,
                    },
                },
            ];
            if let Proof::Link(link) = proof {
                changes.push(UserChange::UsePasswordLink(link.clone()));
                // Someone who had the account before its address was proved may have linked it.
                changes.push(UserChange::Unlink(user_id.clone()));
                let is_its = |offered: &Grant| link.takes_up(offered);
                changes.extend(self.taken_up(user_id, is_its).await?);
            }
            let merchant_id = match proof {
                Proof::Former(_, caller) => Some(caller.merchant_id.clone()),
                Proof::Link(_) => self.account_of_own_change(user_id, &changes).await?,
            };
            let change_set = self.base.change_set(
                origin,
                merchant_id.as_ref(),
                ForKey::Nothing,
                storable(self.store.as_ref(), changes),
            );
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(()),
                Err(error) => {
                    decisions
                        .retry_on_conflict(
                            self.base.random.as_ref(),
                            error,
                            |error: CommitError| AppError::of_commit(error),
                        )
                        .await?
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use multirail_app::fixture::{Committed, base, operator};
    use multirail_app::platform::ports::Passwords;
    use multirail_identity_domain::Role;
    use multirail_kernel::email::Email;

    use super::*;
    use crate::fixture::{Stored, caller, users};

    /// Passwords that are their own hash. While one is hashed, somebody else takes the user over.
    struct Overtaken(Arc<Stored>);

    #[async_trait]
    impl Passwords for Overtaken {
        async fn hash(&self, password: &SecretText) -> SecretText {
            let mut user = self.0.user.lock().expect("no panic");
            user.as_mut().expect("a user").password_hash = None;
            password.clone()
        }

        async fn is_of(&self, password: &SecretText, hash: Option<&SecretText>) -> bool {
            Some(password) == hash
        }
    }

    #[tokio::test]
    async fn a_password_that_was_replaced_meanwhile_is_no_proof_for_another_one() {
        let committed = Arc::new(Committed::default());
        let (base, store) = (base(&committed), Arc::new(Stored::default()));
        let caller = caller(Role::OrgAdmin);
        let (former, next) = (
            SecretText::new("Correct-horse-1"),
            SecretText::new("Battery-staple-2"),
        );
        let email = Email::parse("ada@books.example").expect("an address");
        let (user_id, home) = (caller.user_id.clone(), caller.merchant_id.clone());
        let user = User::create(user_id, home, email, Some(former.clone()), base.now());
        *store.user.lock().expect("no panic") = Some(user);
        let users = Arc::into_inner(users(&base, &store)).expect("the only one");
        let users = Users {
            passwords: Arc::new(Overtaken(Arc::clone(&store))),
            ..users
        };
        let origin = operator();
        let changed = users.change_password(&origin, &caller, &former, &next);
        let refused = changed.await.err();
        let is_wrong = matches!(refused, Some(AppError::Refused(Refusal::WrongPassword)));
        assert!(is_wrong, "{refused:?}");
        assert_eq!(committed.lines(), Vec::<String>::new());
    }
}
