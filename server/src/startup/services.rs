//! Builds the services: each use case over the adapters of its ports.

use std::sync::Arc;

use multirail_api::RESERVED;
use multirail_app::accounts::api_keys::ApiKeys;
use multirail_app::accounts::connector_accounts::ConnectorAccounts;
use multirail_app::accounts::merchant_accounts::Merchants;
use multirail_app::accounts::merchant_deletion::MerchantDeletion;
use multirail_app::accounts::organizations::Organizations;
use multirail_app::accounts::ports::{DeletionGuard, DeletionGuards, NoticeRegistrar};
use multirail_app::accounts::processor_accounts::ProcessorAccounts;
use multirail_app::accounts::profiles::Profiles;
use multirail_app::customers::Customers;
use multirail_app::customers::mandates::Mandates;
use multirail_app::customers::saved_methods::{EphemeralKeys, ProcessorDeletions, SavedMethods};
use multirail_app::operations::driver::Driver;
use multirail_app::operations::error_mappings::ErrorMappings;
use multirail_app::operations::notices::{NoticeNotifier, Notices};
use multirail_app::operations::operated::OperatedObjects;
use multirail_app::operations::operation_sync::OperationSync;
use multirail_app::operations::ports::OpenOperationStore;
use multirail_app::operations::processors::Processors;
use multirail_app::operations::questions::Questions;
use multirail_app::operations::unresolved::UnresolvedOperations;
use multirail_app::payments::Payments;
use multirail_app::payments::card_codes::CardCodes;
use multirail_app::payments::checkout::StoredCheckouts;
use multirail_app::payments::disputes::Disputes;
use multirail_app::payments::offer::MethodOffers;
use multirail_app::payments::ports::{MerchantSessions, PaymentOwners, WalletOpener};
use multirail_app::payments::read::ReadPayments;
use multirail_app::payments::redaction::PaymentRedactions;
use multirail_app::payments::refunds::Refunds;
use multirail_app::payments::session_tokens::WalletSessions;
use multirail_app::payments::wallet_secrets::ReadableSecrets;
use multirail_app::platform::announcer::Announcer;
use multirail_app::platform::audit::{Audit, Notes};
use multirail_app::platform::base::Base;
use multirail_app::platform::ended_requests::EndedRequests;
use multirail_app::platform::keys::{KeyNotifier, Keys};
use multirail_app::platform::lease::Leases;
use multirail_app::platform::replays::Replays;
use multirail_app::platform::request_log::{Queue, Quota, RequestLog};
use multirail_app::platform::sandbox::Sandbox;
use multirail_app::routing::{Routing, abilities};
use multirail_app::webhooks::events::{Deliveries, DeliveryNotifier, Events};
use multirail_app::webhooks::feed::ChangeFeed;
use multirail_app::{EventContent, Retention, Services};
use multirail_billing::app::subscriptions::{OwnedPayments, Subscribed};
use multirail_billing::store::SqlBilling;
use multirail_domain::payments::payment::trial::TrialPayment;
use multirail_http::event_content::AsAnswered;
use multirail_identity::app::ViewsOfAccount;
use multirail_identity::store::SqlUsers;
use multirail_kernel::environment::Environment;
use multirail_kernel::random::Random;
use multirail_sdk::connector::ConnectorDirectory;
use tokio::sync::Notify;

use super::StartupError;
use super::connectors::{self, Sources};
use super::open::Opened;
use super::simulated_notices::SimulatedRegistrar;
use super::webhooks;
use crate::config::{Config, DatabaseEngine};

pub(super) fn of_core(
    config: &Config,
    url: &str,
    own_url: &str,
    opened: &Opened,
    random: &Arc<dyn Random>,
    sources: Sources<'_>,
) -> Result<Services, StartupError> {
    let directory = sources.directory(config)?;
    over(config, (url, own_url), opened, random, sources, directory)
}

