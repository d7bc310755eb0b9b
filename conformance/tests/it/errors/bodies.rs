//! Bodies that do not get as far as their members.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{order, with};
use serde_json::json;

const JSON: &str = "application/json";

#[tokio::test]
async fn bodies_that_cant_be_read() {
    let shop = Shop::open().await;
    let whole = order().to_string();
    let bodies = [
        "{",
        "{\"amount\": 6540, \"currency\": \"USD\"",
        "{'amount': 6540}",
        "{\"amount\": 6540,}",
        "amount=6540",
        "\u{feff}{}",
        "nul",
        "[]",
        "\"text\"",
        "6540",
        "true",
    ];
    for body in bodies {
        shop.call("payments_create")
            .text(JSON, body)
            .await
            .refused(400, "IR_06");
    }
    for rest in ["x", "{}", "}", "\u{0}", " ,"] {
        let body = format!("{whole}{rest}");
        shop.call("payments_create")
            .text(JSON, body)
            .await
            .refused(400, "IR_06");
    }
    let spaced = format!(" \r\n\t{whole}\n ");
    assert_eq!(
        shop.call("payments_create").text(JSON, spaced).await.ok()["amount"],
        6540
    );
    assert_eq!(
        shop.call("payments_list").await.ok()["size"],
        1,
        "refusals store nothing"
    );
}

#[tokio::test]
async fn media_types() {
    let shop = Shop::open().await;
    let whole = order().to_string();
    for media_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/xml",
        "application/jsonx",
        "",
    ] {
        shop.call("payments_create")
            .text(media_type, &whole)
            .await
            .refused(415, "IR_06");
    }
    shop.call("payments_create")
        .undeclared(&whole)
        .await
        .refused(415, "IR_06");
    for media_type in [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
    ] {
        shop.call("payments_create")
            .text(media_type, &whole)
            .await
            .ok();
    }
}

#[tokio::test]
async fn bodies_that_are_too_long() {
    let shop = Shop::open().await;
    let padded = |length: usize| {
        let short = with(order(), json!({ "description": "" })).to_string();
        with(
            order(),
            json!({ "description": "x".repeat(length - short.len()) }),
        )
        .to_string()
    };
    assert_eq!(padded(32_768).len(), 32_768);
    shop.call("payments_create")
        .text(JSON, padded(32_768))
        .await
        .ok();
    shop.call("payments_create")
        .text(JSON, padded(32_769))
        .await
        .refused(413, "IR_06");
    shop.call("payments_create")
        .text(JSON, padded(1_000_000))
        .await
        .refused(413, "IR_06");
}
