//! Questions to the processor about operations without a final answer, and requests that are due: scheduled captures, checks of
//! expiring authorizations, and repeats of failed operations.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::OperationKind;

use crate::operations::question::{Question, Why, pause_after};
use crate::payments::payment::{Attempt, Context, Effect, Operation, Payment, ProcessorCall, Step};

impl Payment {
    /// Returns whether an operation of it is open at the processor, so that the server has to ask.
    pub fn is_open_at_processor(&self) -> bool {
        self.unresolved().next().is_some()
    }

    /// Returns the open operations: those without a final answer, and failed ones that have to be repeated.
    pub fn unresolved(&self) -> impl Iterator<Item = (&Attempt, OperationKind, &Operation)> {
        self.attempts.iter().flat_map(|attempt| {
            let repeated = attempt.key_to_repeat();
            attempt
                .operations()
                .filter(move |(_, operation)| {
                    operation.progress.is_open() || repeated == Some(&operation.key)
                })
                .map(move |(kind, operation)| (attempt, kind, operation))
        })
    }

    /// Returns the next questions to the processor with their times and attempts, if the last round was at `now` or there was
    /// none. The first questions follow soon after an outcome becomes unknown; then the pauses grow. A call may be under way
    /// for up to `in_flight_seconds`.
    pub fn questions(
        &self,
        now: Timestamp,
        in_flight_seconds: i64,
    ) -> impl Iterator<Item = (&Attempt, Question<'_>)> {
        let silence = now.seconds_since(self.modified_at);
        self.attempts.iter().flat_map(move |attempt| {
            attempt
                .questions(now, silence, in_flight_seconds)
                .map(move |question| (attempt, question))
        })
    }

    /// Returns the earliest time of [`Payment::questions`].
    pub fn next_question_at(&self, now: Timestamp, in_flight_seconds: i64) -> Option<Timestamp> {
        let questions = self.questions(now, in_flight_seconds);
        questions.map(|(_, question)| question.due_at).min()
    }

    /// Asks about everything that is open, or only about the operation with the key `about`.
    pub(crate) fn sync(&self, about: Option<&ProcessorKey>, context: &Context) -> Step {
        let mut effects = Vec::new();
        for attempt in &self.attempts {
            let repeated = attempt.key_to_repeat();
            for (kind, operation) in attempt.operations() {
                // A repeated request makes the question unnecessary.
                let is_repeated = repeated == Some(&operation.key);
                if operation.is_to_be_asked_about(context) && !is_repeated {
                    effects.push(Effect::LookUp(ProcessorCall {
                        kind,
                        attempt: attempt.number,
                        key: operation.key.clone(),
                    }));
                }
            }
            if let Some(key) = attempt.overdue_authorization(context.now) {
                effects.push(Effect::LookUp(ProcessorCall {
                    kind: OperationKind::Authorize,
                    attempt: attempt.number,
                    key: key.clone(),
                }));
            }
            if let Some(void) = attempt.void_to_repeat() {
                effects.push(Effect::Call(ProcessorCall {
                    kind: OperationKind::Void,
                    attempt: attempt.number,
                    key: void.key.clone(),
                }));
            }
        }
        let mut payment = self.clone();
        effects.extend(payment.begin_scheduled_capture(about, context));
        effects.extend(payment.delete_credentials(context.now));
        Step {
            payment,
            effects,
            data: None,
        }
    }
}

impl Attempt {
    fn questions(
        &self,
        now: Timestamp,
        silence: i64,
        in_flight_seconds: i64,
    ) -> impl Iterator<Item = Question<'_>> {
        let repeated = self.key_to_repeat();
        let keeps_credentials = self.holds_for_nothing(now);
        let in_pause = now.plus_seconds(pause_after(silence)).unwrap_or(now);
        let awaited = self.scheduled_and_awaited().map(|scheduled| Question {
            about: &scheduled.key,
            due_at: scheduled.due_at,
            why: Why::AwaitsItsTime,
        });
        let operations = self.operations().map(|(_, operation)| operation);
        let asked_about = operations.filter_map(move |operation| {
            let is_authorization = self
                .authorization
                .as_ref()
                .is_some_and(|authorization| authorization.key == operation.key);
            let (due_at, why) = if repeated == Some(&operation.key) {
                Some((in_pause, Why::AskedForAgain))
            } else if keeps_credentials && is_authorization {
                // No other operation of the attempt is open then.
                Some((in_pause, Why::KeepsCredentials))
            } else if is_authorization && self.is_asked_with_return() {
                // The payer has come back and waits for the shop's answer.
                Some((in_pause, Why::Unknown))
            } else {
                let next = operation.next_question(now, silence, in_flight_seconds);
                let end = self
                    .step_expires_at
                    .filter(|end| is_authorization && *end > now);
                next.map(|(due_at, why)| (end.map_or(due_at, |end| due_at.min(end)), why))
            }?;
            Some(Question {
                about: &operation.key,
                due_at,
                why,
            })
        });
        let expiry = self.expiry_question(now);
        asked_about.chain(awaited).chain(expiry)
    }

    /// Returns the key of the failed operation that is repeated.
    fn key_to_repeat(&self) -> Option<&ProcessorKey> {
        let operation = self.void_to_repeat().or_else(|| self.capture_to_repeat());
        operation.map(|operation| &operation.key)
    }

    /// Returns whether the server will ask the processor about the attempt, or repeat a request.
    pub(crate) fn is_asked_about(&self, now: Timestamp) -> bool {
        let mut operations = self.operations();
        self.key_to_repeat().is_some()
            || operations.any(|(_, operation)| operation.awaits_an_answer(now))
    }
}
