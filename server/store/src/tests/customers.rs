//! Stored customers: the sealed columns, the searches, and the claims of redactions of their payments.

use multirail_app::customers::ports::{CustomerChange, CustomerSearch, CustomerStore};
use multirail_app::payments::ports::PaymentChange;
use multirail_app::payments::ports::redactions::{ClaimedRedaction, Progress, RedactionStore};
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{Change, CommitError};
use multirail_domain::customers::customer::{Customer, CustomerStatus, Personal};
use multirail_domain::payments::payment::create::Create;
use multirail_domain::payments::payment::{Changes, Payment};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId};

use super::super::engine::{Dialect, Read, Row, Write, values};
use super::news::{at, endpoint, shop};
use crate::fixture::on_both_engines;
use crate::fixture::plans::written_out;
use crate::fixture::{Mirror, TestStore, changing};

on_both_engines! {
    who_somebody_is_rests_sealed_and_hashed
    an_id_is_given_once
    an_update_is_decided_on_what_is_stored
    of_two_servers_one_is_at_a_redaction
    payments_of_a_customer_are_walked_through
    pages_are_found_in_an_index_alone
}

fn id(text: &str) -> CustomerId {
    CustomerId::parse(text).expect("an id")
}

fn customer(name: &str, seconds: i64) -> Customer {
    let personal = Personal {
        name: Some(format!("The name of {name}")),
        email: Some(format!("{name}@shopper.example")),
        phone: Some("2025550132".to_owned()),
        ..Personal::default()
    };
    Customer::create(shop(), id(name), personal, at(seconds))
}

fn insert(customer: Customer) -> Vec<Change> {
    vec![changing(CustomerChange::Insert(customer))]
}

impl TestStore {
    async fn known(&self, name: &str) -> Option<Customer> {
        let read = self.store.customer(&shop(), &id(name)).await;
        read.expect("a read")
    }

    /// Returns the stored row of a customer.
    async fn customers_row(&self, name: &str) -> Row {
        let sql = "select status, email_hash, phone_hash, record, personal from customers where customer_id = $1";
        let row = self.engine.fetch_optional(Read::new(sql, values![name]));
        row.await.expect("a read").expect("a row")
    }

    async fn found_customers(&self, search: CustomerSearch) -> String {
        let search = CustomerSearch {
            limit: search.limit.max(2),
            ..search
        };
        let found = self.store.search_customers(&shop(), &search).await;
        let ids: Vec<_> = found
            .expect("a list")
            .into_iter()
            .map(|c| c.customer_id.to_string())
            .collect();
        ids.join(" ")
    }
}

async fn who_somebody_is_rests_sealed_and_hashed(test: TestStore) {
    test.commit(insert(customer("ada", 1)))
        .await
        .expect("a commit");
    let row = test.customers_row("ada").await;
    let sealed = row.bytes("personal").expect("bytes");
    assert_eq!(Mirror::place_of(&sealed), "customers:bookshop/ada");
    for (column, expected) in [
        ("email_hash", "customer_email:bookshop: 19 characters"),
        ("phone_hash", "customer_phone:bookshop: 10 characters"),
        ("status", "active"),
    ] {
        assert_eq!(row.str(column).expect("a text"), expected);
    }
    let record = row.str("record").expect("a record");
    assert!(!record.contains("The name"), "{record}");
    let known = test.known("ada").await.expect("a customer");
    assert_eq!(
        known,
        Customer {
            version: 1,
            ..customer("ada", 1)
        }
    );

    let redacted = known.redact(at(2)).expect("a redaction");
    test.commit(vec![changing(CustomerChange::Redact(redacted.clone()))])
        .await
        .expect("a commit");
    let row = test.customers_row("ada").await;
    for column in ["email_hash", "phone_hash"] {
        assert_eq!(row.opt_str(column).expect("a text"), None);
    }
    let sealed = row.bytes("personal").expect("bytes");
    let reversed: String = "The name of ada".chars().rev().collect();
    assert!(!String::from_utf8_lossy(&sealed).contains(&reversed));
    let stored = test.known("ada").await;
    assert_eq!(
        stored,
        Some(Customer {
            version: 2,
            ..redacted
        })
    );
    for (name, expected) in [("ada", Some(CustomerStatus::Redacted)), ("grace", None)] {
        let status = test.store.customer_status(&shop(), &id(name)).await;
        assert_eq!(status, Ok(expected));
    }
    // Another merchant's customer with the same id is another person.
    let florist = MerchantId::parse("florist").expect("an id");
    assert_eq!(test.store.customer(&florist, &id("ada")).await, Ok(None));
    assert_eq!(
        test.store.customer_status(&florist, &id("ada")).await,
        Ok(None)
    );
}

