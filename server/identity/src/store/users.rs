//! Statements on users. The key of the merchant account that the user started in seals their personal data. The hash of
//! their address, by which they are found, is keyed.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::platform::ports::seal::Subject;
use multirail_app::platform::ports::{Seal, StoreFailure};
use multirail_identity_domain::{
    BegunOidc, Grant, Invitation, Member, OperatorSession, OtherAdmins, PasswordLink, SavedView,
    SecondFactor, SecondStep, SignInClient, SignInLink, User, UserPersonal, UserSession,
};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, OrganizationId, SessionId, UserId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Sealing;
use multirail_sql::{Read, Row, Write, values};
use multirail_store::Declared;
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::{one, one_sealed, version};
use multirail_store::platform::sealed_columns::{SealedColumn, merchant_in};
use multirail_store::platform::subject_keys::OpenKeys;

use super::identities;
use super::operator_sessions;
use super::password_links;
use super::password_mails;
use super::saved_views;
use super::second_factor_rules;
use super::second_factors;
use super::sign_in_links;
use super::team;
use super::user_accounts;
use super::user_invitations;
use super::user_roles;
use super::user_sessions;
use crate::ports::{SignIn, UserStore};

multirail_store::records! {
    UserPersonal: "users.personal",
}

/// The sealed column.
pub(super) const PERSONAL: &str = "personal";

const SIGN_IN: &str = "select user_id, password_hash, version from users where email_hash = $1";

const USER: &str = "select user_id, home_merchant_id, password_hash, version, personal, created_at, modified_at \
     from users where user_id = $1";

const VERSION: &str = "select version from users where user_id = $1";

const INSERT: &str = "insert into users (user_id, email_hash, home_merchant_id, password_hash, version, personal, \
     created_at, modified_at) values ($1, $2, $3, $4, 1, $5, $6, $7) on conflict do nothing";

const UPDATE: &str = "update users set version = version + 1, email_hash = $2, password_hash = $3, personal = $4, \
     modified_at = $5 where user_id = $1 and version = $6";

/// Writes the row, because a read would not make the next change of the user wait. No lock for reading has the same
/// form on both engines.
const HOLD: &str = "update users set version = version where user_id = $1 and version = $2";

const ADVANCE: &str = "update users set version = version + 1 where user_id = $1";

/// Runs the users' statements on the shared store.
pub struct SqlUsers {
    pub(super) sql: Arc<SqlStore>,
}

impl SqlUsers {
    /// Creates the store. The shared store must know [`DECLARED`].
    pub fn new(sql: Arc<SqlStore>) -> Self {
        SqlUsers { sql }
    }
}

/// The users' tables, as the shared store must know them.
pub const DECLARED: Declared = Declared {
    sealed_columns: &[
        SealedColumn {
            also: &["home_merchant_id"],
            subject: home_merchant,
            ..SealedColumn::of_merchant("users", PERSONAL, &["user_id"])
        },
        SealedColumn {
            also: &["merchant_id"],
            ..SealedColumn::of_merchant(
                user_sessions::TABLE,
                user_sessions::CLIENT,
                &["session_id"],
            )
        },
        SealedColumn {
            also: &["home_merchant_id"],
            subject: home_merchant,
            ..SealedColumn::of_merchant(
                "user_second_factors",
                second_factors::SECRETS,
                &["user_id"],
            )
        },
    ],
    records: &[
        "users.personal",
        "user_sessions.client",
        "user_second_factors.secrets",
    ],
    take_over: |_| vec![password_mails::take_over()],
    ..Declared::NOTHING
};

/// Returns the merchant account that a user started in.
fn home_merchant(row: &Row) -> Result<Subject, StoreFailure> {
    merchant_in(row, "home_merchant_id")
}

#[async_trait]
impl UserStore for SqlUsers {
    async fn sign_in_of(&self, email: &Email) -> Result<Option<SignIn>, StoreFailure> {
        let hash = email_hash(self.sql.keys().seal(), email);
        let read = Read::new(SIGN_IN, values![hash]);
        one(self.sql.engine(), read, |row| {
            Ok(SignIn {
                user_id: record::id(UserId::parse(row.str("user_id").map_err(failure)?))?,
                password_hash: password_hash(row)?,
                version: version(row)?,
            })
        })
        .await
    }

