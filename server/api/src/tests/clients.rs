//! Callers, and the members that a payer's client may send.

use super::server::TestServer;

const CONFIRM: &str = "POST /payments/pay_1/confirm";

#[tokio::test]
async fn a_method_gets_the_principal_of_its_key() {
    let server = TestServer::start().await;
    assert_eq!(server.call(CONFIRM, "secret", "{}").await.status, 200);
    let seen = server.take_notes().remove(0);
    assert!(
        seen.starts_with(r#"payments_confirm Merchant(Merchant { merchant_id: "bookshop", profile_id: None, by: Key("snd_1"), closed: [] }) PaymentsConfirmPath { payment_id: "pay_1" } "#),
        "{seen}"
    );

    assert_eq!(
        server
            .call(CONFIRM, "public", r#"{"client_secret":"pay_1_secret"}"#)
            .await
            .status,
        200
    );
    let seen = server.take_notes().remove(0);
    assert!(
        seen.starts_with(
            r#"payments_confirm Client(Client { merchant_id: "bookshop", payment_id: "pay_1" }) "#
        ),
        "{seen}"
    );

    assert_eq!(
        server
            .call("GET /accounts/bookshop", "admin", "")
            .await
            .status,
        200
    );
    assert!(server.take_notes().remove(0).starts_with(
        "merchant_accounts_retrieve Admin(Admin { profile_id: None, only_reads: false })"
    ));
}

#[tokio::test]
async fn keys_of_another_kind_are_refused() {
    let server = TestServer::start().await;
    for (line, key) in [
        (CONFIRM, ""),
        (CONFIRM, "admin"),
        ("POST /payments", "public"),
        ("POST /accounts", "secret"),
        ("GET /account/bookshop/connectors", "admin"),
        ("GET /account/bookshop/connectors", "mistaken"),
    ] {
        assert!(
            server
                .call(line, key, "")
                .await
                .error()
                .starts_with("401 IR_01 "),
            "{line} {key}"
        );
    }
    assert!(
        server
            .take_notes()
            .iter()
            .all(|note| note.starts_with("finished"))
    );
}

#[tokio::test]
async fn a_client_needs_its_secret_and_sets_no_price() {
    let server = TestServer::start().await;
    let cases = [
        (
            "public",
            CONFIRM,
            "{}",
            "400 IR_04 Missing required parameter: client_secret",
        ),
        (
            "public",
            CONFIRM,
            r#"{"client_secret":null}"#,
            "400 IR_04 Missing required parameter: client_secret",
        ),
        (
            "public",
            CONFIRM,
            r#"{"client_secret":"pay_2_secret"}"#,
            "400 IR_09 Another payment's secret.",
        ),
        (
            "public",
            CONFIRM,
            r#"{"client_secret":"pay_1_secret","amount":1}"#,
            "422 IR_06 `amount` can't be sent with a publishable key; the merchant sets it.",
        ),
        (
            "secret",
            CONFIRM,
            r#"{"client_secret":"pay_1_secret"}"#,
            "422 IR_06 `client_secret` belongs to a publishable key; a call with a secret key doesn't take it.",
        ),
        (
            "public",
            "GET /payments/pay_1",
            "",
            "400 IR_04 Missing required parameter: client_secret",
        ),
        (
            "public",
            "GET /payments/pay_1?client_secret=no",
            "",
            "400 IR_09 Another payment's secret.",
        ),
    ];
    for (key, line, body, expected) in cases {
        assert_eq!(
            server.call(line, key, body).await.error(),
            expected,
            "{key} {line} {body}"
        );
    }
    assert_eq!(
        server
            .call(
                "GET /payments/pay_1?client_secret=pay_1_secret",
                "public",
                ""
            )
            .await
            .status,
        200
    );
    // Null counts as absent, for clients too.
    let harmless = r#"{"client_secret":"pay_1_secret","amount":null}"#;
    assert_eq!(server.call(CONFIRM, "public", harmless).await.status, 200);
}
