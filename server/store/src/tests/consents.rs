//! The payer's consent to debits, and the revocation that ends it.

use multirail_app::customers::ports::MandateChange;
use multirail_app::customers::ports::saved_methods::{
    CardToSave, SavedMethodChange, SavedMethodStore,
};
use multirail_app::platform::ports::CommitError;
use multirail_domain::customers::mandate::Mandate;
use multirail_domain::customers::saved_method::{MethodParticulars, SavedMethod};
use multirail_kernel::ids::PaymentMethodId;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::KnownBy;
use multirail_sdk::consent::{Consent, ConsentKind};
use multirail_sdk::payment_method::PaymentMethod;

use super::super::engine::{Read, Write, values};
use super::cards_to_save::{account, insert_account};
use super::mandates::mandate;
use super::news::{at, shop};
use super::saved_methods::{customer_id, mandate_of, payment_id, save_since};
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    a_revocation_prevails_over_payments_under_way
    an_account_that_is_saved_anew_has_no_former_consent
    what_is_learned_late_has_the_time_of_its_consent
    the_newest_consent_is_the_stored_one
}

/// A debit may be approved days after its confirm. A later consent counts again.
async fn a_revocation_prevails_over_payments_under_way(test: TestStore) {
    test.know(&["ada"]).await;
    let account = account(Some("Ada Okafor"));
    let id = &account.payment_method_id;
    let with_consent = SavedMethod {
        particulars: MethodParticulars {
            consent: Some(Box::new(Consent {
                kind: ConsentKind::Offline,
                accepted_at: None,
                online: None,
                unread: UnreadMembers::default(),
            })),
            ..account.particulars.clone()
        },
        ..account.clone()
    };
    let hold = |by: &str, is_agreed| {
        changing(SavedMethodChange::Hold(Box::new(CardToSave {
            payment_id: payment_id(by),
            attempt: 1,
            is_agreed,
            method: with_consent.clone(),
            entry: None,
        })))
    };
    let used = |by: &str, consented_at| changing(used(by, id, consented_at, KnownBy::default()));
    let of_account = Mandate {
        payment_method_id: id.clone(),
        payment_method: PaymentMethod::BankDebit,
        ..mandate("man_1", false)
    };
    let mandate_id = of_account.mandate_id.clone();
    let commit = async |second, changes| {
        let committed = test.commit_at(at(second), changes).await;
        committed.expect("a commit");
        let method = test.saved(id).await.expect("a method");
        let by = method.agreed_by.as_ref().map(ToString::to_string);
        (by.unwrap_or_default(), method.has_consent())
    };
    let kept = async || {
        let kept = test.store.connector_mandates_of(&shop(), id).await;
        kept.expect("a read")
    };
    let said = |by: &str, has_consent| (by.to_owned(), has_consent);
    let bare = vec![insert_account(account.clone())];
    assert_eq!(commit(1, bare).await, said("", false));
    let first = ["pay_1", "pay_2", "pay_6"].map(|by| hold(by, true)).into();
    assert_eq!(commit(2, first).await, said("", false));
    let approved = vec![
        save_since(at(2), "pay_1", &account),
        changing(MandateChange::Insert(of_account.into())),
    ];
    assert_eq!(commit(3, approved).await, said("pay_1", true));
    assert_eq!(kept().await, [mandate_of("pay_1")]);
    let revoked = test.mandate_of(&mandate_id).await.mandate;
    let revoked = revoked.revoke(at(5)).expect("revoked");
    let revoke = vec![changing(MandateChange::Revoke(Box::new(revoked)))];
    assert_eq!(commit(5, revoke).await, said("", false));
    // One payment names the account by its number, the other one by a token.
    let late = vec![save_since(at(2), "pay_2", &account)];
    assert_eq!(commit(6, late).await, said("", false));
    assert_eq!(kept().await, []);
    let filed = deletions_of(&test).await;
    assert_eq!(filed, ["mandate_of_pay_1", "mandate_of_pay_2"]);
    let late = vec![used("pay_3", at(4))];
    assert_eq!(commit(7, late).await, said("", false));
    // The payer consents again, at first for payments at which they are there.
    assert_eq!(commit(8, vec![hold("pay_4", false)]).await, said("", false));
    let present = vec![save_since(at(8), "pay_4", &account)];
    assert_eq!(commit(9, present).await, said("", true));
    assert_eq!(kept().await, [mandate_of("pay_4")]);
    let late = vec![used("pay_3", at(4))];
    assert_eq!(commit(10, late).await, said("", true));
    let agreed = vec![used("pay_5", at(10))];
    assert_eq!(commit(11, agreed).await, said("pay_5", true));
    // The new consent isn't about an instrument of before the revocation.
    let late = vec![save_since(at(2), "pay_6", &account)];
    assert_eq!(commit(12, late).await, said("pay_5", true));
    assert_eq!(kept().await, [mandate_of("pay_4")]);
    // An instrument that the method has isn't deleted, although an earlier payment names it, too.
    let same = KnownBy {
        network_transaction_id: None,
        mandate: Some(Box::new(mandate_of("pay_4"))),
    };
    let same = changing(self::used("pay_3", id, at(4), same));
    assert_eq!(commit(13, vec![same]).await, said("pay_5", true));
    assert_eq!(kept().await, [mandate_of("pay_4")]);
    let filed = deletions_of(&test).await;
    assert_eq!(
        filed,
        ["mandate_of_pay_1", "mandate_of_pay_2", "mandate_of_pay_6"]
    );
}

