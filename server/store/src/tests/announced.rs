//! An event's personal data of a customer is sealed with the customer's key, and becomes unreadable with it.

use multirail_app::webhooks::ports::events::EventRecord;
use multirail_app::webhooks::ports::{EventChange, EventStore};
use multirail_domain::webhooks::webhook::AfterTry;
use multirail_kernel::ids::EventId;
use multirail_kernel::secret::SecretText;

use super::super::engine::{Read, Value, Write, values};
use super::news::{a_try, at, endpoint, event_id, news, shop};
use super::payers::{ada, begin, redact};
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    what_an_event_tells_goes_with_the_customer_in_copies_too
    an_event_without_personal_data_is_the_merchants
    an_event_of_before_stays_whole_and_can_be_redacted
    what_comes_after_the_redaction_is_stored_without_him
    an_event_is_rewritten_as_a_whole
}

/// The spaces are some that the store itself would not write.
const TOLD: &str = r#"{ "content": {"type": "payment_details", "object": {"payment_id": "pay_1", "name": "Okafor", "amount": 6540}} }"#;
const LEFT: &str = r#"{ "content": {"type": "payment_details", "object": {"payment_id": "pay_1", "name": "Redacted", "amount": 6540}} }"#;
/// The name as the seal of these tests stores it.
const WRITTEN: &str = "rofakO";

fn of_ada(id: &str) -> EventRecord {
    EventRecord {
        body: SecretText::new(TOLD),
        customer_id: Some(ada()),
        ..news(id, "pay_1", 16)
    }
}

/// Returns the stored columns of an event, as in a copy of the table.
async fn copy(test: &TestStore, id: &str) -> Vec<Value> {
    let sql = "select body, customer_id, personal from events where event_id = $1";
    let row = test
        .engine
        .fetch_optional(Read::new(sql, values![id]))
        .await;
    let row = row.expect("a read").expect("an event");
    let value = |column| row.value(column).expect("a column").clone();
    ["body", "customer_id", "personal"].map(value).into()
}

/// Returns the bytes of a copy as texts.
fn texts(copy: &[Value]) -> [Option<String>; 2] {
    let text = |value: &Value| match value {
        Value::Bytes(bytes) => Some(String::from_utf8(bytes.clone()).expect("a text")),
        Value::Null(_) | Value::Text(_) | Value::Int(_) | Value::Bool(_) => None,
    };
    [text(&copy[0]), text(&copy[2])]
}

async fn put_back(test: &TestStore, id: &str, copy: &[Value]) {
    let sql = "update events set body = $2, customer_id = $3, personal = $4 where event_id = $1";
    let mut parameters = values![id];
    parameters.extend(copy.iter().cloned());
    test.insert(Write::new(sql, parameters)).await;
}

/// Reads the event in every possible way.
async fn check_reads(test: &TestStore, id: &str, body: &str) {
    let (_, read) = test
        .store
        .event(&shop(), id)
        .await
        .expect("a read")
        .expect("an event");
    assert_eq!(read, body);
    let all = test
        .store
        .event_bodies(&shop(), "pay_1")
        .await
        .expect("a read");
    let expected: (EventId, SecretText) = (event_id(id), SecretText::new(body));
    assert!(all.contains(&expected), "{id}");
}

async fn what_an_event_tells_goes_with_the_customer_in_copies_too(test: TestStore) {
    begin(&test).await;
    test.record([of_ada("evt_1")]).await;
    let copied = copy(&test, "evt_1").await;
    let [body, personal] = texts(&copied);
    let (body, personal) = (body.expect("a body"), personal.expect("what it tells"));
    assert!(!body.contains(WRITTEN), "{body}");
    assert!(personal.contains(WRITTEN), "{personal}");
    let key_of = |sealed: &str| sealed.split_once('#').expect("a key").0.to_owned();
    let owners = "select customer_id from subject_keys where key_id = $1";
    for (sealed, owner) in [(&body, ""), (&personal, "ada")] {
        let read = Read::new(owners, values![key_of(sealed)]);
        let row = test.engine.fetch_optional(read).await.expect("a read");
        let found = row.expect("a key").text("customer_id");
        assert_eq!(found.expect("a text"), owner);
    }
    for server in [&test, &test.another()] {
        check_reads(server, "evt_1", TOLD).await;
    }
    let claimed = test.claim(&endpoint("pro_1"), 40).await.remove(0);
    assert_eq!(claimed.body, TOLD, "sent byte for byte");
    let failed = a_try(&claimed, "evt_1", 500, 41);
    let again = AfterTry::RetryAt(at(100));
    test.finish(&claimed, failed, again).await;

    redact(&test).await;
    put_back(&test, "evt_1", &copied).await;
    for server in [&test, &test.another()] {
        check_reads(server, "evt_1", LEFT).await;
    }
    let claimed = test.claim(&endpoint("pro_1"), 200).await.remove(0);
    assert_eq!(claimed.body, LEFT);
}

async fn an_event_without_personal_data_is_the_merchants(test: TestStore) {
    begin(&test).await;
    let guest = EventRecord {
        customer_id: None,
        ..of_ada("evt_guest")
    };
    let silent = EventRecord {
        body: SecretText::new(LEFT),
        ..of_ada("evt_silent")
    };
    test.record([guest, silent]).await;
    redact(&test).await;
    for (id, body) in [("evt_guest", TOLD), ("evt_silent", LEFT)] {
        let copied = copy(&test, id).await;
        assert!(
            matches!(copied[1..], [Value::Null(_), Value::Null(_)]),
            "{id}"
        );
        check_reads(&test, id, body).await;
    }
}

async fn an_event_of_before_stays_whole_and_can_be_redacted(test: TestStore) {
    test.record([of_ada("evt_1")]).await;
    let [body, personal] = texts(&copy(&test, "evt_1").await);
    assert!(
        body.expect("a body").contains(WRITTEN),
        "servers of before read it there"
    );
    assert_eq!(personal, None);
    begin(&test).await;
    let server = test.another();
    check_reads(&server, "evt_1", TOLD).await;
    rewrite(&server, "evt_1").await;
    check_reads(&test, "evt_1", LEFT).await;
}

/// The commit belongs to a request that had read the customer before.
async fn what_comes_after_the_redaction_is_stored_without_him(test: TestStore) {
    begin(&test).await;
    redact(&test).await;
    test.record([of_ada("evt_late")]).await;
    let [body, personal] = texts(&copy(&test, "evt_late").await);
    let body = body.expect("a body");
    assert!(!body.contains(WRITTEN), "{body}");
    assert_eq!(personal, None);
    check_reads(&test, "evt_late", LEFT).await;
}

/// The payment has another customer by now, who is redacted.
async fn an_event_is_rewritten_as_a_whole(test: TestStore) {
    begin(&test).await;
    test.record([of_ada("evt_1")]).await;
    rewrite(&test, "evt_1").await;
    let copied = copy(&test, "evt_1").await;
    assert!(
        matches!(copied[1..], [Value::Null(_), Value::Null(_)]),
        "nothing of her is left"
    );
    check_reads(&test.another(), "evt_1", LEFT).await;
}

async fn rewrite(test: &TestStore, id: &str) {
    let rewrite = EventChange::Rewrite {
        merchant_id: shop(),
        event_id: event_id(id),
        body: SecretText::new(LEFT),
    };
    test.commit(vec![changing(rewrite)])
        .await
        .expect("a commit");
}
