//! Plaintext in a database of an earlier version is sealed by a change of all data keys, which begins by itself.

use multirail_app::customers::ports::saved_methods::{SavedMethodChange, SavedMethodStore};
use multirail_app::customers::ports::{CustomerChange, CustomerStore};
use multirail_app::payments::ports::{DisputeChange, DisputeStore};
use multirail_app::platform::ports::installation_keys::KeyStore;
use multirail_domain::customers::customer::{Customer, Personal};
use multirail_domain::customers::saved_method::SavedMethod;
use multirail_domain::payments::dispute::{Dispute, EvidenceItem};
use multirail_domain::payments::payment::{Changes, PayerDetails};
use multirail_kernel::ids::{CustomerId, PaymentMethodId};

use super::super::engine::counted::reads_of;
use super::super::engine::{Dialect, Read, Write, values};
use super::news::{at, shop};
use super::records::dispute::disputes;
use super::resealing::{begin, work};
use super::saved_methods::{hold, method};
use super::story::{Story, billing_address};
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};
use crate::platform::key_counters;

on_both_engines! {
    what_rests_in_the_clear_is_sealed_and_goes_with_its_customer
    what_is_stored_now_is_sealed_at_once
}

const NAME: &str = "Ada Okafor";

fn ada() -> CustomerId {
    CustomerId::parse("ada").expect("an id")
}

/// Ada pays, saves a card and is about to save another; the bank raises a dispute.
async fn tells(test: &TestStore) -> (Story, PaymentMethodId, Dispute) {
    let made = test.merchant("bookshop").await;
    let profile = made.profiles.first().expect("a profile");
    let said = Changes {
        customer_id: Some(ada()),
        payer: PayerDetails {
            name: Some(NAME.to_owned()),
            ..PayerDetails::default()
        },
        ..Changes::default()
    };
    let mut story = Story::begin_with(test, "pay_1", profile, said).await;
    story.confirm(test).await;
    let customer = Customer::create(shop(), ada(), Personal::default(), at(1));
    let telling = |digit| {
        let (mut method, entry) = method("ada", digit, Some(NAME));
        let card = method.card.as_mut().expect("a card");
        card.holder.nick_name = Some("Okafor's".to_owned());
        method.particulars.billing = Some(billing_address());
        (method, entry)
    };
    let (method, entry) = telling(1);
    let id = method.payment_method_id.clone();
    let mut dispute = Dispute {
        merchant_id: shop(),
        customer_id: Some(ada()),
        ..disputes().remove(0)
    };
    let text = format!("{NAME} signed for it");
    let item = EvidenceItem::CustomerName;
    dispute.evidence.set_text(item, text);
    let insert = SavedMethodChange::Insert {
        method: Box::new(method),
        room: 1_000,
        entry: Some(entry),
    };
    let changes = vec![
        changing(CustomerChange::Insert(customer)),
        changing(insert),
        hold("pay_2", telling(2)),
        changing(DisputeChange::Insert(dispute.clone().into())),
    ];
    test.commit(changes).await.expect("a commit");
    (story, id, dispute)
}

/// Returns all plaintext.
async fn in_the_clear(test: &TestStore) -> String {
    let mut clear = String::new();
    for sql in [
        "select record || '' as n from payments",
        "select record || '' as n from attempts",
        "select record || '' as n from disputes",
        "select coalesce(holder_name, '') || coalesce(nick_name, '') || particulars as n from payment_methods",
        "select coalesce(holder_name, '') || coalesce(nick_name, '') || particulars as n from cards_to_save",
    ] {
        let rows = test.engine.fetch(Read::new(sql, values![])).await;
        let rows = rows.expect("rows");
        assert!(!rows.is_empty(), "{sql}");
        for row in rows {
            clear += &row.text("n").expect("a text");
        }
    }
    clear
}

async fn saved(test: &TestStore, id: &PaymentMethodId) -> Option<SavedMethod> {
    let found = test.store.saved_method(&shop(), id).await;
    found.expect("a read")
}

