//! The rules of multirail about payments: pure decisions over plain values. No code here reads a clock, draws a random number,
//! or opens a file or a connection. Callers pass in time and random numbers; each decision returns the work that follows from
//! it.
//!
//! Each file holds one noun. A rule that says no returns a [`Refusal`](multirail_kernel::refusal::Refusal). The HTTP layer has
//! the only table from refusals to status codes.

pub mod accounts;
pub mod customers;
pub mod operations;
pub mod payments;
pub mod routing;
pub mod webhooks;
