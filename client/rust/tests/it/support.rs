//! A server with given answers, and the document's example answers.

use std::time::Duration;

use multirail_client::{Client, Connection};
use serde_json::Value;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers::any};

pub const KEY: &str = "dev_Zq7Lw2Nf9Rk4Tb6Yx1Hs";

/// Starts a server that answers every request in the same way.
pub async fn server(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

/// Makes a client that doesn't wait long between its tries.
pub fn client(server: &MockServer) -> Client {
    connection(server).build().unwrap()
}

/// Makes the connection of such a client.
pub fn connection(server: &MockServer) -> Connection {
    Connection::new(server.uri())
        .secret_key(KEY)
        .base_wait(Duration::from_millis(1))
        .claim_patience(Duration::ZERO)
}

/// Makes an error of the service with a request id.
pub fn error(status: u16, code: &str) -> ResponseTemplate {
    ResponseTemplate::new(status)
        .insert_header("x-request-id", "req_1")
        .set_body_json(serde_json::json!({
            "error_type": "invalid_request", "message": "words for people", "code": code,
        }))
}

/// Returns the document's example of a payment, with the given id.
pub fn payment(id: &str) -> Value {
    let mut payment = example("PaymentRequiresPaymentMethod");
    payment["payment_id"] = id.into();
    payment
}

/// Returns an example of the document.
pub fn example(name: &str) -> Value {
    document()["components"]["examples"][name]["value"].clone()
}

pub fn document() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi/openapi.yaml");
    let text = std::fs::read_to_string(path).unwrap();
    serde_norway::from_str(&text).unwrap()
}