/// Every reader that may see the data still sees it.
async fn check_readable(
    test: &TestStore,
    (story, id, dispute): &(Story, PaymentMethodId, Dispute),
) {
    let method = saved(test, id).await.expect("a method");
    let holder = &method.card.as_ref().expect("a card").holder;
    assert_eq!(holder.name.as_deref(), Some(NAME));
    assert_eq!(holder.nick_name.as_deref(), Some("Okafor's"));
    assert_eq!(method.particulars.billing, Some(billing_address()));
    let (shop, ada) = (shop(), ada());
    let list = test.store.saved_methods_of(&shop, &ada, 10);
    let (listed, queries) = reads_of(list).await;
    assert_eq!(queries, 1, "the key of the customer is at hand");
    let (_, listed) = listed.expect("a read").expect("a customer");
    assert_eq!(listed, [method]);
    let read = test.store.dispute(&shop, &dispute.dispute_id).await;
    let read = read.expect("a read").expect("a dispute");
    assert_eq!(read.evidence, dispute.evidence);
    let payment = story.payment(test).await.expect("a read");
    assert_eq!(payment.payer.name.as_deref(), Some(NAME));
}

/// Nothing can be read any more, at once.
async fn check_shredded(test: &TestStore, told: &(Story, PaymentMethodId, Dispute)) {
    let stored = test.store.customer(&shop(), &ada()).await;
    let redacted = stored.expect("a read").expect("Ada").redact(at(9));
    let redact = CustomerChange::Redact(redacted.expect("a redaction"));
    test.commit(vec![changing(redact)]).await.expect("a commit");
    let (story, id, dispute) = told;
    assert_eq!(saved(test, id).await, None);
    let read = test.store.dispute(&shop(), &dispute.dispute_id).await;
    let read = read.expect("a read").expect("a dispute");
    assert!(read.evidence.is_empty());
    let payment = story.payment(test).await.expect("a read");
    assert_eq!(payment.redacted(), None, "it tells of nobody");
    // Texts that the merchant writes from now on are stored.
    let mut after = read.clone();
    let item = EvidenceItem::UncategorizedText;
    after.evidence.set_text(item, "it was delivered".to_owned());
    let update = DisputeChange::Update {
        before: read.into(),
        after: after.clone().into(),
    };
    test.commit(vec![changing(update)]).await.expect("a commit");
    for server in [test, &test.another()] {
        let read = server.store.dispute(&shop(), &dispute.dispute_id).await;
        let read = read.expect("a read").expect("a dispute");
        assert_eq!(read.evidence, after.evidence);
    }
}

async fn what_rests_in_the_clear_is_sealed_and_goes_with_its_customer(test: TestStore) {
    let told = tells(&test).await;
    let clear = in_the_clear(&test).await;
    assert_eq!(clear.matches("Okafor").count(), 6, "{clear}");
    check_readable(&test, &told).await;
    let due = || async { test.store.sealing_due_from(at(100)).await.expect("a read") };
    let due_from = match test.engine.dialect() {
        Dialect::Sqlite => at(100),
        // Older servers may still run.
        Dialect::Postgres => at(100 + 86_400),
    };
    assert_eq!(due().await, Some(due_from));
    assert!(begin(&test, "rot_1").await);
    let claim = test.store.claim_rotation(at(111), 20).await;
    let claim = claim.expect("a read").expect("a claim");
    work(&test, &claim, 3).await;
    assert_eq!(due().await, None);
    let clear = in_the_clear(&test).await;
    assert!(!clear.contains("Okafor"), "{clear}");
    check_readable(&test, &told).await;
    check_readable(&test.another(), &told).await;
    check_shredded(&test, &told).await;
}

async fn what_is_stored_now_is_sealed_at_once(test: TestStore) {
    test.insert(key_counters::begin_with_merchants()).await;
    let told = tells(&test).await;
    let clear = in_the_clear(&test).await;
    assert!(!clear.contains("Okafor"), "{clear}");
    check_readable(&test, &told).await;
    // A row that an older server writes in between keeps its data.
    let sql = "update payment_methods set holder_name = 'A. Okafor'";
    test.insert(Write::new(sql, values![])).await;
    let method = saved(&test, &told.1).await.expect("a method");
    let card = method.card.as_ref().expect("a card");
    let name = card.holder.name.as_deref();
    assert_eq!(name, Some("A. Okafor"));
    let renewed = SavedMethodChange::Update(Box::new(method));
    test.commit(vec![changing(renewed)])
        .await
        .expect("a commit");
    let clear = in_the_clear(&test).await;
    assert!(!clear.contains("Okafor"), "{clear}");
    check_shredded(&test, &told).await;
}
