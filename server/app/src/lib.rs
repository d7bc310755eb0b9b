//! Use cases: load, decide in the domain, commit, act, commit. One file an operation or small resource; nothing here
//! knows HTTP, SQL or a particular processor.

mod acting;
pub mod announcer;
pub mod api_keys;
pub mod audit;
pub mod base;
pub mod caller;
pub mod card_codes;
pub mod connector_accounts;
pub mod customers;
pub mod decisions;
pub mod disputes;
pub mod driver;
pub mod ended_requests;
pub mod error;
pub mod error_mappings;
pub mod events;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
pub mod idempotency;
pub mod keys;
pub mod lease;
pub mod mandates;
pub mod merchant_accounts;
pub mod merchant_deletion;
mod notice_addresses;
pub mod notices;
pub mod operated;
pub mod operation_sync;
pub mod organizations;
pub mod paging;
pub mod payments;
pub mod ports;
pub mod processor_accounts;
pub mod processors;
pub mod profile_view;
pub mod profiles;
pub mod questions;
pub mod refunds;
pub mod replays;
pub mod routing;
pub mod sandbox;
pub mod saved_methods;
pub mod services;
pub mod unresolved;
pub mod worker_health;

use std::ops::Deref;
use std::sync::Arc;

use crate::ports::{DeletionGuard, Store};
use announcer::Announcer;
use api_keys::ApiKeys;
use audit::Audit;
use base::Base;
use card_codes::CardCodes;
use connector_accounts::ConnectorAccounts;
use customers::Customers;
use disputes::Disputes;
use disputes::content::DisputeContent;
use driver::Driver;
use error_mappings::ErrorMappings;
use events::{Deliveries, Events};
use keys::Keys;
use mandates::Mandates;
use mandates::announce::MandateContent;
use merchant_accounts::Merchants;
use organizations::Organizations;
use payments::Payments;
use payments::content::PaymentContent;
use payments::offer::MethodOffers;
use payments::redaction::PaymentRedactions;
use payments::session_tokens::WalletSessions;
use processor_accounts::ProcessorAccounts;
use processors::Processors;
use profiles::Profiles;
use refunds::Refunds;
use refunds::content::RefundContent;
use routing::Routing;
use sandbox::Sandbox;
use saved_methods::{EphemeralKeys, ProcessorDeletions, SavedMethods};
use worker_health::WorkerHealth;

pub use caller::Origin;
pub use error::AppError;
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
