//! Stored methods: the vault's entries, and the rows of a redacted customer.

use std::sync::Arc;

use multirail_app::accounts::ports::MerchantChange;
use multirail_app::customers::ports::saved_methods::{
    CardToSave, SavedMethodChange, SavedMethodStore,
};
use multirail_app::customers::ports::vault::VaultEntry;
use multirail_app::customers::ports::{CustomerChange, CustomerStore};
use multirail_app::platform::ports::failure::Gone;
use multirail_app::platform::ports::{Change, CommitError};
use multirail_domain::customers::customer::{Customer, Personal};
use multirail_domain::customers::saved_method::bank_account::TransferInput;
use multirail_domain::customers::saved_method::{MethodParticulars, SavedCard, SavedMethod};
use multirail_kernel::ids::{ConnectorAccountId, CustomerId, PaymentId, PaymentMethodId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::{CardFingerprint, CardNumber, CardRecord, Expiry, GivenCardDetails};
use multirail_sdk::connector::{AccountMandate, ConnectorMandate, KnownBy};
use multirail_sdk::payment_method::PaymentMethod;
use multirail_test_postgres::TestPostgres;
use sqlx::{Connection, Executor, PgConnection};
use tokio::task::JoinHandle;

use super::super::engine::counted::reads_of;
use super::super::engine::{Dialect, Read, Write, values};
use super::news::{at, shop};
use super::payment_tokens::list;
use crate::customers::saved_methods::{OF_CUSTOMER, OF_TOKEN};
use crate::fixture::on_both_engines;
use crate::fixture::plans::written_out;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    a_card_stays_in_the_vault_as_long_as_a_method_has_it
    of_a_redacted_customer_nothing_is_left_and_nothing_comes
    nothing_is_saved_for_who_is_redacted_by_then
    an_account_rests_with_its_method_and_refers_to_no_card
    methods_are_found_by_their_customer_and_their_token
    what_customers_of_a_deleted_merchant_saved_goes_in_portions
}

const TABLES: [&str; 4] = [
    "vault_cards",
    "payment_methods",
    "cards_to_save",
    "token_listings",
];

pub(super) fn customer_id(name: &str) -> CustomerId {
    CustomerId::parse(name).expect("an id")
}

/// Returns a customer's card that ends with this digit.
pub(super) fn method(customer: &str, digit: u8, holder: Option<&str>) -> (SavedMethod, VaultEntry) {
    let fingerprint = CardFingerprint::parse(&format!("{digit}").repeat(32));
    let fingerprint = fingerprint.expect("a fingerprint");
    let number = CardNumber::parse("4111111111111111").expect("a number");
    let expiry = Expiry::stored("10", "2035").expect("an expiry");
    let given = GivenCardDetails {
        holder_name: holder.map(str::to_owned),
        ..GivenCardDetails::default()
    };
    let CardRecord { details, holder } = CardRecord::new(&number, expiry, given);
    let card = SavedCard {
        fingerprint: fingerprint.clone(),
        details,
        holder,
    };
    let particulars = MethodParticulars::default();
    let id = customer_id(customer);
    let method = SavedMethod::of_card(shop(), id, card, None, particulars, at(1));
    let entry = VaultEntry {
        fingerprint,
        key_id: "data_1".to_owned(),
        sealed: vec![digit],
    };
    (method, entry)
}

pub(super) fn payment_id(text: &str) -> PaymentId {
    PaymentId::parse(text).expect("an id")
}

pub(super) fn hold(payment: &str, of: (SavedMethod, VaultEntry)) -> Change {
    let (method, entry) = of;
    changing(SavedMethodChange::Hold(Box::new(CardToSave {
        payment_id: payment_id(payment),
        attempt: 1,
        is_agreed: payment == "pay_2",
        method,
        entry: Some(entry),
    })))
}

pub(super) fn save(payment: &str, method: &SavedMethod) -> Change {
    save_since(Timestamp::EPOCH, payment, method)
}

