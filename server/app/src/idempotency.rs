//! Same request, same answer. The first commit of a request claims its key, the last one stores the answer beside the
//! change that it tells of; a repeat gets that answer, also from another server and after a crash.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use multirail_domain::connector_account::ConnectorAccount;
use multirail_domain::customer::Customer;
use multirail_domain::mandate::MandateView;
use multirail_domain::payment::Payment;
use multirail_domain::refund::Refund;
use multirail_domain::routing::RoutingRecord;
use multirail_domain::saved_method::SavedMethod;
use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::base::Base;
use super::disputes::{DisputeOfPayment, DisputeView};
use super::driver::Aggregate;
use super::lease::{Leased, is_held};
use super::payments::PaymentView;
use super::profile_view::ProfileView;
use super::refunds::RefundOfPayment;
use super::routing::{DefaultRouting, RoutingSplit};
use super::saved_methods::ShownMethod;
use super::{App, AppError, Origin};
use crate::ports::failure::duplicate;
use crate::ports::idempotency::{Answer, KeyClaim, KeyRecord, StoredAnswer};
use crate::ports::{ChangeSet, CommitError, IdempotencyChange, StoreFailure};

/// A request's claim on its idempotency key.
pub struct Claim {
    pub merchant_id: MerchantId,
    pub operation: &'static str,
    pub key: String,
    pub fingerprint: Fingerprint,
    /// How many commits the operation takes.
    pub commits: Commits,
    /// Writes the answer as it goes to the caller.
    pub render: Render,
    /// Whether a repeat that came after the lease was answered before this request was done.
    pub is_overtaken: AtomicBool,
    /// Whether a change-set of this request was made that brings the answer.
    pub is_answered: AtomicBool,
    /// What an earlier try of this request left of itself, where it came to nothing and is carried out once more.
    pub resumes: OnceLock<Resumed>,
}

/// What a request that came to nothing left under its key. The key stays claimed for it until its repeat takes it over:
/// whatever ends that repeat, the next one finds the same.
pub struct Resumed {
    /// What it had begun to change.
    pub object_id: String,
    /// Its lease, by which the key is known to be untouched since.
    lease_until: Timestamp,
}

/// Turns what an operation made into the body of its answer; nothing where the operation answers another kind of object.
pub type Render = Arc<dyn Fn(Made<'_>) -> Option<SecretText> + Send + Sync>;

/// How many commits an operation takes: one, or several of one object. After several, a repeat may find the key without an
/// answer, and reads from the object how the first request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commits {
    One,
    OfPayment {
        /// The request may begin to confirm the payment; its repeat then confirms it again.
        may_confirm: bool,
    },
    OfRefund,
    OfDispute,
    OfSubscription,
}

