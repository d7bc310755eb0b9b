//! Test doubles for users' unit tests: users, merchant accounts and tokens in memory.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use multirail_app::accounts::ports::{
    MerchantChange, MerchantStore, OrganizationChange, OrganizationStore, ProfileChange,
    ProfileStore,
};
use multirail_app::fixture::Noted;
use multirail_app::platform::base::Base;
use multirail_app::platform::ports::{Passwords, StoreFailure, TokenClaims, Tokens, TryStore};
use multirail_domain::accounts::merchant::{
    MerchantAccount, MerchantAccountUpdate, NewMerchantAccount,
};
use multirail_domain::accounts::organization::Organization;
use multirail_domain::accounts::profile::Profile;
use multirail_identity_domain::{
    BegunOidc, Grant, Invitation, Member, OperatorSession, OtherAdmins, PasswordLink, Role,
    SavedView, SecondFactor, SecondStep, SessionKind, SignInClient, SignInLink, User, UserSession,
};
use multirail_kernel::email::Email;
use multirail_kernel::environment::Environment;
use multirail_kernel::ids::{MerchantId, OrganizationId, ProfileId, SessionId, UserId};
use multirail_kernel::random::SeededRandom;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::try_limit::TryLimit;
use multirail_platform::{Change, Changes};

use crate::app::{
    MailNotifier, PasswordMails, SecondFactors, Sessions, SignIns, UserCaller, Users, Visit,
};
use crate::ports::{
    AfterMail, ClaimedMail, MailStore, PasswordMailRequest, SignIn, UserChange, UserStore,
};

/// Stored users, and the number of look-ups.
#[derive(Default)]
pub struct Stored {
    pub sign_ins: Mutex<Vec<(String, SignIn)>>,
    pub user: Mutex<Option<User>>,
    pub link: Mutex<Option<SignInLink>>,
    pub operator_session: Mutex<Option<OperatorSession>>,
    pub grants: Mutex<Vec<Grant>>,
    pub invitations: Mutex<Vec<Invitation>>,
    pub sessions: Mutex<Vec<UserSession>>,
    pub factor: Mutex<Option<SecondFactor>>,
    pub step: Mutex<Option<SecondStep>>,
    /// The number of look-ups of a user's version. Each one finds another version.
    pub versions: Mutex<i64>,
    pub guesses: Mutex<u32>,
    pub looks: Mutex<u32>,
    /// True if there is another admin. Each look-up is the last one that finds them.
    pub has_other_admin: Mutex<bool>,
    /// True if the account needs a second factor and no user has one.
    pub lacks_second_factor: Mutex<bool>,
    pub views: Mutex<Vec<SavedView>>,
}

impl Stored {
    fn look(&self) {
        *self.looks.lock().expect("no panic") += 1;
    }
}

