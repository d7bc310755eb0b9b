//! The payments operations: translate, call, translate.

mod actions;
pub mod convert;
pub(crate) mod disputes;
mod link_choices;
pub(crate) mod link_page;
mod link_step;
pub(crate) mod offered_methods;
pub(crate) mod payer_page;
pub(crate) mod refunds;
pub(crate) mod sender;
mod user_payments;

use dropshot::RequestContext;
use multirail_api::payments::*;
use multirail_api::{
    ApiError, Caller, Client, JsonAnswer, Merchant, MerchantOrClient, Path, Query, TypedBody,
};
use multirail_app::payments::PaymentView;
use multirail_app::payments::complete::CompletePayment;
use multirail_app::payments::confirm::ConfirmPayment;
use multirail_app::payments::create::CreatePayment;
use multirail_app::payments::update::UpdatePayment;
use multirail_kernel::ids::{PaymentId, ProfileId};
use multirail_kernel::refusal::Object;
use multirail_sdk::connector::CaptureDescriptor;
use multirail_types as types;

use super::{Api, ApiResult, Context};
use crate::payments::convert::payment_answer::{Shown, payment};
use crate::payments::convert::{payment_answer, payment_request, payment_search, session_tokens};
use crate::platform::convert::refuse_asked;
use crate::platform::errors::{api_error, refused};
use crate::platform::origin;
use crate::platform::scope::{merchant_id, merchants_profile, not_found};
use actions::{Addressed, addressed, answer, profile_of_new};

impl PaymentsApi for Api {
    type Context = Context;

