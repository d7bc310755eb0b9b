//! The changes of a dispute, and the interaction of disputes and refunds, as stories and tables. Each line of a story is a
//! step. It shows the input, the dispute's stage and status, the payment's counts, and the effects.

#[path = "../support/mod.rs"]
mod support;

mod accept;
mod evidence;
mod matrix;
mod orders;
mod properties;
mod refunds;
mod story;