impl Changes<UserChange> for Stored {
    fn change(&self, change: UserChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl UserStore for Stored {
    async fn sign_in_of(&self, email: &Email) -> Result<Option<SignIn>, StoreFailure> {
        self.look();
        let known = self.sign_ins.lock().expect("no panic");
        let found = known.iter().find(|(address, _)| address == email.as_str());
        Ok(found.map(|(_, sign_in)| sign_in.clone()))
    }

    async fn user_of_hash(&self, _: &str) -> Result<Option<UserId>, StoreFailure> {
        let user = self.user.lock().expect("no panic");
        Ok(user.as_ref().map(|user| user.user_id.clone()))
    }

    async fn user(&self, _: &UserId) -> Result<Option<User>, StoreFailure> {
        Ok(self.user.lock().expect("no panic").clone())
    }

    async fn user_version(&self, _: &UserId) -> Result<Option<i64>, StoreFailure> {
        let mut versions = self.versions.lock().expect("no panic");
        *versions += 1;
        Ok(Some(*versions))
    }

    async fn grants(&self, _: &UserId) -> Result<Vec<Grant>, StoreFailure> {
        Ok(self.grants.lock().expect("no panic").clone())
    }

    async fn invitations(&self, _: &UserId) -> Result<Vec<Invitation>, StoreFailure> {
        Ok(self.invitations.lock().expect("no panic").clone())
    }

    async fn first_account(&self, _: &OrganizationId) -> Result<Option<MerchantId>, StoreFailure> {
        Ok(None)
    }

    /// Returns the account of each role, closed or not.
    async fn accounts_of_user(
        &self,
        _: &UserId,
        _: i64,
        _: i64,
    ) -> Result<Vec<MerchantId>, StoreFailure> {
        let grants = self.grants.lock().expect("no panic");
        Ok(grants.iter().map(|one| one.merchant_id.clone()).collect())
    }

    async fn team(
        &self,
        _: &OrganizationId,
        _: &MerchantId,
        _: Timestamp,
        _: (i64, i64),
    ) -> Result<Vec<Member>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn other_admins(
        &self,
        _: &UserId,
        _: &OrganizationId,
        _: &MerchantId,
    ) -> Result<OtherAdmins, StoreFailure> {
        let mut others = self.has_other_admin.lock().expect("no panic");
        let is_there = std::mem::take(&mut *others);
        Ok(OtherAdmins {
            of_organization: is_there,
            of_account: is_there,
        })
    }

    async fn user_session(
        &self,
        session_id: &SessionId,
    ) -> Result<Option<UserSession>, StoreFailure> {
        let sessions = self.sessions.lock().expect("no panic");
        let found = sessions.iter().find(|one| one.session_id == *session_id);
        Ok(found.cloned())
    }

    async fn user_sessions(
        &self,
        _: &UserId,
        _: Timestamp,
        _: i64,
    ) -> Result<Vec<(UserSession, SignInClient)>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn note_session_used(
        &self,
        _: &SessionId,
        _: Timestamp,
        _: Timestamp,
    ) -> Result<(), StoreFailure> {
        Err(StoreFailure::Broken("the disk is full".to_owned()))
    }

    /// Increases the version with each look-up, as if another request changed it meanwhile.
    async fn second_factor(&self, _: &UserId) -> Result<Option<SecondFactor>, StoreFailure> {
        let mut factor = self.factor.lock().expect("no panic");
        if let Some(factor) = factor.as_mut() {
            factor.version += 1;
        }
        Ok(factor.clone())
    }

    async fn requires_second_factor(&self, _: &MerchantId) -> Result<bool, StoreFailure> {
        Ok(false)
    }

    async fn lacks_second_factor(&self, _: &UserId, _: &MerchantId) -> Result<bool, StoreFailure> {
        Ok(*self.lacks_second_factor.lock().expect("no panic"))
    }

    async fn count_guess(&self, _: &UserId, _: Timestamp) -> Result<bool, StoreFailure> {
        *self.guesses.lock().expect("no panic") += 1;
        Ok(true)
    }

    async fn second_step(&self, _: &str) -> Result<Option<SecondStep>, StoreFailure> {
        Ok(self.step.lock().expect("no panic").clone())
    }

    async fn begin_oidc(&self, _: &BegunOidc) -> Result<(), StoreFailure> {
        Ok(())
    }

    async fn take_oidc(&self, _: &str, _: Timestamp) -> Result<bool, StoreFailure> {
        Ok(false)
    }

    async fn user_of_identity(&self, _: &str) -> Result<Option<UserId>, StoreFailure> {
        Ok(None)
    }

    async fn has_identity(&self, _: &UserId) -> Result<bool, StoreFailure> {
        Ok(false)
    }

    async fn sign_in_link(&self, _: &str) -> Result<Option<SignInLink>, StoreFailure> {
        Ok(self.link.lock().expect("no panic").clone())
    }

    async fn operator_session(&self, _: &str) -> Result<Option<OperatorSession>, StoreFailure> {
        Ok(self.operator_session.lock().expect("no panic").clone())
    }

    async fn password_link(&self, _: &str) -> Result<Option<PasswordLink>, StoreFailure> {
        Ok(None)
    }

    async fn saved_views(
        &self,
        _: &UserId,
        _: &MerchantId,
    ) -> Result<Vec<SavedView>, StoreFailure> {
        Ok(self.views.lock().expect("no panic").clone())
    }

    async fn purge_sign_ins(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        Ok(0)
    }
}

/// A store with one merchant account.
pub struct OneAccount(pub MerchantAccount);

impl Changes<MerchantChange> for OneAccount {
    fn change(&self, change: MerchantChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl MerchantStore for OneAccount {
    async fn merchant(
        &self,
        merchant_id: &MerchantId,
    ) -> Result<Option<Arc<MerchantAccount>>, StoreFailure> {
        let is_it = self.0.merchant_id == *merchant_id;
        Ok(is_it.then(|| Arc::new(self.0.clone())))
    }

    async fn merchant_by_publishable_key(
        &self,
        _: &str,
    ) -> Result<Option<Arc<MerchantAccount>>, StoreFailure> {
        Ok(None)
    }
}

/// Makes the bookshop's account.
pub fn account() -> MerchantAccount {
    let (now, random) = (Timestamp::EPOCH, SeededRandom::new(1));
    let organization = Organization::standard(None, now, &random);
    let asked = NewMerchantAccount {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        merchant_account_type: None,
        settings: MerchantAccountUpdate::default(),
    };
    let environment = Environment::Sandbox;
    let made = MerchantAccount::create(asked, &organization, true, environment, now, &random);
    made.expect("an account").account
}

/// Makes the user `user_1` with this role in the bookshop, by the session `ses_1`.
pub fn caller(role: Role) -> UserCaller {
    let account = account();
    UserCaller {
        session_id: SessionId::parse("ses_1").expect("an id"),
        user_id: UserId::parse("user_1").expect("an id"),
        organization_id: account.organization_id,
        merchant_id: account.merchant_id,
        profile_id: None,
        role,
        lacks_second_factor: false,
    }
}

/// Makes the role of that user in the bookshop.
pub fn grant(role: Role) -> Grant {
    let caller = caller(role);
    Grant {
        user_id: caller.user_id,
        organization_id: caller.organization_id,
        merchant_id: caller.merchant_id,
        role,
        created_at: Timestamp::EPOCH,
    }
}

/// Makes the request of someone who signs in to the console.
pub fn visit() -> Visit {
    Visit {
        request_id: "req_1".to_owned(),
        client: SignInClient::default(),
        kind: SessionKind::Console,
    }
}

/// Tokens that are the id of their sign-in.
pub struct Open(pub TokenClaims);

impl Tokens for Open {
    fn sign(&self, claims: &TokenClaims) -> SecretText {
        SecretText::new(claims.session_id.clone())
    }

    fn read(&self, token: &str) -> Option<TokenClaims> {
        (token == self.0.session_id).then(|| self.0.clone())
    }
}

/// Passwords that are their own hash.
pub struct Plain;

#[async_trait]
impl Passwords for Plain {
    async fn hash(&self, password: &SecretText) -> SecretText {
        password.clone()
    }

    async fn is_of(&self, password: &SecretText, hash: Option<&SecretText>) -> bool {
        Some(password) == hash
    }
}

impl Changes<ProfileChange> for OneAccount {
    fn change(&self, change: ProfileChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl ProfileStore for OneAccount {
    async fn profile(
        &self,
        _: &MerchantId,
        _: &ProfileId,
    ) -> Result<Option<Arc<Profile>>, StoreFailure> {
        Ok(None)
    }

    async fn profiles(&self, _: &MerchantId) -> Result<Vec<Profile>, StoreFailure> {
        Ok(Vec::new())
    }
}

impl Changes<OrganizationChange> for OneAccount {
    fn change(&self, change: OrganizationChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl OrganizationStore for OneAccount {
    async fn organization(&self, _: &OrganizationId) -> Result<Option<Organization>, StoreFailure> {
        Ok(None)
    }

    async fn organizations(&self, _: i64, _: i64) -> Result<Vec<Organization>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn accounts(
        &self,
        _: &str,
        _: i64,
        _: i64,
    ) -> Result<Vec<MerchantAccount>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn accounts_of_organization(
        &self,
        _: &OrganizationId,
        _: i64,
        _: i64,
    ) -> Result<Vec<MerchantAccount>, StoreFailure> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl MailStore for Stored {
    fn mail_hash(&self, email: &Email) -> String {
        email.as_str().to_owned()
    }

    async fn ask_for_mail(&self, _: &PasswordMailRequest) -> Result<(), StoreFailure> {
        self.look();
        Ok(())
    }

    async fn claim_mail(
        &self,
        _: Timestamp,
        _: Timestamp,
        _: Timestamp,
    ) -> Result<Option<ClaimedMail>, StoreFailure> {
        Ok(None)
    }

    async fn note_mail(&self, _: &ClaimedMail, _: AfterMail) -> Result<(), StoreFailure> {
        Ok(())
    }
}

/// Counts no tries.
#[async_trait]
impl TryStore for Stored {
    async fn count_try(
        &self,
        _: &str,
        _: TryLimit,
        _: Timestamp,
    ) -> Result<Option<i64>, StoreFailure> {
        Ok(None)
    }

    async fn remember_place(&self, _: &str, _: Timestamp) -> Result<(), StoreFailure> {
        Ok(())
    }

    async fn is_known_place(&self, _: &str, _: Timestamp) -> Result<bool, StoreFailure> {
        Ok(false)
    }

    async fn purge_tries(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        Ok(0)
    }
}

/// Makes the service of sign-ins over this store, without an identity provider.
pub fn sign_ins(base: &Arc<Base>, store: &Arc<Stored>) -> SignIns {
    let users = users(base, store);
    let second_factors = SecondFactors {
        base: Arc::clone(base),
        store: store.clone(),
        users: Arc::clone(&users),
        sessions: Arc::clone(&users.sessions),
    };
    SignIns {
        base: Arc::clone(base),
        store: store.clone(),
        tries: store.clone(),
        accounts: Arc::clone(&users.accounts),
        sessions: Arc::clone(&users.sessions),
        users,
        second_factors: Arc::new(second_factors),
        oidc: None,
    }
}

/// Makes the service of users over this store. Signing up is closed, and no mail is sent.
pub fn users(base: &Arc<Base>, store: &Arc<Stored>) -> Arc<Users> {
    let accounts = Arc::new(OneAccount(account()));
    let tokens = TokenClaims {
        session_id: "ses_1".to_owned(),
        user_id: "user_1".to_owned(),
        merchant_id: "bookshop".to_owned(),
        role_id: "org_admin".to_owned(),
        org_id: "org_1".to_owned(),
        profile_id: None,
        is_for_console: false,
        exp: 0,
    };
    let sessions = Sessions {
        base: Arc::clone(base),
        store: store.clone(),
        accounts: accounts.clone(),
        tokens: Arc::new(Open(tokens)),
    };
    let mails = PasswordMails {
        base: Arc::clone(base),
        store: store.clone(),
        users: store.clone(),
        mailer: None,
        notifier: MailNotifier::default(),
        password_page: None,
    };
    Arc::new(Users {
        base: Arc::clone(base),
        store: store.clone(),
        accounts: accounts.clone(),
        profiles: accounts.clone(),
        organizations: accounts,
        passwords: Arc::new(Plain),
        sessions: Arc::new(sessions),
        mails: Arc::new(mails),
        open_sign_up: false,
    })
}
