//! What a server does when it is asked too much, too fast or too slowly, or can't reach its database.

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

/// An order that is confirmed at once with a card that is approved.
fn paid() -> Value {
    bodies::with(
        bodies::order_with(bodies::APPROVED),
        json!({ "confirm": true }),
    )
}
