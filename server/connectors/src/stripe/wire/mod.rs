//! Stripe's language: the forms of requests, and the members of answers that are read.

mod answers;
mod notes;
mod requests;

pub use answers::*;
pub use notes::{
    CUSTOMER_ID, Metadata, Note, ORDER_REFERENCE, OUR_KEY, OUR_VOID_KEY, PAYMENT_ID, is_ours,
    noted, notes,
};
pub use requests::*;

/// The API version of requests and answers.
pub const VERSION: &str = "2026-06-24.dahlia";
