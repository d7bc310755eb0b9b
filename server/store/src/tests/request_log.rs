//! The request log: filters and pages of one merchant, sealed bodies, and the deletion of old rows.

use multirail_app::platform::ports::RequestLogStore;
use multirail_app::platform::ports::request_log::{LoggedBody, LoggedRequest, RequestSearch};
use multirail_kernel::ids::MerchantId;

use super::super::engine::{Read, Row};
use super::news::{at, shop};
use crate::fixture::{TestStore, on_both_engines};

on_both_engines! {
    requests_are_listed_by_filter_and_page
    bodies_are_sealed_and_shown_to_their_merchant
    old_and_surplus_requests_are_deleted
}

fn request(merchant: &str, number: i64) -> LoggedRequest {
    let body = |text: &str| LoggedBody {
        text: Some(text.to_owned()),
        is_cut: false,
    };
    LoggedRequest {
        merchant_id: MerchantId::parse(merchant).expect("an id"),
        request_id: format!("req_{number}"),
        requested_at: at(number),
        duration_ms: 3,
        method: "POST".to_owned(),
        path: "/payments".to_owned(),
        path_template: "/payments".to_owned(),
        operation: "payments_create".to_owned(),
        status: if number % 2 == 0 { 200 } else { 400 },
        error_code: None,
        caller: "api_key".to_owned(),
        caller_id: Some("snd_1".to_owned()),
        profile_id: None,
        payment_id: Some(format!("pay_{number}")),
        object_id: None,
        idempotency_key: None,
        user_agent: None,
        request_body: body("what was asked"),
        answer_body: body("what was answered"),
    }
}

/// Stores five requests of a shop, and one of another.
async fn fill(test: &TestStore) {
    let mut all: Vec<_> = (1..=5).map(|number| request("bookshop", number)).collect();
    all.push(request("teashop", 6));
    let stored = test.store.store_requests(&all, at(9)).await;
    stored.expect("they are stored");
    let again = test.store.store_requests(&all[..1], at(9)).await;
    again.expect("the same request is stored once");
}

async fn found(test: &TestStore, search: RequestSearch) -> Vec<String> {
    let search = RequestSearch { limit: 3, ..search };
    let found = test.store.logged_requests(&shop(), &search).await;
    let found = found.expect("a list").into_iter();
    found.map(|one| one.request_id).collect()
}

async fn requests_are_listed_by_filter_and_page(test: TestStore) {
    fill(&test).await;
    let all = RequestSearch::default;
    assert_eq!(found(&test, all()).await, ["req_5", "req_4", "req_3"]);
    let before = Some("req_3".to_owned());
    let next = found(&test, RequestSearch { before, ..all() }).await;
    assert_eq!(next, ["req_2", "req_1"]);
    let statuses = Some((400, 499));
    let refused = found(&test, RequestSearch { statuses, ..all() }).await;
    assert_eq!(refused, ["req_5", "req_3", "req_1"]);
    let (from, until) = (Some(at(2)), Some(at(3)));
    let search = RequestSearch {
        from,
        until,
        ..all()
    };
    assert_eq!(found(&test, search).await, ["req_3", "req_2"]);
    let payment_id = Some("pay_6".to_owned());
    let another_shops = RequestSearch {
        payment_id,
        ..all()
    };
    assert!(found(&test, another_shops).await.is_empty());
}

async fn bodies_are_sealed_and_shown_to_their_merchant(test: TestStore) {
    fill(&test).await;
    let one = test.store.logged_request(&shop(), "req_2").await;
    assert_eq!(one.expect("a read"), Some(request("bookshop", 2)));
    let of_another = test.store.logged_request(&shop(), "req_6").await;
    assert_eq!(of_another.expect("a read"), None);
    let sql = "select request_body, answer_body from request_log where request_id = 'req_2'";
    let rows = test.engine.fetch(Read::new(sql, Vec::new())).await;
    let text = |row: &Row, column| {
        let bytes = row.bytes(column).expect("bytes");
        String::from_utf8_lossy(&bytes).into_owned()
    };
    for row in rows.expect("rows") {
        assert!(!text(&row, "request_body").contains("what was asked"));
        assert!(!text(&row, "answer_body").contains("what was answered"));
    }
}

async fn old_and_surplus_requests_are_deleted(test: TestStore) {
    fill(&test).await;
    let purged = test.store.purge_requests(at(3), 100).await;
    assert_eq!(purged.expect("a deletion"), 2);
    let over = |most| test.store.merchants_over(most);
    assert_eq!(over(3).await.expect("a list"), []);
    assert_eq!(over(2).await.expect("a list"), [shop()]);
    let trimmed = test.store.trim_requests(&shop(), 1, 100).await;
    assert_eq!(trimmed.expect("a deletion"), 2);
    assert_eq!(found(&test, RequestSearch::default()).await, ["req_5"]);
    let again = test.store.trim_requests(&shop(), 1, 100).await;
    assert_eq!(again.expect("a deletion"), 0);
}
