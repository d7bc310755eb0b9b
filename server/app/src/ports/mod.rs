//! What the use cases need of the outside, as traits. `startup` is the only place that fills them in.
//!
//! What is stored has a file for each resource: a trait of its reads and an enumeration of its changes. [`Store`] is the
//! sum of the traits, [`Change`] that of the enumerations.

pub mod api_keys;
pub mod business_clock;
pub mod change_set;
pub mod connector;
pub mod connector_accounts;
pub mod customers;
pub mod disputes;
pub mod error_mappings;
pub mod events;
pub mod failure;
pub mod held;
pub mod idempotency;
pub mod installation_keys;
pub mod merchant_sessions;
pub mod merchants;
pub mod metric;
pub mod notices;
pub mod open_operations;
pub mod organizations;
pub mod payer_pages;
pub mod payment_search;
pub mod payments;
pub mod profiles;
pub mod refunds;
pub mod saved_methods;
pub mod seal;
pub mod standstill;
pub mod store;
pub mod subject_seal;
pub mod vault;
pub mod webhook_sender;

pub use api_keys::{ApiKeyChange, ApiKeyStore};
pub use business_clock::{ClockChange, ClockStore};
pub use change_set::{Actor, Change, ChangeSet, ChangeSetStore};
pub use connector::Connector;
pub use connector_accounts::{ConnectorAccountChange, ConnectorAccountStore};
pub use customers::{CustomerChange, CustomerSearch, CustomerStore};
pub use disputes::{DisputeChange, DisputeSearch, DisputeStore};
pub use error_mappings::{ErrorMappingChange, ErrorMappingStore};
pub use events::{EventChange, EventRecord, EventStore};
pub use failure::{CommitError, StoreFailure};
pub use held::{HeldChange, HeldStore};
pub use idempotency::{IdempotencyChange, IdempotencyStore, KeyClaim};
pub use installation_keys::{InstallationKeys, KeyStore};
pub use merchant_sessions::MerchantSessions;
pub use merchants::{MerchantChange, MerchantStore};
pub use multirail_domain::clock::Clock;
pub use notices::{NoticeSearch, NoticeStore};
pub use open_operations::OpenOperationStore;
pub use organizations::{OrganizationChange, OrganizationStore};
pub use payer_pages::PayerPages;
pub use payment_search::PaymentSearch;
pub use payments::{PaymentChange, PaymentStore};
pub use profiles::{ProfileChange, ProfileStore};
pub use refunds::{RefundChange, RefundSearch, RefundStore};
pub use saved_methods::{SavedMethodChange, SavedMethodStore};
pub use seal::Seal;
pub use standstill::Standstill;
pub use store::{Database, Store};
pub use subject_seal::SubjectSeal;
pub use vault::Vault;
pub use webhook_sender::{WebhookRequest, WebhookSender};
