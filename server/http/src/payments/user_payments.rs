//! The payments operations of signed-in users. Their role was checked before; the audit log names them.

use dropshot::RequestContext;
use multirail_api::user_payments::*;
use multirail_api::{ApiError, Caller, JsonAnswer, Path, Query, TypedBody, User};
use multirail_app::payments::CallCredentials;
use multirail_app::payments::create::CreatePayment;
use multirail_sdk::connector::CaptureDescriptor;
use multirail_types as types;

use super::actions::{self, Addressed, addressed, answer, profile_of_new};
use super::convert::payment_answer::Shown;
use super::convert::{payment_request, user_payment};
use crate::platform::errors::{api_error, refused};
use crate::platform::origin;
use crate::platform::scope::{found_profile, users_scope};
use crate::{Api, ApiResult, Context};

impl UserPaymentsApi for Api {
    type Context = Context;

    async fn user_payments_create(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::UserPaymentCreateRequest>>,
    ) -> ApiResult<types::UserPaymentCreated> {
        let asked = user_payment::create(*body.into_inner());
        let given = payment_request::create_by_user(asked).map_err(refused)?;
        let (merchant_id, narrowed) = users_scope(&caller)?;
        let profile_id = profile_of_new(given.profile_id, narrowed)?;
        let request = CreatePayment {
            merchant_id,
            payment_id: given.payment_id,
            profile_id,
            owner: None,
            named_merchant_id: None,
            confirm: false,
            changes: given.changes,
            credentials: CallCredentials(None),
        };
        let origin = origin::user(&rqctx, &caller);
        let services = &rqctx.context().services;
        let view = Box::pin(services.payments.create(&origin, request)).await;
        let view = view.map_err(api_error)?;
        Ok(JsonAnswer::new(user_payment::created(&view)))
    }

    async fn user_payments_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserPaymentsRetrievePath>,
        query: Query<UserPaymentsRetrieveQuery>,
    ) -> ApiResult<types::Payment> {
        let UserPaymentsRetrieveQuery {
            force_sync,
            expand_attempts,
            expand_routing,
        } = query.into_inner();
        let payment = by_user(&rqctx, &caller, &path.into_inner().payment_id).await?;
        let services = &rqctx.context().services;
        let view = services.read_payments.retrieve(
            &payment.origin,
            &payment.merchant_id,
            &payment.payment_id,
            force_sync.unwrap_or(false),
        );
        let shown = Shown {
            attempts: expand_attempts.unwrap_or(false),
            routing: expand_routing.unwrap_or(false),
            ..Shown::default()
        };
        answer(view.await, shown)
    }

    async fn user_payments_capture(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserPaymentsCapturePath>,
        body: TypedBody<Box<types::UserPaymentCaptureRequest>>,
    ) -> ApiResult<types::Payment> {
        let types::UserPaymentCaptureRequest { amount_to_capture } = *body.into_inner();
        let payment = by_user(&rqctx, &caller, &path.into_inner().payment_id).await?;
        let (descriptor, credentials) = (CaptureDescriptor::default(), CallCredentials(None));
        actions::capture(&rqctx, payment, amount_to_capture, descriptor, credentials).await
    }

    async fn user_payments_cancel(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserPaymentsCancelPath>,
        body: TypedBody<Box<types::UserPaymentCancelRequest>>,
    ) -> ApiResult<types::Payment> {
        let types::UserPaymentCancelRequest {
            cancellation_reason,
        } = *body.into_inner();
        let payment = by_user(&rqctx, &caller, &path.into_inner().payment_id).await?;
        actions::cancel(&rqctx, payment, cancellation_reason, CallCredentials(None)).await
    }

    async fn user_payments_incremental_authorization(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserPaymentsIncrementalAuthorizationPath>,
        body: TypedBody<Box<types::PaymentIncrementalAuthorizationRequest>>,
    ) -> ApiResult<types::Payment> {
        let payment = by_user(&rqctx, &caller, &path.into_inner().payment_id).await?;
        actions::raise(&rqctx, payment, *body.into_inner()).await
    }

    async fn user_payments_approve(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserPaymentsApprovePath>,
    ) -> ApiResult<types::Payment> {
        let payment = by_user(&rqctx, &caller, &path.into_inner().payment_id).await?;
        actions::approve(&rqctx, payment).await
    }

    async fn user_payments_reject(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserPaymentsRejectPath>,
    ) -> ApiResult<types::Payment> {
        let payment = by_user(&rqctx, &caller, &path.into_inner().payment_id).await?;
        actions::reject(&rqctx, payment).await
    }
}

/// Returns the payment for a user, in the merchant account in which they act.
async fn by_user(
    rqctx: &RequestContext<Context>,
    caller: &Caller<User>,
    payment_id: &str,
) -> Result<Addressed, ApiError> {
    let origin = origin::user(rqctx, caller);
    let scope = found_profile(caller.narrowed_to.as_deref());
    addressed(rqctx, origin, &caller.merchant_id, scope, payment_id).await
}
