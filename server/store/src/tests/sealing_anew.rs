//! A change of all data keys: every sealed column there is, in portions, whoever else is at it.

use std::collections::BTreeSet;

use multirail_app::ports::idempotency::KeyClaim;
use multirail_app::ports::installation_keys::{
    InstallationKey, KeyStore, NewRotation, Portion, RotationClaim,
};
use multirail_app::ports::notices::NewNotice;
use multirail_app::ports::vault::VaultEntry;
use multirail_app::ports::{
    Change, ConnectorAccountChange, CustomerChange, CustomerStore, DisputeChange, EventStore,
    HeldChange, IdempotencyChange, NoticeStore, PaymentStore, RefundChange, StoreFailure,
};
use multirail_app::ports::{SavedMethodChange, Seal, UserChange};
use multirail_domain::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_domain::connector::RawNotice;
use multirail_domain::customer::{Customer, Personal};
use multirail_domain::dispute::FileBytes;
use multirail_domain::idempotency::Fingerprint;
use multirail_domain::ids::{
    ConnectorAccountId, CustomerId, FileId, NoticeId, OrganizationId, PaymentId, RefundId,
    SessionId, UserId,
};
use multirail_domain::random::SeededRandom;
use multirail_domain::secret::SecretText;
use multirail_domain::user::{Email, SecondFactor, SignInClient, User, UserSession};
use multirail_domain::webhook::AfterTry;

use super::super::engine::{Read, Row, Write, values};
use super::super::sealed_columns::{SEALED_COLUMNS, SealedColumn};
use super::super::sealing_anew::KEYS;
use super::super::subject_keys;
use super::news::{a_try, at, endpoint, event_id, news, shop};
use super::on_both_engines;
use super::records::dispute::disputes;
use super::saved_methods::{hold, method};
use super::story::Story;
use super::test_store::{Mirror, TestStore};

on_both_engines! {
    every_column_is_sealed_for_the_place_that_the_list_says
    everything_is_sealed_anew_in_portions
    a_server_that_lost_the_work_changes_nothing
    what_cant_be_opened_is_counted_and_keeps_its_key
    a_destroyed_key_is_given_no_successor
    master_key_and_data_keys_change_one_after_the_other
}

/// What the schema seals is what the list says, and the keys themselves.
#[tokio::test(flavor = "multi_thread")]
async fn every_sealed_column_of_the_schema_is_in_the_list() {
    let test = TestStore::sqlite().await.expect("a store");
    let sql = "select t.name as \"table\", c.name as \"column\" from sqlite_master t, pragma_table_info(t.name) c \
         where t.type = 'table' and lower(c.type) = 'blob' and t.name not like '\\_%' escape '\\'";
    let rows = test.engine.fetch(Read::new(sql, Vec::new())).await;
    let text = |row: &Row, column| row.text(column).expect("a name");
    let schema: BTreeSet<String> = rows
        .expect("the schema")
        .iter()
        .map(|row| format!("{}.{}", text(row, "table"), text(row, "column")))
        .collect();
    let listed = SEALED_COLUMNS.iter().map(SealedColumn::name);
    // The master key wraps these.
    let of_master = ["wrapped_keys.wrapped", "wrapped_keys.next_wrapped"].map(str::to_owned);
    let known: BTreeSet<String> = listed.chain([KEYS.to_owned()]).chain(of_master).collect();
    assert_eq!(schema, known);
}

