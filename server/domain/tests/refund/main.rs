//! What may happen to a refund, told as stories and as one table. In the stories a line is a step: what was asked or told,
//! the refund's status after it, what the payment's refunds come to, and what follows.

#[path = "../support/mod.rs"]
mod support;

mod create;
mod credentials;
mod honest;
mod late;
mod matrix;
mod money;
mod orders;
mod properties;
mod story;
mod sync;
