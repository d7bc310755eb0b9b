//! What the use cases need of the outside, as traits. `startup` is the only place that fills them in.

pub mod change_set;
pub mod connector;
pub mod events;
pub mod failure;
pub mod metric;
pub mod payer_pages;
pub mod payment_search;
pub mod seal;
pub mod standstill;
pub mod store;
pub mod webhook_sender;

pub use change_set::{Actor, Change, ChangeSet, EventRecord, KeyClaim};
pub use connector::Connector;
pub use events::EventStore;
pub use failure::{CommitError, StoreFailure};
pub use multirail_domain::clock::Clock;
pub use payer_pages::PayerPages;
pub use payment_search::PaymentSearch;
pub use seal::Seal;
pub use standstill::Standstill;
pub use store::Store;
pub use webhook_sender::{WebhookRequest, WebhookSender};
