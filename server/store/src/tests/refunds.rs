//! Refunds in a real database of either kind, written together with their payments.

use multirail_app::accounts::ports::MerchantChange;
use multirail_app::payments::ports::refunds::RefundSums;
use multirail_app::payments::ports::{PaymentStore, RefundChange, RefundStore};
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{CommitError, StoreFailure};
use multirail_domain::payments::payment::PaymentStatus;
use multirail_domain::payments::refund::{Refund, RefundStatus, RefundType};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_sdk::connector::Outcome;

use super::super::engine::{Read, Write, values};
use super::news::{at, shop};
use super::refund_story::{Refunding, Wish, changes, id, wish};
use super::story::{declined, done};
use crate::fixture::on_both_engines;
use crate::fixture::{Mirror, TestStore, changing};

on_both_engines! {
    a_refund_comes_back_as_it_was
    a_refund_and_its_payment_change_together_or_not_at_all
    an_id_is_taken_once
    an_update_of_something_old_is_a_conflict
    of_refunds_at_once_no_more_than_the_capture_is_stored
    the_database_refuses_more_than_the_limit
    a_refund_that_was_done_during_another_one_is_stored
    a_note_leaves_the_sums_as_they_are
    credentials_rest_sealed_while_the_refund_is_open
    a_merchant_with_a_refund_under_way_stays
    refunds_that_cant_be_read_are_left_out_of_lists
}

impl TestStore {
    /// Returns the database's totals: the sum of the refunds and its limit.
    async fn sums(&self) -> Option<(i64, i64)> {
        let sql = "select refunded_amount, refundable_limit from refund_sums";
        let row = self.engine.fetch_optional(Read::new(sql, Vec::new())).await;
        let int = |row: &super::super::engine::Row, column| row.int(column).expect("a number");
        let row = row.expect("a read")?;
        Some((int(&row, "refunded_amount"), int(&row, "refundable_limit")))
    }

    async fn refund_ids(&self, payment: &PaymentId) -> Vec<String> {
        let found = self.store.refunds_of(&shop(), payment).await;
        let refunds = found.expect("a list");
        refunds
            .iter()
            .map(|refund| refund.refund_id.to_string())
            .collect()
    }
}

async fn a_refund_comes_back_as_it_was(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let payment = story.payment(&test).await;
    let step = Refunding::decide(&payment, &wish("ref_1", 2000));
    let made = Refund {
        version: 1,
        ..step.refund.clone()
    };
    test.commit(changes(payment, None, step, None))
        .await
        .expect("a commit");
    assert_eq!(test.refund("ref_1").await, made);
    let payment = story.payment(&test).await;
    assert_eq!(
        (payment.refundable_amount(), payment.refunded_amount()),
        (4540, 0)
    );

    story.learns(&test, "ref_1", 101, done()).await;
    let refund = test.refund("ref_1").await;
    assert_eq!(
        (refund.status, refund.version),
        (RefundStatus::Succeeded, 2)
    );
    assert_eq!(refund.modified_at, at(101));
    assert_eq!(story.payment(&test).await.refunded_amount(), 2000);

    for (seconds, name) in [(99, "ref_3"), (100, "ref_2")] {
        let wish = Wish {
            seconds,
            ..wish(name, 100)
        };
        story.refund(&test, wish).await.expect("a commit");
    }
    let of_payment = test.refund_ids(&story.payment_id).await;
    assert_eq!(of_payment, ["ref_3", "ref_1", "ref_2"], "the oldest first");
    let other = MerchantId::parse("flower_shop").expect("an id");
    assert_eq!(test.store.refund(&other, &id("ref_1")).await, Ok(None));
    assert_eq!(
        test.store.refunds_of(&other, &story.payment_id).await,
        Ok(vec![])
    );
}

