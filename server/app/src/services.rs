//! The services of the program.

use std::sync::Arc;

use crate::accounts::api_keys::ApiKeys;
use crate::accounts::connector_accounts::ConnectorAccounts;
use crate::accounts::merchant_accounts::Merchants;
use crate::accounts::merchant_deletion::MerchantDeletion;
use crate::accounts::organizations::Organizations;
use crate::accounts::processor_accounts::ProcessorAccounts;
use crate::accounts::profiles::Profiles;
use crate::customers::Customers;
use crate::customers::mandates::Mandates;
use crate::customers::saved_methods::{EphemeralKeys, ProcessorDeletions, SavedMethods};
use crate::operations::error_mappings::ErrorMappings;
use crate::operations::notices::Notices;
use crate::operations::operation_sync::OperationSync;
use crate::operations::processors::Processors;
use crate::operations::unresolved::UnresolvedOperations;
use crate::payments::Payments;
use crate::payments::card_codes::CardCodes;
use crate::payments::disputes::Disputes;
use crate::payments::offer::MethodOffers;
use crate::payments::read::ReadPayments;
use crate::payments::redaction::PaymentRedactions;
use crate::payments::refunds::Refunds;
use crate::payments::session_tokens::WalletSessions;
use crate::platform::announcer::Announcer;
use crate::platform::audit::Audit;
use crate::platform::base::Base;
use crate::platform::keys::Keys;
use crate::platform::ports::Purge;
use crate::platform::replays::Replays;
use crate::platform::request_log::RequestLog;
use crate::platform::sandbox::Sandbox;
use crate::platform::worker_health::WorkerHealth;
use crate::routing::Routing;
use crate::store::Store;
use crate::webhooks::events::{Deliveries, Events};
use crate::webhooks::feed::ChangeFeed;

/// The list of services that the program hands to HTTP and the workers. No service and no use case takes it.
pub struct Services {
    pub base: Arc<Base>,
    pub announcer: Arc<Announcer>,
    pub api_keys: ApiKeys,
    pub audit: Arc<Audit>,
    pub change_feed: Arc<ChangeFeed>,
    pub connector_accounts: Arc<ConnectorAccounts>,
    pub deliveries: Arc<Deliveries>,
    pub disputes: Arc<Disputes>,
    pub error_mappings: Arc<ErrorMappings>,
    pub events: Arc<Events>,
    pub keys: Keys,
    pub merchants: Arc<Merchants>,
    pub organizations: Arc<Organizations>,
    pub payments: Arc<Payments>,
    pub payment_redactions: PaymentRedactions,
    pub wallet_sessions: WalletSessions,
    pub method_offers: MethodOffers,
    /// The card codes between create and confirm.
    pub codes: Arc<CardCodes>,
    pub processors: Arc<Processors>,
    pub profiles: Arc<Profiles>,
    pub refunds: Arc<Refunds>,
    pub routing: Arc<Routing>,
    pub sandbox: Sandbox,
    /// The accounts at processors, for callers that ask the processors.
    pub processor_accounts: Arc<ProcessorAccounts>,
    pub customers: Arc<Customers>,
    pub saved_methods: SavedMethods,
    pub ephemeral_keys: Arc<EphemeralKeys>,
    pub mandates: Arc<Mandates>,
    /// Asks processors to delete data that was deleted here.
    pub processor_deletions: ProcessorDeletions,
    pub store: Arc<dyn Store>,
    /// The state of this server's workers.
    pub worker_health: Arc<WorkerHealth>,
    pub merchant_deletion: MerchantDeletion,
    pub notices: Arc<Notices>,
    pub operation_sync: Arc<OperationSync>,
    pub read_payments: ReadPayments,
    pub replays: Replays,
    pub request_log: Arc<RequestLog>,
    pub unresolved_operations: UnresolvedOperations,
    /// The purges of satellites.
    pub purges: Vec<Arc<dyn Purge>>,
    pub retention: Retention,
}

/// The time for which the reaper keeps rows that are no longer needed.
#[derive(Clone, Copy, Debug)]
pub struct Retention {
    /// The lifetime of idempotency keys, in seconds.
    pub idempotency_seconds: i64,
    /// The lifetime of the rows with each commit's actor and request, in seconds.
    pub change_set_seconds: i64,
}