/// As [`save`], with the time of the payer's consent.
pub(super) fn save_since(consented_at: Timestamp, payment: &str, method: &SavedMethod) -> Change {
    changing(SavedMethodChange::SaveHeld {
        consented_at,
        merchant_id: shop(),
        payment_id: payment_id(payment),
        attempt: 1,
        customer_id: method.customer_id.clone(),
        payment_method_id: method.payment_method_id.clone(),
        consent: method.particulars.consent.clone(),
        known_by: KnownBy {
            network_transaction_id: (payment == "pay_1").then(|| "scheme_1".to_owned()),
            mandate: Some(Box::new(mandate_of(payment))),
        },
    })
}

pub(super) fn mandate_of(payment: &str) -> AccountMandate {
    AccountMandate {
        merchant_connector_id: ConnectorAccountId::parse("mca_1").expect("an id"),
        mandate: ConnectorMandate {
            connector_mandate_id: format!("mandate_of_{payment}"),
            connector_customer_id: Some("their_ada".to_owned()),
            unread: UnreadMembers::default(),
        },
        unread: UnreadMembers::default(),
    }
}

pub(super) fn insert(of: (SavedMethod, VaultEntry)) -> Change {
    let (method, entry) = of;
    changing(SavedMethodChange::Insert {
        method: Box::new(method),
        room: 1_000,
        entry: Some(entry),
    })
}

impl TestStore {
    pub(super) async fn know(&self, customers: &[&str]) {
        for name in customers {
            let new = Customer::create(shop(), customer_id(name), Personal::default(), at(0));
            let changes = vec![changing(CustomerChange::Insert(new))];
            self.commit(changes).await.expect("a commit");
        }
    }

    pub(super) async fn saved(&self, id: &PaymentMethodId) -> Option<SavedMethod> {
        let found = self.store.saved_method(&shop(), id).await;
        found.expect("a read")
    }

    /// Returns how many rows each table has.
    pub(super) async fn counted(&self) -> [i64; 4] {
        let mut counts = [0; 4];
        for (count, table) in counts.iter_mut().zip(TABLES) {
            let read = Read::new(format!("select count(*) as n from {table}"), values![]);
            let row = self.engine.fetch_optional(read).await.expect("a read");
            *count = row.expect("a row").int("n").expect("a number");
        }
        counts
    }
}

async fn a_card_stays_in_the_vault_as_long_as_a_method_has_it(test: TestStore) {
    test.know(&["ada", "grace"]).await;
    let [ada, grace] = ["ada", "grace"].map(|name| method(name, 1, None));
    for card in [&ada, &grace] {
        let changes = vec![insert(card.clone())];
        test.commit(changes).await.expect("a commit");
    }
    let again = test.commit(vec![insert(ada.clone())]).await;
    assert_eq!(again, Err(CommitError::Conflict), "it is there already");
    assert_eq!(test.counted().await, [1, 2, 0, 0]);
    for (card, left) in [(&ada, [1, 1, 0, 0]), (&grace, [0, 0, 0, 0])] {
        let stored = test.saved(&card.0.payment_method_id).await;
        let stored = stored.expect("a method");
        let stale = SavedMethod {
            version: 7,
            ..stored.clone()
        };
        let delete = |method| vec![changing(SavedMethodChange::Delete(Box::new(method)))];
        let refused = test.commit(delete(stale)).await;
        assert_eq!(refused, Err(CommitError::Conflict));
        test.commit(delete(stored)).await.expect("a commit");
        assert_eq!(test.counted().await, left);
    }
}

