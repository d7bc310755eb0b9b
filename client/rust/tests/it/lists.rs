//! Tests of lists as streams, against a server with given answers.

use std::sync::OnceLock;

use futures::TryStreamExt;
use multirail_client::types::{Customer, RefundListRequest};
use multirail_client::{Connection, Error};
use serde_json::{Value, json};
use wiremock::matchers::{body_partial_json, method, path, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, ResponseTemplate};

/// Returns the document's example of a customer, which is read once.
fn example() -> &'static Value {
    static READ: OnceLock<Value> = OnceLock::new();
    READ.get_or_init(|| crate::support::example("CustomersListAnswer")[0].clone())
}

fn customer(number: usize) -> Value {
    let mut customer = example().clone();
    customer["customer_id"] = json!(format!("cus_{number}"));
    customer
}

fn page(from: usize, to: usize) -> ResponseTemplate {
    let customers: Vec<Value> = (from..to).map(customer).collect();
    ResponseTemplate::new(200).set_body_json(customers)
}

async fn customers(server: &MockServer) -> Result<Vec<Customer>, Error> {
    let client = Connection::new(server.uri())
        .secret_key("snd_1")
        .tries(1)
        .build();
    let client = client.expect("a client");
    let call = client.customers_list().email("ada@shopper.example");
    call.stream().try_collect().await
}

fn asks_for(offset: &str) -> wiremock::MockBuilder {
    Mock::given(method("GET"))
        .and(path("/customers/list"))
        .and(query_param("email", "ada@shopper.example"))
        .and(query_param("limit", "50"))
        .and(query_param("offset", offset))
}

#[tokio::test]
async fn pages_follow_each_other_until_one_is_not_full() {
    let server = MockServer::start().await;
    asks_for("0")
        .respond_with(page(0, 50))
        .expect(1)
        .mount(&server)
        .await;
    asks_for("50")
        .respond_with(page(50, 53))
        .expect(1)
        .mount(&server)
        .await;
    let all = customers(&server).await.expect("customers");
    let ids: Vec<&str> = all.iter().map(|one| one.customer_id.as_str()).collect();
    assert_eq!((ids.len(), ids[0], ids[52]), (53, "cus_0", "cus_52"));
}

#[tokio::test]
async fn a_full_page_may_be_the_last() {
    let server = MockServer::start().await;
    asks_for("0")
        .respond_with(page(0, 50))
        .expect(1)
        .mount(&server)
        .await;
    asks_for("50")
        .respond_with(page(50, 50))
        .expect(1)
        .mount(&server)
        .await;
    assert_eq!(customers(&server).await.expect("customers").len(), 50);
}

#[tokio::test]
async fn a_call_that_fails_ends_the_stream_after_what_came_before() {
    let server = MockServer::start().await;
    asks_for("0").respond_with(page(0, 50)).mount(&server).await;
    let refusal = json!({ "error_type": "api", "message": "no", "code": "HE_00" });
    let refusal = ResponseTemplate::new(500).set_body_json(refusal);
    asks_for("50").respond_with(refusal).mount(&server).await;
    let client = Connection::new(server.uri())
        .secret_key("snd_1")
        .tries(1)
        .build();
    let client = client.expect("a client");
    let mut stream = std::pin::pin!(
        client
            .customers_list()
            .email("ada@shopper.example")
            .stream()
    );
    let mut seen = 0;
    let failed = loop {
        match stream.try_next().await {
            Ok(Some(_)) => seen += 1,
            Ok(None) => panic!("it ended as if it were whole"),
            Err(error) => break error,
        }
    };
    assert_eq!(seen, 50);
    assert!(matches!(failed, Error::Api { .. }), "{failed:?}");
}

#[tokio::test]
async fn a_list_that_is_asked_for_with_a_body() {
    let server = MockServer::start().await;
    let wanted = json!({ "payment_id": "pay_1", "limit": 50, "offset": 0 });
    let answer = json!({ "count": 0, "total_count": 0, "data": [] });
    Mock::given(method("POST"))
        .and(path("/refunds/list"))
        .and(body_partial_json(wanted))
        .respond_with(ResponseTemplate::new(200).set_body_json(answer))
        .expect(1)
        .mount(&server)
        .await;
    let client = Connection::new(server.uri()).secret_key("snd_1").build();
    let client = client.expect("a client");
    let filter = RefundListRequest::new().payment_id("pay_1").limit(3);
    let refunds: Vec<_> = client.refunds(filter).try_collect().await.expect("refunds");
    assert!(refunds.is_empty());
}

#[tokio::test]
async fn the_audit_log_goes_on_before_the_last_entry() {
    let example = crate::support::example("AuditListAnswer")[0].clone();
    let entry = |sequence: i64| {
        let mut entry = example.clone();
        entry["sequence"] = json!(sequence);
        entry
    };
    let first: Vec<Value> = (51..=100).rev().map(entry).collect();
    let server = MockServer::start().await;
    let log = || Mock::given(method("GET")).and(path("/audit"));
    log()
        .and(query_param_is_missing("before"))
        .respond_with(ResponseTemplate::new(200).set_body_json(first))
        .expect(1)
        .mount(&server)
        .await;
    log()
        .and(query_param("before", "51"))
        .respond_with(ResponseTemplate::new(200).set_body_json([entry(50)]))
        .expect(1)
        .mount(&server)
        .await;
    let client = Connection::new(server.uri()).admin_key("admin").build();
    let client = client.expect("a client");
    let all: Vec<_> = client
        .audit_list()
        .stream()
        .try_collect()
        .await
        .expect("entries");
    assert_eq!((all.len(), all[50].sequence), (51, 50));
}
