//! Cards and bank accounts that payments hold, and that are saved when the payments are approved.

use std::sync::Arc;

use multirail_app::customers::ports::saved_methods::{
    CardToSave, SavedMethodChange, SavedMethodStore,
};
use multirail_app::platform::ports::Change;
use multirail_domain::customers::saved_method::bank_account::{BankScheme, DebitInput};
use multirail_domain::customers::saved_method::{MethodParticulars, SavedMethod};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::KnownBy;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};
use multirail_test_postgres::TestPostgres;
use sqlx::{Connection, Executor, PgConnection};

use super::super::engine::{Write, values};
use super::news::{at, shop};
use super::saved_methods::{
    customer_id, hold, insert, mandate_of, method, payment_id, save, until_so_many_wait,
};
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    what_was_held_is_saved_once_and_renewed
    what_was_said_while_a_payment_waited_stays
    a_debit_renews_the_particulars_of_its_saved_account
    what_is_forgotten_is_not_saved
    a_deleted_method_is_not_saved_again_by_a_payment_under_way
    an_undecided_card_is_deleted_after_its_time
    a_card_stays_while_its_payment_is_asked_about
}

async fn what_was_held_is_saved_once_and_renewed(test: TestStore) {
    test.know(&["ada"]).await;
    let first = method("ada", 1, Some("Ada"));
    let id = first.0.payment_method_id.clone();
    let begins = vec![hold("pay_1", first.clone())];
    test.commit(begins).await.expect("a commit");
    assert_eq!(test.counted().await, [0, 0, 1, 0]);
    assert_eq!(test.saved(&id).await, None);
    let ends = || vec![save("pay_1", &first.0)];
    test.commit_at(at(5), ends()).await.expect("a commit");
    assert_eq!(test.counted().await, [1, 1, 0, 0]);
    let saved = test.saved(&id).await.expect("a method");
    let expected = SavedMethod {
        version: 1,
        is_default: true,
        created_at: at(5),
        // The name that was set at the confirm.
        modified_at: Timestamp::EPOCH,
        last_used_at: at(5),
        consented_at: Some(Timestamp::EPOCH),
        network_transaction_id: Some("scheme_1".to_owned()),
        is_kept: true,
        ..first.0.clone()
    };
    assert_eq!(saved, expected);
    // The same outcome once more.
    test.commit_at(at(6), ends()).await.expect("a commit");
    assert_eq!(test.saved(&id).await.as_ref(), Some(&saved));
    // The same card again, with fewer details.
    let (again, entry) = method("ada", 1, None);
    let begins = vec![hold("pay_2", (again.clone(), entry))];
    test.commit(begins).await.expect("a commit");
    let ends = vec![save("pay_2", &again)];
    test.commit_at(at(7), ends).await.expect("a commit");
    let renewed = test.saved(&id).await.expect("a method");
    let card = renewed.card.as_ref().expect("a card");
    assert_eq!(card.holder.name.as_deref(), Some("Ada"));
    assert_eq!((renewed.created_at, renewed.last_used_at), (at(5), at(7)));
    // The consent is new; the scheme's reference is the earlier one.
    assert_eq!(renewed.agreed_by, Some(payment_id("pay_2")));
    let reference = renewed.network_transaction_id.as_deref();
    assert_eq!(reference, Some("scheme_1"));
    assert_eq!(test.counted().await, [1, 1, 0, 0]);
    let kept = async || {
        let kept = test.store.connector_mandates_of(&shop(), &id).await;
        kept.expect("a read")
    };
    assert_eq!(kept().await, [mandate_of("pay_2")]);
    let learned = SavedMethodChange::Learn {
        merchant_id: shop(),
        payment_id: payment_id("pay_3"),
        payment_method_id: id.clone(),
        consented_at: Timestamp::EPOCH,
        known_by: KnownBy {
            network_transaction_id: Some("scheme_2".to_owned()),
            mandate: Some(Box::new(mandate_of("pay_3"))),
        },
        is_agreed: true,
    };
    test.commit(vec![changing(learned)])
        .await
        .expect("a commit");
    assert_eq!(kept().await, [mandate_of("pay_3")]);
    let known = test.saved(&id).await.expect("a method");
    let reference = known.network_transaction_id.as_deref();
    assert_eq!(reference, Some("scheme_2"));
    let deleted = SavedMethodChange::Delete(Box::new(known));
    test.commit(vec![changing(deleted)])
        .await
        .expect("a commit");
    assert_eq!(kept().await, []);
}

