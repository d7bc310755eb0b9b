//! Stored mandates: each change names the condition under which it holds.

use std::sync::Arc;

use multirail_app::customers::ports::mandates::Renewed;
use multirail_app::customers::ports::saved_methods::SavedMethodChange;
use multirail_app::customers::ports::{
    CustomerChange, CustomerStore, MandateChange, MandateSearch, MandateStore,
};
use multirail_app::platform::ports::failure::Gone;
use multirail_app::platform::ports::{Change, CommitError};
use multirail_domain::customers::mandate::{
    Mandate, MandateLimits, MandateStatus, MandateTerms, MandateView,
};
use multirail_kernel::ids::{CustomerId, MandateId, PaymentId, PaymentMethodId, ProfileId};
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::payment_method::PaymentMethod;
use multirail_test_postgres::TestPostgres;
use sqlx::{Connection, Executor, PgConnection};

use super::cards_to_save::{account, insert_account};
use super::news::{at, shop};
use super::saved_methods::{customer_id, method, until_it_waits};
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    a_single_use_is_used_once_and_given_back_by_who_used_it
    what_is_revoked_stays_so
    the_last_mandate_of_an_account_ends_its_consent
    a_mandate_is_found_by_what_it_charges_and_whose_it_is
}

pub(super) fn mandate(id: &str, single_use: bool) -> Mandate {
    let (method, _) = method("ada", 1, None);
    let limits = Some(Box::new(MandateLimits::default()));
    Mandate {
        merchant_id: shop(),
        mandate_id: MandateId::parse(id).expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        customer_id: method.customer_id,
        version: 0,
        status: MandateStatus::Active,
        terms: MandateTerms {
            single_use: limits.clone().filter(|_| single_use),
            multi_use: limits.filter(|_| !single_use),
            unread: UnreadMembers::default(),
        },
        payment_id: payment("pay_0"),
        payment_method_id: method.payment_method_id,
        payment_method: PaymentMethod::Card,
        payment_method_type: None,
        connector: Some("fauxpay".to_owned()),
        merchant_connector_id: None,
        created_at: at(1),
        modified_at: at(1),
    }
}

fn payment(id: &str) -> PaymentId {
    PaymentId::parse(id).expect("an id")
}

fn id() -> MandateId {
    mandate("man_1", true).mandate_id
}

fn charge(by: &str) -> Change {
    changing(MandateChange::Use {
        merchant_id: shop(),
        mandate_id: id(),
        payment_id: payment(by),
    })
}

fn give_back(by: &str) -> Change {
    changing(MandateChange::GiveBack {
        merchant_id: shop(),
        mandate_id: id(),
        payment_id: payment(by),
    })
}

impl TestStore {
    /// Stores Ada's saved method, and a mandate that charges it.
    async fn permit(&self, mandate: Mandate) {
        self.know(&["ada"]).await;
        let (method, entry) = method("ada", 1, Some("Ada Okafor"));
        let insert = SavedMethodChange::Insert {
            method: Box::new(method),
            room: 1_000,
            entry: Some(entry),
        };
        // Together, as an approval does it.
        let changes = vec![
            changing(insert),
            changing(MandateChange::Insert(mandate.into())),
        ];
        self.commit(changes).await.expect("a commit");
    }

    pub(super) async fn mandate_of(&self, id: &MandateId) -> MandateView {
        let found = self.store.mandate(&shop(), id).await;
        found.expect("a read").expect("a mandate")
    }

    async fn mandate_status(&self) -> MandateStatus {
        self.mandate_of(&id()).await.mandate.status
    }
}

async fn a_single_use_is_used_once_and_given_back_by_who_used_it(test: TestStore) {
    test.permit(mandate("man_1", true)).await;
    let kept = test.mandate_of(&id()).await;
    let stored = Mandate {
        version: 1,
        ..mandate("man_1", true)
    };
    assert_eq!(kept.mandate, stored);
    let card = kept.card.expect("a card");
    assert_eq!(card.holder.name.as_deref(), Some("Ada Okafor"));
    assert_eq!(kept.consent, None, "its payment isn't there");
    test.commit(vec![charge("pay_1")]).await.expect("a commit");
    assert_eq!(test.mandate_status().await, MandateStatus::Inactive);
    let second = test.commit(vec![charge("pay_2")]).await;
    assert_eq!(second, Err(CommitError::Conflict));
    // A payment can't give back a mandate that another one has used.
    test.commit(vec![give_back("pay_2")])
        .await
        .expect("a commit");
    assert_eq!(test.mandate_status().await, MandateStatus::Inactive);
    for _ in 0..2 {
        test.commit(vec![give_back("pay_1")])
            .await
            .expect("a commit");
        assert_eq!(test.mandate_status().await, MandateStatus::Active);
    }
    test.commit(vec![charge("pay_2")]).await.expect("a commit");
    test.commit(vec![give_back("pay_1")])
        .await
        .expect("a commit");
    assert_eq!(test.mandate_status().await, MandateStatus::Inactive);
}

