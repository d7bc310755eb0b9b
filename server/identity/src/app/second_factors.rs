//! The second factor: setting it up, the second step of signing in, new recovery codes, and turning it off.
//!
//! Each guess is counted in the database before it is checked, at every server. A correct code clears the count. The
//! changes of a code are stored under the factor's version, so that only one of two servers can accept the same code.

use std::sync::Arc;

use multirail_app::Origin;
use multirail_app::platform::base::Base;
use multirail_app::platform::decisions::Decisions;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::{Actor, CommitError};
use multirail_identity_domain::{
    Proof, SECOND_STEP_SECONDS, SecondFactor, SecondStep, recovery_codes, recovery_text,
};
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use multirail_kernel::try_limit::TryLimit;

use super::find::Users;
use super::sessions::{Sessions, SignedIn, UserCaller};
use super::{AppError, Visit, one_time_token, storable};
use crate::ports::{UserChange, UserStore};

/// The data for an authenticator, shown once.
pub struct BegunSecondFactor {
    /// In base 32.
    pub secret: SecretText,
    /// `otpauth://totp/...`, with the secret in it.
    pub uri: SecretText,
}

/// The use cases of second factors.
pub struct SecondFactors {
    pub base: Arc<Base>,
    pub store: Arc<dyn UserStore>,
    pub users: Arc<Users>,
    pub sessions: Arc<Sessions>,
}

