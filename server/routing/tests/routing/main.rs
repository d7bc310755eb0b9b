//! The choice of the connector account for a payment.

#[path = "../../../domain/tests/support/mod.rs"]
mod support;

mod choose;
mod confirm;
mod elimination;
mod fuzz;
mod offered;
mod payer_methods;
mod properties;
mod refused;
mod rules;
mod session;
mod success_based;
mod three_ds;
mod total;
