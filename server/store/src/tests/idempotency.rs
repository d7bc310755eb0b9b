//! Idempotency keys: one claim, one answer.

use multirail_app::ports::failure::duplicate;
use multirail_app::ports::idempotency::KeyClaim;
use multirail_app::ports::{
    ClockChange, ClockStore, CommitError, IdempotencyChange, IdempotencyStore,
};
use multirail_domain::idempotency::Fingerprint;
use multirail_domain::ids::MerchantId;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;

use super::on_both_engines;
use super::test_store::TestStore;

on_both_engines! {
    the_first_answer_stays
}

const OPERATION: &str = "payments_confirm";

async fn the_first_answer_stays(test: TestStore) {
    let merchant_id = MerchantId::parse("bookshop").expect("an id");
    let claim = KeyClaim {
        merchant_id: merchant_id.clone(),
        operation: OPERATION,
        key: "k".to_owned(),
        fingerprint: Fingerprint::default(),
        object_id: "pay_1".to_owned(),
        lease_until: Timestamp::EPOCH,
        created_at: Timestamp::EPOCH,
    };
    assert_eq!(
        test.commit(vec![IdempotencyChange::Claim(claim).into()])
            .await,
        Ok(())
    );
    let answer = |text: &str| {
        IdempotencyChange::StoreAnswer {
            merchant_id: merchant_id.clone(),
            operation: OPERATION,
            key: "k".to_owned(),
            answer: SecretText::new(text),
        }
        .into()
    };
    assert_eq!(test.commit(vec![answer("one")]).await, Ok(()));
    // What would have been stored beside it isn't: who is told decides again.
    let moved = ClockChange::Advance { seconds: 60 }.into();
    assert_eq!(
        test.commit(vec![moved, answer("another")]).await,
        Err(CommitError::Duplicate(duplicate::ANSWER))
    );
    assert_eq!(test.store.clock_offset().await, Ok(0));
    let stored = test
        .store
        .idempotency_record(&merchant_id, OPERATION, "k")
        .await;
    let stored = stored.expect("a read").expect("a key");
    assert_eq!(stored.answer, Some(SecretText::new("one")));
}