/// Builds the use cases over these connectors. `urls` holds the service's address for others and for itself.
pub(super) fn over(
    config: &Config,
    (url, own_url): (&str, &str),
    opened: &Opened,
    random: &Arc<dyn Random>,
    sources: Sources<'_>,
    directory: Arc<dyn ConnectorDirectory>,
) -> Result<Services, StartupError> {
    let base = Arc::new(Base {
        clock: opened.clock.clone(),
        random: Arc::clone(random),
        change_sets: opened.store.clone(),
        seal: opened.seal.clone(),
        audit_notes: Notes::default(),
        leases: Leases {
            processor_deadline: config.processor_deadline,
            webhook_timeout: webhooks::terms(config).timeout,
            alone_since: opened.alone_since,
        },
        environment: if config.is_sandbox() {
            Environment::Sandbox
        } else {
            Environment::Production
        },
        stored_events: Notify::new(),
    });
    let store = &opened.store;
    let wallet_opener: Arc<dyn WalletOpener> = Arc::new(connectors::wallets(config)?);
    let merchant_sessions: Arc<dyn MerchantSessions> = Arc::new(connectors::apple_pay(config)?);
    let organizations = Arc::new(Organizations {
        base: Arc::clone(&base),
        store: store.clone(),
    });
    let merchants = Arc::new(Merchants {
        base: Arc::clone(&base),
        store: store.clone(),
        profiles: store.clone(),
        organizations: Arc::clone(&organizations),
        webhook_targets: config.webhook_targets(),
    });
    let deliveries = Arc::new(Deliveries {
        base: Arc::clone(&base),
        store: store.clone(),
        profiles: store.clone(),
        sender: webhooks::sender(config),
        notifier: DeliveryNotifier::default(),
        terms: webhooks::terms(config),
    });
    let profiles = Arc::new(Profiles {
        base: Arc::clone(&base),
        store: store.clone(),
        merchants: Arc::clone(&merchants),
        accounts: store.clone(),
        endpoints: deliveries.clone(),
    });
    let connector_accounts = Arc::new(ConnectorAccounts {
        base: Arc::clone(&base),
        store: store.clone(),
        merchants: Arc::clone(&merchants),
        profiles: store.clone(),
        connectors: Arc::clone(&directory),
        wallet_secrets: Arc::new(ReadableSecrets {
            wallet_opener: Arc::clone(&wallet_opener),
            merchant_sessions: Arc::clone(&merchant_sessions),
        }),
        registrar: registrar(config, own_url, sources),
        targets: config.connector_targets(),
        is_sandbox: config.is_sandbox(),
    });
    let processor_accounts = Arc::new(ProcessorAccounts {
        store: store.clone(),
        connectors: Arc::clone(&directory),
    });
    let billing = Arc::new(SqlBilling::new(opened.store.clone()));
    let deletion_guard: Arc<dyn DeletionGuard> = Arc::new(DeletionGuards(vec![
        Arc::new(Subscribed {
            store: billing.clone(),
        }),
        Arc::new(ViewsOfAccount {
            store: Arc::new(SqlUsers::new(opened.store.clone())),
        }),
    ]));
    let customers = Arc::new(Customers {
        base: Arc::clone(&base),
        store: opened.store.clone(),
        mandates: opened.store.clone(),
        guard: Arc::clone(&deletion_guard),
        redactions: Arc::default(),
        reserved_ids: reserved("customer_id"),
    });
    let content: Arc<dyn EventContent> = Arc::new(AsAnswered);
    let payment_owners: Arc<dyn PaymentOwners> = Arc::new(OwnedPayments { store: billing });
    let announcer = Arc::new(Announcer {
        base: Arc::clone(&base),
        wishes: store.clone(),
        queue: deliveries.clone(),
    });
    let driver = Arc::new(Driver {
        base: Arc::clone(&base),
        announcer: Arc::clone(&announcer),
        mandates: content.clone(),
        ended_requests: EndedRequests::default(),
    });
    let processors = Arc::new(Processors {
        base: Arc::clone(&base),
        connectors: Arc::clone(&directory),
        accounts: Arc::clone(&processor_accounts),
        questions: connectors::questions(config),
    });
    let questions = Arc::new(Questions::default());
    let refunds = Arc::new(Refunds {
        base: Arc::clone(&base),
        driver: Arc::clone(&driver),
        processors: Arc::clone(&processors),
        store: store.clone(),
        payments: store.clone(),
        owners: Arc::clone(&payment_owners),
        content: content.clone(),
        questions: Arc::clone(&questions),
        reserved_ids: reserved("refund_id"),
    });
    let disputes = Arc::new(Disputes {
        base: Arc::clone(&base),
        driver: Arc::clone(&driver),
        processors: Arc::clone(&processors),
        store: store.clone(),
        payments: store.clone(),
        owners: Arc::clone(&payment_owners),
        customers: store.clone(),
        connector_accounts: Arc::clone(&connector_accounts),
        accounts: store.clone(),
        notices: store.clone(),
        content: content.clone(),
        questions: Arc::clone(&questions),
    });
    let mandates = Arc::new(Mandates {
        base: Arc::clone(&base),
        announcer: Arc::clone(&announcer),
        store: store.clone(),
        consents: store.clone(),
        customers: Arc::clone(&customers),
        content: content.clone(),
    });
    let error_mappings = Arc::new(ErrorMappings {
        base: Arc::clone(&base),
        store: store.clone(),
        connectors: Arc::clone(&directory),
    });
    let routing = Arc::new(Routing {
        base: Arc::clone(&base),
        store: store.clone(),
        learned: store.clone(),
        past: store.clone(),
        merchants: Arc::clone(&merchants),
        profiles: Arc::clone(&profiles),
        accounts: Arc::clone(&processor_accounts),
        connectors: abilities(&*directory),
        strategy: sources.built_in.routing,
        trials: TrialPayment::boxed,
    });
    let ephemeral_keys = Arc::new(EphemeralKeys {
        base: Arc::clone(&base),
        customers: Arc::clone(&customers),
    });
    let codes = Arc::new(CardCodes::default());
    let payments = Arc::new(Payments {
        base: Arc::clone(&base),
        driver: Arc::clone(&driver),
        processors: Arc::clone(&processors),
        store: store.clone(),
        held: store.clone(),
        codes: Arc::clone(&codes),
        vault: Arc::clone(&opened.vault),
        wallet_opener,
        merchants: Arc::clone(&merchants),
        profiles: store.clone(),
        connector_accounts: store.clone(),
        customers: store.clone(),
        connector_customers: store.clone(),
        saved_methods: store.clone(),
        mandates: store.clone(),
        ephemeral_keys: Arc::clone(&ephemeral_keys),
        routing: Arc::clone(&routing),
        counted: store.clone(),
        error_mappings: Arc::clone(&error_mappings),
        refunds: Arc::clone(&refunds),
        disputes: store.clone(),
        owners: payment_owners,
        content: content.clone(),
        questions,
        public_url: url.to_owned(),
        reserved_ids: reserved("payment_id"),
        reserved_customer_ids: reserved("customer_id"),
    });
    let wallet_sessions = WalletSessions {
        base: Arc::clone(&base),
        driver: Arc::clone(&driver),
        processors: Arc::clone(&processors),
        payments: Arc::clone(&payments),
        merchants: store.clone(),
        connector_accounts: store.clone(),
        merchant_sessions,
        targets: config.connector_targets(),
    };
    let payment_redactions = PaymentRedactions {
        base: Arc::clone(&base),
        driver: Arc::clone(&driver),
        payments: Arc::clone(&payments),
        store: store.clone(),
        saved_methods: store.clone(),
        events: store.clone(),
    };
    let method_offers = MethodOffers {
        payments: Arc::clone(&payments),
        merchants: store.clone(),
        profiles: store.clone(),
        saved_methods: store.clone(),
        accounts: Arc::clone(&processor_accounts),
        codes: Arc::clone(&codes),
    };
    let operated = vec![payments.operated(), refunds.operated(), disputes.operated()];
    let objects = OperatedObjects::new(operated, store.classes());
    let objects = Arc::new(objects.map_err(StartupError::Refused)?);
    let notices = Arc::new(Notices {
        base: Arc::clone(&base),
        store: store.clone(),
        accounts: store.clone(),
        processors: Arc::clone(&processors),
        objects: Arc::clone(&objects),
        disputes: disputes.clone(),
        notifier: NoticeNotifier::default(),
    });
    Ok(Services {
        operation_sync: Arc::new(OperationSync {
            base: Arc::clone(&base),
            store: store.clone(),
            objects: Arc::clone(&objects),
        }),
        merchant_deletion: MerchantDeletion {
            base: Arc::clone(&base),
            merchants: Arc::clone(&merchants),
            guard: deletion_guard,
            payments: payments.clone(),
        },
        read_payments: ReadPayments {
            payments: Arc::clone(&payments),
            notices: Arc::clone(&notices),
            processors: Arc::clone(&processors),
            refunds: store.clone(),
        },
        replays: Replays {
            base: Arc::clone(&base),
            store: store.clone(),
            objects: objects.replays(),
        },
        unresolved_operations: UnresolvedOperations {
            store: store.clone(),
            objects,
        },
        notices,
        announcer: Arc::clone(&announcer),
        api_keys: ApiKeys {
            base: Arc::clone(&base),
            store: store.clone(),
            merchants: Arc::clone(&merchants),
        },
        audit: Arc::new(Audit {
            base: Arc::clone(&base),
            store: store.clone(),
            database: store.clone(),
        }),
        change_feed: Arc::new(ChangeFeed::new(Arc::clone(&base), store.clone())),
        error_mappings,
        events: Arc::new(Events {
            base: Arc::clone(&base),
            store: store.clone(),
            merchants: Arc::clone(&merchants),
            profiles: Arc::clone(&profiles),
            deliveries: Arc::clone(&deliveries),
        }),
        keys: Keys {
            base: Arc::clone(&base),
            store: store.clone(),
            installation_keys: opened.seal.clone(),
            notifier: KeyNotifier::default(),
            settling_seconds: key_settling_seconds(config),
        },
        routing,
        sandbox: Sandbox {
            base: Arc::clone(&base),
            store: store.clone(),
        },
        connector_accounts,
        deliveries,
        merchants,
        organizations,
        profiles,
        payments,
        payment_redactions,
        wallet_sessions,
        method_offers,
        codes,
        saved_methods: SavedMethods {
            base: Arc::clone(&base),
            announcer: Arc::clone(&announcer),
            mandates: Arc::clone(&mandates),
            store: opened.store.clone(),
            customers: Arc::clone(&customers),
            vault: Arc::clone(&opened.vault),
            accounts: Arc::clone(&processor_accounts),
            merchants: opened.store.clone(),
            profiles: opened.store.clone(),
            checkouts: Arc::new(StoredCheckouts(opened.store.clone())),
            tries: opened.store.clone(),
        },
        ephemeral_keys,
        mandates,
        processor_deletions: ProcessorDeletions {
            base: Arc::clone(&base),
            store: opened.store.clone(),
            accounts: Arc::clone(&processor_accounts),
        },
        customers,
        processor_accounts,
        request_log: Arc::new(RequestLog {
            base: Arc::clone(&base),
            store: opened.store.clone(),
            quota: Quota::new(config.request_log.per_second),
            queue: Queue::default(),
            retention_seconds: config.request_log.retention_days * 86_400,
            per_merchant: config.request_log.per_merchant,
        }),
        base,
        store: opened.store.clone(),
        processors,
        refunds,
        disputes,
        worker_health: Arc::default(),
        purges: Vec::new(),
        retention: Retention {
            idempotency_seconds: config.idempotency_retention_hours * 3_600,
            change_set_seconds: config.change_set_retention_days * 86_400,
        },
    })
}

fn registrar(
    config: &Config,
    own_url: &str,
    sources: Sources<'_>,
) -> Option<Arc<dyn NoticeRegistrar>> {
    let is_wanted = config.simulator_notices && config.tls.is_none();
    let transport = sources.to_simulators(config).filter(|_| is_wanted)?;
    Some(Arc::new(SimulatedRegistrar {
        connectors: sources.built_in.connectors,
        transport,
        own_url: own_url.to_owned(),
    }))
}

/// Returns after how many seconds no server seals with a former key. A server checks for changes every second; a running
/// statement has its time limit, as has the wait for a connection. With one process, sealed data is stored at once.
fn key_settling_seconds(config: &Config) -> i64 {
    match config.database_url.engine() {
        DatabaseEngine::Sqlite => 1,
        DatabaseEngine::Postgres => 2 + 2 * config.statement_timeout.as_secs().cast_signed(),
    }
}

/// Returns the words that the generated matcher reads before an id of this kind.
fn reserved(parameter: &str) -> &'static [&'static str] {
    RESERVED
        .iter()
        .find(|(name, _)| *name == parameter)
        .map_or(&[], |(_, words)| words)
}