/// Returns the change after a payment by this method, whose payer agreed to be charged without them.
fn used(
    by: &str,
    id: &PaymentMethodId,
    consented_at: Timestamp,
    known_by: KnownBy,
) -> SavedMethodChange {
    SavedMethodChange::Used {
        merchant_id: shop(),
        payment_id: payment_id(by),
        customer_id: customer_id("ada"),
        payment_method_id: id.clone(),
        consented_at,
        consent: None,
        agreed: Some(Box::new(known_by)),
    }
}

/// Returns the instruments that processors still have to delete.
async fn deletions_of(test: &TestStore) -> Vec<String> {
    let deletions = "select reference from connector_deletions order by reference";
    let deletions = test.engine.fetch(Read::new(deletions, values![])).await;
    let deletions = deletions.expect("a read").into_iter();
    deletions
        .map(|row| row.text("reference").expect("a text"))
        .collect()
}

/// A payment by token that was confirmed before the deletion isn't about the account that is saved anew.
async fn an_account_that_is_saved_anew_has_no_former_consent(test: TestStore) {
    test.know(&["ada"]).await;
    let account = SavedMethod {
        created_at: at(3),
        ..account(None)
    };
    let id = &account.payment_method_id;
    let used = used("pay_1", id, at(2), KnownBy::default());
    let changes = vec![insert_account(account.clone()), changing(used)];
    test.commit(changes).await.expect("a commit");
    let saved = test.saved(&account.payment_method_id).await;
    assert_eq!(saved.expect("a method").agreed_by, None);
}

/// References may become known in any order. Those of a payment whose payer consented before a revocation never count, and a
/// newer consent keeps its own.
async fn what_is_learned_late_has_the_time_of_its_consent(test: TestStore) {
    test.know(&["ada"]).await;
    let account = account(Some("Ada Okafor"));
    let id = &account.payment_method_id;
    let insert = vec![insert_account(account.clone())];
    test.commit_at(at(1), insert).await.expect("a commit");
    let known_by = |by: &str| KnownBy {
        network_transaction_id: Some(format!("scheme_of_{by}")),
        mandate: Some(Box::new(mandate_of(by))),
    };
    let used = |by: &str, consented_at| used(by, id, consented_at, known_by(by));
    let learned = |by: &str, consented_at| SavedMethodChange::Learn {
        merchant_id: shop(),
        payment_id: payment_id(by),
        payment_method_id: id.clone(),
        consented_at,
        known_by: known_by(by),
        is_agreed: true,
    };
    let commit = async |second, change| {
        let changes = vec![changing(change)];
        let committed = test.commit_at(at(second), changes).await;
        committed.expect("a commit");
        let kept = test.store.connector_mandates_of(&shop(), id).await;
        let saved = test.saved(id).await.expect("a method");
        (kept.expect("a read"), saved.network_transaction_id)
    };
    let of = |by: &str| (vec![mandate_of(by)], Some(format!("scheme_of_{by}")));
    let revoked = "update payment_methods set consent_ended_at = $1";
    let revoked = Write::new(revoked, values![at(5).as_micros()]);
    test.insert(revoked).await;
    let (kept, _) = commit(6, learned("pay_1", at(4))).await;
    assert_eq!(kept, []);
    assert_eq!(commit(9, used("pay_3", at(8))).await, of("pay_3"));
    // Both are learned after the payment of the later consent: one is of before the revocation.
    assert_eq!(commit(10, learned("pay_2", at(4))).await, of("pay_3"));
    assert_eq!(commit(11, learned("pay_4", at(7))).await, of("pay_3"));
    assert_eq!(commit(12, used("pay_5", at(6))).await, of("pay_3"));
    let filed = deletions_of(&test).await;
    assert_eq!(
        filed,
        ["pay_1", "pay_2", "pay_4", "pay_5"].map(|by| format!("mandate_of_{by}"))
    );
    assert_eq!(commit(13, learned("pay_6", at(9))).await, of("pay_6"));
}

