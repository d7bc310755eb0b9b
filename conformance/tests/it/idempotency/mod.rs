//! The same request twice is done once: `Idempotency-Key` on everything that changes something for a merchant.

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

/// The call under this key.
fn under(key: &str, call: Call) -> Call {
    call.header(KEY, key)
}

fn is_replayed(answer: &Response) -> bool {
    answer.header("idempotent-replayed") == Some("true")
}

/// Waits until the processor has met every fault that waits in its script.
async fn all_is_met(shop: &Shop) {
    let waiting = async || shop.processor().script().waiting();
    until("no fault waits", waiting, |waiting| *waiting == 0).await;
}

/// Sends the call twice under this key. The second answer has to be the first one, and to say so.
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

/// Sends the call under a key that it was sent under before.
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
