//! The views that a user saves.

use dropshot::RequestContext;
use multirail_api::{ApiError, Caller, JsonAnswer, User};
use multirail_http::platform::errors::api_error;
use multirail_http::platform::{origin, scope};
use multirail_http::{ApiResult, Context};
use multirail_identity_domain::SavedView;
use multirail_kernel::ids::SavedViewId;
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::callers::user;
use super::identity;

/// Returns the caller's views.
pub(crate) async fn list(
    rqctx: &RequestContext<Context>,
    caller: &User,
) -> ApiResult<Vec<types::SavedView>> {
    let users = &identity(rqctx)?.users;
    let found = users.saved_views(&user(caller)?).await;
    let found = found.map_err(api_error)?;
    Ok(JsonAnswer::new(found.iter().map(answer).collect()))
}

/// Saves a view.
pub(crate) async fn create(
    rqctx: &RequestContext<Context>,
    caller: &Caller<User>,
    body: &types::SavedViewCreateRequest,
) -> ApiResult<types::SavedView> {
    let origin = origin::user(rqctx, caller);
    let users = &identity(rqctx)?.users;
    let caller = user(caller)?;
    let saved = users.save_view(&origin, &caller, &body.name, &body.query);
    let saved = saved.await.map_err(api_error)?;
    Ok(JsonAnswer::new(answer(&saved)))
}

/// Deletes a view.
pub(crate) async fn delete(
    rqctx: &RequestContext<Context>,
    caller: &Caller<User>,
    saved_view_id: &str,
) -> Result<(), ApiError> {
    let saved_view_id =
        SavedViewId::parse(saved_view_id).map_err(|_| scope::not_found(Object::SavedView))?;
    let origin = origin::user(rqctx, caller);
    let users = &identity(rqctx)?.users;
    let caller = user(caller)?;
    let deleted = users.delete_view(&origin, &caller, &saved_view_id);
    deleted.await.map_err(api_error)
}

fn answer(view: &SavedView) -> types::SavedView {
    types::SavedView {
        saved_view_id: view.saved_view_id.to_string(),
        name: view.name.clone(),
        query: view.query.clone(),
        created: view.created_at.to_datetime(),
    }
}