    async fn user_of_hash(&self, email_hash: &str) -> Result<Option<UserId>, StoreFailure> {
        let read = Read::new(SIGN_IN, values![email_hash]);
        one(self.sql.engine(), read, |row| {
            record::id(UserId::parse(row.str("user_id").map_err(failure)?))
        })
        .await
    }

    async fn user(&self, user_id: &UserId) -> Result<Option<User>, StoreFailure> {
        let read = Read::new(USER, values![user_id.as_str()]);
        one_sealed(self.sql.engine(), (self.sql.keys(), PERSONAL), read, user).await
    }

    async fn user_version(&self, user_id: &UserId) -> Result<Option<i64>, StoreFailure> {
        let read = Read::new(VERSION, values![user_id.as_str()]);
        one(self.sql.engine(), read, version).await
    }

    async fn grants(&self, user_id: &UserId) -> Result<Vec<Grant>, StoreFailure> {
        user_roles::of_user(&self.sql, user_id).await
    }

    async fn invitations(&self, user_id: &UserId) -> Result<Vec<Invitation>, StoreFailure> {
        user_invitations::of_user(&self.sql, user_id).await
    }

    async fn first_account(
        &self,
        organization_id: &OrganizationId,
    ) -> Result<Option<MerchantId>, StoreFailure> {
        user_accounts::first(&self.sql, organization_id).await
    }