/// What an operation with an idempotency key made or changed.
pub enum Made<'a> {
    Payment(&'a PaymentView<'a>),
    Profile(&'a ProfileView),
    ConnectorAccount(&'a ConnectorAccount),
    Refund(&'a Refund),
    Dispute(&'a DisputeView),
    Customer(&'a Customer),
    SavedMethod(&'a ShownMethod),
    DefaultMethod(&'a SavedMethod),
    Mandate(&'a MandateView),
    Routing(&'a RoutingRecord),
    DefaultRouting(&'a DefaultRouting),
    RoutingSplit(&'a RoutingSplit),
    /// An object of a satellite, which knows its type, and the customer of whom it tells.
    OfSatellite(&'a (dyn Any + Send + Sync), Option<&'a CustomerId>),
}

/// What a commit brings for the idempotency key of its request. Every change-set says it.
pub enum ForKey<'a> {
    /// The operation takes no key, or no request is behind the commit.
    Nothing,
    /// It is the only commit of its request.
    Whole { object_id: &'a str, made: Made<'a> },
    /// It is one of several: the first one claims the key for its object, the last one brings the answer, and each between
    /// them holds the key for the call that it is followed by.
    Step {
        claimed_for: Option<&'a str>,
        goes_on: bool,
        answer: Option<Answer>,
    },
    /// It is the last of several, and its request is refused: a repeat is another request.
    Refused,
}

impl App {
    /// The stored answer of a request that was sent before. Nothing where it wasn't, or has to be carried out once
    /// more.
    ///
    /// # Errors
    /// [`Refusal::KeyReused`] when the key came with another request, [`Refusal::KeyInUse`] while the first one is being
    /// worked on, [`Refusal::CustomerRedacted`] where the answer told of a customer who was redacted since.
    pub async fn replay(
        &self,
        origin: &Origin,
        claim: &Claim,
    ) -> Result<Option<SecretText>, AppError> {
        let Some(record) = self.record(claim).await? else {
            return Ok(None);
        };
        same_request(&record, claim)?;
        match record.answer {
            StoredAnswer::NotYet => {}
            StoredAnswer::Given(answer) => return Ok(Some(answer)),
            StoredAnswer::Redacted => return Err(Refusal::CustomerRedacted.into()),
        }
        // Boxed, because repeats are rare, and every request would carry the room that they take.
        match claim.commits {
            Commits::OfPayment { may_confirm: _ } => {
                Box::pin(self.replay_of::<Payment>(self, origin, claim, &record)).await
            }
            Commits::OfRefund => {
                Box::pin(self.replay_of::<RefundOfPayment>(&self.refunds, origin, claim, &record))
                    .await
            }
            Commits::OfDispute => {
                Box::pin(self.replay_of::<DisputeOfPayment>(&self.disputes, origin, claim, &record))
                    .await
            }
            Commits::OfSubscription => {
                let replays = self.satellite_replays.get();
                let replays = replays
                    .ok_or_else(|| AppError::Broken("no satellite is plugged in".to_owned()))?;
                let worker = origin.without_claim();
                match replays.replay(&worker, claim, &record).await? {
                    Some(answer) => self.store_answer(&worker, claim, answer).await.map(Some),
                    None => Ok(None),
                }
            }
            Commits::One => Err(AppError::Broken(format!(
                "{} takes one commit and left its idempotency key without an answer",
                claim.operation
            ))),
        }
    }

    /// The answer of a request that changed this kind of object and has no stored answer. Only operations that take
    /// several commits come here: the others store answer and claim at once.
    async fn replay_of<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        claim: &Claim,
        record: &KeyRecord,
    ) -> Result<Option<SecretText>, AppError> {
        let id = A::parse_id(&record.object_id)
            .ok_or_else(|| AppError::Broken("an idempotency key points nowhere".to_owned()))?;
        let lease_until = record.lease_until;
        let settled = self
            .driver
            .settle_uncalled::<A>(services, origin, claim, &id, lease_until);
        let has_ended = settled.await?;
        if !has_ended && is_held(lease_until, self.clock.wall()) {
            return Err(Refusal::KeyInUse.into());
        }
        self.answer_from_state::<A>(services, origin, claim, &id, lease_until)
            .await
    }

    /// The answer that a repeat was given while this request was carried out: it is this request's answer too. Also
    /// checks that a request that went well has answered its key.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn given_meanwhile(&self, claim: &Claim) -> Result<Option<SecretText>, AppError> {
        claim.check_answered();
        if !claim.is_overtaken.load(Ordering::Acquire) {
            return Ok(None);
        }
        let record = self.record(claim).await?;
        Ok(record.and_then(|record| record.answer.given()))
    }

    /// Checks a request that was refused: it may be a repeat that came too early to find its key claimed, and that is
    /// refused for what the first request has just done.
    ///
    /// # Errors
    /// Where the key is claimed by now as [`App::replay`]; a store that fails.
    pub async fn check_not_repeated(&self, claim: &Claim) -> Result<(), AppError> {
        let Some(record) = self.record(claim).await? else {
            return Ok(());
        };
        same_request(&record, claim)?;
        let is_left = |resumed: &Resumed| resumed.lease_until == record.lease_until;
        let is_open = record.answer == StoredAnswer::NotYet;
        if is_open && claim.resumes.get().is_some_and(is_left) {
            return Ok(());
        }
        Err(Refusal::KeyInUse.into())
    }

    async fn record(&self, claim: &Claim) -> Result<Option<KeyRecord>, StoreFailure> {
        self.store
            .idempotency_record(&claim.merchant_id, claim.operation, &claim.key)
            .await
    }

    /// The first request died before its answer was stored: finds out how it ended and stores that. Where nothing of what it
    /// wanted has taken place and the repeat can do it, that one goes on.
    async fn answer_from_state<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        claim: &Claim,
        id: &A::Id,
        lease_until: Timestamp,
    ) -> Result<Option<SecretText>, AppError> {
        let worker = origin.without_claim();
        let object = match self
            .driver
            .sync::<A>(services, &worker, &claim.merchant_id, id)
            .await
        {
            Ok(object) => object,
            Err(error @ (AppError::Unavailable(_) | AppError::Standstill(..))) => {
                return Err(error);
            }
            // Who can't be asked, because the connector isn't built any more or whatever else broke, must not keep the
            // caller from what is known.
            Err(error) => {
                let object = A::load(services, &claim.merchant_id, id).await?;
                let object_id = object.identity().object_id;
                tracing::warn!(object_id, %error, "a repeat is answered without asking the processor");
                object
            }
        };
        if object.is_left_to_repeat(claim) {
            let object_id = object.identity().object_id.to_owned();
            claim.resume(object_id, lease_until);
            return Ok(None);
        }
        let answer = object.answer(services, |made| claim.answer_or_broken(made))?;
        self.store_answer(&worker, claim, answer).await.map(Some)
    }

    /// Stores what a request is answered that died before it could. Answers what the key has now: of two that got here together
    /// the first one's answer is the answer.
    pub(super) async fn store_answer(
        &self,
        worker: &Origin,
        claim: &Claim,
        answer: Answer,
    ) -> Result<SecretText, AppError> {
        let merchant_id = Some(&claim.merchant_id);
        let change_set = ChangeSet {
            idempotency: vec![self.answer_change(claim, answer.clone())],
            ..self.change_set(worker, merchant_id, ForKey::Nothing, Vec::new())
        };
        match self.store.commit(change_set).await {
            Ok(()) | Err(CommitError::Duplicate(duplicate::ANSWER)) => {}
            Err(error) => return Err(AppError::of_commit(error)),
        }
        let stored = self.record(claim).await?;
        let stored = stored.and_then(|record| record.answer.given());
        Ok(stored.unwrap_or(answer.text))
    }
}

impl Base {
    /// Whether a commit failed only because its key has an answer already; the next commit of the request then brings
    /// none.
    pub fn is_overtaken(&self, origin: &Origin, error: &CommitError) -> bool {
        let is_answered = *error == CommitError::Duplicate(duplicate::ANSWER);
        if let (true, Some(claim)) = (is_answered, &origin.claim) {
            claim.is_overtaken.store(true, Ordering::Release);
        }
        is_answered
    }

    /// What the first commit of a request adds for its key.
    fn claim_change(&self, claim: &Claim, object_id: &str) -> IdempotencyChange {
        let claimed = KeyClaim {
            merchant_id: claim.merchant_id.clone(),
            operation: claim.operation,
            key: claim.key.clone(),
            fingerprint: claim.fingerprint.clone(),
            object_id: object_id.to_owned(),
            lease_until: self.key_lease(),
            created_at: self.now(),
        };
        match claim.resumes.get() {
            None => IdempotencyChange::Claim(claimed),
            Some(resumed) => IdempotencyChange::TakeOver {
                claim: claimed,
                left_at: resumed.lease_until,
            },
        }
    }

    /// What a commit adds for its key that is neither the first of its request nor the last.
    fn renewal(&self, claim: &Claim) -> IdempotencyChange {
        IdempotencyChange::Renew {
            merchant_id: claim.merchant_id.clone(),
            operation: claim.operation,
            key: claim.key.clone(),
            lease_until: self.key_lease(),
        }
    }

    fn key_lease(&self) -> Timestamp {
        let wall = self.clock.wall();
        self.leases.until(Leased::IdempotencyKey, wall)
    }

    /// What the last commit of a request adds for its key.
    fn answer_change(&self, claim: &Claim, answer: Answer) -> IdempotencyChange {
        IdempotencyChange::StoreAnswer {
            merchant_id: claim.merchant_id.clone(),
            operation: claim.operation,
            key: claim.key.clone(),
            answer,
        }
    }

    /// Returns what a commit changes of the key of its request: the one place where it gets into a change-set.
    pub(crate) fn key_changes(&self, claim: &Claim, for_key: ForKey<'_>) -> Vec<IdempotencyChange> {
        let mut changes = Vec::new();
        let (object_id, answer) = match for_key {
            ForKey::Nothing => (None, None),
            ForKey::Whole { object_id, made } => (Some(object_id), claim.answer(made)),
            ForKey::Step {
                claimed_for,
                goes_on,
                answer,
            } => {
                if goes_on {
                    changes.push(self.renewal(claim));
                }
                (claimed_for, answer)
            }
            ForKey::Refused => {
                changes.push(abandon(claim));
                (None, None)
            }
        };
        changes.extend(object_id.map(|object_id| self.claim_change(claim, object_id)));
        if let Some(answer) = answer {
            claim.is_answered.store(true, Ordering::Release);
            changes.push(self.answer_change(claim, answer));
        }
        changes
    }
}

fn abandon(claim: &Claim) -> IdempotencyChange {
    IdempotencyChange::Abandon {
        merchant_id: claim.merchant_id.clone(),
        operation: claim.operation,
        key: claim.key.clone(),
    }
}

impl Made<'_> {
    /// Whom it tells of.
    fn customer_id(&self) -> Option<&CustomerId> {
        match self {
            Made::Payment(view) => view.payment.terms.customer_id.as_ref(),
            Made::Dispute(view) => view.dispute.customer_id.as_ref(),
            Made::Customer(customer) => Some(&customer.customer_id),
            Made::SavedMethod(shown) => Some(&shown.method.customer_id),
            Made::DefaultMethod(method) => Some(&method.customer_id),
            Made::Mandate(view) => Some(&view.mandate.customer_id),
            Made::OfSatellite(_, customer_id) => *customer_id,
            Made::Refund(_)
            | Made::Profile(_)
            | Made::ConnectorAccount(_)
            | Made::Routing(_)
            | Made::DefaultRouting(_)
            | Made::RoutingSplit(_) => None,
        }
    }
}

impl Claim {
    /// Returns the answer of what was made, as it goes to the caller. Without one the request leaves its key unanswered, which
    /// [`App::given_meanwhile`] reports.
    pub fn answer(&self, made: Made<'_>) -> Option<Answer> {
        let customer_id = made.customer_id().cloned();
        let text = (self.render)(made)?;
        Some(Answer { customer_id, text })
    }

    /// As [`answer`](Self::answer), for a repeat.
    ///
    /// # Errors
    /// [`AppError::Broken`] where the operation answers another kind of object.
    pub fn answer_or_broken(&self, made: Made<'_>) -> Result<Answer, AppError> {
        let answer = self.answer(made);
        answer.ok_or_else(|| {
            let operation = self.operation;
            AppError::Broken(format!("{operation} doesn't answer what it made"))
        })
    }

    /// Has its request carried out once more, over what it left.
    pub fn resume(&self, object_id: String, lease_until: Timestamp) {
        // A request is replayed once, so nothing is there yet.
        self.resumes.get_or_init(|| Resumed {
            object_id,
            lease_until,
        });
    }

    /// Reports an operation that went well and left its key without an answer: a repeat would be carried out again.
    fn check_answered(&self) {
        let is_answered = self.is_answered.load(Ordering::Acquire);
        debug_assert!(is_answered, "{} answers no idempotency key", self.operation);
        if !is_answered {
            tracing::error!(
                self.operation,
                "an idempotency key was left without an answer"
            );
        }
    }
}

/// Refuses a key that came with another request before, naming where the two differ.
fn same_request(record: &KeyRecord, claim: &Claim) -> Result<(), Refusal> {
    match record.fingerprint.difference(&claim.fingerprint) {
        None => Ok(()),
        Some(member) => Err(Refusal::KeyReused {
            member: member.to_owned(),
        }),
    }
}
