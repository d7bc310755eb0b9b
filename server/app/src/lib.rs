//! Use cases: load, decide in the domain, commit, act, commit. One file an operation or small resource; nothing here
//! knows HTTP, SQL or a particular processor.

pub mod accounts;
pub mod customers;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
pub mod operations;
pub mod payments;
pub mod platform;
pub mod ports;
pub mod routing;
pub mod services;
pub mod webhooks;

use std::ops::Deref;
use std::sync::Arc;

use crate::accounts::ports::DeletionGuard;
use crate::ports::Store;
use accounts::api_keys::ApiKeys;
use accounts::connector_accounts::ConnectorAccounts;
use accounts::merchant_accounts::Merchants;
use accounts::organizations::Organizations;
use accounts::processor_accounts::ProcessorAccounts;
use accounts::profiles::Profiles;
use customers::Customers;
use customers::mandates::Mandates;
use customers::mandates::announce::MandateContent;
use customers::saved_methods::{EphemeralKeys, ProcessorDeletions, SavedMethods};
use operations::driver::Driver;
use operations::error_mappings::ErrorMappings;
use operations::processors::Processors;
use payments::Payments;
use payments::card_codes::CardCodes;
use payments::content::PaymentContent;
use payments::disputes::Disputes;
use payments::disputes::content::DisputeContent;
use payments::offer::MethodOffers;
use payments::redaction::PaymentRedactions;
use payments::refunds::Refunds;
use payments::refunds::content::RefundContent;
use payments::session_tokens::WalletSessions;
use platform::announcer::Announcer;
use platform::audit::Audit;
use platform::base::Base;
use platform::keys::Keys;
use platform::sandbox::Sandbox;
use platform::worker_health::WorkerHealth;
use routing::Routing;
use webhooks::events::{Deliveries, Events};

pub use platform::caller::Origin;
pub use platform::error::AppError;
pub use services::Services;

/// Renders objects for the bodies of webhooks, each by the trait of its subject.
pub trait EventContent: PaymentContent + RefundContent + DisputeContent + MandateContent {}

impl<T> EventContent for T where T: PaymentContent + RefundContent + DisputeContent + MandateContent {}

/// Everything a use case needs, handed in once.
pub struct App {
    pub base: Arc<Base>,
    pub announcer: Arc<Announcer>,
    pub api_keys: ApiKeys,
    pub audit: Arc<Audit>,
    pub connector_accounts: Arc<ConnectorAccounts>,
    pub deliveries: Arc<Deliveries>,
    pub disputes: Arc<Disputes>,
    pub driver: Arc<Driver>,
    pub error_mappings: Arc<ErrorMappings>,
    pub events: Arc<Events>,
    pub keys: Keys,
    pub merchants: Arc<Merchants>,
    pub organizations: Arc<Organizations>,
    pub payments: Arc<Payments>,
    pub payment_redactions: PaymentRedactions,
    pub wallet_sessions: WalletSessions,
    pub method_offers: MethodOffers,
    /// The codes of cards between create and confirm.
    pub codes: Arc<CardCodes>,
    pub processors: Arc<Processors>,
    pub profiles: Arc<Profiles>,
    pub refunds: Arc<Refunds>,
    pub routing: Arc<Routing>,
    pub sandbox: Sandbox,
    /// The accounts at processors that may be asked something.
    pub processor_accounts: Arc<ProcessorAccounts>,
    pub customers: Arc<Customers>,
    pub saved_methods: SavedMethods,
    pub ephemeral_keys: Arc<EphemeralKeys>,
    pub mandates: Arc<Mandates>,
    /// Deletes at processors what was deleted here.
    pub processor_deletions: ProcessorDeletions,
    pub store: Arc<dyn Store>,
    /// The hook of what keeps merchant accounts and customers from being deleted.
    pub deletion_guard: Arc<dyn DeletionGuard>,
    pub event_content: Arc<dyn EventContent>,
    /// How the workers of this server are doing.
    pub worker_health: Arc<WorkerHealth>,
    pub settings: Settings,
}

/// What an operator decides about the use cases.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether this is the sandbox.
    pub sandbox: bool,
    /// Where payers and processors reach us, without a trailing slash.
    pub public_url: String,
    /// How long a client secret is valid where neither payment nor profile says, in seconds.
    pub client_secret_seconds: i64,
    /// How long idempotency keys are kept, in seconds.
    pub idempotency_retention_seconds: i64,
    /// How long the actor and the request behind each commit are kept, in seconds.
    pub change_set_retention_seconds: i64,
}

/// Until each use case stands in a service of its own, the others find here what the base has.
impl Deref for App {
    type Target = Base;

    fn deref(&self) -> &Base {
        &self.base
    }
}