async fn what_is_revoked_stays_so(test: TestStore) {
    test.permit(mandate("man_1", false)).await;
    for by in ["pay_1", "pay_2"] {
        test.commit(vec![charge(by)]).await.expect("a commit");
    }
    let before = test.mandate_of(&id()).await.mandate;
    assert_eq!(before.version, 1, "charges of such a one don't meet");
    let revoked = before.revoke(at(2)).expect("revoked");
    let revoke = || changing(MandateChange::Revoke(Box::new(revoked.clone())));
    test.commit(vec![revoke()]).await.expect("a commit");
    let again = test.commit(vec![revoke()]).await;
    assert_eq!(again, Err(CommitError::Conflict));
    let charged = test.commit(vec![charge("pay_3")]).await;
    assert_eq!(charged, Err(CommitError::Conflict));
    let renewed = |terms| {
        changing(MandateChange::Renew(Box::new(Renewed {
            merchant_id: shop(),
            mandate_id: id(),
            customer_id: revoked.customer_id.clone(),
            payment_id: payment("pay_4"),
            payment_method_id: PaymentMethodId::parse("pm_other").expect("an id"),
            terms,
        })))
    };
    let renewed = test.commit(vec![renewed(None)]).await;
    assert_eq!(renewed, Err(CommitError::Gone(Gone::Mandate)));
    let left = test.mandate_of(&id()).await.mandate;
    assert_eq!(left.status, MandateStatus::Revoked);
    assert_eq!(left.payment_id, before.payment_id);
}

/// A card keeps its consent: payments without the payer need no mandate.
async fn the_last_mandate_of_an_account_ends_its_consent(test: TestStore) {
    test.permit(mandate("man_1", false)).await;
    let card = mandate("man_1", false).payment_method_id;
    let account = account(Some("Ada Okafor"));
    let of_account = |id: &str| Mandate {
        payment_method_id: account.payment_method_id.clone(),
        payment_method: PaymentMethod::BankDebit,
        ..mandate(id, false)
    };
    let agree = |method: &PaymentMethodId| {
        changing(SavedMethodChange::Used {
            merchant_id: shop(),
            payment_id: payment("pay_0"),
            customer_id: customer_id("ada"),
            payment_method_id: method.clone(),
            consented_at: at(1),
            consent: None,
            agreed: Some(Box::default()),
        })
    };
    let insert = |mandate: Mandate| changing(MandateChange::Insert(mandate.into()));
    test.commit(vec![insert_account(account.clone())])
        .await
        .expect("a commit");
    let granted = vec![
        agree(&card),
        agree(&account.payment_method_id),
        insert(of_account("man_2")),
        insert(of_account("man_3")),
    ];
    test.commit(granted).await.expect("a commit");
    let is_agreed = async |method: &PaymentMethodId| {
        let method = test.saved(method).await.expect("a method");
        method.agreed_by.is_some()
    };
    for (id, stays) in [("man_1", true), ("man_2", true), ("man_3", false)] {
        let id = MandateId::parse(id).expect("an id");
        let before = test.mandate_of(&id).await.mandate;
        let revoked = before.revoke(at(2)).expect("revoked");
        let revoke = MandateChange::Revoke(Box::new(revoked));
        test.commit(vec![changing(revoke)]).await.expect("a commit");
        assert!(is_agreed(&card).await, "{id}");
        assert_eq!(is_agreed(&account.payment_method_id).await, stays, "{id}");
    }
}

