//! Statements on the team of a merchant account: its users, and the people who were invited.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{
    Grant, Member, OtherAdmins, Role, RolePlace, Standing, UserSession,
};
use multirail_kernel::ids::{MerchantId, OrganizationId, UserId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::{Read, Row, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::subject_keys::OpenKeys;

use super::user_roles::{place_scope, scope};
use super::users::{PERSONAL, user};

/// A user can have a role, and an offer, both in the organization and in the account.
const PAGE: &str = "select u.user_id, u.home_merchant_id, u.password_hash, u.version, u.personal, u.created_at, \
     u.modified_at, o.role as organization_role, o.last_sign_in_at as organization_sign_in_at, a.role as account_role, \
     a.last_sign_in_at as account_sign_in_at, oi.role as organization_offer, ai.role as account_offer, \
     f.confirmed_at as factor_confirmed_at from (select user_id, min(created_at) as since from \
     (select user_id, created_at from user_roles where organization_id = $1 and (scope = '' or scope = $2) union all \
     select user_id, created_at from user_invitations where organization_id = $1 and (scope = '' or scope = $2) \
     and expires_at > $3) listed group by user_id order by since, user_id limit $4 offset $5) page \
     join users u on u.user_id = page.user_id \
     left join user_roles o on o.user_id = u.user_id and o.organization_id = $1 and o.scope = '' \
     left join user_roles a on a.user_id = u.user_id and a.organization_id = $1 and a.scope = $2 \
     left join user_invitations oi on oi.user_id = u.user_id and oi.organization_id = $1 and oi.scope = '' \
     and oi.expires_at > $3 \
     left join user_invitations ai on ai.user_id = u.user_id and ai.organization_id = $1 and ai.scope = $2 \
     and ai.expires_at > $3 \
     left join user_second_factors f on f.user_id = u.user_id order by page.since, page.user_id";

/// A session that continues an earlier sign-in doesn't move the time back.
const NOTE_SIGN_IN: &str = "update user_roles set last_sign_in_at = $4 where user_id = $1 and organization_id = $2 \
     and (scope = '' or scope = $3) and (last_sign_in_at is null or last_sign_in_at < $4)";

const OTHER_ADMINS: &str = "select distinct scope from user_roles where organization_id = $1 and user_id <> $3 \
     and (scope = '' or (scope = $2 and role = 'merchant_admin'))";

const REPLACE_ROLE: &str = "update user_roles set role = $5 where user_id = $1 and organization_id = $2 \
     and scope = $3 and role = $4";

/// Locks the rows of all admins, so that admins who leave at the same time wait for each other. An empty `$2` names only
/// those of the organization.
const LOCK_ADMINS: &str = "update user_roles set role = role where organization_id = $1 \
     and (scope = '' or (scope = $2 and role = 'merchant_admin'))";

/// Changes the row of one other admin to what it is, or no row if there is none.
const KEEP_ADMIN: &str = "update user_roles set role = role where (user_id, organization_id, scope) in \
     (select user_id, organization_id, scope from user_roles where organization_id = $1 and user_id <> $3 \
     and (scope = '' or (scope = $2 and role = 'merchant_admin')) order by user_id, scope limit 1)";

pub(super) async fn page(
    store: &SqlStore,
    (organization_id, merchant_id): (&OrganizationId, &MerchantId),
    now: Timestamp,
    (limit, offset): (i64, i64),
) -> Result<Vec<Member>, StoreFailure> {
    let parameters = values![
        organization_id.as_str(),
        merchant_id.as_str(),
        now.as_micros(),
        limit,
        offset
    ];
    let read = Read::new(PAGE, parameters);
    let rows = store.engine().fetch(read).await.map_err(failure)?;
    let keys = store.keys().to_open(&rows, PERSONAL).await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let id = row.str("user_id").map_err(failure)?;
        found.extend(record::readable("users", id, member(row, &keys))?);
    }
    Ok(found)
}

pub(super) async fn other_admins(
    store: &SqlStore,
    user_id: &UserId,
    (organization_id, merchant_id): (&OrganizationId, &MerchantId),
) -> Result<OtherAdmins, StoreFailure> {
    let parameters = values![
        organization_id.as_str(),
        merchant_id.as_str(),
        user_id.as_str()
    ];
    let read = Read::new(OTHER_ADMINS, parameters);
    let rows = store.engine().fetch(read).await.map_err(failure)?;
    let mut of_organization = false;
    for row in &rows {
        of_organization |= row.str("scope").map_err(failure)?.is_empty();
    }
    Ok(OtherAdmins {
        of_organization,
        of_account: !rows.is_empty(),
    })
}

pub(super) fn replace_role(former: &Grant, role: Role) -> Write {
    let parameters = values![
        former.user_id.as_str(),
        former.organization_id.as_str(),
        scope(former),
        former.role.as_str(),
        role.as_str()
    ];
    Write::new(REPLACE_ROLE, parameters)
}

pub(super) fn keep_admin(leaving: &UserId, place: &RolePlace) -> [Write; 2] {
    let (organization_id, account) = (place.organization_id.as_str(), place_scope(place));
    let admins = values![organization_id, account];
    let others = values![organization_id, account, leaving.as_str()];
    [
        Write::new(LOCK_ADMINS, admins).any_rows(),
        Write::new(KEEP_ADMIN, others),
    ]
}

/// Notes at the user's roles where a sign-in acts that it acts there.
pub(super) fn note_sign_in(session: &UserSession) -> Write {
    let parameters = values![
        session.user_id.as_str(),
        session.organization_id.as_str(),
        session.merchant_id.as_str(),
        session.created_at.as_micros()
    ];
    Write::new(NOTE_SIGN_IN, parameters).any_rows()
}

fn member(row: &Row, keys: &OpenKeys<'_>) -> Result<Member, StoreFailure> {
    // The roles are sorted by their permissions, the strongest first.
    let strongest = |one: &str, other: &str| -> Result<Option<Role>, StoreFailure> {
        let both = [role(row, one)?, role(row, other)?];
        Ok(both.into_iter().flatten().min())
    };
    let held = strongest("organization_role", "account_role")?;
    let offered = strongest("organization_offer", "account_offer")?;
    let standing = Standing::of(held, offered)
        .ok_or_else(|| StoreFailure::Broken("a member has no role".to_owned()))?;
    let in_organization = row.opt_int("organization_sign_in_at").map_err(failure)?;
    let in_account = row.opt_int("account_sign_in_at").map_err(failure)?;
    let factor = row.opt_int("factor_confirmed_at").map_err(failure)?;
    let user = user(row, keys)?;
    Ok(Member {
        user_id: user.user_id,
        email: user.personal.email,
        name: user.personal.name,
        standing,
        has_second_factor: factor.is_some(),
        last_sign_in_at: in_organization.max(in_account).map(Timestamp::from_micros),
    })
}

fn role(row: &Row, column: &str) -> Result<Option<Role>, StoreFailure> {
    let word = row.opt_str(column).map_err(failure)?;
    let role = word.map(str::parse::<Role>).transpose();
    role.map_err(|unknown| StoreFailure::Broken(format!("{column} can't be read: {unknown}")))
}