async fn an_id_is_given_once(test: TestStore) {
    test.commit(insert(customer("ada", 1)))
        .await
        .expect("a commit");
    let again = test.commit(insert(customer("ada", 2))).await;
    assert_eq!(again, Err(CommitError::Duplicate(duplicate::CUSTOMER)));
    let along = changing(CustomerChange::InsertIfNew(customer("ada", 3)));
    let grace = changing(CustomerChange::InsertIfNew(customer("grace", 3)));
    test.commit(vec![along, grace]).await.expect("a commit");
    let ada = test.known("ada").await.expect("a customer");
    assert_eq!((ada.version, ada.created_at), (1, at(1)));
    assert!(test.known("grace").await.is_some());
}

async fn an_update_is_decided_on_what_is_stored(test: TestStore) {
    test.commit(insert(customer("ada", 1)))
        .await
        .expect("a commit");
    let known = test.known("ada").await.expect("a customer");
    let said = Personal {
        email: Some("x@y".to_owned()),
        ..Personal::default()
    };
    let updated = known.update(said, at(2)).expect("an update");
    let update = |customer: &Customer| vec![changing(CustomerChange::Update(customer.clone()))];
    test.commit(update(&updated)).await.expect("a commit");
    assert_eq!(
        test.commit(update(&updated)).await,
        Err(CommitError::Conflict)
    );
    let redact = vec![changing(CustomerChange::Redact(updated))];
    assert_eq!(test.commit(redact).await, Err(CommitError::Conflict));
    let claimed = test.store.claim_redaction(at(9), at(9), at(10)).await;
    assert_eq!(claimed, Ok(None), "nothing of it was stored");
}

async fn of_two_servers_one_is_at_a_redaction(test: TestStore) {
    test.commit(insert(customer("ada", 1)))
        .await
        .expect("a commit");
    let known = test.known("ada").await.expect("a customer");
    let redacted = known.redact(at(5)).expect("a redaction");
    test.commit(vec![changing(CustomerChange::Redact(redacted))])
        .await
        .expect("a commit");
    let claim = async |now: i64, wall: i64, until: i64| {
        let claimed = test.store.claim_redaction(at(now), at(wall), at(until));
        claimed.await.expect("a claim")
    };
    assert_eq!(claim(4, 100, 110).await, None, "not due yet");
    let first = claim(5, 100, 110).await.expect("a claim");
    let expected = ClaimedRedaction {
        merchant_id: shop(),
        customer_id: id("ada"),
        progress: Progress::of_pass(false),
        requested_at: at(5),
        fence: 1,
    };
    assert_eq!(first, expected);
    assert_eq!(claim(6, 109, 120).await, None, "the other one is at it");
    let half = ClaimedRedaction {
        progress: Progress {
            done_until: at(3),
            done_payment_id: "pay_3".to_owned(),
            is_last_pass: true,
            skipped: 2,
        },
        ..first
    };
    let note = async |claimed: &ClaimedRedaction, due: i64, until: i64| {
        let noted = test.store.note_redaction(claimed, at(due), at(until));
        noted.await.expect("a note")
    };
    assert!(note(&half, 6, 120).await);
    assert_eq!(claim(6, 119, 130).await, None, "the note began a new lease");
    // The first server has died, or is slow.
    let second = claim(6, 120, 130).await.expect("a claim");
    assert_eq!(second.progress, half.progress, "it goes on from there");
    assert_eq!(second.fence, 2);
    assert!(!note(&half, 7, 140).await, "the slow one is told so");
    test.store.end_redaction(&half).await.expect("no end");
    assert_eq!(claim(8, 129, 140).await, None, "and ends nothing");
    // A new start that no other server can be part of.
    if test.engine.dialect() == Dialect::Sqlite {
        assert_eq!(test.store.take_over(at(8)).await, Ok(()));
        assert_eq!(claim(8, 121, 140).await.map(|one| one.fence), Some(3));
    }
    let last = claim(8, 200, 210).await.expect("a claim");
    test.store.end_redaction(&last).await.expect("an end");
    assert_eq!(claim(9, 999, 1_000).await, None);
}

