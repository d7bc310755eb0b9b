//! Statements on the saved views of users.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{MOST_SAVED_VIEWS, SavedView};
use multirail_kernel::ids::{MerchantId, SavedViewId, UserId};
use multirail_sql::{Dialect, Read, Row, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;

use super::users::{merchant_id, moment};

const OF_USER: &str = "select user_id, merchant_id, saved_view_id, name, query, created_at from saved_views \
     where user_id = $1 and merchant_id = $2 order by created_at, saved_view_id";

/// A condition: the user `$1` has a role in this account, which isn't deleted.
macro_rules! has_role {
    ($account:literal, $lock:literal) => {
        concat!(
            "exists (select 1 from user_roles r where r.user_id = $1 and (r.scope = '' or r.scope = ",
            $account,
            ") and ",
            multirail_store::merchant_belongs_to!($account, "r.organization_id", $lock),
            ")"
        )
    };
}

/// Changes no row if there is no room, if the name is taken, or if the user has no role in the account any more.
macro_rules! save {
    ($lock:literal) => {
        concat!(
            "insert into saved_views (user_id, merchant_id, saved_view_id, name, query, created_at) \
             select $1, $2, $3, $4, $5, $6 \
             where (select count(*) from saved_views where user_id = $1 and merchant_id = $2) < $7 and ",
            has_role!("$2", $lock),
            " on conflict do nothing"
        )
    };
}

const SAVE: &str = save!("");

/// The lock keeps the account until the commit, so that its deletion deletes this view too.
const SAVE_LOCKED: &str = save!(" for share");

/// Writes the user's row, so that another view of the user waits and counts this one.
const WAIT: &str = "update users set version = version where user_id = $1";

const DELETE: &str =
    "delete from saved_views where user_id = $1 and merchant_id = $2 and saved_view_id = $3";

const DELETE_OF_ACCOUNT: &str = "delete from saved_views where merchant_id = $1";

const DELETE_WITHOUT_ROLE: &str = concat!(
    "delete from saved_views where user_id = $1 and not ",
    has_role!("saved_views.merchant_id", "")
);

pub(super) async fn of_user(
    store: &SqlStore,
    user_id: &UserId,
    merchant_id: &MerchantId,
) -> Result<Vec<SavedView>, StoreFailure> {
    let parameters = values![user_id.as_str(), merchant_id.as_str()];
    let read = Read::new(OF_USER, parameters);
    let rows = store.engine().fetch(read).await.map_err(failure)?;
    rows.iter().map(view).collect()
}

pub(super) fn save(view: &SavedView, dialect: Dialect) -> [Write; 2] {
    let save = match dialect {
        Dialect::Sqlite => SAVE,
        Dialect::Postgres => SAVE_LOCKED,
    };
    let parameters = values![
        view.user_id.as_str(),
        view.merchant_id.as_str(),
        view.saved_view_id.as_str(),
        view.name.as_str(),
        view.query.as_str(),
        view.created_at.as_micros(),
        MOST_SAVED_VIEWS as i64
    ];
    [
        Write::new(WAIT, values![view.user_id.as_str()]),
        Write::new(save, parameters),
    ]
}

pub(super) fn delete(
    user_id: &UserId,
    merchant_id: &MerchantId,
    saved_view_id: &SavedViewId,
) -> Write {
    let parameters = values![
        user_id.as_str(),
        merchant_id.as_str(),
        saved_view_id.as_str()
    ];
    Write::new(DELETE, parameters)
}

/// Deletes all views of an account.
pub(super) fn delete_of_account(merchant_id: &MerchantId) -> Write {
    Write::new(DELETE_OF_ACCOUNT, values![merchant_id.as_str()]).any_rows()
}

/// Deletes the views of the user in accounts in which they have no role.
pub(super) fn delete_without_role(user_id: &UserId) -> Write {
    Write::new(DELETE_WITHOUT_ROLE, values![user_id.as_str()]).any_rows()
}

fn view(row: &Row) -> Result<SavedView, StoreFailure> {
    let text = |column| row.str(column).map_err(failure);
    Ok(SavedView {
        saved_view_id: record::id(SavedViewId::parse(text("saved_view_id")?))?,
        user_id: record::id(UserId::parse(text("user_id")?))?,
        merchant_id: merchant_id(row)?,
        name: text("name")?.to_owned(),
        query: text("query")?.to_owned(),
        created_at: moment(row, "created_at")?,
    })
}