/// The payment was changed since it was read.
async fn a_refund_and_its_payment_change_together_or_not_at_all(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let old = story.payment(&test).await;
    story
        .refund(&test, wish("ref_1", 6000))
        .await
        .expect("a commit");
    let step = Refunding::decide(&old, &wish("ref_2", 6000));
    let answer = test.commit(changes(old, None, step, None)).await;
    assert_eq!(answer, Err(CommitError::Conflict));
    assert_eq!(test.refund_ids(&story.payment_id).await, ["ref_1"]);
    assert_eq!(story.payment(&test).await.refunds.len(), 1);
    assert_eq!(test.sums().await, Some((6000, 6540)));
}

/// A refund may collide with several rows of the first one: the caller gets the id as the reason.
async fn an_id_is_taken_once(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let with_credentials = || Wish {
        credentials: Some("mine"),
        ..wish("ref_1", 100)
    };
    story
        .refund(&test, with_credentials())
        .await
        .expect("a commit");
    // The domain knows the same payment's refunds, but not another payment's.
    let other = Refunding::on_another_payment(&test, "pay_2").await;
    for again in [wish("ref_1", 200), with_credentials()] {
        let answer = other.refund(&test, again).await;
        assert_eq!(answer, Err(CommitError::Duplicate(duplicate::REFUND)));
    }
    assert_eq!(test.refund("ref_1").await.amount(), 100);
    assert_eq!(story.payment(&test).await.refunds.len(), 1);
    assert_eq!(other.payment(&test).await.refunds.len(), 0);
    assert_eq!(test.sums().await, Some((100, 6540)));
}

async fn an_update_of_something_old_is_a_conflict(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    story
        .refund(&test, wish("ref_1", 100))
        .await
        .expect("a commit");
    let old = test.refund("ref_1").await;
    let update = |before: &Refund| {
        let after = Refund {
            reason: Some("returned".to_owned()),
            ..before.clone()
        };
        let sums = RefundSums {
            refunded: 100,
            limit: 6540,
        };
        let (before, after) = (before.clone().into(), after.into());
        vec![changing(RefundChange::Update {
            before,
            after,
            sums,
        })]
    };
    assert_eq!(test.commit(update(&old)).await, Ok(()));
    assert_eq!(test.commit(update(&old)).await, Err(CommitError::Conflict));
    let now = test.refund("ref_1").await;
    assert_eq!(now.version, 2);
    assert_eq!(test.commit(update(&now)).await, Ok(()));
}

/// A server that meets a conflict decides again, as long as there is room.
async fn of_refunds_at_once_no_more_than_the_capture_is_stored(test: TestStore) {
    const NAMES: [&str; 8] = [
        "ref_1", "ref_2", "ref_3", "ref_4", "ref_5", "ref_6", "ref_7", "ref_8",
    ];
    let story = Refunding::begin(&test, "pay_1").await;
    let ask = async |name: &'static str| {
        loop {
            let payment = story.payment(&test).await;
            if payment.refundable_amount() < 1500 {
                return 0;
            }
            let step = Refunding::decide(&payment, &wish(name, 1500));
            match test.commit(changes(payment, None, step, None)).await {
                Ok(()) => return 1,
                Err(CommitError::Conflict) => {}
                Err(other) => panic!("{name}: {other}"),
            }
        }
    };
    let made = futures::future::join_all(NAMES.map(ask)).await;
    assert_eq!(made.iter().sum::<i32>(), 4, "{made:?}");
    assert_eq!(test.refund_ids(&story.payment_id).await.len(), 4);
    assert_eq!(test.sums().await, Some((6000, 6540)));
}

