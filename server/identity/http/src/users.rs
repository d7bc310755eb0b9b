//! The operations of users. Each translates the request, calls a use case and translates the result.

use dropshot::RequestContext;
use multirail_api::users::*;
use multirail_api::{Admin, ApiError, Caller, JsonAnswer, Path, PlainText, Query, TypedBody, User};
use multirail_http::accounts::convert::merchant_account;
use multirail_http::platform::convert::words::ToWire;
use multirail_http::platform::errors::{api_error, refused};
use multirail_http::platform::{origin, scope};
use multirail_http::{ApiResult, Context};
use multirail_identity::app::{Forgotten, InviteUser, TrySubject};
use multirail_kernel::email::Email;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::answers::{first_step, nothing, token};
use super::callers::user;
use super::saved_views;
use super::signed_out;
use super::team;
use super::tries::{admit, admit_account};
use super::user_merchants;
use super::visits::{place, visit};
use super::words::{role, role_to_wire};
use super::{Api, identity};

impl UsersApi for Api {
    type Context = Context;

    async fn users_sign_up(
        rqctx: RequestContext<Context>,
        body: TypedBody<Box<types::UserSignUpRequest>>,
    ) -> ApiResult<types::UserToken> {
        let types::UserSignUpRequest { email, password } = *body.into_inner();
        admit(&rqctx, TrySubject::SignUp(&email)).await?;
        let password = SecretText::new(password.expose());
        let identity = identity(&rqctx)?;
        let signed_up = identity
            .users
            .sign_up(visit(&rqctx), &email, &password)
            .await;
        let signed_up = signed_up.map_err(api_error)?;
        identity
            .sign_ins
            .remember_place(&signed_up, &place(&rqctx))
            .await;
        Ok(token(&signed_up))
    }

    async fn users_sign_in(
        rqctx: RequestContext<Context>,
        body: TypedBody<Box<types::UserSignInRequest>>,
    ) -> ApiResult<types::UserToken> {
        sign_in(&rqctx, *body.into_inner()).await
    }

    async fn users_sign_in_alternative(
        rqctx: RequestContext<Context>,
        body: TypedBody<Box<types::UserSignInRequest>>,
    ) -> ApiResult<types::UserToken> {
        sign_in(&rqctx, *body.into_inner()).await
    }

    async fn users_sign_out(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
    ) -> Result<PlainText, ApiError> {
        let origin = origin::user(&rqctx, &caller);
        let sessions = &identity(&rqctx)?.sessions;
        let ended = sessions.sign_out(&origin, &user(&caller)?).await;
        ended.map_err(api_error)?;
        Ok(signed_out::answer(&rqctx))
    }

