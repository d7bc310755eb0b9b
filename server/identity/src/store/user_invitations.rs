//! Statements on invitations: roles that wait until their users take them up.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{Invitation, RolePlace};
use multirail_kernel::ids::UserId;
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::{Read, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;

use super::user_roles::{grant, scope};
use super::users::moment;

const OF_USER: &str = "select user_id, organization_id, merchant_id, role, created_at, expires_at, invited_by from user_invitations \
     where user_id = $1 order by created_at, organization_id, scope";

/// An offer of the same role keeps its time, so that the links to it still take it up.
const INVITE: &str = "insert into user_invitations (user_id, organization_id, scope, merchant_id, role, created_at, expires_at, \
     invited_by) values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (user_id, organization_id, scope) do update set \
     merchant_id = excluded.merchant_id, role = excluded.role, created_at = case when user_invitations.role = excluded.role \
     then user_invitations.created_at else excluded.created_at end, expires_at = excluded.expires_at, \
     invited_by = excluded.invited_by";

/// Changes no row if the invitation was replaced meanwhile.
const END: &str = "delete from user_invitations where user_id = $1 and organization_id = $2 and scope = $3 \
     and role = $4 and created_at = $5";

const WITHDRAW_IN_ORGANIZATION: &str =
    "delete from user_invitations where invited_by = $1 and organization_id = $2";

const WITHDRAW_IN_ACCOUNT: &str = "delete from user_invitations where invited_by = $1 and organization_id = $2 \
     and scope = $3";

const PURGE: &str = "delete from user_invitations where (user_id, organization_id, scope) in \
     (select user_id, organization_id, scope from user_invitations where expires_at <= $1 limit $2)";

pub(super) async fn of_user(
    store: &SqlStore,
    user_id: &UserId,
) -> Result<Vec<Invitation>, StoreFailure> {
    let read = Read::new(OF_USER, values![user_id.as_str()]);
    let rows = store.engine().fetch(read).await.map_err(failure)?;
    rows.iter()
        .map(|row| {
            let invited_by = row.opt_str("invited_by").map_err(failure)?;
            Ok(Invitation {
                grant: grant(row)?,
                expires_at: moment(row, "expires_at")?,
                invited_by: record::id(invited_by.map(UserId::parse).transpose())?,
            })
        })
        .collect()
}

pub(super) fn invite(invitation: &Invitation) -> Write {
    let Invitation {
        grant: to,
        expires_at,
        invited_by,
    } = invitation;
    let parameters = values![
        to.user_id.as_str(),
        to.organization_id.as_str(),
        scope(to),
        to.merchant_id.as_str(),
        to.role.as_str(),
        to.created_at.as_micros(),
        expires_at.as_micros(),
        invited_by.as_ref().map(|id| id.as_str())
    ];
    Write::new(INVITE, parameters)
}

pub(super) fn end(invitation: &Invitation) -> Write {
    let to = &invitation.grant;
    let parameters = values![
        to.user_id.as_str(),
        to.organization_id.as_str(),
        scope(to),
        to.role.as_str(),
        to.created_at.as_micros()
    ];
    Write::new(END, parameters)
}

/// Withdraws the offers that an admin made in this place. Those of an organization's admin are in all of its accounts.
pub(super) fn withdraw(inviter: &UserId, place: &RolePlace) -> Write {
    let mut parameters = values![inviter.as_str(), place.organization_id.as_str()];
    let sql = match &place.merchant_id {
        None => WITHDRAW_IN_ORGANIZATION,
        Some(merchant_id) => {
            parameters.extend(values![merchant_id.as_str()]);
            WITHDRAW_IN_ACCOUNT
        }
    };
    Write::new(sql, parameters).any_rows()
}

pub(super) async fn purge(
    store: &SqlStore,
    now: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::purge(store.engine(), PURGE, now, at_most).await
}
