//! The payer's personal data is sealed beside the payment, and becomes unreadable with the customer's key.

use std::sync::Arc;

use multirail_app::customers::ports::{CustomerChange, CustomerStore};
use multirail_app::payments::ports::PaymentChange;
use multirail_domain::customers::customer::{Customer, Personal};
use multirail_domain::payments::payment::{Changes, Particulars, PayerDetails, Payment};
use multirail_kernel::ids::CustomerId;
use multirail_kernel::redacted::REDACTED;

use super::super::engine::{Read, Write, values};
use super::news::{at, shop};
use super::story::{Story, billing_address};
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};
use crate::platform::key_counters;

on_both_engines! {
    who_paid_rests_under_the_customers_key_and_goes_with_it
    a_guest_rests_under_the_merchants_key
    a_payment_of_another_customer_is_under_the_key_of_that_one
    who_paid_before_stays_in_the_record_until_it_is_written_again
    what_a_redacted_customer_still_pays_is_stored_without_him
    what_changes_nothing_of_the_payer_leaves_him_as_he_rests
}

pub(super) fn ada() -> CustomerId {
    CustomerId::parse("ada").expect("an id")
}

fn said(customer_id: Option<CustomerId>) -> Changes {
    Changes {
        customer_id,
        particulars: Particulars {
            description: Some("Two books".to_owned()),
            ..Particulars::default()
        },
        payer: PayerDetails {
            name: Some("Ada Okafor".to_owned()),
            billing: Some(billing_address()),
            ..PayerDetails::default()
        },
        ..Changes::default()
    }
}

async fn paid(test: &TestStore, customer_id: Option<CustomerId>) -> Story {
    let made = test.merchant("bookshop").await;
    let profile = made.profiles.first().expect("a profile");
    Story::begin_with(test, "pay_1", profile, said(customer_id)).await
}

pub(super) async fn begin(test: &TestStore) {
    test.insert(key_counters::begin_with_merchants()).await;
}

/// Returns the records of payment and attempt, and the subject whose key sealed the rest.
async fn at_rest(test: &TestStore) -> (String, Option<String>) {
    let sql = "select p.record as record, a.record as attempt, p.personal as personal from payments p \
         join attempts a on a.payment_id = p.payment_id";
    let row = test.engine.fetch_optional(Read::new(sql, values![])).await;
    let row = row.expect("a read").expect("a payment");
    let records = row.text("record").expect("a text") + row.str("attempt").expect("a text");
    let personal = row.opt_bytes("personal").expect("a column");
    let Some(personal) = personal else {
        return (records, None);
    };
    let sealed = String::from_utf8(personal).expect("a text");
    let (key_id, _) = sealed.split_once('#').expect("a key of a subject");
    let owner =
        "select merchant_id || '/' || customer_id as owner from subject_keys where key_id = $1";
    let row = test
        .engine
        .fetch_optional(Read::new(owner, values![key_id]))
        .await;
    let owner = row.expect("a read").expect("a key").text("owner");
    (records, Some(owner.expect("a text")))
}

fn name(payment: &Payment) -> Option<&str> {
    payment.payer.name.as_deref()
}

/// Redacts Ada, a customer that it creates if there is none.
pub(super) async fn redact(test: &TestStore) {
    let insert =
        CustomerChange::InsertIfNew(Customer::create(shop(), ada(), Personal::default(), at(1)));
    test.commit(vec![changing(insert)]).await.expect("a commit");
    let stored = test.store.customer(&shop(), &ada()).await;
    let redacted = stored.expect("a read").expect("Ada").redact(at(9));
    let redact = CustomerChange::Redact(redacted.expect("a redaction"));
    test.commit(vec![changing(redact)]).await.expect("a commit");
}

async fn who_paid_rests_under_the_customers_key_and_goes_with_it(test: TestStore) {
    begin(&test).await;
    let mut story = paid(&test, Some(ada())).await;
    let (records, owner) = at_rest(&test).await;
    assert_eq!(owner.as_deref(), Some("bookshop/ada"));
    assert!(!records.contains("Okafor"), "{records}");
    assert!(records.contains("Two books"), "{records}");
    let created = story.payment(&test).await.expect("a read");
    assert_eq!(name(&created), Some("Ada Okafor"));
    assert_eq!(created.payer.billing, Some(billing_address()));
    story.confirm(&test).await;
    let (records, _) = at_rest(&test).await;
    assert!(!records.contains("Okafor"), "{records}");
    let other = test.another();
    let read = story.payment(&other).await.expect("a read");
    assert_eq!(read.particulars, created.particulars);
    assert_eq!(read.payer, created.payer);
    assert_eq!(read.attempts.len(), 1);

    redact(&test).await;
    for server in [&test, &test.another()] {
        let read = story.payment(server).await.expect("a read");
        assert_eq!(name(&read), Some(REDACTED));
        assert_eq!(read.redacted(), None, "nothing tells of her");
        assert_eq!(read.terms, created.terms);
    }
}

