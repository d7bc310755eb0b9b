//! The server under too many, too fast or too slow requests, or without its database.

mod connections;
pub mod database;
mod early_answers;
mod metrics;
mod places;
mod processor_figures;
mod rate;
mod tls;

use multirail_conformance::bodies;
use serde_json::{Value, json};

/// An order that is confirmed at once with an approved card.
fn paid() -> Value {
    bodies::with(
        bodies::order_with(bodies::APPROVED),
        json!({ "confirm": true }),
    )
}