    async fn payments_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::PaymentCreateRequest>>,
    ) -> ApiResult<types::Payment> {
        let mut given = payment_request::create(body.into_inner()).map_err(refused)?;
        given.changes.program = sender::program(rqctx.request.headers())?;
        let profile_id = profile_of_new(given.profile_id, merchants_profile(&caller))?;
        let request = CreatePayment {
            merchant_id: merchant_id(&caller.merchant_id)?,
            payment_id: given.payment_id,
            profile_id,
            owner: None,
            named_merchant_id: given.merchant_id,
            confirm: given.confirm,
            changes: given.changes,
            credentials: given.credentials,
        };
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let view = Box::pin(services.payments.create(&origin, request)).await;
        let has_customer = view.as_ref().is_ok_and(|view| view.ephemeral_key.is_some());
        let shown = match has_customer {
            true => Shown::at_creation(),
            // The same parts as in the payment's event.
            false => Shown::default(),
        };
        answer(view, shown)
    }

    async fn payments_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrClient>,
        path: Path<PaymentsRetrievePath>,
        query: Query<PaymentsRetrieveQuery>,
    ) -> ApiResult<types::Payment> {
        let PaymentsRetrieveQuery {
            force_sync,
            // The frame has checked the client secret.
            client_secret: _,
            expand_attempts,
            expand_routing,
            // Answers always contain captures.
            expand_captures: _,
            all_keys_required,
        } = query.into_inner();
        refuse_asked(&[("all_keys_required", all_keys_required)]).map_err(refused)?;
        let payment = by_either(&rqctx, &caller, &path.into_inner().payment_id).await?;
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
            ..shown(&caller)
        };
        answer(view.await, shown)
    }

    async fn payments_update(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrClient>,
        path: Path<PaymentsUpdatePath>,
        body: TypedBody<Box<types::PaymentUpdateRequest>>,
    ) -> ApiResult<types::Payment> {
        let path = path.into_inner();
        let mut given =
            payment_request::update(body.into_inner(), &path.payment_id).map_err(refused)?;
        given.changes.program = sender::program(rqctx.request.headers())?;
        if given.confirm {
            given.changes.browser = sender::browser(&rqctx, &caller);
        }
        let payment = by_either(&rqctx, &caller, &path.payment_id).await?;
        let request = UpdatePayment {
            merchant_id: payment.merchant_id,
            payment_id: payment.payment_id,
            confirm: given.confirm,
            changes: given.changes,
            credentials: given.credentials,
        };
        let services = &rqctx.context().services;
        let view = Box::pin(services.payments.update(&payment.origin, request)).await;
        answer(view, shown(&caller))
    }

    async fn payments_confirm(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrClient>,
        path: Path<PaymentsConfirmPath>,
        body: TypedBody<Box<types::PaymentConfirmRequest>>,
    ) -> ApiResult<types::Payment> {
        let path = path.into_inner();
        let mut given =
            payment_request::confirm(body.into_inner(), &path.payment_id).map_err(refused)?;
        given.changes.program = sender::program(rqctx.request.headers())?;
        given.changes.browser = sender::browser(&rqctx, &caller);
        let payment = by_either(&rqctx, &caller, &path.payment_id).await?;
        let request = ConfirmPayment {
            by_owner: false,
            merchant_id: payment.merchant_id,
            payment_id: payment.payment_id,
            changes: given.changes,
            credentials: given.credentials,
        };
        let services = &rqctx.context().services;
        let view = Box::pin(services.payments.confirm(&payment.origin, request)).await;
        answer(view, shown(&caller))
    }

    async fn payments_complete_authorize(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrClient>,
        path: Path<PaymentsCompleteAuthorizePath>,
        body: TypedBody<Box<types::PaymentCompleteAuthorizeRequest>>,
    ) -> ApiResult<types::Payment> {
        let (collected, shipping) =
            payment_request::complete(*body.into_inner()).map_err(refused)?;
        let payment = by_either(&rqctx, &caller, &path.into_inner().payment_id).await?;
        let request = CompletePayment {
            merchant_id: payment.merchant_id,
            payment_id: payment.payment_id,
            device_data_collected: collected,
            shipping,
        };
        let services = &rqctx.context().services;
        let view = Box::pin(
            services
                .payments
                .complete_authorization(&payment.origin, request),
        )
        .await;
        answer(view, shown(&caller))
    }

    async fn payments_capture(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<PaymentsCapturePath>,
        body: TypedBody<Box<types::PaymentCaptureRequest>>,
    ) -> ApiResult<types::Payment> {
        let types::PaymentCaptureRequest {
            amount_to_capture,
            statement_descriptor_name,
            statement_descriptor_suffix,
            statement_descriptor_prefix,
            merchant_connector_details,
            merchant_id,
            refund_uncaptured_amount,
            all_keys_required,
        } = *body.into_inner();
        refuse_asked(&[
            ("refund_uncaptured_amount", refund_uncaptured_amount),
            ("all_keys_required", all_keys_required),
        ])
        .map_err(refused)?;
        if merchant_id.is_some_and(|named| named != caller.merchant_id) {
            return Err(not_found(Object::MerchantAccount));
        }
        let credentials =
            payment_request::credentials(merchant_connector_details).map_err(refused)?;
        let payment = by_merchant(&rqctx, &caller, &path.into_inner().payment_id).await?;
        let descriptor = CaptureDescriptor {
            text: statement_descriptor_name,
            prefix: statement_descriptor_prefix,
            suffix: statement_descriptor_suffix,
        };
        actions::capture(&rqctx, payment, amount_to_capture, descriptor, credentials).await
    }

    async fn payments_incremental_authorization(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<PaymentsIncrementalAuthorizationPath>,
        body: TypedBody<Box<types::PaymentIncrementalAuthorizationRequest>>,
    ) -> ApiResult<types::Payment> {
        let payment = by_merchant(&rqctx, &caller, &path.into_inner().payment_id).await?;
        actions::raise(&rqctx, payment, *body.into_inner()).await
    }

    async fn payments_approve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<PaymentsApprovePath>,
    ) -> ApiResult<types::Payment> {
        let payment = by_merchant(&rqctx, &caller, &path.into_inner().payment_id).await?;
        actions::approve(&rqctx, payment).await
    }

    async fn payments_reject(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<PaymentsRejectPath>,
    ) -> ApiResult<types::Payment> {
        let payment = by_merchant(&rqctx, &caller, &path.into_inner().payment_id).await?;
        actions::reject(&rqctx, payment).await
    }

    async fn payments_cancel(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<PaymentsCancelPath>,
        body: TypedBody<Box<types::PaymentCancelRequest>>,
    ) -> ApiResult<types::Payment> {
        let types::PaymentCancelRequest {
            cancellation_reason,
            merchant_connector_details,
            all_keys_required,
        } = *body.into_inner();
        refuse_asked(&[("all_keys_required", all_keys_required)]).map_err(refused)?;
        let credentials =
            payment_request::credentials(merchant_connector_details).map_err(refused)?;
        let payment = by_merchant(&rqctx, &caller, &path.into_inner().payment_id).await?;
        actions::cancel(&rqctx, payment, cancellation_reason, credentials).await
    }

    async fn payments_cancel_post_capture(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<PaymentsCancelPostCapturePath>,
        body: TypedBody<Box<types::PaymentCancelPostCaptureRequest>>,
    ) -> ApiResult<types::Payment> {
        let types::PaymentCancelPostCaptureRequest {
            cancellation_reason,
            merchant_connector_details,
        } = *body.into_inner();
        let credentials =
            payment_request::credentials(merchant_connector_details).map_err(refused)?;
        let payment = by_merchant(&rqctx, &caller, &path.into_inner().payment_id).await?;
        let services = &rqctx.context().services;
        let view = services.payments.cancel_post_capture(
            &payment.origin,
            &payment.merchant_id,
            &payment.payment_id,
            cancellation_reason,
            credentials,
        );
        let view = Box::pin(view).await;
        answer(view, Shown::default())
    }

    async fn payments_update_metadata(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<PaymentsUpdateMetadataPath>,
        body: TypedBody<Box<types::PaymentMetadataUpdateRequest>>,
    ) -> ApiResult<types::PaymentMetadata> {
        let payment = by_merchant(&rqctx, &caller, &path.into_inner().payment_id).await?;
        let types::PaymentMetadataUpdateRequest { metadata } = *body.into_inner();
        let services = &rqctx.context().services;
        let view = services.payments.update_metadata(
            &payment.origin,
            &payment.merchant_id,
            &payment.payment_id,
            metadata,
        );
        let view = Box::pin(view).await.map_err(api_error)?;
        Ok(JsonAnswer::new(payment_answer::metadata(&view)))
    }
}

