//! Makes the calls of a stored step, and records their results.

use std::collections::VecDeque;

use multirail_sdk::connector::Fact;

use super::Driver;
use super::aggregate::{Aggregate, Due, ProcessorCall};
use super::commit::{Stage, Stored};
use crate::platform::ports::CommitError;
use crate::{AppError, Origin};

/// An object after its calls.
pub(crate) struct CarriedOut<A> {
    pub object: A,
    /// The object as the event of the last commit shows it, if that commit made an event.
    pub content: Option<String>,
}

impl Driver {
    /// Makes the calls and records their results, until no call is due. A call that can't be made doesn't stop the
    /// others: the first such error is returned at the end.
    pub(crate) async fn carry_out<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        stored: Stored<A>,
        inputs: A::Inputs,
    ) -> Result<CarriedOut<A>, AppError> {
        if stored.calls.is_empty() {
            let Stored {
                object, content, ..
            } = stored;
            return Ok(CarriedOut { object, content });
        }
        // Boxed, so that the callers' futures need no room for calls, which most steps don't have.
        Box::pin(self.make_calls(services, origin, stored, inputs)).await
    }

    async fn make_calls<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        stored: Stored<A>,
        mut inputs: A::Inputs,
    ) -> Result<CarriedOut<A>, AppError> {
        let Stored {
            mut object,
            calls,
            mut content,
        } = stored;
        let mut due = VecDeque::from(calls);
        let mut failed = None;
        while let Some(call) = due.pop_front() {
            let key_to_do = call.key_to_do();
            let fact = match Self::make(services, &object, call, &mut inputs).await {
                Ok(Some(fact)) => fact,
                Ok(None) => continue,
                Err(error) => {
                    // An error means that the call was not made.
                    self.note_uncalled(origin, key_to_do.into_iter().collect());
                    failed.get_or_insert(error);
                    continue;
                }
            };
            let more_is_due = !due.is_empty();
            let answered = key_to_do.is_some().then_some(&inputs);
            let recorded = self.record_fact(services, origin, object, fact, more_is_due, answered);
            let next = recorded.await?;
            (object, content) = (next.object, next.content);
            due.extend(next.calls);
        }
        match failed {
            None => Ok(CarriedOut { object, content }),
            Some(error) => Err(error),
        }
    }

    /// Makes one call; returns the resulting fact, if any.
    async fn make<A: Aggregate>(
        services: &A::Services,
        object: &A,
        due: Due<A::Call>,
        inputs: &mut A::Inputs,
    ) -> Result<Option<Fact>, AppError> {
        let (call, outcome) = match due {
            Due::Do(call) => {
                let outcome = object.perform(services, &call, inputs).await?;
                (call, Some(outcome))
            }
            Due::Ask(call) => {
                let outcome = object.look_up(services, &call, inputs).await?;
                let operation = object.operation(call.key()).ok_or_else(|| {
                    AppError::Broken("an operation was asked about that is gone".to_owned())
                })?;
                let outcome = operation.answered(outcome);
                (call, outcome)
            }
        };
        let about = call.key().clone();
        Ok(outcome.map(|outcome| Fact { about, outcome }))
    }

    /// Records a fact, and repeats that until it is stored: no one can refuse what a processor did. `answered` holds
    /// the inputs of the request whose call the fact answers.
    pub(crate) async fn record_fact<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        object: A,
        mut fact: Fact,
        more_is_due: bool,
        answered: Option<&A::Inputs>,
    ) -> Result<Stored<A>, AppError> {
        let stage = Stage {
            is_first: false,
            more_is_due,
        };
        let (merchant_id, id) = (object.identity().merchant_id.clone(), object.id().clone());
        let mut before = object;
        before.complete_fact(services, &mut fact).await;
        let mut gone = None;
        loop {
            let fact = fact.clone();
            let (step, mut brought) = match answered {
                Some(inputs) => {
                    let context = self.base.context();
                    let decided = before.decide_on_answer(services, fact, inputs, &context);
                    decided.await?
                }
                // The request's first commit stored its inputs.
                None => (
                    before.decide_on(fact, &self.base.context())?,
                    A::Inputs::default(),
                ),
            };
            let step = match gone {
                Some(what) => A::without(step, what),
                None => step,
            };
            before.count_by(services, &mut brought).await;
            match self
                .commit_step(services, origin, Some(before), step, &mut brought, stage)
                .await
            {
                Ok(stored) => return Ok(stored),
                // Only once: a step that still needs it fails.
                Err(CommitError::Gone(what)) if gone.is_none() => {
                    gone = Some(what);
                    before = A::load(services, &merchant_id, &id).await?;
                }
                Err(error)
                    if error == CommitError::Conflict || self.base.is_overtaken(origin, &error) =>
                {
                    before = A::load(services, &merchant_id, &id).await?;
                }
                Err(error) => return Err(AppError::of_commit(error)),
            }
        }
    }
}
