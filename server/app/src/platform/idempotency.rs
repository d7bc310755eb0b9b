//! Same request, same answer.
//!
//! The first commit of a request claims its key. The last one stores the answer together with the change. A repeat gets
//! that answer, even from another server and after a crash.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::base::Base;
use super::lease::Leased;
use crate::platform::ports::failure::duplicate;
use crate::platform::ports::idempotency::{Answer, KeyClaim};
use crate::platform::ports::{CommitError, IdempotencyChange, ObjectClass};
use crate::{AppError, Origin};

/// A request's claim on its idempotency key.
pub struct Claim {
    pub merchant_id: MerchantId,
    pub operation: &'static str,
    pub key: String,
    pub fingerprint: Fingerprint,
    /// The number of commits of the operation.
    pub commits: Commits,
    /// Writes the answer as it goes to the caller.
    pub render: Render,
    /// True if a repeat that came after the lease got an answer before this request was done.
    pub is_overtaken: AtomicBool,
    /// True if this request has made the change-set with its answer.
    pub is_answered: AtomicBool,
    /// The remains of an earlier try that had no effect, where this request carries it out again.
    pub resumes: OnceLock<Resumed>,
}

/// The remains of a request that had no effect. Its key stays claimed until a repeat takes over. If that repeat dies,
/// the next one finds the same state.
pub struct Resumed {
    /// The object that it had begun to change.
    pub object_id: String,
    /// The lease of the key. An equal lease shows that nobody has touched the key since.
    pub(crate) lease_until: Timestamp,
}

type WriteObject = dyn Fn(&dyn Any) -> Option<SecretText> + Send + Sync;

/// The way to write the body of an operation's answer from its result. The program makes one for each operation, and knows the
/// type of the result.
#[derive(Clone)]
pub enum Render {
    /// Writes an object with a type of its own.
    Object(Arc<WriteObject>),
    /// Writes a view that borrows from its object. The view's subject defines the writer.
    View(Arc<dyn Any + Send + Sync>),
}

impl Render {
    /// Returns a writer for objects of this type, and no others.
    pub fn object<T: Any>(
        write: impl Fn(&T) -> Option<SecretText> + Send + Sync + 'static,
    ) -> Self {
        Render::Object(Arc::new(move |made: &dyn Any| {
            made.downcast_ref().and_then(&write)
        }))
    }

    /// Returns a writer for views that know its type, and no others.
    pub fn by<W: Any + Send + Sync>(writer: W) -> Self {
        Render::View(Arc::new(writer))
    }

    fn write(&self, made: Made<'_>) -> Option<SecretText> {
        match (self, made.object) {
            (Render::Object(write), MadeObject::Object(object)) => write(object),
            (Render::View(writer), MadeObject::View(view)) => view.written(&**writer),
            (Render::Object(_), MadeObject::View(_)) | (Render::View(_), MadeObject::Object(_)) => {
                None
            }
        }
    }
}

/// A view that borrows from its object, so that no answer needs a copy.
pub trait View: Sync {
    /// Lets the writer of its type write the view; returns `None` where the operation answers another kind of object.
    fn written(&self, writer: &(dyn Any + Send + Sync)) -> Option<SecretText>;
}

/// The number of commits of an operation: one, or several of one object. After several, a repeat may find a key without
/// an answer. It then reads from the object how the first request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commits {
    One,
    Several {
        of: ObjectClass,
        /// True if a repeat carries the request out where nothing of it has happened.
        is_resumed: bool,
    },
}

/// An object that an operation with an idempotency key made or changed.
#[derive(Clone, Copy)]
pub struct Made<'a> {
    object: MadeObject<'a>,
    /// The customer whose data the object contains.
    customer_id: Option<&'a CustomerId>,
}

#[derive(Clone, Copy)]
enum MadeObject<'a> {
    Object(&'a (dyn Any + Send + Sync)),
    View(&'a dyn View),
}

impl<'a> Made<'a> {
    /// Returns an object with the customer whose data it contains.
    pub fn object(
        object: &'a (impl Any + Send + Sync),
        customer_id: Option<&'a CustomerId>,
    ) -> Self {
        Made {
            object: MadeObject::Object(object),
            customer_id,
        }
    }

    /// Returns a view with the customer whose data it contains.
    pub fn view(view: &'a dyn View, customer_id: Option<&'a CustomerId>) -> Self {
        Made {
            object: MadeObject::View(view),
            customer_id,
        }
    }
}

/// The change of a commit to its request's idempotency key. Every change-set has one.
pub enum ForKey<'a> {
    /// The operation takes no key, or no request is behind the commit.
    Nothing,
    /// The only commit of its request.
    Whole { object_id: &'a str, made: Made<'a> },
    /// One of several commits. The first one claims the key for its object, the last one stores the answer, and the
    /// others hold the key for the next call.
    Step {
        claimed_for: Option<&'a str>,
        goes_on: bool,
        answer: Option<Answer>,
    },
    /// The last of several commits, for a refused request: a repeat counts as a new request.
    Refused,
}

impl Base {
    /// Returns whether a commit failed only because its key has an answer already. The next commit of the request then
    /// stores none.
    pub fn is_overtaken(&self, origin: &Origin, error: &CommitError) -> bool {
        let is_answered = *error == CommitError::Duplicate(duplicate::ANSWER);
        if let (true, Some(claim)) = (is_answered, &origin.claim) {
            claim.is_overtaken.store(true, Ordering::Release);
        }
        is_answered
    }

    /// Returns the change of the first commit of a request to its key.
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

    /// Returns the change of a commit to its key that is neither the first of its request nor the last.
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

    /// Returns the change of the last commit of a request to its key.
    pub(crate) fn answer_change(&self, claim: &Claim, answer: Answer) -> IdempotencyChange {
        IdempotencyChange::StoreAnswer {
            merchant_id: claim.merchant_id.clone(),
            operation: claim.operation,
            key: claim.key.clone(),
            answer,
        }
    }

    /// Returns the changes that a commit makes to the idempotency key of its request. All change-sets get them here.
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

impl Claim {
    /// Returns the answer for an operation's result, as the caller gets it. Without one the key stays unanswered, which
    /// [`Replays::given_meanwhile`](super::replays::Replays::given_meanwhile) reports.
    pub fn answer(&self, made: Made<'_>) -> Option<Answer> {
        let customer_id = made.customer_id.cloned();
        let text = self.render.write(made)?;
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

    /// Makes the request continue from the remains of its earlier try.
    pub fn resume(&self, object_id: String, lease_until: Timestamp) {
        // A request is replayed once, so nothing is set yet.
        self.resumes.get_or_init(|| Resumed {
            object_id,
            lease_until,
        });
    }

    /// Reports a successful operation without a stored answer: a repeat would carry it out again.
    pub(crate) fn check_answered(&self) {
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
