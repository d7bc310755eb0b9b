//! Same request, same answer. The first commit of a request claims its key, the last one stores the answer beside the
//! change that it tells of; a repeat gets that answer, also from another server and after a crash.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use multirail_domain::connector_account::ConnectorAccount;
use multirail_domain::customer::Customer;
use multirail_domain::mandate::MandateView;
use multirail_domain::refund::Refund;
use multirail_domain::routing::RoutingRecord;
use multirail_domain::saved_method::SavedMethod;
use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::base::Base;
use super::disputes::DisputeView;
use super::lease::Leased;
use super::payments::PaymentView;
use super::profile_view::ProfileView;
use super::routing::{DefaultRouting, RoutingSplit};
use super::saved_methods::ShownMethod;
use super::{AppError, Origin};
use crate::ports::failure::duplicate;
use crate::ports::idempotency::{Answer, KeyClaim};
use crate::ports::{CommitError, IdempotencyChange, ObjectClass};

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
    pub(super) lease_until: Timestamp,
}

/// Turns what an operation made into the body of its answer; nothing where the operation answers another kind of object.
pub type Render = Arc<dyn Fn(Made<'_>) -> Option<SecretText> + Send + Sync>;

/// How many commits an operation takes: one, or several of one object. After several, a repeat may find the key without an
/// answer, and reads from the object how the first request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commits {
    One,
    Several {
        of: ObjectClass,
        /// A repeat is carried out where nothing has taken place of what the first request wanted.
        is_resumed: bool,
    },
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
    pub(super) fn answer_change(&self, claim: &Claim, answer: Answer) -> IdempotencyChange {
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
    /// [`Replays::given_meanwhile`](super::replays::Replays::given_meanwhile) reports.
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
    pub(super) fn check_answered(&self) {
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
