//! The team of the merchant account in which its admin's session acts.

use dropshot::RequestContext;
use multirail_api::users::TeamListQuery;
use multirail_api::{ApiError, Caller, JsonAnswer, User};
use multirail_http::platform::errors::{api_error, refused};
use multirail_http::platform::{origin, scope};
use multirail_http::{ApiResult, Context};
use multirail_identity::app::TrySubject;
use multirail_identity_domain::Member;
use multirail_kernel::email::Email;
use multirail_kernel::ids::UserId;
use multirail_kernel::refusal::Object;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::callers::user;
use super::identity;
use super::tries::admit;
use super::words::{member_status_to_wire, role, role_to_wire};

/// Returns a page of the team.
pub(crate) async fn list(
    rqctx: &RequestContext<Context>,
    caller: &User,
    query: &TeamListQuery,
) -> ApiResult<Vec<types::TeamMember>> {
    let TeamListQuery { limit, offset } = *query;
    let limit = limit.map(i64::from);
    let offset = offset.map_or(0, i64::from);
    let users = &identity(rqctx)?.users;
    let found = users.team(&user(caller)?, limit, offset).await;
    let found = found.map_err(api_error)?;
    Ok(JsonAnswer::new(found.iter().map(answer).collect()))
}

/// Invites a person. The number of invitations by one caller is limited, because each of them may send mail.
pub(crate) async fn invite(
    rqctx: &RequestContext<Context>,
    caller: &Caller<User>,
    body: &types::TeamInviteRequest,
) -> ApiResult<types::TeamInvited> {
    admit(rqctx, TrySubject::Invitation(&caller.user_id)).await?;
    let types::TeamInviteRequest { email, role_id } = body;
    let email = Email::parse(email).map_err(refused)?;
    let role = role(role_id)?;
    let origin = origin::user(rqctx, caller);
    let users = &identity(rqctx)?.users;
    let caller = user(caller)?;
    let invited = users.invite_to_team(&origin, &caller, (email.clone(), role));
    let invited = invited.await.map_err(api_error)?;
    Ok(JsonAnswer::new(types::TeamInvited {
        user_id: invited.user_id.to_string(),
        email: email.as_str().to_owned(),
        role_id: role_to_wire(role),
        expires_at: invited.expires_at.to_datetime(),
    }))
}

/// Gives a member another role.
pub(crate) async fn update(
    rqctx: &RequestContext<Context>,
    caller: &Caller<User>,
    user_id: &str,
    body: &types::TeamUpdateRequest,
) -> ApiResult<types::TeamUpdated> {
    let types::TeamUpdateRequest { role_id } = body;
    let (user_id, role) = (member(user_id)?, role(role_id)?);
    let origin = origin::user(rqctx, caller);
    let users = &identity(rqctx)?.users;
    let caller = user(caller)?;
    let changed = users.change_member(&origin, &caller, &user_id, role);
    changed.await.map_err(api_error)?;
    Ok(JsonAnswer::new(types::TeamUpdated {
        user_id: user_id.to_string(),
        role_id: role_to_wire(role),
    }))
}

/// Removes a member.
pub(crate) async fn remove(
    rqctx: &RequestContext<Context>,
    caller: &Caller<User>,
    user_id: &str,
) -> Result<(), ApiError> {
    let user_id = member(user_id)?;
    let origin = origin::user(rqctx, caller);
    let users = &identity(rqctx)?.users;
    let removed = users.remove_member(&origin, &user(caller)?, &user_id).await;
    removed.map_err(api_error)
}

/// Ends the sessions of a member.
pub(crate) async fn end_sessions(
    rqctx: &RequestContext<Context>,
    caller: &Caller<User>,
    user_id: &str,
) -> Result<(), ApiError> {
    let user_id = member(user_id)?;
    let origin = origin::user(rqctx, caller);
    let users = &identity(rqctx)?.users;
    let caller = user(caller)?;
    let ended = users.end_member_sessions(&origin, &caller, &user_id);
    ended.await.map_err(api_error)
}

/// Returns the settings of the team.
pub(crate) async fn settings(
    rqctx: &RequestContext<Context>,
    caller: &User,
) -> ApiResult<types::TeamSettings> {
    let users = &identity(rqctx)?.users;
    let is_required = users.is_second_factor_required(&user(caller)?).await;
    Ok(JsonAnswer::new(types::TeamSettings {
        two_factor_required: is_required.map_err(api_error)?,
    }))
}

/// Changes the settings of the team.
pub(crate) async fn set(
    rqctx: &RequestContext<Context>,
    caller: &Caller<User>,
    body: &types::TeamSettingsUpdateRequest,
) -> ApiResult<types::TeamSettings> {
    let types::TeamSettingsUpdateRequest {
        two_factor_required,
    } = *body;
    let origin = origin::user(rqctx, caller);
    let users = &identity(rqctx)?.users;
    let caller = user(caller)?;
    let set = users.require_second_factor(&origin, &caller, two_factor_required);
    set.await.map_err(api_error)?;
    Ok(JsonAnswer::new(types::TeamSettings {
        two_factor_required,
    }))
}

/// Reads the identifier of a member.
fn member(user_id: &str) -> Result<UserId, ApiError> {
    UserId::parse(user_id).map_err(|_| scope::not_found(Object::User))
}

fn answer(member: &Member) -> types::TeamMember {
    let (name, has_second_factor) = member.known().unzip();
    types::TeamMember {
        user_id: member.user_id.to_string(),
        email: member.email.as_str().to_owned(),
        name: name.map(str::to_owned),
        role_id: role_to_wire(member.standing.role()),
        offered_role_id: member.standing.offered().map(role_to_wire),
        status: member_status_to_wire(member.standing.status()),
        is_two_factor_auth_setup: has_second_factor,
        last_sign_in_at: member.last_sign_in_at.map(Timestamp::to_datetime),
    }
}
