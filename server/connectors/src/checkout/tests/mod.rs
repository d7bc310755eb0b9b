//! Tests of Checkout.com's language, without Checkout.com.

mod accounts;
mod answers;
mod disputes;
mod evidence;
mod notices;
mod requests;

use multirail_kernel::ids::ProcessorKey;

/// The key of the payment in most tests.
const KEY: &str = "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ";
/// The payment's reference at Checkout.com.
const REFERENCE: &str = "d72ksPq0ZbVx1LmYtA9cNeUw38gRfJ";
const PAYMENT: &str = "pay_y3oqhf46pyzuxjbcn2giaqnb44";

fn key() -> ProcessorKey {
    ProcessorKey::parse(KEY).expect("a key")
}