async fn of_a_redacted_customer_nothing_is_left_and_nothing_comes(test: TestStore) {
    test.know(&["ada", "grace"]).await;
    for card in [
        method("ada", 1, None),
        method("ada", 2, None),
        method("grace", 2, None),
    ] {
        test.commit(vec![insert(card)]).await.expect("a commit");
    }
    let late = method("ada", 3, None);
    let (_, give) = list(3, 1);
    let changes = vec![hold("pay_1", late.clone()), give];
    test.commit(changes).await.expect("a commit");
    assert_eq!(
        test.counted().await,
        [2, 3, 1, 1],
        "one row for both tokens"
    );
    let ada = test.store.customer(&shop(), &customer_id("ada")).await;
    let ada = ada.expect("a read").expect("a customer");
    assert!(ada.default_payment_method_id.is_some());
    let redacted = ada.redact(at(10)).expect("a redaction");
    let changes = vec![changing(CustomerChange::Redact(redacted))];
    test.commit(changes).await.expect("a commit");
    // Grace has the second card, too. Tokens of deleted methods expire.
    assert_eq!(test.counted().await, [1, 1, 0, 1]);
    let ada = test.store.customer(&shop(), &customer_id("ada")).await;
    assert_eq!(
        ada.expect("a read")
            .expect("a customer")
            .default_payment_method_id,
        None
    );
    // A confirm that had read the customer before, and its outcome.
    test.commit(vec![hold("pay_2", late.clone())])
        .await
        .expect("a commit");
    test.commit(vec![save("pay_2", &late.0)])
        .await
        .expect("a commit");
    assert_eq!(test.counted().await, [1, 1, 0, 1]);
}

/// A request that had read the customer before decides again.
async fn nothing_is_saved_for_who_is_redacted_by_then(test: TestStore) {
    test.know(&["ada"]).await;
    let ada = test.store.customer(&shop(), &customer_id("ada")).await;
    let ada = ada.expect("a read").expect("a customer");
    let redacted = ada.redact(at(10)).expect("a redaction");
    let changes = vec![changing(CustomerChange::Redact(redacted))];
    test.commit(changes).await.expect("a commit");
    let late = test.commit(vec![insert(method("ada", 1, None))]).await;
    assert_eq!(late, Err(CommitError::Conflict));
    assert_eq!(test.counted().await, [0; 4]);
}

async fn an_account_rests_with_its_method_and_refers_to_no_card(test: TestStore) {
    test.know(&["ada"]).await;
    let account = TransferInput {
        iban: Some(SecretText::new("DE89370400440532013000")),
        holder_name: Some("Ada Okafor".to_owned()),
        ..TransferInput::default()
    };
    let particulars = MethodParticulars {
        bank_account: Some(Box::new(account.check().expect("an account"))),
        ..MethodParticulars::default()
    };
    let family = (PaymentMethod::BankTransfer, None);
    let ada = customer_id("ada");
    let method = SavedMethod::of_account(shop(), ada.clone(), family, "hash", particulars, at(1));
    let id = method.payment_method_id.clone();
    let insert = SavedMethodChange::Insert {
        method: Box::new(method.clone()),
        room: 1_000,
        entry: None,
    };
    let (listing, give) = list(3, 1);
    test.commit(vec![changing(insert)]).await.expect("a commit");
    test.commit(vec![give]).await.expect("a commit");
    assert_eq!(test.counted().await, [0, 1, 0, 1]);
    let stored = SavedMethod {
        version: 1,
        is_default: true,
        ..method
    };
    assert_eq!(test.saved(&id).await.as_ref(), Some(&stored));
    let token = listing.token(&id);
    let shop = shop();
    let found = test.store.method_of_token(&shop, &token, at(2)).await;
    let found = found.expect("a read").expect("a method");
    assert_eq!((&found.method, &found.entry), (&stored, &None));
    let list = test.store.saved_methods_of(&shop, &ada, 10).await;
    let (_, listed) = list.expect("a read").expect("a customer");
    assert_eq!(listed, std::slice::from_ref(&stored));
    let deleted = SavedMethodChange::Delete(Box::new(stored));
    test.commit(vec![changing(deleted)])
        .await
        .expect("a commit");
    // The token is invalid, and its row is deleted when it expires.
    assert_eq!(test.counted().await, [0, 0, 0, 1]);
    let found = test.store.method_of_token(&shop, &token, at(2)).await;
    assert!(found.expect("a read").is_none());
    let claim = SavedMethodChange::ClaimToken {
        merchant_id: shop.clone(),
        token,
        payment_id: PaymentId::parse("pay_1").expect("an id"),
    };
    let refused = test.commit(vec![changing(claim)]).await;
    assert_eq!(refused, Err(CommitError::Gone(Gone::PaymentToken)));
    let purged = test.store.purge_payment_tokens(at(901), 10).await;
    assert_eq!(purged, Ok(1));
}

