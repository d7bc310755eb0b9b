//! Paths, methods and keys.

use multirail_conformance::Shop;
use reqwest::Method;

#[tokio::test]
async fn values_in_paths() {
    let shop = Shop::open().await;
    let too_long = "x".repeat(65);
    for value in [
        "pay%20ment",
        "pay.ment",
        "pay%2Fment",
        "p%C3%A4y",
        &too_long,
    ] {
        let path = format!("/payments/{value}");
        let message = shop
            .wire
            .request(Method::GET, &path)
            .key(&shop.api_key)
            .await
            .refused(400, "IR_06");
        assert!(message.contains("payment_id"), "{value}: {message}");
    }
}

#[tokio::test]
async fn unknown_routes() {
    let shop = Shop::open().await;
    let paths = [
        "/payment",
        "/payments/a/b/c",
        "/payments/a/refund",
        "/account",
        "/sandbox",
        "/dummy-connector",
        "/v1/payments",
    ];
    for path in paths {
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE] {
            shop.wire.request(method, path).await.refused(404, "IR_02");
        }
    }
    // The start page only answers GET.
    for method in [Method::POST, Method::PUT, Method::DELETE] {
        shop.wire.request(method, "/").await.refused(404, "IR_02");
    }
}

#[tokio::test]
async fn wrong_methods_say_which_are_right() {
    let shop = Shop::open().await;
    let cases = [
        (Method::GET, "/payments", &["POST"][..]),
        (Method::DELETE, "/payments/pay_1", &["GET", "POST"]),
        (Method::PUT, "/payments/list", &["GET", "POST"]),
        (Method::GET, "/payments/pay_1/confirm", &["POST"]),
        (
            Method::PATCH,
            "/accounts/bookshop",
            &["GET", "POST", "DELETE"],
        ),
        (Method::POST, "/health", &["GET"]),
        (Method::GET, "/sandbox/clock", &["POST"]),
    ];
    for (method, path, wanted) in cases {
        let answer = shop.wire.request(method, path).await;
        let allow = answer.header("allow").expect("an Allow header").to_owned();
        answer.refused(405, "IR_03");
        let allowed: Vec<&str> = allow
            .split(", ")
            .filter(|m| !["HEAD", "OPTIONS"].contains(m))
            .collect();
        let same =
            allowed.len() == wanted.len() && wanted.iter().all(|method| allowed.contains(method));
        assert!(same, "{path}: {allow}");
    }
}

#[tokio::test]
async fn the_key_is_looked_at_before_the_body() {
    let shop = Shop::open().await;
    let broken = shop.wire.call("payments_create").text("text/plain", "{");
    broken.clone().await.refused(401, "IR_01");
    broken.key("snd_wrong").await.refused(401, "IR_01");
    let unborn = shop
        .wire
        .call("payments_retrieve")
        .at("payment_id", "pay_unborn");
    unborn.await.refused(401, "IR_01");
}
