//! The scenarios, in one program. The folders mirror the API; every test has a server and a database of its own.

mod api_keys;
mod arrows;
mod auth;
mod business_profiles;
mod connector_accounts;
mod coverage;
mod disk;
mod document;
mod errors;
mod events;
mod generated_client;
mod health;
mod idempotency;
mod limits;
mod masks;
mod merchant_accounts;
mod merchant_deletion;
mod payments;
mod residual;
mod sandbox;
mod servers;
mod small_stack;
mod tenancy;
mod unknown;
mod unresolved_operations;
mod webhook_targets;
