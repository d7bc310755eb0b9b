//! Stripe's own language: what is sent, as the members of a form, and what of its answers is read.

mod asked;
mod notes;
mod told;

pub use asked::*;
pub use notes::{
    CUSTOMER_ID, Metadata, Note, ORDER_REFERENCE, OUR_KEY, OUR_VOID_KEY, PAYMENT_ID, is_ours,
    noted, notes,
};
pub use told::*;

/// The version of the API that requests and answers are written in.
pub const VERSION: &str = "2026-06-24.dahlia";