/// A payment by token gives its consent without the other particulars, and outcomes arrive in any order.
async fn the_newest_consent_is_the_stored_one(test: TestStore) {
    test.know(&["ada"]).await;
    let consent = |accepted_at: &str| {
        Some(Box::new(Consent {
            kind: ConsentKind::Offline,
            accepted_at: Some(accepted_at.to_owned()),
            online: None,
            unread: UnreadMembers::default(),
        }))
    };
    let saying = |accepted_at: &str| {
        let mut method = account(Some("Ada Okafor"));
        method.particulars.consent = consent(accepted_at);
        method
    };
    let id = account(None).payment_method_id;
    let used = |by: &str, consented_at, accepted_at: &str| {
        vec![changing(SavedMethodChange::Used {
            merchant_id: shop(),
            payment_id: payment_id(by),
            customer_id: customer_id("ada"),
            payment_method_id: id.clone(),
            consented_at,
            consent: consent(accepted_at),
            agreed: Some(Box::default()),
        })]
    };
    let commit = async |second, changes| {
        let committed = test.commit_at(at(second), changes).await;
        committed.expect("a commit");
        let method = test.saved(&id).await.expect("a method");
        let stored = method.consent_to_debit();
        stored.and_then(|consent| consent.accepted_at)
    };
    let said = |text: &str| Some(text.to_owned());
    let inserted = vec![insert_account(saying("first"))];
    assert_eq!(commit(1, inserted).await, said("first"));
    let revoked = "update payment_methods set consent_ended_at = $1";
    let revoked = Write::new(revoked, values![at(2).as_micros()]);
    test.insert(revoked).await;
    assert_eq!(commit(3, used("pay_1", at(1), "late")).await, None);
    assert_eq!(
        commit(5, used("pay_2", at(4), "by token")).await,
        said("by token")
    );
    let older = used("pay_3", at(3), "between");
    assert_eq!(commit(6, older).await, said("by token"));
    let held = SavedMethodChange::Hold(Box::new(CardToSave {
        payment_id: payment_id("pay_4"),
        attempt: 1,
        is_agreed: true,
        method: saying("by number"),
        entry: None,
    }));
    assert_eq!(commit(7, vec![changing(held)]).await, said("by token"));
    let approved = vec![save_since(at(7), "pay_4", &saying("by number"))];
    assert_eq!(commit(8, approved).await, said("by number"));
    let saved = test.saved(&id).await.expect("a method");
    // A request that read the method before the payment's outcome doesn't overwrite its consent.
    let approved = used("pay_5", at(9), "by token again");
    assert_eq!(commit(10, approved).await, said("by token again"));
    let again = |read: SavedMethod| {
        let renewed = read.renewed(saying("to the merchant"));
        vec![changing(SavedMethodChange::Update(Box::new(renewed)))]
    };
    let stale = test.commit_at(at(11), again(saved)).await;
    assert_eq!(stale, Err(CommitError::Conflict));
    let saved = test.saved(&id).await.expect("a method");
    assert_eq!(commit(12, again(saved)).await, said("to the merchant"));
    let older = used("pay_6", at(8), "between");
    assert_eq!(commit(13, older).await, said("to the merchant"));
}
