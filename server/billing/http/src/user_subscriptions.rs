//! The operations on subscriptions of signed-in users. Their role was checked before; the audit log names them.

use dropshot::RequestContext;
use multirail_api::user_subscriptions::*;
use multirail_api::{ApiError, Caller, JsonAnswer, Path, Query, TypedBody, User};
use multirail_billing::app::subscriptions::Change;
use multirail_http::platform::errors::{api_error, refused};
use multirail_http::platform::origin;
use multirail_http::platform::scope::users_scope;
use multirail_http::{ApiResult, Context};
use multirail_types as types;

use super::actions::{self, Addressed};
use super::convert::{subscription, user_subscription};
use super::{Api, BillingState};

impl UserSubscriptionsApi for Api {
    type Context = Context;

    async fn user_subscriptions_list(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        query: Query<UserSubscriptionsListQuery>,
    ) -> ApiResult<Vec<types::Subscription>> {
        let (merchant_id, profile_id) = users_scope(&caller)?;
        let request = user_subscription::list_query(query.into_inner(), profile_id);
        let request = request.map_err(refused)?;
        let billing = BillingState::services(&rqctx)?;
        let found = billing.reads.list(&merchant_id, request);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(
            found.iter().map(subscription::answer).collect(),
        ))
    }

    async fn user_subscriptions_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSubscriptionsRetrievePath>,
    ) -> ApiResult<types::Subscription> {
        let of = by_user(&caller, &path.into_inner().subscription_id)?;
        actions::retrieve(&rqctx, &of).await
    }

    async fn user_subscriptions_list_invoices(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSubscriptionsListInvoicesPath>,
        query: Query<UserSubscriptionsListInvoicesQuery>,
    ) -> ApiResult<Vec<types::Invoice>> {
        let of = by_user(&caller, &path.into_inner().subscription_id)?;
        let UserSubscriptionsListInvoicesQuery { limit, offset } = query.into_inner();
        actions::list_invoices(&rqctx, &of, limit, offset).await
    }

    async fn user_subscriptions_estimate(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSubscriptionsEstimatePath>,
        query: Query<UserSubscriptionsEstimateQuery>,
    ) -> ApiResult<types::UserSubscriptionEstimate> {
        let of = by_user(&caller, &path.into_inner().subscription_id)?;
        let wanted = user_subscription::estimate_query(query.into_inner());
        let billing = BillingState::services(&rqctx)?;
        let estimate = billing.subscriptions.estimate_update(of.named(), wanted);
        let estimate = Box::pin(estimate).await.map_err(api_error)?;
        Ok(JsonAnswer::new(user_subscription::estimate(&estimate)))
    }

    async fn user_subscriptions_update(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSubscriptionsUpdatePath>,
        body: TypedBody<Box<types::SubscriptionUpdateRequest>>,
    ) -> ApiResult<types::Subscription> {
        let change = subscription::update(*body.into_inner());
        let of = by_user(&caller, &path.into_inner().subscription_id)?;
        let origin = origin::user(&rqctx, &caller);
        let changed = actions::change(&rqctx, &origin, &of, change).await?;
        Ok(JsonAnswer::new(subscription::answer(&changed)))
    }

    async fn user_subscriptions_pause(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSubscriptionsPausePath>,
        body: TypedBody<Box<types::SubscriptionPauseRequest>>,
    ) -> ApiResult<types::SubscriptionPaused> {
        let change = subscription::pause(*body.into_inner());
        let of = by_user(&caller, &path.into_inner().subscription_id)?;
        let origin = origin::user(&rqctx, &caller);
        let changed = actions::change(&rqctx, &origin, &of, change).await?;
        Ok(JsonAnswer::new(subscription::paused(&changed)))
    }

    async fn user_subscriptions_resume(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSubscriptionsResumePath>,
        body: TypedBody<Box<types::SubscriptionResumeRequest>>,
    ) -> ApiResult<types::SubscriptionResumed> {
        let change = subscription::resume(*body.into_inner());
        let of = by_user(&caller, &path.into_inner().subscription_id)?;
        let origin = origin::user(&rqctx, &caller);
        let changed = actions::change(&rqctx, &origin, &of, change).await?;
        Ok(JsonAnswer::new(subscription::resumed(&changed)))
    }

    async fn user_subscriptions_cancel(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSubscriptionsCancelPath>,
        body: TypedBody<Box<types::SubscriptionCancelRequest>>,
    ) -> ApiResult<types::SubscriptionCancelled> {
        let change = subscription::cancel(*body.into_inner());
        let of = by_user(&caller, &path.into_inner().subscription_id)?;
        let origin = origin::user(&rqctx, &caller);
        let changed = actions::change(&rqctx, &origin, &of, change).await?;
        Ok(JsonAnswer::new(subscription::cancelled(&changed)))
    }

    async fn user_subscriptions_refund_credit(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSubscriptionsRefundCreditPath>,
    ) -> ApiResult<types::SubscriptionCancelled> {
        let of = by_user(&caller, &path.into_inner().subscription_id)?;
        let origin = origin::user(&rqctx, &caller);
        let refunded = actions::change(&rqctx, &origin, &of, Change::RefundCredit).await?;
        Ok(JsonAnswer::new(subscription::cancelled(&refunded)))
    }

    async fn user_subscriptions_void_invoice(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSubscriptionsVoidInvoicePath>,
    ) -> ApiResult<types::Invoice> {
        let path = path.into_inner();
        let of = by_user(&caller, &path.subscription_id)?;
        let origin = origin::user(&rqctx, &caller);
        actions::void_invoice(&rqctx, &origin, &of, &path.invoice_id).await
    }

    async fn user_subscriptions_collect_invoice(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        path: Path<UserSubscriptionsCollectInvoicePath>,
    ) -> ApiResult<types::Invoice> {
        let path = path.into_inner();
        let of = by_user(&caller, &path.subscription_id)?;
        let origin = origin::user(&rqctx, &caller);
        actions::collect_invoice(&rqctx, &origin, &of, &path.invoice_id).await
    }
}

/// Returns the subscription for a user, in the merchant account in which they act.
fn by_user(caller: &User, subscription_id: &str) -> Result<Addressed, ApiError> {
    let (merchant_id, profile_id) = users_scope(caller)?;
    Addressed::within(merchant_id, profile_id, subscription_id)
}