/// Holds for the names and the expiry, each if it was set.
async fn what_was_said_while_a_payment_waited_stays(test: TestStore) {
    test.know(&["ada"]).await;
    for (digit, nick_name, stays) in [(1, Some("new"), "new"), (2, None, "old")] {
        let named = |holder: &str, nick_name: Option<&str>, year: &str| {
            let (mut method, entry) = method("ada", digit, Some(holder));
            let card = method.card.as_mut().expect("a card");
            card.holder.nick_name = nick_name.map(str::to_owned);
            card.details.exp_year = year.to_owned();
            (method, entry)
        };
        let payment = format!("pay_{digit}");
        let old = named("Old", Some("old"), "2030");
        let begins = vec![hold(&payment, old.clone())];
        test.commit_at(at(2), begins).await.expect("a commit");
        let (mut new, entry) = named("New", nick_name, "2039");
        new.modified_at = at(3);
        let id = new.payment_method_id.clone();
        let meanwhile = vec![insert((new, entry))];
        test.commit_at(at(3), meanwhile).await.expect("a commit");
        let ends = vec![save(&payment, &old.0)];
        test.commit_at(at(4), ends).await.expect("a commit");
        let saved = test.saved(&id).await.expect("a method");
        let card = saved.card.expect("a card");
        assert_eq!(card.holder.name.as_deref(), Some("New"));
        assert_eq!(card.holder.nick_name.as_deref(), Some(stays));
        assert_eq!(card.details.exp_year, "2039");
        // A later confirm brings new values.
        let later = named("Newest", Some("newest"), "2040");
        let again = format!("pay_{digit}_again");
        let begins = vec![hold(&again, later.clone())];
        test.commit_at(at(5), begins).await.expect("a commit");
        let ends = vec![save(&again, &later.0)];
        test.commit_at(at(6), ends).await.expect("a commit");
        let saved = test.saved(&id).await.expect("a method");
        let card = saved.card.expect("a card").holder;
        assert_eq!(card.name.as_deref(), Some("Newest"));
        assert_eq!(card.nick_name.as_deref(), Some("newest"));
    }
}

/// Returns Ada's account for debits, as somebody with this name holds it.
pub(super) fn account(holder: Option<&str>) -> SavedMethod {
    let iban = SecretText::new("DE89370400440532013000");
    let account = DebitInput {
        holder_name: holder.map(str::to_owned),
        ..DebitInput::new(BankScheme::Sepa, iban)
    };
    let particulars = MethodParticulars {
        bank_account: Some(Box::new(account.check("account").expect("an account"))),
        ..MethodParticulars::default()
    };
    let family = (PaymentMethod::BankDebit, Some(PaymentMethodType::Sepa));
    SavedMethod::of_account(
        shop(),
        customer_id("ada"),
        family,
        "hash",
        particulars,
        at(1),
    )
}

/// Saves an account without a payment.
pub(super) fn insert_account(method: SavedMethod) -> Change {
    changing(SavedMethodChange::Insert {
        method: Box::new(method),
        room: 1_000,
        entry: None,
    })
}

