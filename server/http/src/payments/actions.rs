//! The actions on a payment that the path names. Secret keys and signed-in users ask for the same ones.

use dropshot::RequestContext;
use multirail_api::{ApiError, JsonAnswer};
use multirail_app::payments::capture::CapturePayment;
use multirail_app::payments::{CallCredentials, PaymentView, WrittenAnswer};
use multirail_app::{AppError, Origin};
use multirail_kernel::ids::{MerchantId, PaymentId, ProfileId};
use multirail_kernel::refusal::Object;
use multirail_sdk::connector::CaptureDescriptor;
use multirail_types as types;

use super::convert::payment_answer::{Shown, payment};
use crate::platform::errors::api_error;
use crate::platform::scope::{merchant_id, not_found};
use crate::{ApiResult, Context};

/// The payment that the path names and the caller may reach, with the origin of the call.
pub(super) struct Addressed {
    pub origin: Origin,
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
}

/// Returns the payment of a path: 404 for another profile's payment where the call is narrowed to one.
pub(super) async fn addressed(
    rqctx: &RequestContext<Context>,
    origin: Origin,
    of_caller: &str,
    scope: Option<ProfileId>,
    of_path: &str,
) -> Result<Addressed, ApiError> {
    let payment = Addressed {
        origin,
        merchant_id: merchant_id(of_caller)?,
        payment_id: PaymentId::parse(of_path).map_err(|_| not_found(Object::Payment))?,
    };
    let services = &rqctx.context().services;
    services
        .payments
        .check_scope(&payment.merchant_id, &payment.payment_id, scope.as_ref())
        .await
        .map_err(api_error)?;
    Ok(payment)
}

/// Returns the profile of a new payment: 404 for another profile where the call is narrowed to one.
pub(super) fn profile_of_new(
    given: Option<ProfileId>,
    narrowed: Option<ProfileId>,
) -> Result<Option<ProfileId>, ApiError> {
    if narrowed.is_some() && given.is_some() && given != narrowed {
        return Err(not_found(Object::BusinessProfile));
    }
    Ok(given.or(narrowed))
}

/// Captures the amount, or all that can be captured.
pub(super) async fn capture(
    rqctx: &RequestContext<Context>,
    payment: Addressed,
    amount_to_capture: Option<i64>,
    descriptor: CaptureDescriptor,
    credentials: CallCredentials,
) -> ApiResult<types::Payment> {
    let request = CapturePayment {
        merchant_id: payment.merchant_id,
        payment_id: payment.payment_id,
        amount_to_capture,
        descriptor,
        credentials,
    };
    let services = &rqctx.context().services;
    let view = Box::pin(services.payments.capture(&payment.origin, request)).await;
    answer(view, Shown::default())
}

/// Cancels the payment.
pub(super) async fn cancel(
    rqctx: &RequestContext<Context>,
    payment: Addressed,
    reason: Option<String>,
    credentials: CallCredentials,
) -> ApiResult<types::Payment> {
    let services = &rqctx.context().services;
    let cancelled = services.payments.cancel(
        &payment.origin,
        &payment.merchant_id,
        &payment.payment_id,
        reason,
        credentials,
    );
    answer(Box::pin(cancelled).await, Shown::default())
}

/// Raises the authorized amount to a new total.
pub(super) async fn raise(
    rqctx: &RequestContext<Context>,
    payment: Addressed,
    request: types::PaymentIncrementalAuthorizationRequest,
) -> ApiResult<types::Payment> {
    let types::PaymentIncrementalAuthorizationRequest { amount, reason } = request;
    let services = &rqctx.context().services;
    let raised = services.payments.raise_authorization(
        &payment.origin,
        &payment.merchant_id,
        &payment.payment_id,
        amount,
        reason,
    );
    answer(Box::pin(raised).await, Shown::default())
}

/// Approves the held payment.
pub(super) async fn approve(
    rqctx: &RequestContext<Context>,
    payment: Addressed,
) -> ApiResult<types::Payment> {
    let services = &rqctx.context().services;
    let approved =
        services
            .payments
            .approve(&payment.origin, &payment.merchant_id, &payment.payment_id);
    answer(Box::pin(approved).await, Shown::default())
}

/// Rejects the held payment.
pub(super) async fn reject(
    rqctx: &RequestContext<Context>,
    payment: Addressed,
) -> ApiResult<types::Payment> {
    let services = &rqctx.context().services;
    let rejected =
        services
            .payments
            .reject(&payment.origin, &payment.merchant_id, &payment.payment_id);
    answer(Box::pin(rejected).await, Shown::default())
}

/// Returns the payment as a caller sees it.
pub(super) fn answer(
    view: Result<PaymentView<'_>, AppError>,
    shown: Shown,
) -> ApiResult<types::Payment> {
    view.map(|view| written(view, shown)).map_err(api_error)
}

/// Writes an answer. For the merchant it reuses the text of the payment's event.
fn written(view: PaymentView<'_>, shown: Shown) -> JsonAnswer<types::Payment> {
    match view.written {
        Some(WrittenAnswer(text)) if shown == Shown::default() => JsonAnswer::written(text),
        Some(_) | None => JsonAnswer::new(payment(&view, shown)),
    }
}
