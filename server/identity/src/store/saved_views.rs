//! Statements on the saved views of users.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{MOST_SAVED_VIEWS, SavedView};
use multirail_kernel::ids::{MerchantId, SavedViewId, UserId};
use multirail_sql::{Read, Row, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;

use super::users::{merchant_id, moment};

const OF_USER: &str = "select user_id, merchant_id, saved_view_id, name, query, created_at from saved_views \
     where user_id = $1 and merchant_id = $2 order by created_at, saved_view_id";

/// Changes no row if there is no room, or if the name is taken.
const SAVE: &str = "insert into saved_views (user_id, merchant_id, saved_view_id, name, query, created_at) \
     select $1, $2, $3, $4, $5, $6 \
     where (select count(*) from saved_views where user_id = $1 and merchant_id = $2) < $7 on conflict do nothing";

/// Writes the user's row, so that another view of the user waits and counts this one.
const WAIT: &str = "update users set version = version where user_id = $1";

const DELETE: &str =
    "delete from saved_views where user_id = $1 and merchant_id = $2 and saved_view_id = $3";

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

pub(super) fn save(view: &SavedView) -> [Write; 2] {
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
        Write::new(SAVE, parameters),
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
