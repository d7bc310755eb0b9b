//! Repeats over a fake store of keys and one kind of object.

use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use async_trait::async_trait;
use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::timestamp::Timestamp;

use super::*;
use crate::fixture::{Committed, base, operator};
use crate::platform::idempotency::Render;
use crate::platform::ports::ObjectClass;

const PARCEL: ObjectClass = ObjectClass::new("parcel");

/// The states of the key that the looks find, last one first.
struct Keys(Mutex<Vec<Option<StoredAnswer>>>);

#[async_trait]
impl IdempotencyStore for Keys {
    async fn idempotency_record(
        &self,
        _: &MerchantId,
        _: &str,
        _: &str,
    ) -> Result<Option<KeyRecord>, StoreFailure> {
        let found = self.0.lock().expect("no panic").pop().flatten();
        Ok(found.map(|answer| KeyRecord {
            fingerprint: Fingerprint::default(),
            object_id: "parcel_1".to_owned(),
            answer,
            lease_until: Timestamp::EPOCH,
        }))
    }

    async fn purge_old_keys(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        Ok(0)
    }
}

/// Asks the processor of a parcel how the first request ended, and counts the questions.
#[derive(Default)]
struct Parcels {
    asked: Mutex<u32>,
    /// True if nothing of the request has happened.
    is_left: bool,
}

#[async_trait]
impl Replay for Parcels {
    fn class(&self) -> ObjectClass {
        PARCEL
    }

    async fn replay(
        &self,
        worker: &Origin,
        claim: &Claim,
        record: &KeyRecord,
    ) -> Result<Option<Answer>, AppError> {
        assert!(worker.claim.is_none(), "what is stored now claims nothing");
        *self.asked.lock().expect("no panic") += 1;
        if self.is_left {
            claim.resume(record.object_id.clone(), record.lease_until);
            return Ok(None);
        }
        Ok(Some(Answer {
            text: SecretText::new("sent"),
            customer_id: None,
        }))
    }
}

fn claim(commits: Commits) -> Claim {
    Claim {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        operation: "parcels_send",
        key: "key_1".to_owned(),
        fingerprint: Fingerprint::default(),
        commits,
        render: Render::object(|_: &()| None),
        is_overtaken: AtomicBool::new(false),
        is_answered: AtomicBool::new(false),
        resumes: OnceLock::new(),
    }
}

const SEVERAL: Commits = Commits::Several {
    of: PARCEL,
    is_resumed: true,
};

/// A repeat, with the state of the key at each look.
struct Repeat {
    committed: Arc<Committed>,
    parcels: Arc<Parcels>,
    replays: Replays,
}

impl Repeat {
    fn new(mut looks: Vec<Option<StoredAnswer>>, parcels: Parcels) -> Self {
        looks.reverse();
        let (committed, parcels) = (Arc::new(Committed::default()), Arc::new(parcels));
        Repeat {
            replays: Replays {
                base: base(&committed),
                store: Arc::new(Keys(Mutex::new(looks))),
                objects: vec![parcels.clone()],
            },
            committed,
            parcels,
        }
    }

    async fn is_answered(&self, claim: &Claim) -> Result<Option<String>, AppError> {
        let answer = self.replays.replay(&operator(), claim).await?;
        Ok(answer.map(|text| text.expose().to_owned()))
    }

    fn asked(&self) -> u32 {
        *self.parcels.asked.lock().expect("no panic")
    }
}

fn given(text: &str) -> Option<StoredAnswer> {
    Some(StoredAnswer::Given(SecretText::new(text)))
}

#[tokio::test]
async fn a_repeat_whose_first_request_died_asks_and_stores_the_answer() {
    let looks = vec![Some(StoredAnswer::NotYet), given("sent")];
    let repeat = Repeat::new(looks, Parcels::default());
    let answer = repeat.is_answered(&claim(SEVERAL)).await.expect("answered");
    assert_eq!(answer.as_deref(), Some("sent"));
    assert_eq!(repeat.asked(), 1);
    let lines = repeat.committed.lines();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[1].starts_with("  key: StoreAnswer"), "{lines:?}");
}

#[tokio::test]
async fn of_two_repeats_the_first_answer_is_the_answer() {
    let looks = vec![Some(StoredAnswer::NotYet), given("sent before")];
    let repeat = Repeat::new(looks, Parcels::default());
    let answered = CommitError::Duplicate(duplicate::ANSWER);
    repeat.committed.refuse(answered);
    let answer = repeat.is_answered(&claim(SEVERAL)).await.expect("answered");
    assert_eq!(answer.as_deref(), Some("sent before"));
    assert_eq!(repeat.committed.lines(), [""; 0], "one answer is stored");
}

#[tokio::test]
async fn a_request_that_came_to_nothing_is_carried_out_by_its_repeat() {
    let looks = vec![Some(StoredAnswer::NotYet), Some(StoredAnswer::NotYet)];
    let parcels = Parcels {
        is_left: true,
        ..Parcels::default()
    };
    let repeat = Repeat::new(looks, parcels);
    let claim = claim(SEVERAL);
    let answer = repeat.is_answered(&claim).await.expect("no answer");
    assert_eq!(answer, None);
    // The look after the refusal still finds its own key.
    let checked = repeat.replays.check_not_repeated(&claim).await;
    assert!(checked.is_ok(), "{checked:?}");
}

#[tokio::test]
async fn what_is_stored_is_answered_without_a_question() {
    let first = Repeat::new(vec![None], Parcels::default());
    let answer = first.is_answered(&claim(SEVERAL)).await;
    assert_eq!(answer.expect("no answer"), None);
    let stored = Repeat::new(vec![given("sent")], Parcels::default());
    let answer = stored.is_answered(&claim(Commits::One)).await;
    assert_eq!(answer.expect("answered").as_deref(), Some("sent"));
    let redacted = Repeat::new(vec![Some(StoredAnswer::Redacted)], Parcels::default());
    let refused = redacted.is_answered(&claim(SEVERAL)).await;
    let refused = refused.expect_err("redacted");
    assert!(
        matches!(refused, AppError::Refused(Refusal::CustomerRedacted)),
        "{refused}"
    );
    for one in [first, stored, redacted] {
        assert_eq!(one.asked(), 0);
        assert_eq!(one.committed.lines(), [""; 0]);
    }
}
