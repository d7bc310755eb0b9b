//! JSON that can't be stored, or not returned unchanged.

use super::server::TestServer;

const CREATE: &str = "POST /payments";

fn order(metadata: &str) -> String {
    format!(r#"{{"amount":1,"currency":"USD","metadata":{metadata}}}"#)
}

#[tokio::test]
async fn what_stands_twice() {
    let server = TestServer::start().await;
    for (body, place) in [
        (
            r#"{"amount":1,"currency":"USD","amount":1}"#.to_owned(),
            "amount",
        ),
        (
            r#"{"amount":1,"am\u006funt":2,"currency":"USD"}"#.to_owned(),
            "amount",
        ),
        (order(r#"{"a":[{},{"b":1,"b":null}]}"#), "metadata.a[1].b"),
        (order(r#"{"a":{"":1,"":1}}"#), "metadata.a."),
    ] {
        assert_eq!(
            server.call(CREATE, "secret", &body).await.error(),
            format!("400 IR_06 `{place}` stands more than once."),
            "{body}"
        );
    }
}

#[tokio::test]
async fn what_is_nested_too_deep() {
    let server = TestServer::start().await;
    // The body and the list are two of the levels.
    let nested = |levels: usize| {
        let (open, close) = (r#"{"a":"#.repeat(levels - 2), "}".repeat(levels - 2));
        order(&format!("{open}[]{close}"))
    };
    assert_eq!(server.call(CREATE, "secret", &nested(33)).await.status, 400);
    assert_eq!(server.call(CREATE, "secret", &nested(32)).await.status, 200);
    let answer = server.call(CREATE, "secret", &nested(127)).await.error();
    assert!(answer.starts_with("400 IR_06 `metadata.a.a.a"), "{answer}");
    assert!(
        answer.ends_with("is nested too deep: a body has at most 32 levels."),
        "{answer}"
    );
    let answer = server
        .call(CREATE, "secret", &"[".repeat(10_000))
        .await
        .error();
    assert!(answer.contains("is nested too deep"), "{answer}");
}

#[tokio::test]
async fn texts_with_the_character_nul() {
    let server = TestServer::start().await;
    let nul = r"\u0000";
    for (body, said) in [
        (
            format!(r#"{{"amount":1,"currency":"USD","description":"a{nul}"}}"#),
            "`description` holds",
        ),
        (
            order(&format!(r#"{{"a":["{nul}b"]}}"#)),
            "`metadata.a[0]` holds",
        ),
        (
            order(&format!(r#"{{"a":{{"x{nul}":1}}}}"#)),
            "A name in `metadata.a` holds",
        ),
        (format!(r#"{{"x{nul}":1}}"#), "A name in the body holds"),
    ] {
        assert_eq!(
            server.call(CREATE, "secret", &body).await.error(),
            format!("400 IR_06 {said} the character U+0000, which isn't allowed in any text."),
            "{body}"
        );
    }
    let line = "GET /payments/list?customer_id=a%00b";
    assert_eq!(
        server.call(line, "secret", "").await.error(),
        "400 IR_06 The query parameter `customer_id` holds the character U+0000, which isn't allowed in any text."
    );
    for text in ["%FF", "a%e2%82", "%C3+%A9"] {
        let line = format!("GET /payments/list?customer_id={text}");
        assert_eq!(
            server.call(&line, "secret", "").await.error(),
            "400 IR_06 The query parameter `customer_id` holds bytes that are no text in UTF-8.",
            "{text}"
        );
    }
    let answer = server
        .call("GET /payments/a%00b", "secret", "")
        .await
        .error();
    assert!(
        answer.starts_with("400 IR_06 The path parameter `payment_id`"),
        "{answer}"
    );
    // The escaped spelling is a text like any other.
    let body = order(r#"{"a":"\\u0000"}"#);
    assert_eq!(server.call(CREATE, "secret", &body).await.status, 200);
}

#[tokio::test]
async fn numbers_that_would_come_back_as_others() {
    let server = TestServer::start().await;
    for number in ["12345678901234567890123", "1e400", "0.10000000000000001"] {
        assert_eq!(
            server
                .call(CREATE, "secret", &order(&format!(r#"{{"a":{number}}}"#)))
                .await
                .error(),
            "400 IR_06 `metadata.a` is a number that can't be given back exactly; send it as text.",
            "{number}"
        );
    }
    server.take_notes();
    for (number, kept) in [
        ("18446744073709551615", "18446744073709551615"),
        ("1e2", "100.0"),
        ("-0.5", "-0.5"),
    ] {
        let body = order(&format!(r#"{{"a":{number}}}"#));
        assert_eq!(server.call(CREATE, "secret", &body).await.status, 200);
        let seen = server.take_notes().remove(0);
        assert!(seen.contains(&format!(r#""a": Number({kept})"#)), "{seen}");
    }
}
