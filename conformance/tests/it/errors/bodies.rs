//! Bodies that fail before their members are read.

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
        let short = with(order(), json!({ "metadata": { "note": "" } })).to_string();
        let note = "x".repeat(length - short.len());
        with(order(), json!({ "metadata": { "note": note } })).to_string()
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

/// Text that can't be stored is refused, so that it can't hide the rest.
#[tokio::test]
async fn text_that_cannot_be_stored_is_refused() {
    let shop = Shop::open().await;
    let deep = |levels: usize| format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    for (metadata, place) in [
        (deep(126), "metadata.a.a"),
        (deep(32), "metadata.a.a"),
        (r#"{"a":{"b":1,"b":2}}"#.to_owned(), "metadata.a.b"),
        (r#"{"a":["\u0000"]}"#.to_owned(), "metadata.a[0]"),
        (r#"{"a":{"\u0000":1}}"#.to_owned(), "metadata.a"),
        (r#"{"a":12345678901234567890123}"#.to_owned(), "metadata.a"),
    ] {
        let order = format!(r#"{{"amount":1,"currency":"USD","metadata":{metadata}}}"#);
        let profile = format!(r#"{{"metadata":{metadata}}}"#);
        let account = format!(r#"{{"merchant_id":"papershop","metadata":{metadata}}}"#);
        let connector = format!(
            r#"{{"connector_type":"payment_processor","connector_name":"fauxpay","metadata":{metadata}}}"#
        );
        let calls = [
            shop.call("payments_create").text(JSON, order),
            shop.call("business_profiles_create").text(JSON, profile),
            shop.operator("merchant_accounts_create")
                .text(JSON, account),
            shop.call("connector_accounts_create").text(JSON, connector),
        ];
        for call in calls {
            let message = call.await.refused(400, "IR_06");
            assert!(message.contains(&format!("`{place}")), "{place}: {message}");
        }
    }
    let kept = format!(
        r#"{{"amount":1,"currency":"USD","metadata":{{"deep":{},"whole":18446744073709551615,"price":0.1,"hundred":1e2}}}}"#,
        deep(30)
    );
    let payment = shop.call("payments_create").text(JSON, kept).await.ok();
    assert_eq!(
        payment["metadata"]["whole"],
        json!(18_446_744_073_709_551_615_u64)
    );
    assert_eq!(payment["metadata"]["price"], json!(0.1));
    assert_eq!(payment["metadata"]["hundred"], json!(100.0));
    assert_eq!(shop.retrieves(&payment).await.ok(), payment);
    assert_eq!(shop.call("payments_list").await.ok()["size"], 1);
}

#[tokio::test]
async fn texts_that_no_engine_keeps() {
    let shop = Shop::open().await;
    let nul = "a\u{0}b";
    for member in [
        "description",
        "statement_descriptor_name",
        "customer_id",
        "merchant_order_reference_id",
        "email",
    ] {
        let message = shop.creates(with(order(), json!({ member: nul }))).await;
        let message = message.refused(400, "IR_06");
        assert!(message.contains(&format!("`{member}`")), "{message}");
    }
    let filter = json!({ "customer_id": nul });
    let message = shop
        .call("payments_filter")
        .json(&filter)
        .await
        .refused(400, "IR_06");
    assert!(message.contains("`customer_id`"), "{message}");
    let filter = json!({ "object_id": nul });
    let message = shop
        .operator("events_list")
        .at("merchant_id", &shop.merchant_id)
        .json(&filter);
    let message = message.await.refused(400, "IR_06");
    assert!(message.contains("`object_id`"), "{message}");
    let listed = shop.call("payments_list").query("customer_id", nul);
    let message = listed.await.refused(400, "IR_06");
    assert!(message.contains("`customer_id`"), "{message}");
    for page in [
        "/payments/redirect/%00/bookshop/att_1",
        "/payments/redirect/pay_1/%00/att_1",
        "/payments/pay_1/bookshop/redirect/response/%00",
    ] {
        let answer = shop.server.wire.request(reqwest::Method::GET, page).await;
        assert!(answer.status < 500, "{page}: {}", answer.status);
    }
}

/// Some programs write a byte order mark at the start of a file.
#[tokio::test]
async fn a_byte_order_mark_is_passed_over_or_named() {
    let shop = Shop::open().await;
    let marked = format!("\u{feff}{}", order());
    let made = shop.call("payments_create").text(JSON, marked).await.ok();
    assert_eq!(made["amount"], 6540);
    let wide: Vec<u8> = [0xFF, 0xFE, b'{', 0, b'}', 0].to_vec();
    let refused = shop.call("payments_create").bytes(JSON, wide).await;
    let message = refused.refused(400, "IR_06");
    assert!(message.contains("UTF-16"), "{message}");
}

#[tokio::test]
async fn a_body_that_is_compressed_is_not_taken() {
    let shop = Shop::open().await;
    for encoding in ["gzip", "br", "identity, gzip", "GZIP"] {
        let call = shop.call("payments_create").json(&order());
        let answer = call.header("content-encoding", encoding).await;
        assert_eq!(answer.header("accept-encoding"), Some("identity"));
        answer.refused(415, "IR_06");
    }
    let plain = shop.call("payments_create").json(&order());
    let plain = plain.header("content-encoding", "identity").await.ok();
    assert_eq!(plain["amount"], 6540);
    assert_eq!(shop.call("payments_list").await.ok()["size"], 1);
}