async fn a_debit_renews_the_particulars_of_its_saved_account(test: TestStore) {
    test.know(&["ada"]).await;
    let id = account(None).payment_method_id;
    let saved = async || test.saved(&id).await.expect("a method");
    let held_by = async || {
        let particulars = saved().await.particulars;
        particulars.bank_account.and_then(|one| one.holder_name)
    };
    let hold = |payment: &str, holder: &str| {
        changing(SavedMethodChange::Hold(Box::new(CardToSave {
            payment_id: payment_id(payment),
            attempt: 1,
            is_agreed: false,
            method: account(Some(holder)),
            entry: None,
        })))
    };
    test.commit(vec![insert_account(account(None))])
        .await
        .expect("a commit");
    assert_eq!(held_by().await, None);
    let ends = |payment: &str| vec![save(payment, &account(None))];
    let begins = vec![hold("pay_3", "Ada Okafor")];
    test.commit_at(at(2), begins).await.expect("a commit");
    test.commit_at(at(3), ends("pay_3"))
        .await
        .expect("a commit");
    assert_eq!(held_by().await.as_deref(), Some("Ada Okafor"));
    // A holder who was named while a debit waited stays.
    let begins = vec![hold("pay_4", "A. Okafor")];
    test.commit_at(at(4), begins).await.expect("a commit");
    let meanwhile = SavedMethod {
        particulars: account(Some("Okafor GmbH")).particulars,
        modified_at: at(5),
        ..saved().await
    };
    let meanwhile = SavedMethodChange::Update(Box::new(meanwhile));
    test.commit(vec![changing(meanwhile)])
        .await
        .expect("a commit");
    test.commit_at(at(6), ends("pay_4"))
        .await
        .expect("a commit");
    assert_eq!(held_by().await.as_deref(), Some("Okafor GmbH"));
}

async fn what_is_forgotten_is_not_saved(test: TestStore) {
    test.know(&["ada"]).await;
    let (card, entry) = method("ada", 1, None);
    let begins = vec![hold("pay_1", (card.clone(), entry))];
    test.commit(begins).await.expect("a commit");
    let forget = SavedMethodChange::ForgetHeld {
        merchant_id: shop(),
        payment_id: payment_id("pay_1"),
        attempt: 1,
    };
    test.commit(vec![changing(forget)]).await.expect("a commit");
    test.commit(vec![save("pay_1", &card)])
        .await
        .expect("a commit");
    assert_eq!(test.counted().await, [0; 4]);
}

async fn a_deleted_method_is_not_saved_again_by_a_payment_under_way(test: TestStore) {
    test.know(&["ada"]).await;
    let [deleted, stays] = [1, 2].map(|digit| method("ada", digit, None));
    let begins = vec![
        insert(deleted.clone()),
        hold("pay_1", deleted.clone()),
        hold("pay_2", stays.clone()),
    ];
    test.commit(begins).await.expect("a commit");
    let id = &deleted.0.payment_method_id;
    let saved = test.saved(id).await.expect("a method");
    let delete = SavedMethodChange::Delete(Box::new(saved));
    test.commit(vec![changing(delete)]).await.expect("a commit");
    assert_eq!(test.counted().await, [0, 0, 1, 0], "the other one's");
    let ends = vec![save("pay_1", &deleted.0)];
    test.commit(ends).await.expect("a commit");
    let ends = vec![save("pay_2", &stays.0)];
    test.commit(ends).await.expect("a commit");
    assert_eq!(test.saved(id).await, None);
    assert!(test.saved(&stays.0.payment_method_id).await.is_some());
}

async fn an_undecided_card_is_deleted_after_its_time(test: TestStore) {
    test.know(&["ada"]).await;
    for (place, second) in [(1, 5), (2, 10)] {
        let begins = vec![hold(&format!("pay_{place}"), method("ada", place, None))];
        test.commit_at(at(second), begins).await.expect("a commit");
    }
    let purge = |before| test.store.purge_cards_to_save(before, 10);
    assert_eq!(purge(at(5)).await.expect("a purge"), 0);
    assert_eq!(purge(at(10)).await.expect("a purge"), 1);
    let (first, _) = method("ada", 1, None);
    test.commit(vec![save("pay_1", &first)])
        .await
        .expect("a late approval saves nothing");
    assert_eq!(test.counted().await, [0, 0, 1, 0]);
    let (second, _) = method("ada", 2, None);
    test.commit(vec![save("pay_2", &second)])
        .await
        .expect("a commit");
    assert_eq!(test.counted().await, [1, 1, 0, 0]);
    let saved = test.saved(&second.payment_method_id).await;
    let is_default = saved.map(|method| method.is_default);
    assert_eq!(is_default, Some(true), "what wasn't saved is no default");
}

