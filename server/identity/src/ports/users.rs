//! Stored users: their passwords as slow hashes, their personal data sealed, and their sign-ins.

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{
    BegunOidc, Grant, IdentityLink, Invitation, Member, OperatorSession, OtherAdmins, PasswordLink,
    Role, RolePlace, SavedView, SecondFactor, SecondStep, SignInClient, SignInLink, User,
    UserSession,
};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, OrganizationId, SavedViewId, SessionId, UserId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use super::password_mails::PasswordMailRequest;

/// A change of a user or of their rights.
#[derive(Debug)]
pub enum UserChange {
    Insert(Box<User>),
    Update(Box<User>),
    /// Replaces the user's role there.
    Grant(Grant),
    /// A conflict if the role was changed meanwhile.
    TakeAway(Grant),
    /// Puts a role in the place of another one of the same kind. A conflict if that one was changed meanwhile.
    ReplaceRole {
        former: Grant,
        role: Role,
    },
    /// Changes nothing. A conflict unless somebody else is an admin of the account or its organization, or of the
    /// organization where the place is one. Admins who leave at the same time wait for each other.
    KeepAdmin {
        leaving: UserId,
        place: RolePlace,
    },
    /// Replaces the invitation to the same organization or merchant account. It keeps the time of one to the same role.
    Invite(Invitation),
    /// A conflict if it was accepted, withdrawn or replaced meanwhile.
    EndInvitation(Invitation),
    /// Withdraws the open offers that a former admin made in a place.
    WithdrawOffers {
        inviter: UserId,
        place: RolePlace,
    },
    /// Changes nothing. A conflict if the role was changed meanwhile, which waits for the commit otherwise.
    HoldRole(Grant),
    /// Links a person of the identity provider to a user. A duplicate if either is linked, and a conflict if the user
    /// isn't at this version any more.
    Link {
        link: IdentityLink,
        version: i64,
    },
    Unlink(UserId),
    /// Opens a sign-in of a user who was checked at this version. A conflict if the user isn't at it any more.
    OpenSession {
        session: UserSession,
        client: SignInClient,
        version: i64,
    },
    /// Ends one sign-in of a user. A conflict if it ended or was replaced meanwhile.
    EndSession {
        user_id: UserId,
        session_id: SessionId,
    },
    /// Puts a sign-in in the place of another one of its user, who was checked at this version. A conflict if the other
    /// one ended or was replaced meanwhile, or the user isn't at the version any more.
    ReplaceSession {
        former: SessionId,
        session: UserSession,
        client: SignInClient,
        version: i64,
    },
    /// Ends all sign-ins of a user except one, all pending second steps, and links that sign the user in. The user gets
    /// another version, so that no sign-in under way is stored later. A commit that writes the user's row
    /// does so before it writes other rows of the user, so that no two commits wait for each other.
    EndSessions {
        user_id: UserId,
        except: Option<SessionId>,
    },
    /// Gives a user another version, so that no sign-in under way is stored later. It comes before other changes of the
    /// user, as for [`UserChange::EndSessions`].
    Advance(UserId),
    /// Ends all sessions of a user in accounts in which they have no role after the changes before it.
    EndSessionsWithoutRole(UserId),
    /// Ends all sessions of a user that act in a merchant account, or in any account of an organization, except one.
    EndSessionsIn {
        user_id: UserId,
        place: RolePlace,
        except: Option<SessionId>,
    },
    /// Replaces an unconfirmed second factor. A conflict if one is on.
    BeginSecondFactor(Box<SecondFactor>),
    /// A conflict if its version has changed.
    UpdateSecondFactor(Box<SecondFactor>),
    /// A conflict if its version has changed.
    EndSecondFactor(Box<SecondFactor>),
    /// Sets since when the users of a merchant account need a second factor; `None` ends the rule.
    RequireSecondFactor {
        merchant_id: MerchantId,
        since: Option<Timestamp>,
    },
    /// Adds the second step of a user whose first one was checked at this version. A conflict if the user isn't at it
    /// any more.
    AddSecondStep {
        step: SecondStep,
        version: i64,
    },
    /// A conflict if it was used meanwhile.
    UseSecondStep(SecondStep),
    /// Requests mail to the user of an address.
    AskForMail(PasswordMailRequest),
    AddSignInLink(SignInLink),
    /// A conflict if it was used meanwhile.
    UseSignInLink(SignInLink),
    /// Opens a session of the operator at the console.
    OpenOperatorSession(OperatorSession),
    /// Ends the operator's session that has this hash, if there is one.
    EndOperatorSession(String),
    AddPasswordLink(PasswordLink),
    /// Deletes all links of the user, except those that take up other offers. A conflict if this one was used meanwhile.
    UsePasswordLink(PasswordLink),
    /// A conflict if the name is taken, the user has the most views, or they have no role in the account any more. Views
    /// that a user saves at the same time wait for each other.
    SaveView(SavedView),
    /// A conflict if the user has no such view in the merchant account.
    DeleteView {
        user_id: UserId,
        merchant_id: MerchantId,
        saved_view_id: SavedViewId,
    },
    /// Deletes the views of a user in accounts in which they have no role.
    DeleteViewsWithoutRole(UserId),
    /// Deletes the views of all users in an account.
    DeleteViewsOfAccount(MerchantId),
}