/// Something in every sealed column, put there by the store itself. Under the installation's key, as in a database of
/// before merchants had keys of their own, but for customers.
async fn fill(test: &TestStore) {
    let made = test.merchant("bookshop").await;
    let profile = made.profiles.first().expect("a profile");
    let account = test.account(profile, "mca_1", "main");
    let number = CardNumber::parse("4111111111111111").expect("a number");
    let expiry = Expiry::parse("10", "35", "card", at(0)).expect("an expiry");
    let payment_id = PaymentId::parse("pay_1").expect("an id");
    let personal = Personal {
        name: Some("Ada".to_owned()),
        ..Personal::default()
    };
    let customer = Customer::create(
        shop(),
        CustomerId::parse("ada").expect("an id"),
        personal,
        at(1),
    );
    let user = User::create(
        UserId::parse("user_1").expect("an id"),
        shop(),
        Email::parse("ada@books.example").expect("an address"),
        None,
        at(1),
    );
    let factor = SecondFactor::begin(&user, at(1), &SeededRandom::new(1));
    let changes: Vec<Change> = vec![
        ConnectorAccountChange::Insert(account).into(),
        UserChange::BeginSecondFactor(Box::new(factor)).into(),
        CustomerChange::Insert(customer).into(),
        UserChange::Insert(Box::new(user)).into(),
        UserChange::OpenSession(session(), SignInClient::default()).into(),
        HeldChange::HoldCard {
            merchant_id: shop(),
            payment_id: payment_id.clone(),
            card: Box::new(Card::new(number, None, expiry, GivenCardDetails::default())),
            expires_at: at(900),
        }
        .into(),
        HeldChange::HoldCredentials {
            merchant_id: shop(),
            payment_id,
            attempt: 1,
            credentials: SecretText::new("brought"),
            expires_at: None,
        }
        .into(),
        RefundChange::HoldCredentials {
            merchant_id: shop(),
            refund_id: RefundId::parse("ref_1").expect("an id"),
            credentials: SecretText::new("brought for a refund"),
        }
        .into(),
        DisputeChange::KeepFile {
            merchant_id: shop(),
            file_id: FileId::parse("file_1").expect("an id"),
            bytes: FileBytes::new(b"%PDF-1.7 \xff\x00"),
        }
        .into(),
        IdempotencyChange::Claim(KeyClaim {
            merchant_id: shop(),
            operation: "payments_create",
            key: "k/1".to_owned(),
            fingerprint: Fingerprint::default(),
            object_id: "pay_1".to_owned(),
            lease_until: at(0),
            created_at: at(0),
        })
        .into(),
        IdempotencyChange::StoreAnswer {
            merchant_id: shop(),
            operation: "payments_create",
            key: "k/1".to_owned(),
            answer: SecretText::new("an answer"),
        }
        .into(),
    ];
    test.commit(changes).await.expect("a commit");
    test.record([news("evt_1", "pay_1", 16), news("evt_2", "pay_2", 16)])
        .await;
    let claimed = test.claim(&endpoint("pro_1"), 40).await.remove(0);
    let made = a_try(&claimed, claimed.event.event_id.as_str(), 200, 41);
    test.finish(&claimed, made, AfterTry::Delivered).await;
    // The vault seals before the store is asked.
    let of_card = |digit| {
        let (method, entry) = method("ada", digit, None);
        let place = format!("vault:bookshop/{}", entry.fingerprint);
        let sealed = Mirror.seal(&place, &SecretText::new("4111111111111111"));
        (method, VaultEntry { sealed, ..entry })
    };
    let (saved, entry) = of_card(1);
    let insert = SavedMethodChange::Insert {
        method: Box::new(saved),
        entry: Some(entry),
    };
    test.commit(vec![insert.into(), hold("pay_2", of_card(2))])
        .await
        .expect("a commit");
    let notice = NewNotice {
        notice_id: NoticeId::parse("ntc_1").expect("an id"),
        merchant_id: shop(),
        merchant_connector_id: ConnectorAccountId::parse("mca_1").expect("an id"),
        connector: "fauxpay".to_owned(),
        body_hash: "a hash".to_owned(),
        content: RawNotice {
            headers: Vec::new(),
            body: "a notice".into(),
        },
        received_at: at(5),
    };
    test.store.file_notice(&notice).await.expect("a notice");
    // Who paid isn't sealed in such a database.
    Story::begin(test, "pay_1", profile).await;
    let who = SecretText::new(r#"{"notes":{"name":"Ada"}}"#);
    let sealed = Mirror.seal("payments:bookshop/pay_1", &who);
    let sql = "update payments set personal = $1";
    test.insert(Write::new(sql, values![sealed])).await;
    // Nor who holds a method, nor what is said in a dispute.
    let id = of_card(1).0.payment_method_id;
    let held = of_card(2).0.payment_method_id;
    for (table, id) in [("payment_methods", id), ("cards_to_save", held)] {
        for part in ["holder_name", "nick_name", "particulars"] {
            let place = format!("payment_methods.{part}:bookshop/{id}");
            let sealed = Mirror.seal(&place, &SecretText::new("{}"));
            let sql: &str = format!("update {table} set {part}_sealed = $1").leak();
            test.insert(Write::new(sql, values![sealed])).await;
        }
    }
    let raised = disputes().remove(0);
    let place = format!("disputes:bookshop/{}", raised.dispute_id);
    let raised = DisputeChange::Insert(raised.into());
    test.commit(vec![raised.into()]).await.expect("a commit");
    let sealed = Mirror.seal(&place, &SecretText::new("{}"));
    let sql = "update disputes set evidence_sealed = $1";
    test.insert(Write::new(sql, values![sealed])).await;
}

fn session() -> UserSession {
    UserSession {
        session_id: SessionId::parse("ses_1").expect("an id"),
        user_id: UserId::parse("user_1").expect("an id"),
        organization_id: OrganizationId::parse("org_1").expect("an id"),
        merchant_id: shop(),
        profile_id: None,
        created_at: at(1),
        expires_at: at(900),
        last_used_at: None,
    }
}

/// Place, and name of the key, of everything in a column.
async fn sealed(test: &TestStore, column: &SealedColumn) -> Vec<(String, String, String)> {
    let columns = [column.key, column.also, &[column.column]]
        .concat()
        .join(", ");
    let sql = format!(
        "select {columns} from {} where {} is not null",
        column.table, column.column
    );
    let rows = test
        .engine
        .fetch(Read::new(sql, values![]))
        .await
        .expect("rows");
    let of_row = |row: &Row| {
        let sealed = row.bytes(column.column).expect("bytes");
        let text = String::from_utf8(sealed.clone()).expect("a text");
        let key = text.split_once('#').map_or("installation", |(key, _)| key);
        (
            column.place(row).expect("a place"),
            Mirror::place_of(&sealed),
            key.to_owned(),
        )
    };
    rows.iter().map(of_row).collect()
}

async fn every_column_is_sealed_for_the_place_that_the_list_says(test: TestStore) {
    fill(&test).await;
    for column in SEALED_COLUMNS {
        let found = sealed(&test, column).await;
        assert!(!found.is_empty(), "nothing in {}", column.name());
        for (listed, sealed_for, _) in found {
            assert_eq!(listed, sealed_for);
        }
    }
}

fn data_key(id: &str) -> InstallationKey {
    InstallationKey {
        key_id: id.to_owned(),
        purpose: "data".to_owned(),
        wrapped: vec![1],
        next_wrapped: None,
        created_at_micros: 7,
        retired_at_micros: None,
    }
}

pub(super) async fn begin(test: &TestStore, id: &str) -> bool {
    let begun = NewRotation {
        rotation_id: id.to_owned(),
        data_key: data_key(&format!("data_{id}")),
        started_at: at(100),
        settled_at: at(110),
    };
    test.store.begin_rotation(&begun).await.expect("a commit")
}

async fn portion(test: &TestStore, claim: &RotationClaim, seconds: i64, rows: i64) -> Portion {
    let done = test.store.seal_portion(claim, at(seconds), 20, rows).await;
    done.expect("a portion")
}

/// Works until it is finished; answers how many rows were sealed anew.
pub(super) async fn work(test: &TestStore, claim: &RotationClaim, rows: i64) -> u64 {
    let mut anew = 0;
    for _ in 0..500 {
        match portion(test, claim, 200, rows).await {
            Portion::More(found) => anew += found,
            Portion::Finished => return anew,
            other => panic!("{other:?}"),
        }
    }
    panic!("it never ends");
}

async fn everything_is_sealed_anew_in_portions(test: TestStore) {
    fill(&test).await;
    let mut before = BTreeSet::new();
    for column in SEALED_COLUMNS {
        before.extend(
            sealed(&test, column)
                .await
                .into_iter()
                .map(|(_, _, key)| key),
        );
    }
    assert_eq!(
        before.len(),
        2,
        "the installation's and the customer's: {before:?}"
    );
    assert!(begin(&test, "rot_1").await);
    assert!(!begin(&test, "rot_2").await, "one at a time");
    let claim = test
        .store
        .claim_rotation(at(101), 20)
        .await
        .expect("a read")
        .expect("a claim");
    // One row at a time, and the first pass is over before the second may begin.
    let mut passes = 1;
    loop {
        match portion(&test, &claim, 105, 1).await {
            Portion::More(_) => {}
            Portion::Wait(until) => {
                assert_eq!(until, at(110));
                break;
            }
            other => panic!("{other:?} in pass {passes}"),
        }
        passes = test
            .store
            .last_rotation()
            .await
            .expect("a read")
            .expect("one")
            .pass;
    }
    assert_eq!(passes, 2);
    // A server that had not heard of it stores something under a former key.
    let late = format!("{}|late", "held_cards:bookshop/pay_late").into_bytes();
    let sql = "insert into held_cards (merchant_id, payment_id, sealed, expires_at) values ('bookshop', 'pay_late', $1, 5)";
    test.insert(Write::new(sql, values![late])).await;
    assert_eq!(work(&test, &claim, 3).await, 1, "what came late");
    let done = test
        .store
        .last_rotation()
        .await
        .expect("a read")
        .expect("one");
    assert_eq!(
        (done.pass, done.unreadable, done.finished_at),
        (3, 0, Some(at(200)))
    );
    let mut after = BTreeSet::new();
    for column in SEALED_COLUMNS {
        for (listed, sealed_for, key) in sealed(&test, column).await {
            assert_eq!(listed, sealed_for);
            after.insert(key);
        }
    }
    let cards = "select key_id as n from vault_cards union all select key_id from cards_to_save";
    let rows = test.engine.fetch(Read::new(cards, values![])).await;
    for row in rows.expect("rows") {
        let named = row.text("n").expect("a name");
        assert!(after.contains(&named), "{named} is the key that sealed it");
    }
    assert_eq!(
        after.len(),
        2,
        "the merchant's and the customer's: {after:?}"
    );
    assert_eq!(
        before.intersection(&after).count(),
        0,
        "{before:?} {after:?}"
    );
    // It reads as before, at a server that has nothing in memory too.
    for server in [&test, &test.another()] {
        let ada = CustomerId::parse("ada").expect("an id");
        let read = server
            .store
            .customer(&shop(), &ada)
            .await
            .expect("a read")
            .expect("Ada");
        assert_eq!(read.personal.name.as_deref(), Some("Ada"));
        let payment_id = PaymentId::parse("pay_1").expect("an id");
        let payment = server.store.payment(&shop(), &payment_id).await;
        let payment = payment.expect("a read").expect("a payment");
        assert_eq!(payment.particulars.name.as_deref(), Some("Ada"));
        let (_, body) = server
            .store
            .event(&shop(), "evt_1")
            .await
            .expect("a read")
            .expect("an event");
        assert_eq!(body, "{\"event_id\":\"evt_1\"}");
        assert_eq!(server.tries("evt_1").await.len(), 1);
    }
    // Keys that nothing was left under go with the next change, and only then.
    let count = async || {
        let rows = test
            .engine
            .fetch(Read::new("select key_id from subject_keys", values![]))
            .await;
        rows.expect("rows").len()
    };
    assert_eq!(count().await, 3, "one of the merchant, two of the customer");
    assert!(begin(&test, "rot_3").await);
    let claim = test
        .store
        .claim_rotation(at(201), 20)
        .await
        .expect("a read")
        .expect("a claim");
    work(&test, &claim, 100).await;
    assert_eq!(count().await, 4, "two of each");
    let event = event_id("evt_2");
    assert!(
        test.store
            .event(&shop(), event.as_str())
            .await
            .expect("a read")
            .is_some()
    );
}

async fn a_server_that_lost_the_work_changes_nothing(test: TestStore) {
    fill(&test).await;
    assert!(begin(&test, "rot_1").await);
    let first = test
        .store
        .claim_rotation(at(101), 20)
        .await
        .expect("a read")
        .expect("a claim");
    let other = test.another();
    assert_eq!(
        other.store.claim_rotation(at(110), 20).await,
        Ok(None),
        "the lease holds"
    );
    assert!(matches!(
        portion(&test, &first, 110, 1).await,
        Portion::More(_)
    ));
    assert_eq!(
        other.store.claim_rotation(at(125), 20).await,
        Ok(None),
        "each portion renews it"
    );
    let second = other
        .store
        .claim_rotation(at(130), 20)
        .await
        .expect("a read")
        .expect("a claim");
    assert_eq!(portion(&test, &first, 131, 1).await, Portion::Lost);
    test.store.release_rotation(&first).await.expect("a write");
    assert_eq!(
        test.store.claim_rotation(at(140), 20).await,
        Ok(None),
        "not his to give back"
    );
    assert!(work(&other, &second, 100).await > 0);
    assert_eq!(portion(&test, &first, 300, 1).await, Portion::Lost);
}

async fn what_cant_be_opened_is_counted_and_keeps_its_key(test: TestStore) {
    fill(&test).await;
    let damage = "update events set body = $1 where event_id = 'evt_1'";
    test.insert(Write::new(damage, values![b"elsewhere|nothing".to_vec()]))
        .await;
    test.insert(keys_insert("data_0")).await;
    assert!(begin(&test, "rot_1").await);
    let claim = test
        .store
        .claim_rotation(at(101), 20)
        .await
        .expect("a read")
        .expect("a claim");
    work(&test, &claim, 100).await;
    let done = test
        .store
        .last_rotation()
        .await
        .expect("a read")
        .expect("one");
    assert_eq!((done.unreadable, done.finished_at), (1, Some(at(200))));
    let keys = test.store.installation_keys().await.expect("keys");
    assert!(
        keys.iter().all(|key| key.retired_at_micros.is_none()),
        "{keys:?}"
    );
}

fn keys_insert(id: &str) -> Write {
    let sql = "insert into wrapped_keys (key_id, purpose, wrapped, created_at) values ($1, 'data', $2, 3)";
    Write::new(sql, values![id, vec![1_u8]])
}

async fn a_destroyed_key_is_given_no_successor(test: TestStore) {
    fill(&test).await;
    let ada = CustomerId::parse("ada").expect("an id");
    let writes = subject_keys::destroy(&shop(), &ada, at(50));
    test.engine.write(writes.into()).await.expect("a commit");
    test.store.keys.forget_customers();
    assert!(begin(&test, "rot_1").await);
    let claim = test
        .store
        .claim_rotation(at(101), 20)
        .await
        .expect("a read")
        .expect("a claim");
    work(&test, &claim, 100).await;
    let done = test
        .store
        .last_rotation()
        .await
        .expect("a read")
        .expect("one");
    assert_eq!(done.unreadable, 0, "it was meant");
    let sql = "select generation, wrapped from subject_keys where customer_id = 'ada'";
    let rows = test
        .engine
        .fetch(Read::new(sql, values![]))
        .await
        .expect("rows");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].bytes("wrapped").expect("bytes"), Vec::<u8>::new());
    let read = test.store.customer(&shop(), &ada).await;
    assert_eq!(
        read,
        Err(StoreFailure::Destroyed("customers:bookshop/ada".to_owned()))
    );
    let counts = test.store.subject_counts().await.expect("counts");
    assert_eq!(
        (counts.merchants, counts.customers, counts.destroyed),
        (1, 0, 1)
    );
}