    async fn users_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
    ) -> ApiResult<types::UserDetails> {
        let users = &identity(&rqctx)?.users;
        let found = users.find(user(&caller)?).await;
        let view = found.map_err(api_error)?;
        let role = view.caller.role;
        let entity = if role.is_of_organization() {
            "organization"
        } else {
            "merchant"
        };
        Ok(JsonAnswer::new(types::UserDetails {
            user_id: view.user.user_id.to_string(),
            email: view.user.personal.email.as_str().to_owned(),
            name: view.user.personal.name.clone(),
            role_id: role_to_wire(role),
            merchant_id: view.caller.merchant_id.to_string(),
            org_id: view.caller.organization_id.to_string(),
            profile_id: view.caller.profile_id.map(|id| id.to_string()),
            entity_type: entity.to_owned(),
            is_two_factor_auth_setup: view.is_second_factor_on,
            recovery_codes_left: view.recovery_codes_left as i64,
            is_oidc_linked: view.is_oidc_linked,
            is_two_factor_auth_required: view.is_second_factor_required,
        }))
    }

    async fn users_change_password(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::UserPasswordChangeRequest>>,
    ) -> Result<PlainText, ApiError> {
        admit(&rqctx, TrySubject::User(&caller.user_id)).await?;
        let types::UserPasswordChangeRequest {
            old_password,
            new_password,
        } = *body.into_inner();
        let former = SecretText::new(old_password.expose());
        let next = SecretText::new(new_password.expose());
        let origin = origin::user(&rqctx, &caller);
        let users = &identity(&rqctx)?.users;
        let caller = user(&caller)?;
        let changed = users
            .change_password(&origin, &caller, &former, &next)
            .await;
        changed.map_err(api_error)?;
        Ok(nothing())
    }

    async fn users_forgot_password(
        rqctx: RequestContext<Context>,
        body: TypedBody<Box<types::UserPasswordForgottenRequest>>,
    ) -> Result<PlainText, ApiError> {
        let types::UserPasswordForgottenRequest { email } = *body.into_inner();
        admit(&rqctx, TrySubject::PasswordMail(&email)).await?;
        let asked = identity(&rqctx)?.password_mails.ask(&email).await;
        asked.map_err(api_error)?;
        Ok(nothing())
    }

    async fn users_reset_password(
        rqctx: RequestContext<Context>,
        body: TypedBody<Box<types::UserPasswordResetRequest>>,
    ) -> Result<PlainText, ApiError> {
        let types::UserPasswordResetRequest { token, password } = *body.into_inner();
        admit(&rqctx, TrySubject::Token(token.expose())).await?;
        let link = SecretText::new(token.expose());
        let password = SecretText::new(password.expose());
        let users = &identity(&rqctx)?.users;
        let request_id = rqctx.request_id.clone();
        let chosen = users.choose_password(request_id, &link, &password).await;
        chosen.map_err(api_error)?;
        Ok(nothing())
    }

    async fn users_invite(
        rqctx: RequestContext<Context>,
        caller: Caller<Admin>,
        body: TypedBody<Box<types::UserInviteRequest>>,
    ) -> ApiResult<types::UserInvited> {
        let types::UserInviteRequest {
            email,
            role_id,
            merchant_id,
        } = *body.into_inner();
        let email = Email::parse(&email).map_err(refused)?;
        let role = role(&role_id)?;
        let merchant_id = scope::any_account(&merchant_id)?;
        let invitation = InviteUser {
            email: email.clone(),
            role,
            merchant_id: merchant_id.clone(),
        };
        let origin = origin::admin(&rqctx, &caller);
        let invited = identity(&rqctx)?.users.invite(&origin, invitation).await;
        let invited = invited.map_err(api_error)?;
        let (text, expires_at) = invited.link.unzip();
        Ok(JsonAnswer::new(types::UserInvited {
            user_id: invited.user_id.to_string(),
            email: email.as_str().to_owned(),
            role_id: role_to_wire(role),
            merchant_id: merchant_id.to_string(),
            password_token: text.map(|text| text.expose().to_owned()),
            password_token_expires_at: expires_at.map(Timestamp::to_datetime),
        }))
    }

    async fn users_remove_role(
        rqctx: RequestContext<Context>,
        caller: Caller<Admin>,
        body: TypedBody<Box<types::UserRoleRemoveRequest>>,
    ) -> ApiResult<types::UserRoleRemoved> {
        let types::UserRoleRemoveRequest {
            email,
            role_id,
            merchant_id,
        } = *body.into_inner();
        let email = Email::parse(&email).map_err(refused)?;
        let role = role(&role_id)?;
        let merchant_id = scope::any_account(&merchant_id)?;
        let origin = origin::admin(&rqctx, &caller);
        let users = &identity(&rqctx)?.users;
        let removed = users.remove_role(&origin, &email, &merchant_id, role).await;
        let removed = removed.map_err(api_error)?;
        Ok(JsonAnswer::new(types::UserRoleRemoved {
            user_id: removed.user_id.to_string(),
            role_id: role_to_wire(removed.role),
            merchant_id: merchant_id.to_string(),
            org_id: removed.organization_id.to_string(),
        }))
    }

    async fn users_reset_sign_in(
        rqctx: RequestContext<Context>,
        caller: Caller<Admin>,
        body: TypedBody<Box<types::UserSignInResetRequest>>,
    ) -> ApiResult<types::UserSignInReset> {
        let types::UserSignInResetRequest {
            email,
            two_factor,
            oidc,
        } = *body.into_inner();
        let email = Email::parse(&email).map_err(refused)?;
        let asked = Forgotten {
            second_factor: two_factor.unwrap_or(false),
            identity: oidc.unwrap_or(false),
        };
        let origin = origin::admin(&rqctx, &caller);
        let users = &identity(&rqctx)?.users;
        let reset = users.reset_sign_in(&origin, &email, asked).await;
        let reset = reset.map_err(api_error)?;
        Ok(JsonAnswer::new(types::UserSignInReset {
            user_id: reset.user_id.to_string(),
            two_factor: reset.forgotten.second_factor,
            oidc: reset.forgotten.identity,
        }))
    }

    async fn users_create_platform(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::PlatformCreateRequest>>,
    ) -> ApiResult<types::PlatformAccount> {
        admit_account(&rqctx, &caller).await?;
        let types::PlatformCreateRequest { organization_name } = *body.into_inner();
        let origin = origin::user(&rqctx, &caller);
        let users = &identity(&rqctx)?.users;
        let made = users
            .create_platform(&origin, &user(&caller)?, &organization_name)
            .await;
        let made = made.map_err(api_error)?;
        Ok(JsonAnswer::new(types::PlatformAccount {
            org_id: made.organization.organization_id.to_string(),
            org_name: made.organization.organization_name.clone(),
            org_type: made.organization.organization_type.to_wire(),
            merchant_id: made.account.merchant_id.to_string(),
            // A new platform's account is never a connected one, which this member has no word for.
            merchant_account_type: made.account.merchant_account_type.as_str().into(),
        }))
    }

    async fn users_create_merchant(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::UserMerchantCreateRequest>>,
    ) -> ApiResult<types::UserMerchant> {
        admit_account(&rqctx, &caller).await?;
        let types::UserMerchantCreateRequest {
            company_name,
            merchant_account_type,
        } = *body.into_inner();
        let asked = merchant_account::asked_type(merchant_account_type.as_ref());
        let asked = asked.map_err(refused)?;
        let origin = origin::user(&rqctx, &caller);
        let users = &identity(&rqctx)?.users;
        let caller = user(&caller)?;
        let made = users.create_company(&origin, &caller, &company_name, asked);
        let account = made.await.map_err(api_error)?;
        Ok(JsonAnswer::new(types::UserMerchant {
            merchant_id: account.merchant_id.to_string(),
            merchant_name: account.merchant_name.clone(),
            merchant_account_type: account.merchant_account_type.to_wire(),
            org_id: account.organization_id.to_string(),
            profile_id: account.default_profile.as_ref().map(ToString::to_string),
        }))
    }

    async fn users_list_merchants(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        query: Query<UsersListMerchantsQuery>,
    ) -> ApiResult<Vec<types::UserMerchantListed>> {
        user_merchants::list(&rqctx, &caller, &query.into_inner()).await
    }

    async fn team_list(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        query: Query<TeamListQuery>,
    ) -> ApiResult<Vec<types::TeamMember>> {
        team::list(&rqctx, &caller, &query.into_inner()).await
    }

    async fn team_invite(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::TeamInviteRequest>>,
    ) -> ApiResult<types::TeamInvited> {
        team::invite(&rqctx, &caller, &body.into_inner()).await
    }

    async fn team_update(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<TeamUpdatePath>,
        body: TypedBody<Box<types::TeamUpdateRequest>>,
    ) -> ApiResult<types::TeamUpdated> {
        let (user_id, body) = (path.into_inner().user_id, body.into_inner());
        team::update(&rqctx, &caller, &user_id, &body).await
    }

    async fn team_remove(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<TeamRemovePath>,
    ) -> Result<PlainText, ApiError> {
        team::remove(&rqctx, &caller, &path.into_inner().user_id).await?;
        Ok(nothing())
    }

    async fn team_end_sessions(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<TeamEndSessionsPath>,
    ) -> Result<PlainText, ApiError> {
        team::end_sessions(&rqctx, &caller, &path.into_inner().user_id).await?;
        Ok(nothing())
    }

    async fn team_settings_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
    ) -> ApiResult<types::TeamSettings> {
        team::settings(&rqctx, &caller).await
    }

    async fn team_settings_update(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::TeamSettingsUpdateRequest>>,
    ) -> ApiResult<types::TeamSettings> {
        team::set(&rqctx, &caller, &body.into_inner()).await
    }

    async fn saved_views_list(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
    ) -> ApiResult<Vec<types::SavedView>> {
        saved_views::list(&rqctx, &caller).await
    }

    async fn saved_views_create(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::SavedViewCreateRequest>>,
    ) -> ApiResult<types::SavedView> {
        saved_views::create(&rqctx, &caller, &body.into_inner()).await
    }

    async fn saved_views_delete(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<SavedViewsDeletePath>,
    ) -> Result<PlainText, ApiError> {
        saved_views::delete(&rqctx, &caller, &path.into_inner().saved_view_id).await?;
        Ok(nothing())
    }

    async fn users_switch_merchant(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::UserSwitchRequest>>,
    ) -> ApiResult<types::UserToken> {
        let (body, visit) = (body.into_inner(), visit(&rqctx));
        let switched = user_merchants::switch(&rqctx, &caller, &body, visit, false);
        Ok(token(&switched.await?))
    }
}

async fn sign_in(
    rqctx: &RequestContext<Context>,
    body: types::UserSignInRequest,
) -> ApiResult<types::UserToken> {
    let types::UserSignInRequest { email, password } = body;
    admit(rqctx, TrySubject::SignIn(&email)).await?;
    let password = SecretText::new(password.expose());
    let sign_ins = &identity(rqctx)?.sign_ins;
    let signed_in = sign_ins.by_password(visit(rqctx), &email, &password).await;
    first_step(rqctx, &signed_in.map_err(api_error)?).await
}
