//! One key can't use up the server.

use std::sync::Arc;
use std::time::Duration;

use multirail_conformance::{Call, Response, Shop, TestServer, bodies};
use multirail_server::config::Setting;

/// Slow enough that a quick test reaches the limit, and high enough for the set-up before it.
async fn limited() -> Arc<TestServer> {
    TestServer::start_with(|inputs| {
        inputs
            .with(Setting::RateLimitPerSecond, "1")
            .with(Setting::RateLimitBurst, "6")
    })
    .await
}

/// Repeats the call until it is refused.
async fn until_refused(call: &Call) -> Response {
    for _ in 0..50 {
        let answer = call.clone().await;
        if answer.status != 200 {
            return answer;
        }
    }
    panic!("50 calls in a row were let through");
}

fn seconds_to_wait(answer: &Response) -> u64 {
    answer
        .header("retry-after")
        .and_then(|text| text.parse().ok())
        .expect("retry-after in seconds")
}

#[tokio::test]
async fn too_many_requests_are_refused_with_a_wait() {
    let server = limited().await;
    let (busy, quiet) = (server.shop("busy").await, server.shop("quiet").await);
    let payment = busy.creates(bodies::order()).await.ok();
    let asking = busy.retrieves(&payment);

    let refused = until_refused(&asking).await;
    let wait = seconds_to_wait(&refused);
    assert!(wait >= 1, "{wait}");
    refused.refused(429, "MR_03");

    // Other callers aren't limited, and neither is the operator.
    quiet.creates(bodies::order()).await.ok();
    server
        .operator("merchant_accounts_retrieve")
        .at("account_id", "busy")
        .await
        .ok();

    tokio::time::sleep(Duration::from_secs(wait)).await;
    asking.await.ok();
}

#[tokio::test]
async fn a_payer_who_asks_too_fast_does_not_stop_the_shop() {
    let server = limited().await;
    let shop = server.shop("bookshop").await;
    let payment = shop.creates(bodies::order()).await.ok();
    let payer = shop.payer_of(&payment);
    until_refused(&payer.retrieves())
        .await
        .refused(429, "MR_03");
    shop.retrieves(&payment).await.ok();
}

#[tokio::test]
async fn a_sandbox_has_no_limit_unless_it_is_given_one() {
    let shop = Shop::open().await;
    let payment = shop.creates(bodies::order()).await.ok();
    for _ in 0..250 {
        shop.retrieves(&payment).await.ok();
    }
}
