//! Commits a step: the object, other changes, events, and the state of the request's idempotency key.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use multirail_kernel::context::Context;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::refusal::Refusal;

use super::Driver;
use super::aggregate::{Aggregate, Due, StepParts};
use crate::customers::mandates::announce::announce;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::ForKey;
use crate::platform::ports::CommitError;
use crate::{AppError, Origin};

/// A stored step: the object, and the calls that are now due.
pub(crate) struct Stored<A: Aggregate> {
    pub object: A,
    pub calls: Vec<Due<A::Call>>,
    /// The object as the commit's event shows it, if the commit made an event.
    pub content: Option<String>,
}

/// The position of a commit within its request.
#[derive(Clone, Copy)]
pub(crate) struct Stage {
    /// True if the commit claims the request's idempotency key.
    pub is_first: bool,
    /// True if calls of earlier steps are still due, so that this is not the last commit.
    pub more_is_due: bool,
}

impl Stage {
    pub(crate) const FIRST: Stage = Stage {
        is_first: true,
        more_is_due: false,
    };
}

impl Driver {
    /// Commits a step of the object that it was decided on, or the step that creates the object.
    ///
    /// The function is not `async`, and does as much as possible before its future begins. An `async fn` would store its
    /// arguments in the future, and the future of every operation contains this one.
    pub(crate) fn commit_step<'a, A: Aggregate>(
        &'a self,
        services: &'a A::Services,
        origin: &'a Origin,
        before: Option<A>,
        step: A::Step,
        inputs: &mut A::Inputs,
        stage: Stage,
    ) -> impl Future<Output = Result<Stored<A>, CommitError>> + Send + use<'a, A> {
        let StepParts {
            after,
            mut changes,
            announcements,
            mandates,
            calls,
        } = A::split_step(services, before.as_ref(), step, inputs);
        let version = before
            .as_ref()
            .map_or(0, |before| before.identity().version);
        let is_changed = before.as_ref() != Some(&after);
        let before = before.filter(|_| is_changed).map(Arc::new);
        let after = Arc::new(after);
        async move {
            let mut events = Vec::new();
            let content = || after.content(services);
            let content = self
                .announcer
                .record(
                    after.identity(),
                    version + 1,
                    announcements,
                    content,
                    &mut events,
                )
                .await?;
            if !mandates.is_empty() {
                let event = EventType::MandateActive;
                // Boxed, because most payments set up no mandate.
                let (announcer, rendered) = (&self.announcer, &*self.mandates);
                let announced = announce(announcer, rendered, event, &mandates, &mut events);
                Box::pin(announced).await?;
            }
            let is_last = calls.is_empty() && !stage.more_is_due;
            if is_changed {
                changes.insert(0, A::change(services, before, Arc::clone(&after)));
            }
            let for_key = Self::for_key(services, origin, &*after, stage, is_last);
            let merchant_id = after.identity().merchant_id;
            let mut change_set = self
                .base
                .change_set(origin, Some(merchant_id), for_key, changes);
            change_set.events = events;
            if !change_set.is_empty()
                && let Err(error) = self.announcer.commit(change_set).await
            {
                self.note_uncommitted(origin, &error, &calls);
                return Err(error);
            }
            let mut object = Arc::unwrap_or_clone(after);
            object.set_version(version + i64::from(is_changed));
            Ok(Stored {
                object,
                calls,
                content,
            })
        }
    }

    /// Loads an object, decides on a command whose calls need no further data, and commits. If the object changed
    /// meanwhile, loads and decides again.
    pub(crate) async fn commit_decision<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &A::Id,
        decide: impl Fn(&A, &Context) -> Result<A::Step, Refusal>,
    ) -> Result<Stored<A>, AppError> {
        let mut decisions = Decisions::begin(A::OBJECT);
        loop {
            let before = A::load(services, merchant_id, id).await?;
            let step = decide(&before, &self.base.context())?;
            let mut none = A::Inputs::default();
            let committed = self.commit_step(
                services,
                origin,
                Some(before),
                step,
                &mut none,
                Stage::FIRST,
            );
            match committed.await {
                Ok(stored) => return Ok(stored),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Returns the change to the request's idempotency key: the first commit claims it, the last one stores the answer,
    /// and any other renews the lease.
    fn for_key<'a, A: Aggregate>(
        services: &A::Services,
        origin: &Origin,
        object: &'a A,
        stage: Stage,
        is_last: bool,
    ) -> ForKey<'a> {
        let Some(claim) = &origin.claim else {
            return ForKey::Nothing;
        };
        if is_last && !stage.is_first && object.is_refused(claim) {
            return ForKey::Refused;
        }
        let brings_answer = is_last && !claim.is_overtaken.load(Ordering::Acquire);
        let answer = || object.answer(services, |made| claim.answer(made));
        ForKey::Step {
            claimed_for: stage.is_first.then(|| object.identity().object_id),
            goes_on: !stage.is_first && !is_last,
            answer: brings_answer.then(answer).flatten(),
        }
    }
}
