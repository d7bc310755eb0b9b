//! The same stories through the generated client, as a Rust program sees them.

mod customers;
mod disputes;
mod payers;
mod payments;
mod refunds;

use multirail_client::types;

/// Converts a body to the client's type.
fn typed(body: serde_json::Value) -> types::PaymentCreateRequest {
    serde_json::from_value(body).expect("a body of the document")
}