async fn payments_of_a_customer_are_walked_through(test: TestStore) {
    for (name, customer, seconds) in [
        ("pay_2", Some("ada"), 2),
        ("pay_1", Some("ada"), 2),
        ("pay_0", Some("ada"), 3),
        ("pay_3", Some("grace"), 2),
        ("pay_4", None, 2),
    ] {
        let changes = Changes {
            amount: Some(6540),
            currency: Some(Currency::USD),
            customer_id: customer.map(id),
            ..Changes::default()
        };
        let create = Create {
            merchant_id: shop(),
            payment_id: PaymentId::parse(name).expect("an id"),
            profile_id: endpoint("pro_1").profile_id,
            named_merchant_id: None,
            publishable_key: "pk_snd_example".to_owned(),
            initiator: None,
            owner: None,
            session_expiry_seconds: 900,
            confirm_at_once: false,
            changes,
        };
        let made = Payment::create(create, at(seconds)).expect("a payment");
        let insert = changing(PaymentChange::Insert(made.payment.into()));
        test.commit(vec![insert]).await.expect("a commit");
    }
    let mut progress = Progress::of_pass(false);
    let mut walked = Vec::new();
    loop {
        let page = test
            .store
            .payments_of_customer(&shop(), &id("ada"), &progress, 1)
            .await
            .expect("a page");
        let Some((created_at, payment_id)) = page.first() else {
            break;
        };
        walked.push(payment_id.to_string());
        progress.done_until = *created_at;
        progress.done_payment_id = payment_id.to_string();
    }
    assert_eq!(walked, ["pay_1", "pay_2", "pay_0"]);
}

/// So many customers that reading all of them would show.
const MANY: &str = "insert into customers (merchant_id, customer_id, version, status, email_hash, phone_hash, record, \
     personal, created_at, modified_at) \
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000) \
     select 'bookshop', 'cus_' || n, 1, 'active', 'email_' || n, 'phone_' || (n % 1000), '{}', '', n, n from numbers";

async fn pages_are_found_in_an_index_alone(test: TestStore) {
    for name in ["ada", "grace", "mary"] {
        test.commit(insert(customer(name, 1)))
            .await
            .expect("a commit");
    }
    let all = CustomerSearch::default;
    assert_eq!(test.found_customers(all()).await, "ada grace");
    assert_eq!(
        test.found_customers(CustomerSearch { offset: 2, ..all() })
            .await,
        "mary"
    );
    let one = CustomerSearch {
        customer_id: Some(id("grace")),
        ..all()
    };
    assert_eq!(test.found_customers(one).await, "grace");
    test.insert(Write::new(MANY, Vec::new()).any_rows()).await;
    test.insert(Write::new("analyze customers", Vec::new()).any_rows())
        .await;
    let email = CustomerSearch {
        email: Some("cus_7".to_owned()),
        ..all()
    };
    let phone = CustomerSearch {
        phone: Some("7".to_owned()),
        ..all()
    };
    for (search, index) in [
        (all(), "customers_by_creation"),
        (email, "customers_by_email"),
        (phone, "customers_by_phone"),
    ] {
        let (sql, parameters) = super::super::customers::page(
            &shop(),
            &CustomerSearch {
                limit: 20,
                ..search
            },
            &Mirror,
        );
        let plan = test
            .explained(&written_out((sql, parameters)))
            .await
            .join("\n");
        let step = match test.engine.dialect() {
            Dialect::Sqlite => format!("SEARCH c USING COVERING INDEX {index} "),
            Dialect::Postgres => format!("Index Only Scan using {index} on customers c"),
        };
        assert!(plan.contains(&step), "by {index}:\n{plan}");
    }
}
