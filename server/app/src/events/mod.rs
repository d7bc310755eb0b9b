//! Events: recorded with the change that they announce, delivered to the merchant's endpoint.

pub mod attempts;
mod deliver;
pub mod list;
mod notifier;
mod record;
pub mod replay;
mod retry;

use std::sync::Arc;

use multirail_domain::mandate::MandateView;
use multirail_domain::refund::Refund;

use super::base::Base;
use super::disputes::DisputeView;
use super::merchant_accounts::Merchants;
use super::payments::PaymentView;
use super::profiles::Profiles;
use super::subscriptions::SubscriptionView;
use crate::ports::EventStore;

pub use deliver::{Deliveries, DeliveryOutcome, DeliveryTerms, prepare};
pub use notifier::DeliveryNotifier;

/// The use cases of events: what was announced, and how it is delivered once more.
pub struct Events {
    pub base: Arc<Base>,
    pub store: Arc<dyn EventStore>,
    pub merchants: Arc<Merchants>,
    pub profiles: Arc<Profiles>,
    pub deliveries: Arc<Deliveries>,
}

/// Renders objects for the body of a webhook. `startup` fills it in: what the wire looks like is not known here.
pub trait EventContent: Send + Sync {
    /// The payment as JSON, exactly as the API answers it to the merchant's secret key.
    fn payment(&self, view: &PaymentView<'_>) -> String;

    /// The same of a refund.
    fn refund(&self, refund: &Refund) -> String;

    /// The same of a dispute.
    fn dispute(&self, view: &DisputeView) -> String;

    /// The same of a mandate.
    fn mandate(&self, view: &MandateView) -> String;

    /// A subscription with the invoice that was paid.
    fn subscription(&self, view: &SubscriptionView) -> String;
}
