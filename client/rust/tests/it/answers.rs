//! Tests of answers from a newer server, and of lists with many pages.

use crate::support::{client, error, payment, server};
use futures::TryStreamExt;
use multirail_client::types::PaymentStatus;
use multirail_client::{Error, PaymentQuery};
use serde_json::{Value, json};
use wiremock::matchers::{path, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, ResponseTemplate};

#[tokio::test]
async fn later_words_and_members_do_no_harm() {
    let mut answer = payment("pay_1");
    answer["status"] = json!("awaiting_the_moon");
    answer["currency"] = json!("XZZ");
    answer["payment_method"] = json!("shells");
    answer["a_later_member"] = json!({ "of": ["any", "shape"] });
    let server = server(ResponseTemplate::new(200).set_body_json(answer)).await;
    let payment = client(&server)
        .payments_retrieve()
        .payment_id("pay_1")
        .send()
        .await
        .unwrap();
    assert_eq!(
        payment.status,
        PaymentStatus::Unknown("awaiting_the_moon".to_owned())
    );
    assert_eq!(payment.status.to_string(), "awaiting_the_moon");
    assert_eq!(payment.currency.as_str(), "XZZ");
    assert_eq!(payment.payment_method.as_ref().unwrap().as_str(), "shells");
}

fn page(ids: &[&str]) -> ResponseTemplate {
    let data: Vec<Value> = ids.iter().map(|id| payment(id)).collect();
    ResponseTemplate::new(200).set_body_json(json!({ "size": data.len(), "data": data }))
}

fn pairs() -> PaymentQuery {
    PaymentQuery {
        page_size: Some(2),
        ..PaymentQuery::default()
    }
}

/// Serves pages of two: 5 and 4, then the given answer.
async fn listing(after_4: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    let first = Mock::given(path("/payments/list")).and(query_param_is_missing("starting_after"));
    first
        .and(query_param("limit", "2"))
        .respond_with(page(&["pay_5", "pay_4"]))
        .mount(&server)
        .await;
    let second = Mock::given(path("/payments/list")).and(query_param("starting_after", "pay_4"));
    second
        .and(query_param("limit", "2"))
        .respond_with(after_4)
        .mount(&server)
        .await;
    server
}

#[tokio::test]
async fn a_list_turns_its_pages() {
    let server = listing(page(&["pay_3"])).await;
    let payments: Vec<_> = client(&server)
        .payments(pairs())
        .try_collect()
        .await
        .unwrap();
    let ids: Vec<_> = payments
        .iter()
        .map(|payment| payment.payment_id.as_str())
        .collect();
    assert_eq!(ids, ["pay_5", "pay_4", "pay_3"]);
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_list_may_end_with_a_full_page() {
    let server = listing(page(&[])).await;
    let payments: Vec<_> = client(&server)
        .payments(pairs())
        .try_collect()
        .await
        .unwrap();
    assert_eq!(payments.len(), 2);
}

#[tokio::test]
async fn a_page_is_asked_for_when_it_is_needed() {
    let server = listing(error(500, "HE_00")).await;
    let client = client(&server);
    let mut payments = std::pin::pin!(client.payments(pairs()));
    assert!(server.received_requests().await.unwrap().is_empty());
    for id in ["pay_5", "pay_4"] {
        assert_eq!(payments.try_next().await.unwrap().unwrap().payment_id, id);
        assert_eq!(server.received_requests().await.unwrap().len(), 1);
    }
    assert_eq!(payments.try_next().await.unwrap_err().code(), Some("HE_00"));
    assert!(
        payments.try_next().await.unwrap().is_none(),
        "an error ends the list"
    );
}

#[tokio::test]
async fn a_list_that_goes_in_circles_ends() {
    let server = listing(page(&["pay_5", "pay_4"])).await;
    let failed = client(&server)
        .payments(pairs())
        .try_collect::<Vec<_>>()
        .await;
    assert!(
        matches!(failed, Err(Error::Unreadable { .. })),
        "{failed:?}"
    );
}

#[tokio::test]
async fn filters_travel_with_every_page() {
    let server = server(page(&[])).await;
    let moment = Some("2026-01-05T10:11:12.345Z".parse().unwrap());
    let query = PaymentQuery {
        customer_id: Some("cus_1".to_owned()),
        created: moment,
        created_gt: moment,
        created_gte: moment,
        created_lt: moment,
        created_lte: moment,
        page_size: None,
    };
    let none: Vec<_> = client(&server).payments(query).try_collect().await.unwrap();
    assert!(none.is_empty());
    let requests = server.received_requests().await.unwrap();
    let sent: Vec<_> = requests[0]
        .url
        .query_pairs()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    for name in [
        "created",
        "created.gt",
        "created.gte",
        "created.lt",
        "created.lte",
    ] {
        assert!(
            sent.contains(&format!("{name}=2026-01-05T10:11:12.345Z")),
            "{sent:?}"
        );
    }
    assert!(
        sent.contains(&"customer_id=cus_1".to_owned()) && sent.contains(&"limit=50".to_owned()),
        "{sent:?}"
    );
}
