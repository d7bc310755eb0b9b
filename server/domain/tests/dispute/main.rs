//! What may happen to a dispute, and what it and refunds do to each other, told as stories and as tables. In the stories a line
//! is a step: what was asked or told, the dispute's stage and status after it, what the payment counts, and what follows.

#[path = "../support/mod.rs"]
mod support;

mod accept;
mod evidence;
mod matrix;
mod orders;
mod properties;
mod refunds;
mod story;
