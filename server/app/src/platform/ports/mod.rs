//! Ports that every use case needs, as traits: commits, idempotency keys, clocks, sealing, mail. Only `startup`
//! provides them. The ports of one subject are in its folder.

pub mod audit;
pub mod business_clock;
pub mod change_set;
pub mod database;
pub mod event_record;
pub mod failure;
pub mod idempotency;
pub mod mail;
pub mod metric;
pub mod object_class;
pub mod purge;
pub mod request_log;
pub mod sign_in;
pub mod tries;

pub use audit::AuditStore;
pub use business_clock::{ClockChange, ClockStore};
pub use change_set::{Actor, Change, ChangeSet, ChangeSetStore};
pub use database::Database;
pub use event_record::EventRecord;
pub use failure::{CommitError, StoreFailure};
pub use idempotency::{IdempotencyChange, IdempotencyStore, KeyClaim};
pub use installation_keys::{InstallationKeys, KeyStore};
pub use multirail_kernel::clock::Clock;
pub use multirail_platform::{installation_keys, seal, subject_seal};
pub use multirail_sql::Standstill;
pub use object_class::ObjectClass;
pub use purge::Purge;
pub use request_log::RequestLogStore;
pub use seal::Seal;
pub use sign_in::{Passwords, TokenClaims, Tokens};
pub use subject_seal::SubjectSeal;
pub use tries::TryStore;