impl PaymentsApiLiterals for Api {
    type Context = Context;

    async fn payments_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<PaymentsListQuery>,
    ) -> ApiResult<types::PaymentList> {
        let mut request = payment_search::list(query.into_inner()).map_err(refused)?;
        request.search.profile_id = caller.profile_id.clone();
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let services = &rqctx.context().services;
        let views = services.payments.list(&merchant_id, request).await;
        let data = page(views.map_err(api_error)?);
        Ok(JsonAnswer::new(types::PaymentList {
            size: data.len() as i32,
            data,
        }))
    }

    async fn payments_filter(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::PaymentFilterRequest>>,
    ) -> ApiResult<types::PaymentFilterResponse> {
        let mut request = payment_search::filter(*body.into_inner()).map_err(refused)?;
        request.search.profile_id = caller.profile_id.clone().or(request.search.profile_id);
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let services = &rqctx.context().services;
        let found = services.payments.filter(&merchant_id, request).await;
        let (views, total_count) = found.map_err(api_error)?;
        let data = page(views);
        Ok(JsonAnswer::new(types::PaymentFilterResponse {
            count: data.len() as i32,
            total_count,
            data,
        }))
    }

    async fn payments_session_tokens(
        rqctx: RequestContext<Context>,
        caller: Caller<Client>,
        body: TypedBody<Box<types::SessionTokensRequest>>,
    ) -> ApiResult<types::SessionTokens> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let payment_id =
            PaymentId::parse(&caller.payment_id).map_err(|_| not_found(Object::Payment))?;
        let request = session_tokens::request(*body.into_inner(), merchant_id, payment_id);
        let services = &rqctx.context().services;
        let origin = origin::client(&rqctx, &caller);
        let tokens = Box::pin(
            services
                .wallet_sessions
                .open(&origin, request.map_err(refused)?),
        )
        .await;
        let tokens = tokens.map_err(api_error)?;
        Ok(JsonAnswer::new(session_tokens::answer(tokens)))
    }
}

/// Returns the payment for a merchant's server: 404 for another profile's payment where the call is narrowed to one.
async fn by_merchant(
    rqctx: &RequestContext<Context>,
    caller: &Caller<Merchant>,
    payment_id: &str,
) -> Result<Addressed, ApiError> {
    let origin = origin::merchant(rqctx, caller);
    let scope = merchants_profile(caller);
    addressed(rqctx, origin, &caller.merchant_id, scope, payment_id).await
}

/// As [`by_merchant`], where a payer's client may call too.
async fn by_either(
    rqctx: &RequestContext<Context>,
    caller: &Caller<MerchantOrClient>,
    payment_id: &str,
) -> Result<Addressed, ApiError> {
    let origin = origin::merchant_or_client(rqctx, caller);
    let scope = narrowed(caller);
    addressed(rqctx, origin, caller.merchant_id(), scope, payment_id).await
}

fn page(views: Vec<PaymentView<'_>>) -> Vec<types::Payment> {
    let views = views.iter();
    views.map(|view| payment(view, Shown::default())).collect()
}

fn narrowed(caller: &MerchantOrClient) -> Option<ProfileId> {
    match caller {
        MerchantOrClient::Merchant(merchant) => merchants_profile(merchant),
        MerchantOrClient::Client(_) => None,
    }
}

fn shown(caller: &MerchantOrClient) -> Shown {
    match caller {
        MerchantOrClient::Merchant(_) => Shown::default(),
        MerchantOrClient::Client(_) => Shown::to_client(),
    }
}
