//! Requests in progress: how far they are, and when they are given up.

use multirail_conformance::patience::{until, until_found};
use multirail_conformance::{Call, Response, Shop};

/// Waits until the processor has authorized a payment.
pub async fn is_authorized(shop: &Shop) {
    let authorized = async || shop.money().authorized;
    until("an authorization", authorized, |authorized| *authorized > 0).await;
}

/// Repeats a request while it gets 409, because the first one may still be running. Returns the next answer.
pub async fn once_the_lease_is_over(request: impl Fn() -> Call) -> Response {
    until_found("the first request is given up", async || {
        let answer = request().await;
        if answer.status != 409 {
            return Ok(answer);
        }
        answer.clone().refused(409, "MR_02");
        Err(answer.text)
    })
    .await
}
