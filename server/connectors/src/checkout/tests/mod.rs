//! Checkout.com's language, without Checkout.com.

mod accounts;
mod answers;
mod disputes;
mod evidence;
mod notices;
mod requests;

use multirail_kernel::ids::ProcessorKey;

/// Of the payment that most tests are about.
const KEY: &str = "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ";
/// What Checkout.com calls it by.
const REFERENCE: &str = "d72ksPq0ZbVx1LmYtA9cNeUw38gRfJ";
const PAYMENT: &str = "pay_y3oqhf46pyzuxjbcn2giaqnb44";

fn key() -> ProcessorKey {
    ProcessorKey::parse(KEY).expect("a key")
}
