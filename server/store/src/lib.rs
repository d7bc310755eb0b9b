//! The store: domain values to statements and back, over one engine-independent database layer. Every SQL text stands
//! here once and runs on SQLite and PostgreSQL alike.

mod accounts;
mod api_keys;
mod cached;
mod cards_to_save;
mod change_sets;
mod conditions;
mod connector_accounts;
mod constraints;
mod customers;
mod database;
mod deliveries;
mod delivery_leases;
mod disputes;
mod elimination;
mod endpoints;
pub mod engine;
mod error_mappings;
mod event_store;
mod events;
mod freshness;
mod held_cards;
mod held_credentials;
mod held_store;
mod idempotency;
mod key_rotations;
pub mod keys;
mod lapsed;
mod lower;
mod lower_payment;
mod merchants;
mod notices;
mod open_operations;
mod operation_rows;
mod organizations;
mod payment_operations;
mod payment_store;
mod payment_tokens;
mod payments;
mod profiles;
mod record;
mod refunds;
mod routing;
mod saved_methods;
mod sealed_columns;
mod sealing_anew;
mod search;
mod settings;
mod sql_store;
mod subject_keys;
mod subject_seal;
#[cfg(test)]
mod tests;
mod unfinished;
mod waiting;

pub use sql_store::SqlStore;