async fn the_database_refuses_more_than_the_limit(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let payment = story.payment(&test).await;
    let insert = |name: &'static str, refunded: i64, limit: i64| {
        let step = Refunding::decide(&payment, &wish(name, 100));
        let sums = RefundSums { refunded, limit };
        vec![changing(RefundChange::Insert {
            refund: step.refund.into(),
            sums,
        })]
    };
    let refused = async |sums: (i64, i64), by: &str| {
        let answer = test.commit(insert("ref_1", sums.0, sums.1)).await;
        let Err(CommitError::Failed(StoreFailure::Broken(why))) = answer else {
            panic!("{sums:?}: {answer:?}");
        };
        assert!(why.contains(by), "{why}");
        assert_eq!(test.store.refund(&shop(), &id("ref_1")).await, Ok(None));
    };
    refused((6541, 6540), "refund_sums_within_limit").await;
    refused((-1, 6540), "refund_sums_not_negative").await;
    assert_eq!(test.sums().await, None);
    assert_eq!(test.commit(insert("ref_1", 6540, 6540)).await, Ok(()));
    let more = test.commit(insert("ref_2", 6541, 6540)).await;
    assert!(matches!(more, Err(CommitError::Failed(_))), "{more:?}");
    assert_eq!(test.sums().await, Some((6540, 6540)));
    let nothing = "update refunds set amount = 0 where refund_id = $1";
    let nothing = Write::new(nothing, values!["ref_1"]);
    let answer = test.engine.write(vec![nothing]).await;
    assert!(
        format!("{answer:?}").contains("refunds_amount_positive"),
        "{answer:?}"
    );
}

async fn a_refund_that_was_done_during_another_one_is_stored(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    story
        .refund(&test, wish("ref_1", 4000))
        .await
        .expect("a commit");
    let never = Outcome::turned_away("no trace");
    story.learns(&test, "ref_1", 101, never).await;
    assert_eq!(test.sums().await, Some((0, 6540)));
    story
        .refund(&test, wish("ref_2", 4000))
        .await
        .expect("a commit");
    story.learns(&test, "ref_2", 102, done()).await;
    story
        .learns(&test, "ref_1", 103, Outcome::Pending { reference: None })
        .await;
    assert_eq!(test.sums().await, Some((8000, 8000)));
    assert_eq!(test.refund("ref_1").await.status, RefundStatus::Review);
    story.learns(&test, "ref_1", 104, declined()).await;
    assert_eq!(test.sums().await, Some((4000, 6540)));
    let payment = story.payment(&test).await;
    assert_eq!(payment.status, PaymentStatus::Succeeded);
    assert_eq!(payment.refunded_amount(), 4000);
}

/// The payment has moved since the decision, and nothing in the note's change checks that.
async fn a_note_leaves_the_sums_as_they_are(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    story
        .refund(&test, wish("ref_1", 100))
        .await
        .expect("a commit");
    let old = story.payment(&test).await;
    story
        .refund(&test, wish("ref_2", 2000))
        .await
        .expect("a commit");
    story.note(&test, old, "ref_1").await;
    assert_eq!(
        test.refund("ref_1").await.reason.as_deref(),
        Some("returned")
    );
    assert_eq!(test.sums().await, Some((2100, 6540)));
}

async fn credentials_rest_sealed_while_the_refund_is_open(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let credentials = async |refund: &str| {
        let kept = test.store.refund_credentials(&shop(), &id(refund)).await;
        kept.expect("a read").map(|kept| kept.expose().to_owned())
    };
    for name in ["ref_1", "ref_2"] {
        let wish = Wish {
            credentials: Some("mine"),
            ..wish(name, 100)
        };
        story.refund(&test, wish).await.expect("a commit");
    }
    story
        .refund(&test, wish("ref_3", 100))
        .await
        .expect("a commit");
    assert_eq!(credentials("ref_1").await.as_deref(), Some("mine"));
    assert_eq!(credentials("ref_3").await, None);
    let sql = "select sealed from held_refund_credentials order by refund_id";
    let rows = test
        .engine
        .fetch(Read::new(sql, Vec::new()))
        .await
        .expect("rows");
    let places: Vec<String> = rows
        .iter()
        .map(|row| {
            let sealed = row.bytes("sealed").expect("bytes");
            assert!(!String::from_utf8_lossy(&sealed).contains("mine"));
            Mirror::place_of(&sealed)
        })
        .collect();
    let place_of = |refund| format!("held_refund_credentials:bookshop/{refund}");
    assert_eq!(places, ["ref_1", "ref_2"].map(place_of));

    story
        .learns(&test, "ref_1", 101, Outcome::Pending { reference: None })
        .await;
    assert_eq!(credentials("ref_1").await.as_deref(), Some("mine"));
    story.learns(&test, "ref_1", 102, done()).await;
    assert_eq!(credentials("ref_1").await, None);
    assert_eq!(credentials("ref_2").await.as_deref(), Some("mine"));
    // Another server has deleted them already.
    let delete = RefundChange::DeleteCredentials {
        merchant_id: shop(),
        refund_id: id("ref_1"),
    };
    assert_eq!(test.commit(vec![changing(delete)]).await, Ok(()));
}

