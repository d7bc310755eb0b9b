//! The changes of a refund, as stories and as one table. Each line of a story is a step: the input, the refund's status, the
//! sums of the payment's refunds, and the effects.

#[path = "../support/mod.rs"]
mod support;

mod create;
mod credentials;
mod excess;
mod honest;
mod late;
mod matrix;
mod money;
mod orders;
mod properties;
mod story;
mod sync;