async fn a_mandate_is_found_by_what_it_charges_and_whose_it_is(test: TestStore) {
    test.permit(mandate("man_1", true)).await;
    let later = Mandate {
        created_at: at(2),
        ..mandate("man_2", false)
    };
    test.commit(vec![changing(MandateChange::Insert(later.into()))])
        .await
        .expect("a commit");
    let ada = mandate("man_1", true).customer_id;
    let of_method = mandate("man_1", true).payment_method_id;
    let found = async |search: MandateSearch| {
        let search = MandateSearch {
            limit: 10,
            ..search
        };
        let found = test.store.search_mandates(&shop(), &search).await;
        let ids = found.expect("a read").into_iter();
        ids.map(|view| view.mandate.mandate_id.to_string())
            .collect::<Vec<String>>()
    };
    let of_customer = MandateSearch {
        customer_id: Some(ada.clone()),
        ..MandateSearch::default()
    };
    assert_eq!(found(of_customer.clone()).await, ["man_2", "man_1"]);
    let active = MandateSearch {
        payment_method_id: Some(of_method.clone()),
        status: Some(MandateStatus::Active),
        ..MandateSearch::default()
    };
    assert_eq!(found(active.clone()).await, ["man_2", "man_1"]);
    let has = async |customer: &CustomerId| {
        test.store
            .has_active_mandate(&shop(), customer, at(1))
            .await
    };
    assert!(has(&ada).await.expect("a read"));
    let grace = CustomerId::parse("grace").expect("an id");
    assert!(!has(&grace).await.expect("a read"));
    let revoke = MandateChange::RevokeOfMethod {
        merchant_id: shop(),
        payment_method_id: of_method,
    };
    test.commit(vec![changing(revoke)]).await.expect("a commit");
    assert!(found(active).await.is_empty());
    assert!(!has(&ada).await.expect("a read"));
    assert_eq!(found(of_customer).await.len(), 2);
    // A method that doesn't exist gets no mandate.
    let of_nothing = Mandate {
        payment_method_id: PaymentMethodId::parse("pm_gone").expect("an id"),
        ..mandate("man_3", true)
    };
    let made = vec![changing(MandateChange::Insert(of_nothing.into()))];
    let made = test.commit(made).await;
    assert_eq!(made, Err(CommitError::Gone(Gone::Mandate)));
    let id = MandateId::parse("man_3").expect("an id");
    assert_eq!(
        test.store.mandate(&shop(), &id).await.expect("a read"),
        None
    );
}

/// Opens a store with Ada's saved method, on the one engine that has several writers.
async fn of_ada(url: &str) -> Arc<TestStore> {
    let test = TestStore::open(url, None).await;
    test.know(&["ada"]).await;
    let (method, entry) = method("ada", 1, None);
    let insert = SavedMethodChange::Insert {
        method: Box::new(method),
        room: 1_000,
        entry: Some(entry),
    };
    test.commit(vec![changing(insert)]).await.expect("a commit");
    Arc::new(test)
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_permitted_to_charge_what_is_being_deleted() {
    let Ok(cluster) = TestPostgres::start_or_explain() else {
        return;
    };
    let url = cluster.create_database();
    let test = of_ada(&url).await;
    let mut somebody = PgConnection::connect(&url).await.expect("a connection");
    let mut deleting = somebody.begin().await.expect("a transaction");
    let delete = "delete from payment_methods where customer_id = 'ada'";
    deleting.execute(delete).await.expect("a row");
    let there = Arc::clone(&test);
    let permit: Change = changing(MandateChange::Insert(mandate("man_1", false).into()));
    let permitting = tokio::spawn(async move { there.commit(vec![permit]).await });
    until_it_waits(&url, &permitting).await;
    deleting.commit().await.expect("a commit");
    let permitted = permitting.await.expect("no panic");
    assert_eq!(permitted, Err(CommitError::Gone(Gone::Mandate)));
    let found = test.store.mandate(&shop(), &id()).await;
    assert_eq!(found.expect("a read"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_being_permitted_is_revoked_with_the_customer() {
    let Ok(cluster) = TestPostgres::start_or_explain() else {
        return;
    };
    let url = cluster.create_database();
    let test = of_ada(&url).await;
    let ada = mandate("man_1", false).customer_id;
    let ada = test.store.customer(&shop(), &ada).await;
    let ada = ada.expect("a read").expect("a customer");
    let mut somebody = PgConnection::connect(&url).await.expect("a connection");
    let mut permitting = somebody.begin().await.expect("a transaction");
    // The statements of a commit that grants a mandate.
    for permit in [
        "update payment_methods set version = version where customer_id = 'ada'",
        "insert into mandates (merchant_id, mandate_id, version, status, profile_id, customer_id, payment_id, \
         payment_method_id, payment_method, is_single_use, record, created_at, modified_at) select m.merchant_id, 'man_1', \
         1, 'active', 'pro_1', m.customer_id, 'pay_0', m.payment_method_id, 'card', false, '{\"multi_use\":{}}', 1, 1 \
         from payment_methods m",
    ] {
        permitting.execute(permit).await.expect("a row");
    }
    let there = Arc::clone(&test);
    let redact: Change = changing(CustomerChange::Redact(
        ada.redact(at(2)).expect("a redaction"),
    ));
    let redacting = tokio::spawn(async move { there.commit(vec![redact]).await });
    until_it_waits(&url, &redacting).await;
    permitting.commit().await.expect("a commit");
    redacting.await.expect("no panic").expect("a commit");
    assert_eq!(test.mandate_status().await, MandateStatus::Revoked);
}