async fn a_merchant_with_a_refund_under_way_stays(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let scheduled = Wish {
        refund_type: RefundType::Scheduled,
        ..wish("ref_1", 100)
    };
    story.refund(&test, scheduled).await.expect("a commit");
    story
        .refund(&test, wish("ref_2", 100))
        .await
        .expect("a commit");
    let open = async || {
        let found = test.store.payments_held_or_open(&shop(), None, 10).await;
        let payments = found.expect("a list");
        let ids: Vec<String> = payments
            .iter()
            .map(|one| one.payment_id.to_string())
            .collect();
        ids
    };
    let delete = async || {
        let delete = MerchantChange::Delete {
            merchant_id: shop(),
            version: 1,
        };
        test.commit(vec![changing(delete)]).await
    };
    assert_eq!(open().await, ["pay_1"]);
    assert_eq!(delete().await, Err(CommitError::Conflict));
    story.learns(&test, "ref_1", 101, done()).await;
    assert_eq!(open().await, ["pay_1"]);
    assert_eq!(delete().await, Err(CommitError::Conflict));
    story.learns(&test, "ref_2", 102, declined()).await;
    assert_eq!(open().await, [""; 0]);
    // It failed, was refunded in another way, and may be carried out after all: one is in review, one under way.
    story
        .refund(&test, wish("ref_3", 6000))
        .await
        .expect("a commit");
    let never = Outcome::turned_away("no trace");
    story.learns(&test, "ref_3", 103, never).await;
    story
        .refund(&test, wish("ref_4", 6000))
        .await
        .expect("a commit");
    story.learns(&test, "ref_4", 104, done()).await;
    assert_eq!(open().await, [""; 0]);
    let pending = Outcome::Pending { reference: None };
    story.learns(&test, "ref_3", 105, pending).await;
    assert_eq!(test.refund("ref_3").await.status, RefundStatus::Review);
    assert_eq!(open().await, ["pay_1"]);
    assert_eq!(delete().await, Err(CommitError::Conflict));
    story.learns(&test, "ref_3", 106, done()).await;
    assert_eq!(test.refund("ref_3").await.status, RefundStatus::Review);
    assert_eq!(open().await, [""; 0]);
    assert_eq!(delete().await, Ok(()));
}

async fn refunds_that_cant_be_read_are_left_out_of_lists(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    for name in ["ref_1", "ref_2", "ref_3"] {
        story
            .refund(&test, wish(name, 100))
            .await
            .expect("a commit");
    }
    for (refund, record) in [("ref_1", "{"), ("ref_3", "{\"status\":\"teleported\"}")] {
        let sql = "update refunds set record = $2 where refund_id = $1";
        test.insert(Write::new(sql, values![refund, record])).await;
    }
    assert_eq!(test.refund_ids(&story.payment_id).await, ["ref_2"]);
    let all = multirail_app::payments::ports::RefundSearch {
        limit: 10,
        ..Default::default()
    };
    let listed = test
        .store
        .search_refunds(&shop(), &all)
        .await
        .expect("a list");
    let listed: Vec<&str> = listed.iter().map(|one| one.refund_id.as_str()).collect();
    assert_eq!(listed, ["ref_2"]);
    let read = test.store.refund(&shop(), &id("ref_1")).await;
    assert!(matches!(read, Err(StoreFailure::Broken(_))), "{read:?}");
}
