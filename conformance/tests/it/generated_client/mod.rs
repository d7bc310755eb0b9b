//! The same stories through the generated client: what a Rust program sees.

mod customers;
mod disputes;
mod payers;
mod payments;
mod refunds;

use multirail_client::types;

/// A body as the client's own type.
fn typed(body: serde_json::Value) -> types::PaymentCreateRequest {
    serde_json::from_value(body).expect("a body of the document")
}
