//! Users, their sign-ins, and the audit log.

use dropshot::RequestContext;

use super::{Notes, TestApi, example};
use crate::*;

impl users::UsersApi for TestApi {
    type Context = Notes;

    methods! {
        users_sign_up(body: TypedBody<Box<types::UserSignUpRequest>>) -> types::UserToken;
        users_sign_in(body: TypedBody<Box<types::UserSignInRequest>>) -> types::UserToken;
        users_sign_in_alternative(body: TypedBody<Box<types::UserSignInRequest>>) -> types::UserToken;
        users_retrieve(caller: Caller<User>) -> types::UserDetails;
        users_invite(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::UserInviteRequest>>
        ) -> types::UserInvited;
        users_remove_role(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::UserRoleRemoveRequest>>
        ) -> types::UserRoleRemoved;
        users_reset_sign_in(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::UserSignInResetRequest>>
        ) -> types::UserSignInReset;
        users_create_platform(
            caller: Caller<User>,
            body: TypedBody<Box<types::PlatformCreateRequest>>
        ) -> types::PlatformAccount;
        users_create_merchant(
            caller: Caller<User>,
            body: TypedBody<Box<types::UserMerchantCreateRequest>>
        ) -> types::UserMerchant;
        users_list_merchants(
            caller: Caller<User>,
            query: Query<users::UsersListMerchantsQuery>
        ) -> Vec<types::UserMerchantListed>;
        team_list(
            caller: Caller<User>,
            query: Query<users::TeamListQuery>
        ) -> Vec<types::TeamMember>;
        team_invite(
            caller: Caller<User>,
            body: TypedBody<Box<types::TeamInviteRequest>>
        ) -> types::TeamInvited;
        team_update(
            caller: Caller<User>,
            path: Path<users::TeamUpdatePath>,
            body: TypedBody<Box<types::TeamUpdateRequest>>
        ) -> types::TeamUpdated;
        team_settings_retrieve(caller: Caller<User>) -> types::TeamSettings;
        team_settings_update(
            caller: Caller<User>,
            body: TypedBody<Box<types::TeamSettingsUpdateRequest>>
        ) -> types::TeamSettings;
        saved_views_list(caller: Caller<User>) -> Vec<types::SavedView>;
        saved_views_create(
            caller: Caller<User>,
            body: TypedBody<Box<types::SavedViewCreateRequest>>
        ) -> types::SavedView;
        users_switch_merchant(
            caller: Caller<User>,
            body: TypedBody<Box<types::UserSwitchRequest>>
        ) -> types::UserToken;
    }

    async fn users_sign_out(
        _: RequestContext<Notes>,
        _: Caller<User>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }

    async fn team_remove(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: Path<users::TeamRemovePath>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }

    async fn team_end_sessions(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: Path<users::TeamEndSessionsPath>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }

    async fn saved_views_delete(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: Path<users::SavedViewsDeletePath>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }

    async fn users_change_password(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: TypedBody<Box<types::UserPasswordChangeRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }

    async fn users_forgot_password(
        _: RequestContext<Notes>,
        _: TypedBody<Box<types::UserPasswordForgottenRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }

    async fn users_reset_password(
        _: RequestContext<Notes>,
        _: TypedBody<Box<types::UserPasswordResetRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }
}

impl user_sessions::UserSessionsApi for TestApi {
    type Context = Notes;

    methods! {
        user_sessions_list(caller: Caller<User>) -> Vec<types::UserSession>;
        console_sessions_begin(
            body: TypedBody<Box<types::ConsoleSessionBeginRequest>>
        ) -> types::ConsoleSession;
        console_sessions_begin_oidc(
            body: TypedBody<Box<types::ConsoleOidcBeginRequest>>
        ) -> types::ConsoleOidcBegun;
        console_sessions_switch_merchant(
            caller: Caller<User>,
            body: TypedBody<Box<types::UserSwitchRequest>>
        ) -> types::ConsoleSession;
    }

    async fn console_sessions_end_operator(
        _: RequestContext<Notes>,
        _: Caller<Admin>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }

    async fn user_sessions_end(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: Path<user_sessions::UserSessionsEndPath>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }

    async fn user_sessions_end_others(
        _: RequestContext<Notes>,
        _: Caller<User>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }
}

impl user_payments::UserPaymentsApi for TestApi {
    type Context = Notes;