impl SecondFactors {
    /// Creates a secret for an authenticator and replaces an unconfirmed one.
    ///
    /// # Errors
    /// [`Refusal::WrongPassword`]; [`Refusal::Precondition`] if a second factor is on.
    pub async fn begin(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        password: &SecretText,
    ) -> Result<BegunSecondFactor, AppError> {
        let user = self.store.user(&caller.user_id).await?;
        let user = user.ok_or_else(|| AppError::Broken("a sign-in has no user".to_owned()))?;
        self.users.check_password_of(caller, password).await?;
        let mut decisions = Decisions::begin(Object::User);
        loop {
            let former = self.store.second_factor(&caller.user_id).await?;
            if former.is_some_and(|former| former.is_on()) {
                let why = "two-factor authentication is on already; turn it off to set it up anew";
                return Err(Refusal::precondition(why).into());
            }
            let begun = SecondFactor::begin(&user, self.base.now(), self.base.random.as_ref());
            let uri = begun.uri(&user);
            let uri = uri
                .ok_or_else(|| AppError::Broken("the secret has no otpauth address".to_owned()))?;
            let secret = begun.secrets.totp.clone();
            let change = UserChange::BeginSecondFactor(Box::new(begun));
            let merchant_id = Some(&caller.merchant_id);
            let changes = vec![change];
            let change_set = self.base.change_set(
                origin,
                merchant_id,
                ForKey::Nothing,
                storable(self.store.as_ref(), changes),
            );
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(BegunSecondFactor { secret, uri }),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Turns the second factor on, by a code that proves that an authenticator has the secret. All other sign-ins of
    /// the user end, because they didn't prove it. Returns the recovery codes.
    ///
    /// # Errors
    /// [`Refusal::SecondFactorOff`] if none was begun, [`Refusal::Precondition`] if it is on, [`Refusal::TotpInvalid`],
    /// [`Refusal::TooManyGuesses`].
    pub async fn confirm(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        code: &SecretText,
    ) -> Result<Vec<SecretText>, AppError> {
        let codes = recovery_codes(self.base.random.as_ref());
        let hashes = self.recovery_hashes(&caller.user_id, &codes);
        let confirm = |factor: SecondFactor| {
            if factor.is_on() {
                let why = "two-factor authentication is on already";
                return Err(Refusal::precondition(why));
            }
            let times = (self.base.now(), self.base.clock.wall());
            let confirmed = factor.confirmed(code, hashes.clone(), times)?;
            Ok(vec![
                UserChange::EndSessions {
                    user_id: caller.user_id.clone(),
                    except: Some(caller.session_id.clone()),
                },
                UserChange::UpdateSecondFactor(Box::new(confirmed)),
            ])
        };
        self.guess(origin, caller, confirm).await?;
        Ok(codes)
    }

    /// Creates new recovery codes and replaces all former ones.
    ///
    /// # Errors
    /// [`Refusal::WrongPassword`], [`Refusal::SecondFactorOff`], the errors of the proof, [`Refusal::TooManyGuesses`].
    pub async fn renew_recovery_codes(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        password: &SecretText,
        proof: &Proof,
    ) -> Result<Vec<SecretText>, AppError> {
        self.users.check_password_of(caller, password).await?;
        let codes = recovery_codes(self.base.random.as_ref());
        let hashes = self.recovery_hashes(&caller.user_id, &codes);
        let renew = |factor: SecondFactor| {
            let proved = self.proved(&factor, proof)?;
            let renewed = proved.with_recovery_hashes(hashes.clone());
            Ok(vec![UserChange::UpdateSecondFactor(Box::new(renewed))])
        };
        self.guess(origin, caller, renew).await?;
        Ok(codes)
    }

    /// Turns the second factor off, so that signing in only needs the password.
    ///
    /// # Errors
    /// The same as [`SecondFactors::renew_recovery_codes`].
    pub async fn end(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        password: &SecretText,
        proof: &Proof,
    ) -> Result<(), AppError> {
        self.users.check_password_of(caller, password).await?;
        let end = |factor: SecondFactor| {
            self.proved(&factor, proof)?;
            Ok(vec![UserChange::EndSecondFactor(Box::new(factor))])
        };
        self.guess(origin, caller, end).await
    }

    /// Takes the second step of signing in, with the token of the first step.
    ///
    /// # Errors
    /// [`Refusal::SecondStepInvalid`], the errors of the proof, [`Refusal::TooManyGuesses`], [`Refusal::NotAllowed`]
    /// for a user without any merchant account.
    pub async fn sign_in(
        &self,
        visit: Visit,
        token: &SecretText,
        proof: &Proof,
    ) -> Result<SignedIn, AppError> {
        let hash = self.base.seal.hash_api_key(token);
        let found = self.store.second_step(&hash).await?;
        let now = self.base.now();
        let step = found.filter(|step| now < step.expires_at);
        let step = step.ok_or(Refusal::SecondStepInvalid)?;
        let actor = Actor::User(step.user_id.to_string());
        let origin = Origin::of_request(actor, visit.request_id, None);
        let is_counted = self.store.count_guess(&step.user_id, now).await?;
        let mut decisions = Decisions::begin(Object::User);
        loop {
            // The version is read first. An end of sessions after it is a conflict, after which all is read again.
            let version = self.sessions.version_of(&step.user_id).await?;
            // A step that was used or ended meanwhile isn't found any more.
            if self.store.second_step(&hash).await?.is_none() {
                return Err(Refusal::SecondStepInvalid.into());
            }
            let grants = self.store.grants(&step.user_id).await?;
            let (account, role) = self.sessions.where_to_begin(&grants).await?;
            let session = self.sessions.begin_for(&step.user_id, &account, visit.kind);
            let take = |factor: SecondFactor| {
                let proved = self.proved(&factor, proof)?;
                Ok(vec![
                    UserChange::OpenSession {
                        session: session.clone(),
                        client: visit.client.clone(),
                        version,
                    },
                    UserChange::UseSecondStep(step.clone()),
                    UserChange::UpdateSecondFactor(Box::new(proved)),
                ])
            };
            let guess = (&step.user_id, is_counted);
            let stored = self.store_guess(&origin, &account.merchant_id, guess, take);
            match stored.await? {
                Ok(()) => return Ok(self.sessions.signed_in(session, role)),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Returns the token for the second step of a user whose password was accepted at this version, and the change that
    /// stores it.
    pub(super) fn ask_for_step(
        &self,
        factor: &SecondFactor,
        version: i64,
    ) -> (SecretText, UserChange) {
        let now = self.base.now();
        let (token, hash) = one_time_token(&self.base, "otp");
        let step = SecondStep {
            hash,
            user_id: factor.user_id.clone(),
            expires_at: now.plus_seconds(SECOND_STEP_SECONDS).unwrap_or(now),
        };
        (token, UserChange::AddSecondStep { step, version })
    }

    /// Counts a guess, and stores the changes that `decide` makes from the caller's second factor.
    async fn guess(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        decide: impl Fn(SecondFactor) -> Result<Vec<UserChange>, Refusal>,
    ) -> Result<(), AppError> {
        let (user_id, merchant_id) = (&caller.user_id, &caller.merchant_id);
        let is_counted = self.store.count_guess(user_id, self.base.now()).await?;
        let mut decisions = Decisions::begin(Object::User);
        loop {
            let guess = (user_id, is_counted);
            let stored = self.store_guess(origin, merchant_id, guess, &decide);
            match stored.await? {
                Ok(()) => return Ok(()),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Tries once to store the changes that `decide` makes from the user's second factor, in the account in which they act.
    /// The guess was counted, unless there were too many.
    async fn store_guess(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        (user_id, is_counted): (&UserId, bool),
        decide: impl Fn(SecondFactor) -> Result<Vec<UserChange>, Refusal>,
    ) -> Result<Result<(), CommitError>, AppError> {
        let found = self.store.second_factor(user_id).await?;
        let factor = found.ok_or(Refusal::SecondFactorOff)?;
        if !is_counted {
            let level = factor.guesses_empty_at;
            let wait_seconds = TryLimit::CODES.wait_seconds(level, self.base.now());
            return Err(Refusal::TooManyGuesses { wait_seconds }.into());
        }
        let changes = decide(factor)?;
        let change_set = self.base.change_set(
            origin,
            Some(merchant_id),
            ForKey::Nothing,
            storable(self.store.as_ref(), changes),
        );
        Ok(self.base.commit(change_set).await)
    }

    /// Returns the factor after it accepted the proof.
    fn proved(&self, factor: &SecondFactor, proof: &Proof) -> Result<SecondFactor, Refusal> {
        if !factor.is_on() {
            return Err(Refusal::SecondFactorOff);
        }
        match proof {
            Proof::Totp(code) => factor.with_code(code, self.base.clock.wall()),
            Proof::RecoveryCode(code) => {
                let hash = self.recovery_hash(&factor.user_id, code);
                factor.without_recovery_hash(&hash)
            }
        }
    }

    fn recovery_hashes(&self, user_id: &UserId, codes: &[SecretText]) -> Vec<String> {
        let hash = |code| self.recovery_hash(user_id, code);
        codes.iter().map(hash).collect()
    }

    fn recovery_hash(&self, user_id: &UserId, code: &SecretText) -> String {
        self.base.seal.hash_api_key(&recovery_text(user_id, code))
    }
}

#[cfg(test)]
mod tests {
    use multirail_app::fixture::{Committed, base, operator};
    use multirail_identity_domain::{Role, User};
    use multirail_kernel::email::Email;

    use super::*;
    use crate::fixture::{Stored, caller, grant, users, visit};

    fn ada() -> UserCaller {
        caller(Role::OrgAdmin)
    }

    /// Makes the service and its stores. Ada has begun to set up a second factor.
    fn service() -> (SecondFactors, Arc<Stored>, Arc<Committed>) {
        let committed = Arc::new(Committed::default());
        let (base, store) = (base(&committed), Arc::new(Stored::default()));
        let caller = ada();
        let email = Email::parse("ada@books.example").expect("an address");
        let user = User::create(caller.user_id, caller.merchant_id, email, None, base.now());
        let begun = SecondFactor::begin(&user, base.now(), base.random.as_ref());
        *store.factor.lock().expect("no panic") = Some(begun);
        let users = users(&base, &store);
        let factors = SecondFactors {
            base,
            store: store.clone(),
            sessions: Arc::clone(&users.sessions),
            users,
        };
        (factors, store, committed)
    }

    /// A wrong code costs one guess and stores nothing.
    #[tokio::test]
    async fn a_wrong_code_is_counted_and_changes_nothing() {
        let (factors, store, committed) = service();
        let code = SecretText::new("000000");
        let refused = factors.confirm(&operator(), &ada(), &code).await;
        assert!(refused.is_err());
        assert_eq!(*store.guesses.lock().expect("no panic"), 1);
        assert_eq!(committed.lines(), Vec::<String>::new());
    }

    /// An admin ends sessions of the user between the two steps and the commit. The second step is taken at the version
    /// after that.
    #[tokio::test(start_paused = true)]
    async fn a_second_step_is_stored_at_the_version_that_it_was_decided_at() {
        let (factors, store, committed) = service();
        let now = factors.base.now();
        let code = SecretText::new("k3xq-7mzb-pf2a");
        let hash = factors.recovery_hash(&ada().user_id, &code);
        if let Some(factor) = store.factor.lock().expect("no panic").as_mut() {
            factor.confirmed_at = Some(now);
            factor.secrets.recovery_hashes = vec![hash];
        }
        *store.step.lock().expect("no panic") = Some(SecondStep {
            hash: "hash of otp_1".to_owned(),
            user_id: ada().user_id,
            expires_at: now.plus_seconds(60).expect("a time"),
        });
        let role = grant(Role::OrgAdmin);
        store.grants.lock().expect("no panic").push(role);
        committed.refuse(CommitError::Conflict);
        let proof = Proof::RecoveryCode(code);
        let token = SecretText::new("otp_1");
        let signed_in = factors.sign_in(visit(), &token, &proof).await;
        signed_in.expect("a session");
        let lines = committed.lines();
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(lines[1].contains("OpenSession"), "{lines:?}");
        // The store gives each look-up another version.
        assert!(lines[1].contains("version: 2"), "{lines:?}");
        assert_eq!(*store.guesses.lock().expect("no panic"), 1);
    }

    /// Another request changed the factor meanwhile. The decision is repeated on the new state and counts as one guess.
    #[tokio::test(start_paused = true)]
    async fn a_conflict_is_decided_again_and_is_one_guess() {
        let (factors, store, committed) = service();
        committed.refuse(CommitError::Conflict);
        let renew =
            |factor: SecondFactor| Ok(vec![UserChange::UpdateSecondFactor(Box::new(factor))]);
        let caller = ada();
        let origin = operator();
        let done = factors.guess(&origin, &caller, renew).await;
        done.expect("stored");
        assert_eq!(*store.guesses.lock().expect("no panic"), 1);
        let lines = committed.lines();
        assert_eq!(lines[0], "Admin for bookshop");
        assert!(lines[1].contains("version: 2"), "{lines:?}");
        assert_eq!(lines.len(), 2);
    }
}
