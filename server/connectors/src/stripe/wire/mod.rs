//! Stripe's language: the forms of requests, and the members of answers that are read.

mod asked;
mod notes;
mod told;

pub use asked::*;
pub use notes::{
    CUSTOMER_ID, Metadata, Note, ORDER_REFERENCE, OUR_KEY, OUR_VOID_KEY, PAYMENT_ID, is_ours,
    noted, notes,
};
pub use told::*;

/// The API version of requests and answers.
pub const VERSION: &str = "2026-06-24.dahlia";
