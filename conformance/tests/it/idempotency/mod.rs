//! A repeated request is done once: `Idempotency-Key` on every operation that changes a merchant's objects.

mod accounts;
mod auto_retry;
mod callers;
mod every_operation;
mod in_flight;
mod keys;
mod mismatch;
mod never_asked;
mod quota;
mod replay;
pub(crate) mod restart;

use multirail_conformance::patience::until;
use multirail_conformance::{Call, Response, Shop};

const KEY: &str = "idempotency-key";

/// Adds this key to the call.
fn under(key: &str, call: Call) -> Call {
    call.header(KEY, key)
}

fn is_replayed(answer: &Response) -> bool {
    answer.header("idempotent-replayed") == Some("true")
}

/// Waits until the processor has met every scripted fault.
async fn all_is_met(shop: &Shop) {
    let waiting = async || shop.processor().script().waiting();
    until("no fault waits", waiting, |waiting| *waiting == 0).await;
}

/// Sends the call twice with this key. The second answer must equal the first and be marked as replayed.
async fn twice(key: &str, call: Call) -> Response {
    let first = under(key, call.clone()).await;
    assert_eq!(
        (first.status, first.header("idempotent-replayed")),
        (200, None),
        "{}: {}",
        first.asked,
        first.body
    );
    again(&first, key, call).await;
    first
}

/// Repeats a call with the key of its first request, and compares the answers.
async fn again(first: &Response, key: &str, call: Call) {
    let second = under(key, call).await;
    assert!(
        is_replayed(&second),
        "{} was not replayed: {}",
        second.asked,
        second.body
    );
    assert_eq!(
        (first.status, &first.text),
        (second.status, &second.text),
        "{}",
        second.asked
    );
}