/// The stored data that a sign-in is checked against.
#[derive(Clone)]
pub struct SignIn {
    pub user_id: UserId,
    pub password_hash: Option<SecretText>,
    /// The user's version.
    pub version: i64,
}

#[async_trait]
pub trait UserStore: Changes<UserChange> {
    /// Returns the sign-in data of an address. It opens nothing sealed, so that an unknown address takes the same time.
    async fn sign_in_of(&self, email: &Email) -> Result<Option<SignIn>, StoreFailure>;

    /// Returns the user whose address has this hash.
    async fn user_of_hash(&self, email_hash: &str) -> Result<Option<UserId>, StoreFailure>;

    async fn user(&self, user_id: &UserId) -> Result<Option<User>, StoreFailure>;

    /// Returns a user's version without opening anything sealed.
    async fn user_version(&self, user_id: &UserId) -> Result<Option<i64>, StoreFailure>;

    /// Returns a user's roles, oldest first.
    async fn grants(&self, user_id: &UserId) -> Result<Vec<Grant>, StoreFailure>;

    /// Returns a user's pending invitations, oldest first, including expired ones.
    async fn invitations(&self, user_id: &UserId) -> Result<Vec<Invitation>, StoreFailure>;

    /// Returns the oldest merchant account of an organization that isn't closed.
    async fn first_account(
        &self,
        organization_id: &OrganizationId,
    ) -> Result<Option<MerchantId>, StoreFailure>;

    /// Returns a page of the merchant accounts in which a user has a role and that aren't closed, oldest first.
    async fn accounts_of_user(
        &self,
        user_id: &UserId,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<MerchantId>, StoreFailure>;

    /// Returns a page of the users with a role in a merchant account, and of the people with an open offer there, oldest
    /// first. A role in the organization counts. `page` has the limit and the offset.
    async fn team(
        &self,
        organization_id: &OrganizationId,
        merchant_id: &MerchantId,
        now: Timestamp,
        page: (i64, i64),
    ) -> Result<Vec<Member>, StoreFailure>;

    /// Returns whether somebody besides this user is an admin of the organization, and of the account.
    async fn other_admins(
        &self,
        user_id: &UserId,
        organization_id: &OrganizationId,
        merchant_id: &MerchantId,
    ) -> Result<OtherAdmins, StoreFailure>;

    /// Returns a sign-in. It is read from the database each time, so that an ended one is invalid on all servers.
    async fn user_session(
        &self,
        session_id: &SessionId,
    ) -> Result<Option<UserSession>, StoreFailure>;

    /// Returns a user's valid sign-ins, newest first.
    async fn user_sessions(
        &self,
        user_id: &UserId,
        now: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(UserSession, SignInClient)>, StoreFailure>;

    /// Records a use of the sign-in, and the end that follows from it, unless a later use is stored.
    async fn note_session_used(
        &self,
        session_id: &SessionId,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreFailure>;

    /// Returns a user's second factor. It is read from the database each time, like the following data.
    async fn second_factor(&self, user_id: &UserId) -> Result<Option<SecondFactor>, StoreFailure>;

    /// Checks whether the users of a merchant account need a second factor.
    async fn requires_second_factor(&self, merchant_id: &MerchantId) -> Result<bool, StoreFailure>;

    /// Checks whether a user has no second factor in a merchant account whose users need one.
    async fn lacks_second_factor(
        &self,
        user_id: &UserId,
        merchant_id: &MerchantId,
    ) -> Result<bool, StoreFailure>;

    /// Counts a guess at a user's second factor for all servers together, limited by
    /// [`multirail_kernel::try_limit::TryLimit::CODES`]. Returns false if there are too many.
    async fn count_guess(&self, user_id: &UserId, now: Timestamp) -> Result<bool, StoreFailure>;

    async fn second_step(&self, hash: &str) -> Result<Option<SecondStep>, StoreFailure>;

    /// Stores a sign-in in progress.
    async fn begin_oidc(&self, begun: &BegunOidc) -> Result<(), StoreFailure>;

    /// Removes a sign-in in progress. Returns whether it existed and had not expired.
    async fn take_oidc(&self, hash: &str, now: Timestamp) -> Result<bool, StoreFailure>;

    /// Returns the user linked to a person of the identity provider.
    async fn user_of_identity(&self, hash: &str) -> Result<Option<UserId>, StoreFailure>;

    /// Checks whether the user is linked to any person.
    async fn has_identity(&self, user_id: &UserId) -> Result<bool, StoreFailure>;

    async fn sign_in_link(&self, hash: &str) -> Result<Option<SignInLink>, StoreFailure>;

    /// Returns a session of the operator at the console, valid or not.
    async fn operator_session(&self, hash: &str) -> Result<Option<OperatorSession>, StoreFailure>;

    async fn password_link(&self, hash: &str) -> Result<Option<PasswordLink>, StoreFailure>;

    /// Returns a user's views in a merchant account, oldest first.
    async fn saved_views(
        &self,
        user_id: &UserId,
        merchant_id: &MerchantId,
    ) -> Result<Vec<SavedView>, StoreFailure>;

    /// Deletes expired sign-ins, also of the operator, sign-ins in progress, second steps, links, invitations and mail.
    /// Returns their number.
    async fn purge_sign_ins(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure>;
}
