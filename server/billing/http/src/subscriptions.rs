//! The operations on subscriptions. Each translates the request, calls a use case and translates the result.

use dropshot::RequestContext;
use multirail_api::subscriptions::*;
use multirail_api::{
    ApiError, Caller, JsonAnswer, Merchant, MerchantOrSubscriber, Path, Query, TypedBody,
};
use multirail_billing::app::subscriptions::{Change, ListSubscriptions, SubscriptionView};
use multirail_http::platform::errors::{api_error, refused};
use multirail_http::platform::nested::nested;
use multirail_http::platform::origin;
use multirail_http::platform::scope::{profile_named, profile_named_by};
use multirail_http::{ApiResult, Context};
use multirail_types as types;

use super::actions::{self, Addressed, invoice_id, linked, subscription_id};
use super::convert::subscription;
use super::{Api, BillingState};

impl SubscriptionsApi for Api {
    type Context = Context;

    async fn subscriptions_create_and_confirm(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::SubscriptionCreateAndConfirmRequest>>,
    ) -> ApiResult<types::Subscription> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let body = *body.into_inner();
        let request = subscription::create_and_confirm(merchant_id, profile_id, body);
        let request = request.map_err(|refusal| of_details(refused(refusal)))?;
        let origin = origin::merchant(&rqctx, &caller);
        let billing = BillingState::services(&rqctx)?;
        let made = Box::pin(billing.subscriptions.create(&origin, request)).await;
        let made = made.map_err(|error| of_details(api_error(error)))?;
        Ok(JsonAnswer::new(subscription::answer(&made)))
    }

    async fn subscriptions_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<SubscriptionsListQuery>,
    ) -> ApiResult<Vec<types::Subscription>> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let SubscriptionsListQuery { limit, offset } = query.into_inner();
        let request = ListSubscriptions {
            profile_id: Some(profile_id),
            limit,
            offset,
            ..ListSubscriptions::default()
        };
        let billing = BillingState::services(&rqctx)?;
        let found = billing.reads.list(&merchant_id, request);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(
            found.iter().map(subscription::answer).collect(),
        ))
    }

    async fn subscriptions_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionsRetrievePath>,
    ) -> ApiResult<types::Subscription> {
        let of = addressed(&caller, &path.into_inner().subscription_id)?;
        actions::retrieve(&rqctx, &of).await
    }

    async fn subscriptions_confirm(
        rqctx: RequestContext<Context>,
        caller: Caller<MerchantOrSubscriber>,
        path: Path<SubscriptionsConfirmPath>,
        body: TypedBody<Box<types::SubscriptionConfirmRequest>>,
    ) -> ApiResult<types::Subscription> {
        let (merchant_id, profile_id) = profile_named_by(&caller)?;
        let id = subscription_id(&path.into_inner().subscription_id)?;
        let request = subscription::confirm(merchant_id, profile_id, id, *body.into_inner());
        let of_confirm = |error| nested(of_details(error), DETAILS, &["billing", "shipping"]);
        let request = request.map_err(|refusal| of_confirm(refused(refusal)))?;
        let origin = origin::merchant_or_subscriber(&rqctx, &caller);
        let billing = BillingState::services(&rqctx)?;
        let confirmed = Box::pin(billing.subscriptions.confirm(&origin, request)).await;
        let confirmed = confirmed.map_err(|error| of_confirm(api_error(error)))?;
        Ok(JsonAnswer::new(subscription::answer(&confirmed)))
    }

    async fn subscriptions_update(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionsUpdatePath>,
        body: TypedBody<Box<types::SubscriptionUpdateRequest>>,
    ) -> ApiResult<types::Subscription> {
        let change = subscription::update(*body.into_inner());
        let of = addressed(&caller, &path.into_inner().subscription_id)?;
        let changed = changed(&rqctx, &caller, &of, change).await?;
        Ok(JsonAnswer::new(subscription::answer(&changed)))
    }

    async fn subscriptions_pause(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionsPausePath>,
        body: TypedBody<Box<types::SubscriptionPauseRequest>>,
    ) -> ApiResult<types::SubscriptionPaused> {
        let change = subscription::pause(*body.into_inner());
        let of = addressed(&caller, &path.into_inner().subscription_id)?;
        let changed = changed(&rqctx, &caller, &of, change).await?;
        Ok(JsonAnswer::new(subscription::paused(&changed)))
    }

    async fn subscriptions_resume(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionsResumePath>,
        body: TypedBody<Box<types::SubscriptionResumeRequest>>,
    ) -> ApiResult<types::SubscriptionResumed> {
        let change = subscription::resume(*body.into_inner());
        let of = addressed(&caller, &path.into_inner().subscription_id)?;
        let changed = changed(&rqctx, &caller, &of, change).await?;
        Ok(JsonAnswer::new(subscription::resumed(&changed)))
    }

    async fn subscriptions_cancel(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionsCancelPath>,
        body: TypedBody<Box<types::SubscriptionCancelRequest>>,
    ) -> ApiResult<types::SubscriptionCancelled> {
        let change = subscription::cancel(*body.into_inner());
        let of = addressed(&caller, &path.into_inner().subscription_id)?;
        let changed = changed(&rqctx, &caller, &of, change).await?;
        Ok(JsonAnswer::new(subscription::cancelled(&changed)))
    }

    async fn subscriptions_refund_credit(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionsRefundCreditPath>,
    ) -> ApiResult<types::SubscriptionCancelled> {
        let of = addressed(&caller, &path.into_inner().subscription_id)?;
        let refunded = changed(&rqctx, &caller, &of, Change::RefundCredit).await?;
        Ok(JsonAnswer::new(subscription::cancelled(&refunded)))
    }

    async fn subscriptions_list_invoices(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionsListInvoicesPath>,
        query: Query<SubscriptionsListInvoicesQuery>,
    ) -> ApiResult<Vec<types::Invoice>> {
        let of = addressed(&caller, &path.into_inner().subscription_id)?;
        let SubscriptionsListInvoicesQuery { limit, offset } = query.into_inner();
        actions::list_invoices(&rqctx, &of, limit, offset).await
    }

    async fn subscriptions_retrieve_invoice(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionsRetrieveInvoicePath>,
    ) -> ApiResult<types::Invoice> {
        let path = path.into_inner();
        let of = addressed(&caller, &path.subscription_id)?;
        let invoice_id = invoice_id(&path.invoice_id)?;
        let billing = BillingState::services(&rqctx)?;
        let found = billing.invoices.find(of.named(), &invoice_id);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(linked(billing, &found)))
    }

    async fn subscriptions_void_invoice(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionsVoidInvoicePath>,
    ) -> ApiResult<types::Invoice> {
        let path = path.into_inner();
        let of = addressed(&caller, &path.subscription_id)?;
        let origin = origin::merchant(&rqctx, &caller);
        actions::void_invoice(&rqctx, &origin, &of, &path.invoice_id).await
    }

    async fn subscriptions_collect_invoice(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<SubscriptionsCollectInvoicePath>,
    ) -> ApiResult<types::Invoice> {
        let path = path.into_inner();
        let of = addressed(&caller, &path.subscription_id)?;
        let origin = origin::merchant(&rqctx, &caller);
        actions::collect_invoice(&rqctx, &origin, &of, &path.invoice_id).await
    }
}