async fn what_customers_of_a_deleted_merchant_saved_goes_in_portions(test: TestStore) {
    let made = test.merchant("bookshop").await;
    test.know(&["ada", "grace"]).await;
    for digit in 1..=3 {
        let cards = ["ada", "grace"].map(|name| insert(method(name, digit, None)));
        test.commit(cards.into()).await.expect("a commit");
    }
    test.commit(vec![hold("pay_1", method("ada", 4, None))])
        .await
        .expect("a commit");
    let purge = |at_most| test.store.purge_methods_of_the_deleted(at_most);
    assert_eq!(purge(100).await, Ok(0), "the merchant is there");
    let delete = MerchantChange::Delete {
        merchant_id: shop(),
        version: made.account.version.max(1),
    };
    test.commit(vec![changing(delete)]).await.expect("a commit");
    assert_eq!(purge(4).await, Ok(4));
    assert_eq!(test.counted().await[1], 2);
    while purge(4).await.expect("a portion") > 0 {}
    assert_eq!(test.counted().await, [0; 4]);
}

/// Methods of very many customers; one of them has a thousand.
const METHODS: [&str; 3] = [
    "insert into customers (merchant_id, customer_id, version, status, record, personal, created_at, modified_at) \
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000) \
     select 'bookshop', 'cus_' || n, 1, 'active', '{}', sealed, 1, 1 from numbers cross join vault_cards \
     where card_fingerprint = $1",
    "insert into payment_methods (merchant_id, payment_method_id, version, customer_id, status, payment_method, \
     card_fingerprint, card_details, particulars, created_at, modified_at, last_used_at) \
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 20000) \
     select 'bookshop', 'pm_of_number_' || n, 1, case when n <= 1000 then 'cus_17' else 'cus_' || (18 + n % 4900) end, \
     'active', 'card', m.card_fingerprint, m.card_details, m.particulars, n, n, n \
     from numbers cross join payment_methods m where m.card_fingerprint = $1",
    "insert into token_listings (merchant_id, listing, customer_id, listed_at, expires_at) \
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000) \
     select 'bookshop', 'token_' || (1000000000 + n), 'cus_' || n, 20000, 900 from numbers cross join vault_cards \
     where card_fingerprint = $1",
];

