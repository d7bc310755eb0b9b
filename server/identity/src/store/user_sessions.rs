//! Statements on sign-ins, which tokens refer to. The client's data is sealed with the key of the merchant account that
//! the user acts in. Checking a token doesn't open it.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{RolePlace, SessionKind, SignInClient, UserSession};
use multirail_kernel::ids::{OrganizationId, ProfileId, SessionId, UserId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Sealing;
use multirail_sql::{Read, Row, Value, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::one;
use multirail_store::platform::subject_keys::OpenKeys;

use super::users::{merchant_id, moment};

multirail_store::records! {
    SignInClient: "user_sessions.client",
}

pub(super) const TABLE: &str = "user_sessions";

/// The sealed column; null in rows older than the column.
pub(super) const CLIENT: &str = "client";

const FIND: &str = "select session_id, kind, user_id, organization_id, merchant_id, profile_id, created_at, expires_at, \
     last_used_at from user_sessions where session_id = $1";

const OF_USER: &str = "select session_id, kind, user_id, organization_id, merchant_id, profile_id, created_at, expires_at, \
     last_used_at, client from user_sessions where user_id = $1 and expires_at > $2 \
     order by created_at desc, session_id limit $3";

const OPEN: &str = "insert into user_sessions (session_id, user_id, organization_id, merchant_id, profile_id, \
     created_at, expires_at, client, kind) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// Changes the row in its place: a statement that ends all sessions of the user meanwhile waits for the row and ends it
/// under its new id. It would not see a new row.
const REPLACE: &str = "update user_sessions set session_id = $1, organization_id = $3, merchant_id = $4, \
     profile_id = $5, created_at = $6, expires_at = $7, last_used_at = null, client = $8, kind = $9 \
     where session_id = $10 and user_id = $2";

const NOTE_USED: &str = "update user_sessions set last_used_at = $2, expires_at = $3 where session_id = $1 \
     and (last_used_at is null or last_used_at < $2)";

const END: &str = "delete from user_sessions where session_id = $1 and user_id = $2";

const END_ALL: &str = "delete from user_sessions where user_id = $1 and session_id <> $2";

const END_WITHOUT_ROLE: &str = "delete from user_sessions where user_id = $1 and not exists \
     (select 1 from user_roles r where r.user_id = $1 and r.organization_id = user_sessions.organization_id \
     and (r.scope = '' or r.scope = user_sessions.merchant_id))";

const END_IN_ORGANIZATION: &str = "delete from user_sessions where user_id = $1 and session_id <> $2 \
     and organization_id = $3";

const END_IN_ACCOUNT: &str = "delete from user_sessions where user_id = $1 and session_id <> $2 \
     and organization_id = $3 and merchant_id = $4";

const PURGE: &str = "delete from user_sessions where session_id in \
     (select session_id from user_sessions where expires_at <= $1 order by expires_at limit $2)";

pub(super) async fn find(
    store: &SqlStore,
    session_id: &SessionId,
) -> Result<Option<UserSession>, StoreFailure> {
    let read = Read::new(FIND, values![session_id.as_str()]);
    one(store.engine(), read, session).await
}

pub(super) async fn of_user(
    store: &SqlStore,
    user_id: &UserId,
    now: Timestamp,
    at_most: i64,
) -> Result<Vec<(UserSession, SignInClient)>, StoreFailure> {
    let read = Read::new(OF_USER, values![user_id.as_str(), now.as_micros(), at_most]);
    let rows = store.engine().fetch(read).await.map_err(failure)?;
    let keys = store.keys().to_open(&rows, CLIENT).await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let id = row.str("session_id").map_err(failure)?;
        found.extend(record::readable(TABLE, id, with_client(row, &keys))?);
    }
    Ok(found)
}

pub(super) async fn note_used(
    store: &SqlStore,
    session_id: &SessionId,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreFailure> {
    let parameters = values![session_id.as_str(), now.as_micros(), expires_at.as_micros()];
    let write = Write::new(NOTE_USED, parameters);
    record::write_any(store.engine(), vec![write.any_rows()]).await?;
    Ok(())
}

pub(super) async fn purge(
    store: &SqlStore,
    now: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::purge(store.engine(), PURGE, now, at_most).await
}

pub(super) fn open(
    session: &UserSession,
    client: &SignInClient,
    keys: &dyn Sealing,
) -> Result<Write, StoreFailure> {
    Ok(Write::new(OPEN, columns(session, client, keys)?))
}

pub(super) fn replace(
    former: &SessionId,
    session: &UserSession,
    client: &SignInClient,
    keys: &dyn Sealing,
) -> Result<Write, StoreFailure> {
    let mut parameters = columns(session, client, keys)?;
    parameters.extend(values![former.as_str()]);
    Ok(Write::new(REPLACE, parameters))
}

/// Returns the values of a row, in the order of its insert.
fn columns(
    session: &UserSession,
    client: &SignInClient,
    keys: &dyn Sealing,
) -> Result<Vec<Value>, StoreFailure> {
    let text = SecretText::new(record::write(client)?);
    let sealed = keys.seal(&session.merchant_id, &place(&session.session_id), &text);
    Ok(values![
        session.session_id.as_str(),
        session.user_id.as_str(),
        session.organization_id.as_str(),
        session.merchant_id.as_str(),
        session.profile_id.as_ref().map(|id| id.as_str()),
        session.created_at.as_micros(),
        session.expires_at.as_micros(),
        sealed,
        session.kind.as_str()
    ])
}

pub(super) fn end(user_id: &UserId, session_id: &SessionId) -> Write {
    Write::new(END, values![session_id.as_str(), user_id.as_str()])
}

pub(super) fn end_all(user_id: &UserId, except: Option<&SessionId>) -> Write {
    let except = except.map_or("", |id| id.as_str());
    Write::new(END_ALL, values![user_id.as_str(), except]).any_rows()
}

/// Ends the sessions in accounts in which the user has no role.
pub(super) fn end_without_role(user_id: &UserId) -> Write {
    Write::new(END_WITHOUT_ROLE, values![user_id.as_str()]).any_rows()
}

/// Ends sessions in a merchant account, or in any account of an organization.
pub(super) fn end_in(user_id: &UserId, place: &RolePlace, except: Option<&SessionId>) -> Write {
    let except = except.map_or("", |id| id.as_str());
    let organization_id = place.organization_id.as_str();
    let mut parameters = values![user_id.as_str(), except, organization_id];
    let sql = match &place.merchant_id {
        None => END_IN_ORGANIZATION,
        Some(merchant_id) => {
            parameters.extend(values![merchant_id.as_str()]);
            END_IN_ACCOUNT
        }
    };
    Write::new(sql, parameters).any_rows()
}

fn session(row: &Row) -> Result<UserSession, StoreFailure> {
    let session_id = SessionId::parse(row.str("session_id").map_err(failure)?);
    let organization_id = OrganizationId::parse(row.str("organization_id").map_err(failure)?);
    let profile_id = row.opt_str("profile_id").map_err(failure)?;
    let profile_id = profile_id.map(ProfileId::parse).transpose();
    let last_used_at = row.opt_int("last_used_at").map_err(failure)?;
    let kind: Result<SessionKind, _> = row.str("kind").map_err(failure)?.parse();
    Ok(UserSession {
        session_id: record::id(session_id)?,
        kind: kind.map_err(|unknown| {
            StoreFailure::Broken(format!("user_sessions.kind can't be read: {unknown}"))
        })?,
        user_id: record::id(UserId::parse(row.str("user_id").map_err(failure)?))?,
        organization_id: record::id(organization_id)?,
        merchant_id: merchant_id(row)?,
        profile_id: record::id(profile_id)?,
        created_at: moment(row, "created_at")?,
        expires_at: moment(row, "expires_at")?,
        last_used_at: last_used_at.map(Timestamp::from_micros),
    })
}

fn with_client(
    row: &Row,
    keys: &OpenKeys<'_>,
) -> Result<(UserSession, SignInClient), StoreFailure> {
    let session = session(row)?;
    let client = match row.opt_bytes(CLIENT).map_err(failure)? {
        Some(sealed) => {
            let text = keys.open_bytes(&place(&session.session_id), &sealed)?;
            record::parse(text.expose())?
        }
        None => SignInClient::default(),
    };
    Ok((session, client))
}

fn place(session_id: &SessionId) -> String {
    format!("{TABLE}:{session_id}")
}