async fn master_key_and_data_keys_change_one_after_the_other(test: TestStore) {
    use multirail_app::ports::installation_keys::NextMasterKey;
    test.insert(keys_insert("data_0")).await;
    let next = |name: &str, key: &str| NextMasterKey {
        is_the_present_one: false,
        name: name.to_owned(),
        wrapped: vec![(key.to_owned(), vec![2])],
    };
    let store = &test.store;
    assert_eq!(
        store.drop_former_master_key().await,
        Ok(false),
        "there is none"
    );
    assert_eq!(
        store.store_next_master_key(&next("m2", "data_0")).await,
        Ok(true)
    );
    assert_eq!(
        store.store_next_master_key(&next("m3", "data_0")).await,
        Ok(true)
    );
    assert_eq!(store.next_master_key().await, Ok(Some("m3".to_owned())));
    assert!(
        !begin(&test, "rot_1").await,
        "the next master key would not open it"
    );
    assert_eq!(store.drop_former_master_key().await, Ok(true));
    assert_eq!(store.next_master_key().await, Ok(None));
    let keys = store.installation_keys().await.expect("keys");
    assert_eq!(
        (keys[0].wrapped.as_slice(), keys[0].next_wrapped.as_deref()),
        (&[2][..], None)
    );
    assert!(begin(&test, "rot_1").await);
    assert_eq!(
        store.store_next_master_key(&next("m4", "data_0")).await,
        Ok(false)
    );
    assert_eq!(store.next_master_key().await, Ok(None));
}
