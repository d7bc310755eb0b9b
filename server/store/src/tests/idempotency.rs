//! Idempotency keys: one claim, one answer.

use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::idempotency::{Answer, KeyClaim, StoredAnswer};
use multirail_app::platform::ports::{
    ClockChange, ClockStore, CommitError, IdempotencyChange, IdempotencyStore,
};
use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use super::payers::{ada, begin, redact};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    the_first_answer_stays
    a_key_is_taken_over_once
    a_key_is_held_for_another_call
    an_answer_goes_with_whom_it_tells_of
}

const OPERATION: &str = "payments_confirm";

fn claim_until(lease_until: Timestamp) -> KeyClaim {
    KeyClaim {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        operation: OPERATION,
        key: "k".to_owned(),
        fingerprint: Fingerprint::default(),
        object_id: "pay_1".to_owned(),
        lease_until,
        created_at: Timestamp::EPOCH,
    }
}

async fn the_first_answer_stays(test: TestStore) {
    let claim = claim_until(Timestamp::EPOCH);
    let merchant_id = claim.merchant_id.clone();
    let claimed = vec![IdempotencyChange::Claim(claim)];
    assert_eq!(test.commit_for_key(Vec::new(), claimed).await, Ok(()));
    let answer = |text: &str| {
        vec![IdempotencyChange::StoreAnswer {
            merchant_id: merchant_id.clone(),
            operation: OPERATION,
            key: "k".to_owned(),
            answer: Answer {
                text: SecretText::new(text),
                customer_id: None,
            },
        }]
    };
    let first = test.commit_for_key(Vec::new(), answer("one")).await;
    assert_eq!(first, Ok(()));
    // The other change of the commit isn't stored: the caller gets the conflict and decides again.
    let moved = test.store.change(ClockChange::Advance { seconds: 60 });
    assert_eq!(
        test.commit_for_key(vec![moved], answer("another")).await,
        Err(CommitError::Duplicate(duplicate::ANSWER))
    );
    assert_eq!(test.store.clock_offset().await, Ok(0));
    let stored = test
        .store
        .idempotency_record(&merchant_id, OPERATION, "k")
        .await;
    let stored = stored.expect("a read").expect("a key");
    let given = StoredAnswer::Given(SecretText::new("one"));
    assert_eq!(stored.answer, given);
}

/// If two repeats find the same key without an answer, one carries its request out.
async fn a_key_is_taken_over_once(test: TestStore) {
    let left = claim_until(Timestamp::EPOCH);
    let claimed = vec![IdempotencyChange::Claim(left.clone())];
    assert_eq!(test.commit_for_key(Vec::new(), claimed).await, Ok(()));
    let take_over = async |left_at, lease_until| {
        let claim = claim_until(lease_until);
        let changes = vec![IdempotencyChange::TakeOver { claim, left_at }];
        test.commit_for_key(Vec::new(), changes).await
    };
    let (first, second) = (Timestamp::from_micros(1), Timestamp::from_micros(2));
    assert_eq!(take_over(left.lease_until, first).await, Ok(()));
    let too_late = Err(CommitError::Duplicate(duplicate::IDEMPOTENCY_KEY));
    assert_eq!(take_over(left.lease_until, second).await, too_late);
    // A repeat that reads the present lease may take over.
    assert_eq!(take_over(first, second).await, Ok(()));
}

/// A lease is only ever prolonged, and an answered key has none.
async fn a_key_is_held_for_another_call(test: TestStore) {
    let claim = claim_until(Timestamp::from_micros(5));
    let merchant_id = claim.merchant_id.clone();
    let claimed = vec![IdempotencyChange::Claim(claim)];
    assert_eq!(test.commit_for_key(Vec::new(), claimed).await, Ok(()));
    let mut leases = Vec::new();
    for until in [9, 7] {
        let renewal = IdempotencyChange::Renew {
            merchant_id: merchant_id.clone(),
            operation: OPERATION,
            key: "k".to_owned(),
            lease_until: Timestamp::from_micros(until),
        };
        let renewed = test.commit_for_key(Vec::new(), vec![renewal]).await;
        assert_eq!(renewed, Ok(()));
        let stored = test
            .store
            .idempotency_record(&merchant_id, OPERATION, "k")
            .await;
        let stored = stored.expect("a read").expect("a key");
        leases.push(stored.lease_until.as_micros());
    }
    assert_eq!(leases, [9, 9]);
}

/// Redacting a customer makes an earlier answer about them unreadable; a later answer is not stored.
async fn an_answer_goes_with_whom_it_tells_of(test: TestStore) {
    begin(&test).await;
    let claim = |key: &str| {
        IdempotencyChange::Claim(KeyClaim {
            key: key.to_owned(),
            ..claim_until(Timestamp::EPOCH)
        })
    };
    let answers = |key: &str, customer_id| IdempotencyChange::StoreAnswer {
        merchant_id: claim_until(Timestamp::EPOCH).merchant_id,
        operation: OPERATION,
        key: key.to_owned(),
        answer: Answer {
            text: SecretText::new(key),
            customer_id,
        },
    };
    let found = async |key: &str| {
        let merchant_id = claim_until(Timestamp::EPOCH).merchant_id;
        let found = test.store.idempotency_record(&merchant_id, OPERATION, key);
        found.await.expect("a read").expect("a key").answer
    };
    let given = |key: &str| StoredAnswer::Given(SecretText::new(key));
    for (key, customer_id) in [("hers", Some(ada())), ("nobodys", None)] {
        let whole = vec![claim(key), answers(key, customer_id)];
        let committed = test.commit_for_key(Vec::new(), whole).await;
        committed.expect("a commit");
        assert_eq!(found(key).await, given(key));
    }
    let claimed = test.commit_for_key(Vec::new(), vec![claim("late")]).await;
    claimed.expect("a commit");
    assert_eq!(found("late").await, StoredAnswer::NotYet);
    redact(&test).await;
    let late = answers("late", Some(ada()));
    let answered = test.commit_for_key(Vec::new(), vec![late]).await;
    answered.expect("a commit");
    for key in ["hers", "late"] {
        assert_eq!(found(key).await, StoredAnswer::Redacted, "{key}");
    }
    assert_eq!(found("nobodys").await, given("nobodys"));
}