impl SubscriptionsApiLiterals for Api {
    type Context = Context;

    async fn subscriptions_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::SubscriptionCreateRequest>>,
    ) -> ApiResult<types::Subscription> {
        let (merchant_id, profile_id) = profile_named(&caller)?;
        let request = subscription::create(merchant_id, profile_id, *body.into_inner());
        let request = request.map_err(|refusal| of_details(refused(refusal)))?;
        let origin = origin::merchant(&rqctx, &caller);
        let billing = BillingState::services(&rqctx)?;
        let made = Box::pin(billing.subscriptions.create(&origin, request)).await;
        let made = made.map_err(|error| of_details(api_error(error)))?;
        Ok(JsonAnswer::new(subscription::answer(&made)))
    }
}

/// The member of a request with the payment's details.
const DETAILS: &str = "payment_details";

/// Renames the members in a refusal of the payment to their places in this request. The addresses of a create stand
/// outside the details.
fn of_details(error: ApiError) -> ApiError {
    let members = [
        "authentication_type",
        "capture_method",
        "customer_acceptance",
        "payment_method",
        "payment_method_data",
        "payment_method_type",
        "payment_token",
        "payment_type",
        "return_url",
        "setup_future_usage",
    ];
    nested(error, DETAILS, &members)
}

/// Returns the subscription named by the path, in the profile named by the header.
fn addressed(caller: &Merchant, of_path: &str) -> Result<Addressed, ApiError> {
    let (merchant_id, profile_id) = profile_named(caller)?;
    Addressed::within(merchant_id, Some(profile_id), of_path)
}

async fn changed(
    rqctx: &RequestContext<Context>,
    caller: &Caller<Merchant>,
    of: &Addressed,
    change: Change,
) -> Result<SubscriptionView, ApiError> {
    let origin = origin::merchant(rqctx, caller);
    actions::change(rqctx, &origin, of, change).await
}
