//! The use cases of subscriptions, and the due work of the worker. (Specification 2.5, 4.6; facts 7.11)
//!
//! A payment for an invoice is an ordinary payment ([`payments`](multirail_app::payments)). Its id is stored with the
//! invoice first; then the payment is made under this id and confirmed in one commit. After a crash, any server finds
//! either no payment and makes it, or the existing payment and reads its status.
//!
//! A refund of credit is made in the commit that takes its amount off the credit. It is an ordinary scheduled refund
//! ([`refunds`](multirail_app::payments::refunds)) and is sent like any other.
//!
//! A stored subscription of an external billing engine can only be read and cancelled.

mod begin;
mod change;
mod charge;
mod client_secret;
mod confirm;
pub mod content;
mod core;
mod create;
mod decide;
mod estimate;
mod guard;
mod invoice_page;
mod invoices;
mod list;
mod notifier;
mod owned;
mod refund;
pub mod replay;
mod retrieve;
mod taken_back;
#[cfg(test)]
mod tests;
mod work;

use std::sync::Arc;

use multirail_app::AppError;
use multirail_app::payments::PaymentView;
use multirail_app::platform::announcer::Announcer;
use multirail_app::platform::base::Base;
use multirail_app::platform::idempotency::Made;
use multirail_app::platform::paging::page_size;
use multirail_billing_domain::chargeable::Chargeable;
use multirail_billing_domain::dunning::DunningSchedule;
use multirail_billing_domain::subscription::{Context, FreshIds, Invoice, Standing, Subscription};
use multirail_kernel::ids::{InvoiceId, MerchantId, PaymentId, ProfileId, SubscriptionId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;

use super::catalogue::Catalogue;
use crate::ports::subscriptions::Page;
use crate::ports::{ChargedMethods, InvoicePayments, Subscribers, SubscriptionStore};

use content::SubscriptionContent;

pub use begin::Wanted;
pub use change::Change;
pub use confirm::ConfirmSubscription;
pub use core::OfCore;
pub use create::{CreateSubscription, FirstPayment};
pub use estimate::UpdateEstimate;
pub use guard::Subscribed;
pub use invoice_page::{InvoicePages, InvoiceView, InvoiceVisit};
pub use list::ListSubscriptions;
pub use notifier::BillingNotifier;
pub use owned::OwnedPayments;

/// The maximum page size.
const LARGEST_PAGE: i64 = 100;

/// A subscription with the derived members of its answer.
#[derive(Clone, Debug)]
pub struct SubscriptionView {
    pub subscription: Subscription,
    pub client_secret: SecretText,
    /// The newest invoice.
    pub invoice: Option<Invoice>,
    /// The newest payment of that invoice.
    pub payment: Option<Box<PaymentView<'static>>>,
}

impl SubscriptionView {
    /// Returns the subscription as the object that a request made or changed.
    pub(super) fn made(&self) -> Made<'_> {
        Made::object(self, Some(&self.subscription.customer_id))
    }
}

/// The names of one subscription, and of the profile to which the call is limited.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    pub merchant_id: &'a MerchantId,
    /// Every profile of the merchant account if unset.
    pub profile_id: Option<&'a ProfileId>,
    pub subscription_id: &'a SubscriptionId,
}

impl Named<'_> {
    /// Returns whether the call reaches this subscription.
    pub(super) fn reaches(&self, subscription: &Subscription) -> bool {
        self.profile_id
            .is_none_or(|profile_id| subscription.profile_id == *profile_id)
    }
}

/// Reads stored subscriptions, and derives secrets and answers from them.
pub struct SubscriptionReads {
    pub base: Arc<Base>,
    pub store: Arc<dyn SubscriptionStore>,
    /// Wakes the worker that bills.
    pub notifier: BillingNotifier,
}