/// A payment may be approved after weeks: its processor is asked about it, or its merchant has to decide.
async fn a_card_stays_while_its_payment_is_asked_about(test: TestStore) {
    test.know(&["ada"]).await;
    let payment = "insert into payments (merchant_id, payment_id, version, profile_id, status, amount, currency, \
         authentication_type, attempt_count, capture_count, record, created_at, modified_at, sync_at, is_unresolved) \
         values ('bookshop', $1, 1, 'pro_1', $2, 6540, 'USD', 'no_three_ds', 1, 0, '{}', 0, 0, $3, true)";
    let waiting = [
        ("processing", Some(0), true),
        ("requires_merchant_action", None, true),
        ("processing", None, false),
        ("requires_customer_action", Some(0), false),
    ];
    let mut ids = Vec::new();
    for (place, (status, sync_at, _)) in (1..).zip(waiting) {
        let id = format!("pay_{place}");
        let row = values![id.as_str(), status, sync_at];
        test.insert(Write::new(payment, row)).await;
        let held = method("ada", place, None);
        ids.push(held.0.clone());
        test.commit_at(at(5), vec![hold(&id, held)])
            .await
            .expect("a commit");
    }
    // Rows that stay take no room of a portion.
    let purged = test.store.purge_cards_to_save(at(100), 2).await;
    assert_eq!(purged.expect("a purge"), 2);
    for (place, (held, (status, _, stays))) in (1..).zip(ids.iter().zip(waiting)) {
        let decided = vec![save(&format!("pay_{place}"), held)];
        test.commit(decided).await.expect("a commit");
        let saved = test.saved(&held.payment_method_id).await;
        assert_eq!(saved.is_some(), stays, "{status}");
    }
}

/// On PostgreSQL alone: SQLite has one writer at a time. The deletion is stopped after it has deleted the method, by a lock of
/// the customer's row, which it changes last.
#[tokio::test(flavor = "multi_thread")]
async fn an_approval_does_not_bring_back_a_method_that_is_being_deleted() {
    let Ok(cluster) = TestPostgres::start_or_explain() else {
        return;
    };
    let url = cluster.create_database();
    let test = Arc::new(TestStore::open(&url, None).await);
    test.know(&["ada"]).await;
    let (card, entry) = method("ada", 1, None);
    let of_account = account(Some("Ada Okafor"));
    let held_account = changing(SavedMethodChange::Hold(Box::new(CardToSave {
        payment_id: payment_id("pay_2"),
        attempt: 1,
        is_agreed: true,
        method: of_account.clone(),
        entry: None,
    })));
    let cases = [
        (
            "pay_1",
            card.clone(),
            insert((card.clone(), entry.clone())),
            hold("pay_1", (card, entry)),
        ),
        (
            "pay_2",
            of_account.clone(),
            insert_account(of_account),
            held_account,
        ),
    ];
    for (payment, saved, insert, hold) in cases {
        test.commit(vec![insert, hold]).await.expect("a commit");
        let id = saved.payment_method_id.clone();
        let stored = test.saved(&id).await.expect("a method");
        assert!(stored.is_default, "its deletion changes the customer");
        let mut somebody = PgConnection::connect(&url).await.expect("a connection");
        let mut locking = somebody.begin().await.expect("a transaction");
        let lock = "update customers set version = version where customer_id = 'ada'";
        locking.execute(lock).await.expect("a row");
        let commit = |change: Change| {
            let test = Arc::clone(&test);
            tokio::spawn(async move { test.commit(vec![change]).await })
        };
        let delete = SavedMethodChange::Delete(Box::new(stored));
        let deleting = commit(changing(delete));
        until_so_many_wait(1, &url, &deleting).await;
        let approving = commit(save(payment, &saved));
        until_so_many_wait(2, &url, &approving).await;
        locking.commit().await.expect("a commit");
        deleting.await.expect("no panic").expect("a commit");
        approving.await.expect("no panic").expect("a commit");
        assert_eq!(test.counted().await, [0; 4], "{payment}");
    }
}