    methods! {
        user_payments_create(
            caller: Caller<User>,
            body: TypedBody<Box<types::UserPaymentCreateRequest>>
        ) -> types::UserPaymentCreated;
        user_payments_retrieve(
            caller: Caller<User>,
            path: Path<user_payments::UserPaymentsRetrievePath>,
            query: Query<user_payments::UserPaymentsRetrieveQuery>
        ) -> types::Payment;
        user_payments_capture(
            caller: Caller<User>,
            path: Path<user_payments::UserPaymentsCapturePath>,
            body: TypedBody<Box<types::UserPaymentCaptureRequest>>
        ) -> types::Payment;
        user_payments_cancel(
            caller: Caller<User>,
            path: Path<user_payments::UserPaymentsCancelPath>,
            body: TypedBody<Box<types::UserPaymentCancelRequest>>
        ) -> types::Payment;
        user_payments_incremental_authorization(
            caller: Caller<User>,
            path: Path<user_payments::UserPaymentsIncrementalAuthorizationPath>,
            body: TypedBody<Box<types::PaymentIncrementalAuthorizationRequest>>
        ) -> types::Payment;
        user_payments_approve(
            caller: Caller<User>,
            path: Path<user_payments::UserPaymentsApprovePath>
        ) -> types::Payment;
        user_payments_reject(
            caller: Caller<User>,
            path: Path<user_payments::UserPaymentsRejectPath>
        ) -> types::Payment;
    }
}

impl oidc::OidcApi for TestApi {
    type Context = Notes;

    methods! {
        oidc_methods() -> Vec<types::AuthMethodListed>;
        oidc_begin() -> types::OidcBegun;
        oidc_sign_in(body: TypedBody<Box<types::OidcSignInRequest>>) -> types::UserToken;
    }

    async fn oidc_link(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: TypedBody<Box<types::OidcLinkRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }

    async fn oidc_unlink(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: TypedBody<Box<types::OidcUnlinkRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }
}

impl two_factor::TwoFactorApi for TestApi {
    type Context = Notes;

    methods! {
        two_factor_begin(
            caller: Caller<User>,
            body: TypedBody<Box<types::TwoFactorBeginRequest>>
        ) -> types::TwoFactorBegun;
        two_factor_confirm(
            caller: Caller<User>,
            body: TypedBody<Box<types::TwoFactorConfirmRequest>>
        ) -> types::TwoFactorRecoveryCodes;
        two_factor_renew_recovery_codes(
            caller: Caller<User>,
            body: TypedBody<Box<types::TwoFactorProofRequest>>
        ) -> types::TwoFactorRecoveryCodes;
        two_factor_sign_in(
            body: TypedBody<Box<types::TwoFactorSignInRequest>>
        ) -> types::UserToken;
    }

    async fn two_factor_end(
        _: RequestContext<Notes>,
        _: Caller<User>,
        _: TypedBody<Box<types::TwoFactorProofRequest>>,
    ) -> Result<PlainText, ApiError> {
        Ok(PlainText::new(String::new()))
    }
}

impl request_log::RequestLogApi for TestApi {
    type Context = Notes;

    methods! {
        request_log_list(
            caller: Caller<Merchant>,
            query: Query<request_log::RequestLogListQuery>
        ) -> Vec<types::RequestLogEntry>;
        request_log_retrieve(
            caller: Caller<Merchant>,
            path: Path<request_log::RequestLogRetrievePath>
        ) -> types::RequestLogEntry;
    }
}

impl audit::AuditApi for TestApi {
    type Context = Notes;

    methods! {
        audit_list(caller: Caller<Admin>, query: Query<audit::AuditListQuery>) -> Vec<types::AuditEntry>;
        audit_verify(caller: Caller<Admin>, query: Query<audit::AuditVerifyQuery>) -> types::AuditCheck;
        audit_list_own(
            caller: Caller<User>,
            query: Query<audit::AuditListOwnQuery>
        ) -> Vec<types::AuditOwnEntry>;
    }

    async fn audit_export(
        rqctx: RequestContext<Notes>,
        _: Caller<Admin>,
        _: Query<audit::AuditExportQuery>,
    ) -> Result<PlainText, ApiError> {
        rqctx
            .context()
            .lock()
            .unwrap()
            .push("audit_export".to_owned());
        Ok(PlainText::new(String::new()))
    }
}
