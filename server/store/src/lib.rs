//! The store: domain values to statements and back, over one engine-independent database layer. Every SQL text stands
//! here once and runs on SQLite and PostgreSQL alike.

mod accounts;
mod api_keys;
mod audit;
mod cached;
mod cards_to_save;
mod catalogue;
mod change_sets;
mod conditions;
mod connector_accounts;
mod connector_customers;
mod connector_mandates;
mod consents;
mod constraints;
mod core_tables;
mod customers;
mod database;
pub mod declared;
mod deliveries;
mod delivery_leases;
mod disputes;
mod dynamic_routing;
mod elimination;
mod endpoints;
mod error_mappings;
mod event_store;
mod events;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
mod freshness;
mod held_cards;
mod held_credentials;
mod held_store;
mod idempotency;
mod inspection;
mod invoices;
mod key_rotations;
pub mod keys;
mod lapsed;
mod lower;
mod lower_payment;
mod lower_saved_method;
mod mandates;
mod merchants;
mod method_columns;
mod notices;
mod open_operations;
mod operation_rows;
mod organizations;
mod payment_operations;
mod payment_store;
mod payment_tokens;
mod payments;
mod profiles;
pub mod record;
mod redactions;
mod refunds;
mod routing;
pub mod rows;
mod saved_methods;
pub mod sealed_columns;
mod sealed_forms;
mod sealing_anew;
mod search;
mod settings;
mod sign_in_tries;
mod sql_store;
pub mod subject_keys;
mod subject_seal;
mod subscription_turns;
mod subscriptions;
mod success_counts;
#[cfg(test)]
mod tests;
mod unfinished;
mod waiting;
mod wallet_tokens;

// The engines, by the name that every module here knows them by.
use multirail_database as engine;

pub use core_tables::{CORE, VAULT};
pub use database::{applied_schema, noted_audit_log, stored_mode};
pub use declared::{Declared, DeclaredTwice, Takeover};
pub use inspection::Inspection;
pub use sealed_columns::SealedColumn;
pub use sql_store::SqlStore;
