//! Events: recorded with the change that they announce, delivered to the merchant's endpoint.

pub mod attempts;
mod deliver;
pub mod endpoints;
pub mod list;
mod notifier;
pub mod replay;
mod retry;

use std::sync::Arc;

use crate::accounts::merchant_accounts::Merchants;
use crate::accounts::profiles::Profiles;
use crate::platform::base::Base;
use crate::webhooks::ports::EventStore;

pub use deliver::{Deliveries, DeliveryOutcome, DeliveryTerms, prepare};
pub use notifier::DeliveryNotifier;

/// The use cases of events: listing, and delivering once more.
pub struct Events {
    pub base: Arc<Base>,
    pub store: Arc<dyn EventStore>,
    pub merchants: Arc<Merchants>,
    pub profiles: Arc<Profiles>,
    pub deliveries: Arc<Deliveries>,
}
