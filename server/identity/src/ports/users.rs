//! Users at rest: their passwords as slow hashes, who they are sealed, and their sign-ins.

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{
    BegunOidc, Grant, IdentityLink, Invitation, PasswordLink, SecondFactor, SecondStep,
    SignInClient, User, UserSession,
};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, OrganizationId, SessionId, UserId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use super::password_mails::PasswordMailRequest;

/// A change of a user, or of what one may do.
#[derive(Debug)]
pub enum UserChange {
    Insert(Box<User>),
    Update(Box<User>),
    /// In place of the role that the user had there.
    Grant(Grant),
    /// A conflict where it is another one meanwhile.
    TakeAway(Grant),
    /// In place of the invitation to the same organization or merchant account.
    Invite(Invitation),
    /// A conflict where it was taken up, withdrawn or replaced meanwhile.
    EndInvitation(Invitation),
    /// Somebody of the identity provider with a user, neither of whom is linked.
    Link(IdentityLink),
    Unlink(UserId),
    OpenSession(UserSession, SignInClient),
    /// One of a user, where it is still there.
    EndSession {
        user_id: UserId,
        session_id: SessionId,
    },
    /// All of a user but one, and what lets him take a second step.
    EndSessions {
        user_id: UserId,
        except: Option<SessionId>,
    },
    /// In place of one that was not confirmed; a conflict where one is on.
    BeginSecondFactor(Box<SecondFactor>),
    /// Under its version.
    UpdateSecondFactor(Box<SecondFactor>),
    /// Under its version.
    EndSecondFactor(Box<SecondFactor>),
    AddSecondStep(SecondStep),
    /// A conflict where it was used meanwhile.
    UseSecondStep(SecondStep),
    /// Has mail written to the user of an address.
    AskForMail(PasswordMailRequest),
    AddPasswordLink(PasswordLink),
    /// A conflict where it was used meanwhile. With it go all others of its user.
    UsePasswordLink(PasswordLink),
}

/// What a sign-in is checked against.
#[derive(Clone)]
pub struct SignIn {
    pub user_id: UserId,
    pub password_hash: Option<SecretText>,
}

#[async_trait]
pub trait UserStore: Changes<UserChange> {
    /// Opens nothing that rests sealed, so that it takes as long for an address that nobody has.
    async fn sign_in_of(&self, email: &Email) -> Result<Option<SignIn>, StoreFailure>;

    /// Whose address has this hash.
    async fn user_of_hash(&self, email_hash: &str) -> Result<Option<UserId>, StoreFailure>;

    async fn user(&self, user_id: &UserId) -> Result<Option<User>, StoreFailure>;

    /// Oldest first.
    async fn grants(&self, user_id: &UserId) -> Result<Vec<Grant>, StoreFailure>;

    /// Those of a user that were not taken up, oldest first; also those whose time is over.
    async fn invitations(&self, user_id: &UserId) -> Result<Vec<Invitation>, StoreFailure>;

    /// The oldest merchant account of an organization that isn't closed.
    async fn first_account(
        &self,
        organization_id: &OrganizationId,
    ) -> Result<Option<MerchantId>, StoreFailure>;

    /// Read anew each time: what was ended on one server is ended on all.
    async fn user_session(
        &self,
        session_id: &SessionId,
    ) -> Result<Option<UserSession>, StoreFailure>;

    /// Those of a user that are good, newest first.
    async fn user_sessions(
        &self,
        user_id: &UserId,
        now: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(UserSession, SignInClient)>, StoreFailure>;

    /// That the sign-in was used at that time, where no later use is known.
    async fn note_session_used(
        &self,
        session_id: &SessionId,
        now: Timestamp,
    ) -> Result<(), StoreFailure>;

    /// Read anew each time, as is what follows.
    async fn second_factor(&self, user_id: &UserId) -> Result<Option<SecondFactor>, StoreFailure>;

    /// Counts a guess at the second factor of a user, as [`multirail_kernel::try_limit::TryLimit::CODES`] says; false
    /// where there are too many. Counts for all servers together.
    async fn count_guess(&self, user_id: &UserId, now: Timestamp) -> Result<bool, StoreFailure>;

    async fn second_step(&self, hash: &str) -> Result<Option<SecondStep>, StoreFailure>;

    /// Keeps what was begun.
    async fn begin_oidc(&self, begun: &BegunOidc) -> Result<(), StoreFailure>;

    /// Forgets what was begun; whether it was there, and in time.
    async fn take_oidc(&self, hash: &str, now: Timestamp) -> Result<bool, StoreFailure>;

    /// Who is linked with somebody of the identity provider.
    async fn user_of_identity(&self, hash: &str) -> Result<Option<UserId>, StoreFailure>;

    /// Whether the user is linked with anybody.
    async fn has_identity(&self, user_id: &UserId) -> Result<bool, StoreFailure>;

    async fn password_link(&self, hash: &str) -> Result<Option<PasswordLink>, StoreFailure>;

    /// Deletes sign-ins, begun ones, second steps, links, invitations and rows of mail whose time is over; answers how many.
    async fn purge_sign_ins(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure>;
}
