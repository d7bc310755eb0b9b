mod answers;
mod bank_debits;
mod disputes;
mod notices;
mod payer_methods;
mod requests;

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_sdk::connector::{AuthorizeRequest, Details};
use serde_json::{Value, json};

use crate::fixture;

const KEY: &str = "mrk_1";

fn key(text: &str) -> ProcessorKey {
    ProcessorKey::parse(text).expect("a key")
}

fn authorize(amount: i64, currency: Currency, details: Details) -> AuthorizeRequest {
    fixture::authorize(KEY, Money::new(amount, currency), details)
}

/// Returns Stripe's JSON of a payment, with `changes` applied.
fn payment(changes: Value) -> Value {
    let whole = json!({
        "id": "pi_1",
        "object": "payment_intent",
        "amount": 6540,
        "amount_capturable": 0,
        "amount_received": 6540,
        "capture_method": "automatic",
        "currency": "usd",
        "metadata": {"multirail_key": KEY},
        "status": "succeeded",
        "next_action": null,
        "last_payment_error": null,
        "latest_charge": "ch_1"
    });
    fixture::changed(whole, changes)
}