async fn methods_are_found_by_their_customer_and_their_token(test: TestStore) {
    test.know(&["ada"]).await;
    let (card, entry) = method("ada", 1, None);
    let fingerprint = entry.fingerprint.to_string();
    test.commit(vec![insert((card, entry))])
        .await
        .expect("a commit");
    for sql in METHODS {
        test.insert(Write::new(sql, values![fingerprint.as_str()]).any_rows())
            .await;
    }
    for table in [
        "customers",
        "payment_methods",
        "token_listings",
        "vault_cards",
    ] {
        let sql: &'static str = match table {
            "customers" => "analyze customers",
            "payment_methods" => "analyze payment_methods",
            "token_listings" => "analyze token_listings",
            _ => "analyze vault_cards",
        };
        test.insert(Write::new(sql, values![]).any_rows()).await;
    }
    let of_customer = values!["bookshop", "cus_4711", 10_000_i64];
    let of_token = {
        let listing = "token_1000000017";
        let token = "token_1000000017_number_17";
        values!["bookshop", listing, "_number_17", token, 1_i64]
    };
    for (sql, parameters, indexes) in [
        (OF_CUSTOMER, of_customer, vec!["payment_methods_last_used"]),
        (OF_TOKEN, of_token, vec!["payment_methods_last_used"]),
    ] {
        let plan = test
            .explained(&written_out((sql.to_owned(), parameters)))
            .await;
        let plan = plan.join("\n");
        for index in indexes {
            assert!(plan.contains(index), "not by {index}:\n{plan}");
        }
        let read_through = match test.engine.dialect() {
            Dialect::Sqlite => ["SCAN m", "SCAN x", "SCAN t"],
            Dialect::Postgres => [
                "Seq Scan on payment_methods",
                "Seq Scan on customers",
                "Seq Scan on token_listings",
            ],
        };
        for step in read_through {
            assert!(!plan.contains(step), "{step}:\n{plan}");
        }
    }
    let many = customer_id("cus_17");
    let shop = shop();
    let list = test.store.saved_methods_of(&shop, &many, 10_000);
    let (found, queries) = reads_of(list).await;
    assert_eq!(queries, 1, "however many they are");
    let (_, methods) = found.expect("a read").expect("a customer");
    let used: Vec<i64> = methods
        .iter()
        .map(|one| one.last_used_at.as_micros())
        .collect();
    assert_eq!(used, (1..=1_000).rev().collect::<Vec<i64>>());
}

/// Waits until a statement waits for a row of another transaction, or the task ends.
pub(super) async fn until_it_waits<T>(url: &str, done: &JoinHandle<T>) {
    until_so_many_wait(1, url, done).await;
}

/// Waits until so many statements wait for rows of other transactions, or the task ends.
pub(super) async fn until_so_many_wait<T>(count: usize, url: &str, done: &JoinHandle<T>) {
    let waits = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    let mut looking = PgConnection::connect(url).await.expect("a connection");
    let mut is_waiting = false;
    while !is_waiting && !done.is_finished() {
        let found = looking.fetch_all(waits).await.expect("a read");
        is_waiting = found.len() >= count;
    }
}

/// On PostgreSQL alone: SQLite has one writer at a time.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_the_default_that_is_being_deleted() {
    let Ok(cluster) = TestPostgres::start_or_explain() else {
        return;
    };
    let url = cluster.create_database();
    let test = TestStore::open(&url, None).await;
    test.know(&["ada"]).await;
    let [first, second] = [1, 2].map(|digit| method("ada", digit, None));
    let id = second.0.payment_method_id.clone();
    let changes = vec![insert(first.clone()), insert(second)];
    test.commit(changes).await.expect("a commit");

    let mut somebody = PgConnection::connect(&url).await.expect("a connection");
    let mut deleting = somebody.begin().await.expect("a transaction");
    let delete = sqlx::query("delete from payment_methods where payment_method_id = $1");
    let delete = delete.bind(id.to_string());
    deleting.execute(delete).await.expect("a row");
    let choose = SavedMethodChange::SetDefault {
        merchant_id: shop(),
        customer_id: customer_id("ada"),
        payment_method_id: id.clone(),
    };
    let test = Arc::new(test);
    let there = Arc::clone(&test);
    let choosing = tokio::spawn(async move { there.commit(vec![changing(choose)]).await });
    until_it_waits(&url, &choosing).await;
    deleting.commit().await.expect("a commit");
    let chosen = choosing.await.expect("no panic");
    assert_eq!(chosen, Err(CommitError::Conflict));
    let ada = test.store.customer(&shop(), &customer_id("ada")).await;
    let ada = ada.expect("a read").expect("a customer");
    assert_eq!(
        ada.default_payment_method_id,
        Some(first.0.payment_method_id)
    );
}
