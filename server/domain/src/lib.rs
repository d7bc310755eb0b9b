//! What may happen to money in multirail: pure decisions over plain values. Nothing here reads a clock, draws a random
//! number, opens a file or a connection: time and chance are handed in, and what follows from a decision is returned.
//!
//! One noun a file. A "no" is a [`Refusal`](multirail_kernel::refusal::Refusal); the HTTP layer owns the one table from
//! refusals to status codes.

pub mod accounts;
pub mod customers;
pub mod operations;
pub mod payments;
pub mod routing;
pub mod webhooks;