impl SubscriptionReads {
    /// Loads a subscription that the call reaches. A subscription of another profile counts as unknown.
    pub(super) async fn standing(&self, of: Named<'_>) -> Result<Standing, AppError> {
        let standing = self.standing_of(of.merchant_id, of.subscription_id).await?;
        if of.reaches(&standing.subscription) {
            Ok(standing)
        } else {
            Err(unknown(of.subscription_id))
        }
    }

    pub(super) async fn standing_of(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Standing, AppError> {
        let found = self
            .store
            .subscription(merchant_id, subscription_id)
            .await?;
        found.ok_or_else(|| unknown(subscription_id))
    }

    /// Builds an answer from these parts.
    pub(super) fn view(
        &self,
        subscription: &Subscription,
        invoice: Option<Invoice>,
        payment: Option<PaymentView<'static>>,
    ) -> SubscriptionView {
        SubscriptionView {
            client_secret: self.secret(subscription),
            subscription: subscription.clone(),
            invoice,
            payment: payment.map(Box::new),
        }
    }
}

/// The use cases of subscriptions.
pub struct Subscriptions {
    pub base: Arc<Base>,
    pub reads: Arc<SubscriptionReads>,
    pub catalogue: Arc<Catalogue>,
    pub decider: Arc<Decider>,
    pub collector: Arc<Collector>,
    pub payments: Arc<dyn InvoicePayments>,
    pub methods: Arc<dyn ChargedMethods>,
    pub owners: Arc<dyn Subscribers>,
}

/// The use cases of invoices.
pub struct Invoices {
    pub base: Arc<Base>,
    pub reads: Arc<SubscriptionReads>,
    pub decider: Arc<Decider>,
}

/// Does due work and the work that follows from stored decisions: charges, refunds of credit, checks of payments.
pub struct Collector {
    pub base: Arc<Base>,
    pub reads: Arc<SubscriptionReads>,
    pub decider: Arc<Decider>,
    pub payments: Arc<dyn InvoicePayments>,
    pub owners: Arc<dyn Subscribers>,
}

/// Decides changes of subscriptions and stores them. No other service changes subscriptions.
pub struct Decider {
    pub base: Arc<Base>,
    pub reads: Arc<SubscriptionReads>,
    pub catalogue: Arc<Catalogue>,
    pub payments: Arc<dyn InvoicePayments>,
    pub methods: Arc<dyn ChargedMethods>,
    pub owners: Arc<dyn Subscribers>,
    pub announcer: Arc<Announcer>,
    pub content: Arc<dyn SubscriptionContent>,
    /// The schedule of retries of failed charges.
    pub dunning: DunningSchedule,
}

/// The services of billing, each with the ports that it uses.
pub struct Billing {
    pub catalogue: Arc<Catalogue>,
    pub reads: Arc<SubscriptionReads>,
    pub subscriptions: Arc<Subscriptions>,
    pub invoices: Invoices,
    pub collector: Arc<Collector>,
    pub invoice_pages: Arc<InvoicePages>,
}

impl Decider {
    /// Returns the inputs of a decision that reads no payments.
    fn context(&self) -> Context<'_> {
        Context {
            now: self.base.now(),
            ids: self,
            dunning: &self.dunning,
            taken_back: &[],
            held: &[],
            chargeable: Chargeable::ANY,
        }
    }
}

impl FreshIds for Decider {
    fn invoice_id(&self) -> InvoiceId {
        InvoiceId::generate(self.base.random.as_ref())
    }

    fn payment_id(&self) -> PaymentId {
        PaymentId::generate(self.base.clock.wall(), self.base.random.as_ref())
    }
}

fn unknown(subscription_id: &SubscriptionId) -> AppError {
    Refusal::UnknownSubscription {
        id: subscription_id.to_string(),
    }
    .into()
}

/// Checks the requested page.
fn page(limit: Option<i32>, offset: Option<i32>) -> Result<Page, Refusal> {
    Ok(Page {
        limit: page_size(limit.map(i64::from), LARGEST_PAGE)?,
        offset: offset.map_or(0, i64::from),
    })
}
