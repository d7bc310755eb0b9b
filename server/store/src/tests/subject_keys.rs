//! Keys of merchants and customers: created with the first value that they seal; without them nothing is readable.

use multirail_app::accounts::ports::{MerchantStore, ProfileStore};
use multirail_app::customers::ports::{CustomerChange, CustomerSearch, CustomerStore};
use multirail_app::payments::ports::{HeldChange, HeldStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::seal::Subject;
use multirail_app::platform::ports::{ChangeSetStore, Database, Seal};
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::customers::customer::{Customer, Personal};
use multirail_kernel::ids::{CustomerId, PaymentId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::instrument::PaymentMethodData;

use super::super::engine::{Dialect, Read, Row, Write, values};
use super::news::{at, shop};
use crate::fixture::on_both_engines;
use crate::fixture::{Mirror, TestStore, changing};
use crate::platform::key_counters;
use crate::platform::subject_keys;

on_both_engines! {
    a_merchants_values_are_under_a_key_of_their_own
    what_was_sealed_before_stays_readable_and_the_next_value_makes_the_key
    two_who_make_the_first_key_at_once_use_the_same
    what_a_destroyed_key_sealed_is_known_to_be_destroyed
    another_server_hears_that_a_key_was_destroyed
    what_a_backup_tells_of_a_redacted_customer_opens_no_more
    a_page_of_customers_reads_their_keys_at_once
}

fn card() -> Card {
    let number = CardNumber::parse("4111111111111111").expect("a number");
    let expiry = Expiry::parse("10", "35", "card", Timestamp::EPOCH).expect("an expiry");
    Card::new(number, None, expiry, GivenCardDetails::default())
}

fn hold(merchant: &MerchantAccount, payment: &str) -> Vec<multirail_app::platform::ports::Change> {
    vec![changing(HeldChange::HoldData {
        merchant_id: merchant.merchant_id.clone(),
        payment_id: PaymentId::parse(payment).expect("an id"),
        text: card().to_sealable(),
        expires_at: Timestamp::EPOCH.plus_seconds(900).expect("a time"),
    })]
}

async fn held(
    test: &TestStore,
    merchant: &MerchantAccount,
    payment: &str,
) -> Result<bool, StoreFailure> {
    let payment_id = PaymentId::parse(payment).expect("an id");
    let now = Timestamp::EPOCH;
    let held = test
        .store
        .held_data(&merchant.merchant_id, &payment_id, now)
        .await?;
    Ok(held.is_some_and(|held| held == PaymentMethodData::Card(card())))
}

async fn keys_in(test: &TestStore, sql: &'static str) -> Vec<String> {
    let rows = test.engine.fetch(Read::new(sql, values![])).await;
    let rows = rows.expect("rows");
    let of_row = |row: &Row| {
        let sealed = row.bytes(0).expect("bytes");
        let text = String::from_utf8(sealed).expect("a text");
        text.split_once('#')
            .map_or("installation".to_owned(), |(key, _)| key.to_owned())
    };
    rows.iter().map(of_row).collect()
}

/// Prepares the database like a new one.
async fn begin(test: &TestStore) {
    test.insert(key_counters::begin_with_merchants()).await;
}

async fn a_merchants_values_are_under_a_key_of_their_own(test: TestStore) {
    begin(&test).await;
    let (books, flowers) = (test.merchant("books").await, test.merchant("flowers").await);
    for merchant in [&books.account, &flowers.account] {
        test.commit(hold(merchant, "pay_1"))
            .await
            .expect("a commit");
        assert_eq!(held(&test, merchant, "pay_1").await, Ok(true));
    }
    let cards = keys_in(&test, "select sealed from held_cards order by merchant_id").await;
    let accounts = "select secrets from merchant_accounts order by merchant_id";
    assert_eq!(keys_in(&test, accounts).await, cards);
    let profiles = "select secrets from business_profiles order by merchant_id";
    assert_eq!(keys_in(&test, profiles).await, cards);
    assert_ne!(cards[0], cards[1]);
    let sql = "select merchant_id, customer_id, generation, key_id from subject_keys order by merchant_id";
    let rows = test.engine.fetch(Read::new(sql, values![])).await;
    let stored: Vec<_> = rows
        .expect("rows")
        .iter()
        .map(|row| {
            let text = |column| row.text(column).expect("a text");
            let generation = row.int("generation").expect("a number");
            (
                text("merchant_id"),
                text("customer_id"),
                generation,
                text("key_id"),
            )
        })
        .collect();
    let of = |merchant: &str, key: &String| (merchant.to_owned(), String::new(), 1, key.clone());
    assert_eq!(stored, [of("books", &cards[0]), of("flowers", &cards[1])]);
    // Read by a server without cached keys.
    let another = test.another();
    assert_eq!(held(&another, &books.account, "pay_1").await, Ok(true));
    let id = &books.account.merchant_id;
    let read = another
        .store
        .merchant(id)
        .await
        .expect("a read")
        .expect("an account");
    assert_eq!(read.secrets, books.account.secrets);
    let profiles = another.store.profiles(id).await.expect("a read");
    assert_eq!(profiles.len(), books.profiles.len());
}

async fn what_was_sealed_before_stays_readable_and_the_next_value_makes_the_key(test: TestStore) {
    let books = test.merchant("books").await.account;
    test.commit(hold(&books, "pay_1")).await.expect("a commit");
    let cards = "select sealed from held_cards order by payment_id";
    assert_eq!(keys_in(&test, cards).await, ["installation"]);
    begin(&test).await;
    let test = test.another();
    test.commit(hold(&books, "pay_2")).await.expect("a commit");
    test.commit(hold(&books, "pay_3")).await.expect("a commit");
    let keys = keys_in(&test, cards).await;
    assert_eq!(keys[0], "installation");
    assert_ne!(keys[1], "installation");
    assert_eq!(keys[1], keys[2]);
    for payment in ["pay_1", "pay_2", "pay_3"] {
        assert_eq!(held(&test, &books, payment).await, Ok(true), "{payment}");
    }
}

async fn two_who_make_the_first_key_at_once_use_the_same(test: TestStore) {
    let books = test.merchant("books").await.account;
    begin(&test).await;
    let servers: Vec<_> = (0..6).map(|_| test.another()).collect();
    let names: Vec<String> = (0..6).map(|number| format!("pay_{number}")).collect();
    let commits = servers.iter().zip(&names).map(|(server, name)| {
        let change_set = test.change_set(Timestamp::EPOCH, hold(&books, name));
        server.store.commit(change_set)
    });
    for committed in futures::future::join_all(commits).await {
        assert_eq!(committed, Ok(()));
    }
    let keys = keys_in(&test, "select sealed from held_cards").await;
    assert_eq!(keys.len(), 6);
    assert!(
        keys.iter()
            .all(|key| *key == keys[0] && key != "installation"),
        "{keys:?}"
    );
    for name in &names {
        assert_eq!(held(&servers[0], &books, name).await, Ok(true));
    }
}

/// Holds a card under a customer's key, past the store, as customers' rows will.
async fn hold_for_customer(test: &TestStore, merchant: &MerchantAccount, payment: &str) -> Subject {
    let subject = Subject::customer(
        &merchant.merchant_id,
        &CustomerId::parse("ann").expect("an id"),
    );
    let (key, stored) = Mirror.make_key(&subject);
    test.insert(subject_keys::insert(
        &subject,
        &stored,
        1,
        0,
        Timestamp::EPOCH,
    ))
    .await;
    let place = format!("held_cards:{}/{payment}", merchant.merchant_id);
    let sealed = key.seal(&place, &card().to_sealable());
    let sql = "insert into held_cards (merchant_id, payment_id, sealed, expires_at) values ($1, $2, $3, 900000000)";
    let row = values![merchant.merchant_id.as_str(), payment, sealed];
    test.insert(Write::new(sql, row)).await;
    subject
}

async fn destroy(test: &TestStore, subject: &Subject) {
    let customer_id = subject.customer_id.as_ref().expect("a customer");
    let writes = subject_keys::destroy(&subject.merchant_id, customer_id, Timestamp::EPOCH);
    test.engine.write(writes.into()).await.expect("a commit");
}

async fn what_a_destroyed_key_sealed_is_known_to_be_destroyed(test: TestStore) {
    begin(&test).await;
    let books = test.merchant("books").await.account;
    let ann = hold_for_customer(&test, &books, "pay_1").await;
    test.commit(hold(&books, "pay_2")).await.expect("a commit");
    assert_eq!(held(&test, &books, "pay_1").await, Ok(true));
    destroy(&test, &ann).await;
    test.store.keys.forget_customers();
    let gone = Err(StoreFailure::Destroyed("held_cards:books/pay_1".to_owned()));
    assert_eq!(held(&test, &books, "pay_1").await, gone);
    assert_eq!(held(&test, &books, "pay_2").await, Ok(true));
    assert_eq!(held(&test.another(), &books, "pay_1").await, gone);
    // A missing key that was not destroyed is a fault.
    let lose = Write::new(
        "delete from subject_keys where customer_id = 'ann'",
        values![],
    );
    test.insert(lose).await;
    let lost = held(&test, &books, "pay_1").await;
    assert!(
        matches!(&lost, Err(StoreFailure::Broken(why)) if why.ends_with("which is missing")),
        "{lost:?}"
    );
}

async fn another_server_hears_that_a_key_was_destroyed(test: TestStore) {
    // One process has a SQLite file to itself.
    if test.engine.dialect() == Dialect::Sqlite {
        return;
    }
    begin(&test).await;
    let books = test.merchant("books").await.account;
    let ann = hold_for_customer(&test, &books, "pay_1").await;
    let another = test.another();
    assert_eq!(held(&another, &books, "pay_1").await, Ok(true));
    destroy(&test, &ann).await;
    another.store.notice_changes().await.expect("a look");
    let gone = Err(StoreFailure::Destroyed("held_cards:books/pay_1".to_owned()));
    assert_eq!(held(&another, &books, "pay_1").await, gone);
}

fn ada(number: i64) -> Customer {
    let personal = Personal {
        name: Some("Ada Okafor".to_owned()),
        ..Personal::default()
    };
    let id = CustomerId::parse(&format!("ada_{number}")).expect("an id");
    Customer::create(shop(), id, personal, at(number))
}

async fn known(test: &TestStore, customer: &Customer) -> Result<Option<String>, StoreFailure> {
    let read = test.store.customer(&shop(), &customer.customer_id).await?;
    Ok(read.and_then(|read| read.personal.name))
}

async fn what_a_backup_tells_of_a_redacted_customer_opens_no_more(test: TestStore) {
    begin(&test).await;
    let customer = ada(1);
    test.commit(vec![changing(CustomerChange::Insert(customer.clone()))])
        .await
        .expect("a commit");
    assert_eq!(
        known(&test, &customer).await,
        Ok(Some("Ada Okafor".to_owned()))
    );
    let read = "select status, personal from customers";
    let backup = test.engine.fetch_optional(Read::new(read, values![])).await;
    let backup = backup
        .expect("a read")
        .expect("a row")
        .bytes("personal")
        .expect("bytes");

    let stored = test.store.customer(&shop(), &customer.customer_id).await;
    let redacted = stored
        .expect("a read")
        .expect("Ada")
        .redact(at(9))
        .expect("a redaction");
    test.commit(vec![changing(CustomerChange::Redact(redacted))])
        .await
        .expect("a commit");
    let said = known(&test, &customer).await.expect("what is left reads");
    assert_ne!(said.as_deref(), Some("Ada Okafor"));
    let put_back = "update customers set status = 'active', personal = $1";
    test.insert(Write::new(put_back, values![backup])).await;
    let gone = Err(StoreFailure::Destroyed(
        "customers:bookshop/ada_1".to_owned(),
    ));
    assert_eq!(known(&test, &customer).await, gone);
    assert_eq!(known(&test.another(), &customer).await, gone);
    // A redacted customer gets no other key.
    let again = CustomerChange::InsertIfNew(customer.clone());
    test.commit(vec![changing(again)]).await.expect("a commit");
    let keys = "select key_id as k from subject_keys where customer_id <> ''";
    let keys = test.engine.fetch(Read::new(keys, values![])).await;
    assert_eq!(keys.expect("rows").len(), 1);
}

async fn a_page_of_customers_reads_their_keys_at_once(test: TestStore) {
    let inserts = (0..250).map(|number| changing(CustomerChange::Insert(ada(number))));
    test.commit(inserts.collect()).await.expect("a commit");
    let search = CustomerSearch {
        limit: 250,
        ..CustomerSearch::default()
    };
    let server = test.another();
    let page = server
        .store
        .search_customers(&shop(), &search)
        .await
        .expect("a page");
    assert_eq!(page.len(), 250);
    let names = page
        .iter()
        .filter(|one| one.personal.name.as_deref() == Some("Ada Okafor"));
    assert_eq!(names.count(), 250);
}
