//! Statements on the roles of users.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{Grant, Role, RolePlace};
use multirail_kernel::ids::{OrganizationId, UserId};
use multirail_sql::{Read, Row, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;

use super::users::{merchant_id, moment};

const OF_USER: &str = "select user_id, organization_id, merchant_id, role, created_at from user_roles \
     where user_id = $1 order by created_at, organization_id, scope";

const GIVE: &str = "insert into user_roles (user_id, organization_id, scope, merchant_id, role, created_at) \
     values ($1, $2, $3, $4, $5, $6) on conflict (user_id, organization_id, scope) \
     do update set role = excluded.role";

/// Changes no row if the role was replaced meanwhile.
const TAKE_AWAY: &str = "delete from user_roles where user_id = $1 and organization_id = $2 and scope = $3 \
     and role = $4";

pub(super) async fn of_user(
    store: &SqlStore,
    user_id: &UserId,
) -> Result<Vec<Grant>, StoreFailure> {
    let read = Read::new(OF_USER, values![user_id.as_str()]);
    let rows = store.engine().fetch(read).await.map_err(failure)?;
    rows.iter().map(grant).collect()
}

pub(super) fn give(grant: &Grant) -> Write {
    let parameters = values![
        grant.user_id.as_str(),
        grant.organization_id.as_str(),
        scope(grant),
        grant.merchant_id.as_str(),
        grant.role.as_str(),
        grant.created_at.as_micros()
    ];
    Write::new(GIVE, parameters)
}

pub(super) fn take_away(grant: &Grant) -> Write {
    let parameters = values![
        grant.user_id.as_str(),
        grant.organization_id.as_str(),
        scope(grant),
        grant.role.as_str()
    ];
    Write::new(TAKE_AWAY, parameters)
}

pub(super) fn scope(grant: &Grant) -> &str {
    if grant.role.is_of_organization() {
        ""
    } else {
        grant.merchant_id.as_str()
    }
}

/// Returns the scope of the roles in a place.
pub(super) fn place_scope(place: &RolePlace) -> &str {
    place.merchant_id.as_ref().map_or("", |id| id.as_str())
}

pub(super) fn grant(row: &Row) -> Result<Grant, StoreFailure> {
    let role = row.str("role").map_err(failure)?;
    let role: Result<Role, _> = role.parse();
    let organization_id = OrganizationId::parse(row.str("organization_id").map_err(failure)?);
    Ok(Grant {
        user_id: record::id(UserId::parse(row.str("user_id").map_err(failure)?))?,
        organization_id: record::id(organization_id)?,
        merchant_id: merchant_id(row)?,
        role: role.map_err(|unknown| {
            StoreFailure::Broken(format!("the role of a user can't be read: {unknown}"))
        })?,
        created_at: moment(row, "created_at")?,
    })
}
