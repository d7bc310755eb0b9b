//! The use cases on a subscription that the path names. Secret keys and signed-in users ask for the same ones.

use dropshot::RequestContext;
use multirail_api::{ApiError, JsonAnswer};
use multirail_app::Origin;
use multirail_billing::app::subscriptions::{Billing, Change, Named, SubscriptionView};
use multirail_billing_domain::subscription::Invoice;
use multirail_http::platform::errors::{api_error, refused};
use multirail_http::platform::scope::not_found;
use multirail_http::{ApiResult, Context};
use multirail_kernel::ids::{InvoiceId, MerchantId, ProfileId, SubscriptionId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_types as types;

use super::BillingState;
use super::convert::subscription;

/// The subscription named by the path, and the profile to which the call is limited.
pub(super) struct Addressed {
    merchant_id: MerchantId,
    profile_id: Option<ProfileId>,
    subscription_id: SubscriptionId,
}

impl Addressed {
    pub(super) fn within(
        merchant_id: MerchantId,
        profile_id: Option<ProfileId>,
        of_path: &str,
    ) -> Result<Self, ApiError> {
        Ok(Addressed {
            merchant_id,
            profile_id,
            subscription_id: subscription_id(of_path)?,
        })
    }

    pub(super) fn named(&self) -> Named<'_> {
        Named {
            merchant_id: &self.merchant_id,
            profile_id: self.profile_id.as_ref(),
            subscription_id: &self.subscription_id,
        }
    }
}

/// Returns the id of a path. An id that can't be one belongs to no subscription.
pub(super) fn subscription_id(of_path: &str) -> Result<SubscriptionId, ApiError> {
    SubscriptionId::parse(of_path).map_err(|_| {
        refused(Refusal::UnknownSubscription {
            id: of_path.to_owned(),
        })
    })
}

/// Returns the subscription with its newest invoice.
pub(super) async fn retrieve(
    rqctx: &RequestContext<Context>,
    of: &Addressed,
) -> ApiResult<types::Subscription> {
    let billing = BillingState::services(rqctx)?;
    let found = billing.subscriptions.retrieve(of.named());
    let found = found.await.map_err(api_error)?;
    Ok(JsonAnswer::new(subscription::answer(&found)))
}

/// Returns one page of its invoices.
pub(super) async fn list_invoices(
    rqctx: &RequestContext<Context>,
    of: &Addressed,
    limit: Option<i32>,
    offset: Option<i32>,
) -> ApiResult<Vec<types::Invoice>> {
    let billing = BillingState::services(rqctx)?;
    let found = billing.invoices.list(of.named(), limit, offset);
    let found = found.await.map_err(api_error)?;
    Ok(JsonAnswer::new(
        found.iter().map(|found| linked(billing, found)).collect(),
    ))
}

/// Changes the subscription.
pub(super) async fn change(
    rqctx: &RequestContext<Context>,
    origin: &Origin,
    of: &Addressed,
    change: Change,
) -> Result<SubscriptionView, ApiError> {
    let billing = BillingState::services(rqctx)?;
    let changed = billing.subscriptions.change(origin, of.named(), change);
    Box::pin(changed).await.map_err(api_error)
}

/// Returns the id of an invoice in a path. An id that can't be one belongs to no invoice.
pub(super) fn invoice_id(of_path: &str) -> Result<InvoiceId, ApiError> {
    InvoiceId::parse(of_path).map_err(|_| not_found(Object::Invoice))
}

/// Voids the invoice that the path names.
pub(super) async fn void_invoice(
    rqctx: &RequestContext<Context>,
    origin: &Origin,
    of: &Addressed,
    of_path: &str,
) -> ApiResult<types::Invoice> {
    let invoice_id = invoice_id(of_path)?;
    let billing = BillingState::services(rqctx)?;
    let voided = billing.invoices.void(origin, of.named(), &invoice_id);
    let voided = voided.await.map_err(api_error)?;
    Ok(JsonAnswer::new(subscription::invoice(&voided)))
}

/// Has the invoice that the path names charged now.
pub(super) async fn collect_invoice(
    rqctx: &RequestContext<Context>,
    origin: &Origin,
    of: &Addressed,
    of_path: &str,
) -> ApiResult<types::Invoice> {
    let invoice_id = invoice_id(of_path)?;
    let billing = BillingState::services(rqctx)?;
    let collected = billing.invoices.collect(origin, of.named(), &invoice_id);
    let collected = collected.await.map_err(api_error)?;
    Ok(JsonAnswer::new(subscription::invoice(&collected)))
}

/// Converts an invoice and adds the address of its page.
pub(super) fn linked(billing: &Billing, found: &Invoice) -> types::Invoice {
    types::Invoice {
        invoice_link: Some(billing.invoice_pages.address(found)),
        ..subscription::invoice(found)
    }
}