    async fn accounts_of_user(
        &self,
        user_id: &UserId,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<MerchantId>, StoreFailure> {
        user_accounts::of_user(&self.sql, user_id, limit, offset).await
    }

    async fn team(
        &self,
        organization_id: &OrganizationId,
        merchant_id: &MerchantId,
        now: Timestamp,
        page: (i64, i64),
    ) -> Result<Vec<Member>, StoreFailure> {
        team::page(&self.sql, (organization_id, merchant_id), now, page).await
    }

    async fn other_admins(
        &self,
        user_id: &UserId,
        organization_id: &OrganizationId,
        merchant_id: &MerchantId,
    ) -> Result<OtherAdmins, StoreFailure> {
        team::other_admins(&self.sql, user_id, (organization_id, merchant_id)).await
    }

    async fn user_session(
        &self,
        session_id: &SessionId,
    ) -> Result<Option<UserSession>, StoreFailure> {
        user_sessions::find(&self.sql, session_id).await
    }

    async fn user_sessions(
        &self,
        user_id: &UserId,
        now: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(UserSession, SignInClient)>, StoreFailure> {
        user_sessions::of_user(&self.sql, user_id, now, at_most).await
    }

    async fn note_session_used(
        &self,
        session_id: &SessionId,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreFailure> {
        user_sessions::note_used(&self.sql, session_id, now, expires_at).await
    }

    async fn second_factor(&self, user_id: &UserId) -> Result<Option<SecondFactor>, StoreFailure> {
        second_factors::find(&self.sql, user_id).await
    }

    async fn requires_second_factor(&self, merchant_id: &MerchantId) -> Result<bool, StoreFailure> {
        second_factor_rules::is_required(&self.sql, merchant_id).await
    }

    async fn lacks_second_factor(
        &self,
        user_id: &UserId,
        merchant_id: &MerchantId,
    ) -> Result<bool, StoreFailure> {
        second_factor_rules::lacks(&self.sql, user_id, merchant_id).await
    }

    async fn count_guess(&self, user_id: &UserId, now: Timestamp) -> Result<bool, StoreFailure> {
        second_factors::count_guess(&self.sql, user_id, now).await
    }

    async fn second_step(&self, hash: &str) -> Result<Option<SecondStep>, StoreFailure> {
        second_factors::step(&self.sql, hash).await
    }

    async fn begin_oidc(&self, begun: &BegunOidc) -> Result<(), StoreFailure> {
        identities::begin(&self.sql, begun).await
    }

    async fn take_oidc(&self, hash: &str, now: Timestamp) -> Result<bool, StoreFailure> {
        identities::take(&self.sql, hash, now).await
    }

    async fn user_of_identity(&self, hash: &str) -> Result<Option<UserId>, StoreFailure> {
        identities::user_of(&self.sql, hash).await
    }

    async fn has_identity(&self, user_id: &UserId) -> Result<bool, StoreFailure> {
        identities::is_linked(&self.sql, user_id).await
    }

    async fn sign_in_link(&self, hash: &str) -> Result<Option<SignInLink>, StoreFailure> {
        sign_in_links::find(&self.sql, hash).await
    }

    async fn operator_session(&self, hash: &str) -> Result<Option<OperatorSession>, StoreFailure> {
        operator_sessions::find(&self.sql, hash).await
    }

    async fn password_link(&self, hash: &str) -> Result<Option<PasswordLink>, StoreFailure> {
        password_links::find(&self.sql, hash).await
    }

    async fn saved_views(
        &self,
        user_id: &UserId,
        merchant_id: &MerchantId,
    ) -> Result<Vec<SavedView>, StoreFailure> {
        saved_views::of_user(&self.sql, user_id, merchant_id).await
    }

    async fn purge_sign_ins(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure> {
        let sessions = user_sessions::purge(&self.sql, now, at_most).await?;
        let links = password_links::purge(&self.sql, now, at_most).await?;
        let steps = second_factors::purge(&self.sql, now, at_most).await?;
        let mails = password_mails::purge(&self.sql, now, at_most).await?;
        let begun = identities::purge(&self.sql, now, at_most).await?;
        let invitations = user_invitations::purge(&self.sql, now, at_most).await?;
        let to_console = sign_in_links::purge(&self.sql, now, at_most).await?;
        let of_operator = operator_sessions::purge(&self.sql, now, at_most).await?;
        let purged = [
            sessions,
            links,
            steps,
            mails,
            begun,
            invitations,
            to_console,
            of_operator,
        ];
        Ok(purged.into_iter().sum())
    }
}

pub(super) fn insert(user: &User, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let parameters = values![
        user.user_id.as_str(),
        email_hash(keys.of_installation(), &user.personal.email),
        user.home_merchant_id.as_str(),
        user.password_hash.as_ref().map(SecretText::expose),
        personal(user, keys)?,
        user.created_at.as_micros(),
        user.modified_at.as_micros()
    ];
    Ok(Write::new(INSERT, parameters))
}

pub(super) fn update(user: &User, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let parameters = values![
        user.user_id.as_str(),
        email_hash(keys.of_installation(), &user.personal.email),
        user.password_hash.as_ref().map(SecretText::expose),
        personal(user, keys)?,
        user.modified_at.as_micros(),
        user.version
    ];
    Ok(Write::new(UPDATE, parameters))
}

/// Holds the user at this version until the commit ends. A conflict if they aren't at it any more.
pub(super) fn hold(user_id: &UserId, version: i64) -> Write {
    Write::new(HOLD, values![user_id.as_str(), version])
}

/// Gives the user another version.
pub(super) fn advance(user_id: &UserId) -> Write {
    Write::new(ADVANCE, values![user_id.as_str()]).any_rows()
}

fn personal(user: &User, keys: &dyn Sealing) -> Result<Vec<u8>, StoreFailure> {
    let text = SecretText::new(record::write(&user.personal)?);
    Ok(keys.seal(&user.home_merchant_id, &place(&user.user_id), &text))
}

pub(super) fn user(row: &Row, keys: &OpenKeys<'_>) -> Result<User, StoreFailure> {
    let user_id = record::id(UserId::parse(row.str("user_id").map_err(failure)?))?;
    let home = MerchantId::parse(row.str("home_merchant_id").map_err(failure)?);
    let personal = keys.open(row, PERSONAL, &place(&user_id))?;
    Ok(User {
        home_merchant_id: record::id(home)?,
        password_hash: password_hash(row)?,
        personal: record::parse(personal.expose())?,
        version: version(row)?,
        created_at: moment(row, "created_at")?,
        modified_at: moment(row, "modified_at")?,
        user_id,
    })
}

pub(super) fn merchant_id(row: &Row) -> Result<MerchantId, StoreFailure> {
    record::id(MerchantId::parse(row.str("merchant_id").map_err(failure)?))
}

fn password_hash(row: &Row) -> Result<Option<SecretText>, StoreFailure> {
    let hash = row.opt_str("password_hash").map_err(failure)?;
    Ok(hash.map(SecretText::new))
}

pub(super) fn moment(row: &Row, column: &str) -> Result<Timestamp, StoreFailure> {
    row.int(column).map(Timestamp::from_micros).map_err(failure)
}

fn place(user_id: &UserId) -> String {
    format!("users:{user_id}")
}

pub(super) fn email_hash(seal: &dyn Seal, email: &Email) -> String {
    seal.fingerprint("user_email", email.as_str())
}
