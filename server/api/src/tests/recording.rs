//! The frame notifies the server of a request before its method runs, and of a success afterwards.

use super::server::TestServer;

/// Returns the notes about one call, with the header that has the request recorded.
async fn notes(server: &TestServer, line: &str, key: &str, wish: &str, body: &str) -> Vec<String> {
    let header = format!("x-record: {wish}\r\n");
    server.call_with(line, key, &header, body).await;
    let mut notes = server.take_notes();
    notes.retain(|note| !note.starts_with("finished"));
    notes
}

#[tokio::test]
async fn a_method_runs_between_its_record_and_the_word_that_it_is_done() {
    let server = TestServer::start().await;
    let line = "DELETE /api_keys/bookshop/snd_1";
    let told = notes(&server, line, "admin", "yes", "").await;
    assert_eq!(
        told.first().map(String::as_str),
        Some("records api_keys_revoke [\"bookshop\", \"snd_1\"]")
    );
    assert_eq!(
        told.last().map(String::as_str),
        Some("recorded api_keys_revoke")
    );
    assert_eq!(told.len(), 3, "{told:?}");
}

#[tokio::test]
async fn what_needs_no_key_is_recorded_too() {
    let server = TestServer::start().await;
    let body = r#"{"email": "ada@books.example", "password": "Correct-horse-1"}"#;
    let told = notes(&server, "POST /user/signin", "", "yes", body).await;
    assert_eq!(
        told.first().map(String::as_str),
        Some("records users_sign_in []")
    );
    assert_eq!(
        told.last().map(String::as_str),
        Some("recorded users_sign_in")
    );
}

#[tokio::test]
async fn what_can_not_be_recorded_does_not_happen() {
    let server = TestServer::start().await;
    let line = "DELETE /api_keys/bookshop/snd_1";
    let told = notes(&server, line, "admin", "refused", "").await;
    assert_eq!(told, [""; 0]);
}

#[tokio::test]
async fn what_is_refused_or_fails_is_not_said_to_be_done() {
    let server = TestServer::start().await;
    let line = "DELETE /api_keys/bookshop/snd_1";
    assert_eq!(notes(&server, line, "nobody", "yes", "").await, [""; 0]);
    // This method panics in these tests.
    let line = "POST /payments/pay_1/cancel";
    let told = notes(&server, line, "secret", "yes", "{}").await;
    assert_eq!(told, ["records payments_cancel [\"pay_1\"]"]);
}