async fn a_guest_rests_under_the_merchants_key(test: TestStore) {
    begin(&test).await;
    let story = paid(&test, None).await;
    let (records, owner) = at_rest(&test).await;
    assert_eq!(owner.as_deref(), Some("bookshop/"));
    assert!(!records.contains("Okafor"), "{records}");
    let read = story.payment(&test.another()).await.expect("a read");
    assert_eq!(name(&read), Some("Ada Okafor"));
}

async fn a_payment_of_another_customer_is_under_the_key_of_that_one(test: TestStore) {
    begin(&test).await;
    let story = paid(&test, Some(ada())).await;
    let before = story.payment(&test).await.expect("a read");
    let mut after = before.clone();
    after.terms.customer_id = Some(CustomerId::parse("grace").expect("an id"));
    update(&test, before, after).await;
    let (_, owner) = at_rest(&test).await;
    assert_eq!(owner.as_deref(), Some("bookshop/grace"));
    redact(&test).await;
    let read = story.payment(&test).await.expect("a read");
    assert_eq!(name(&read), Some("Ada Okafor"), "another one's now");
}

async fn who_paid_before_stays_in_the_record_until_it_is_written_again(test: TestStore) {
    let mut story = paid(&test, Some(ada())).await;
    let (records, owner) = at_rest(&test).await;
    assert_eq!(owner, None);
    assert!(
        records.contains("Okafor"),
        "servers of before read it there"
    );
    begin(&test).await;
    let server = test.another();
    let read = story.payment(&server).await.expect("a read");
    assert_eq!(name(&read), Some("Ada Okafor"));
    story.confirm(&server).await;
    let (records, owner) = at_rest(&test).await;
    assert_eq!(owner.as_deref(), Some("bookshop/ada"));
    assert!(!records.contains("Okafor"), "{records}");
    let read = story.payment(&server).await.expect("a read");
    assert_eq!(name(&read), Some("Ada Okafor"));
}

/// The commit belongs to a request that had read the payment before.
async fn what_a_redacted_customer_still_pays_is_stored_without_him(test: TestStore) {
    begin(&test).await;
    let story = paid(&test, Some(ada())).await;
    let before = story.payment(&test).await.expect("a read");
    redact(&test).await;
    let mut after = before.clone();
    after.cancellation_reason = Some("late".to_owned());
    let (before, after) = (before.into(), after.into());
    test.commit(vec![changing(PaymentChange::Update { before, after })])
        .await
        .expect("a commit");
    let (records, owner) = at_rest(&test).await;
    assert_eq!(owner, None);
    assert!(!records.contains("Okafor"), "{records}");
    let read = story.payment(&test).await.expect("a read");
    assert_eq!(read.cancellation_reason.as_deref(), Some("late"));
    assert_eq!(name(&read), Some(REDACTED));
}

/// Returns the sealed personal data as stored.
async fn sealed(test: &TestStore) -> String {
    let read = Read::new("select personal from payments", values![]);
    let row = test.engine.fetch_optional(read).await;
    let row = row.expect("a read").expect("a payment");
    let personal = row.opt_bytes("personal").expect("a column");
    String::from_utf8(personal.expect("who paid")).expect("a text")
}

async fn what_changes_nothing_of_the_payer_leaves_him_as_he_rests(test: TestStore) {
    begin(&test).await;
    let story = paid(&test, Some(ada())).await;
    // A mistake in the text identifies the old value. The seal of these tests writes backwards.
    let slip = sealed(&test).await.replace("rofakO", "refakO");
    let mark = Write::new(
        "update payments set personal = $1",
        values![slip.clone().into_bytes()],
    );
    test.insert(mark).await;
    let before = story.payment(&test).await.expect("a read");
    let mut after = before.clone();
    after.cancellation_reason = Some("changed his mind".to_owned());
    update(&test, before, after).await;
    assert_eq!(sealed(&test).await, slip);

    let read = story.payment(&test.another()).await.expect("a read");
    assert_eq!(name(&read), Some("Ada Okafer"));
    assert!(read.cancellation_reason.is_some());
    let mut renamed = read.clone();
    Arc::make_mut(&mut renamed.payer).name = Some("Ada Bello".to_owned());
    update(&test, read, renamed).await;
    assert!(sealed(&test).await.contains("olleB"));
    let (records, _) = at_rest(&test).await;
    assert!(!records.contains("Bello"), "{records}");
}

async fn update(test: &TestStore, before: Payment, after: Payment) {
    let (before, after) = (before.into(), after.into());
    let update = PaymentChange::Update { before, after };
    test.commit(vec![changing(update)]).await.expect("a commit");
}
