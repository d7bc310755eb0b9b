//! Asking the processor what became of everything that has no final answer, and once more to void what nobody wants.

use crate::connector::OperationKind;
use crate::payment::{Attempt, Context, Effect, Operation, Payment, ProcessorCall, Progress, Step};
use crate::question::{Question, Why};
use crate::timestamp::Timestamp;

/// The first pauses between two questions about an outcome that isn't known, in seconds.
const FIRST_PAUSES: [i64; 4] = [2, 5, 15, 60];
/// The first pause where the processor has said that it, or the payer, needs time.
const PENDING_PAUSE: i64 = 60;
/// The longest pause: a day. Nobody stops asking.
const LONGEST_PAUSE: i64 = 86_400;

/// How long after its start a request may still reach a processor that had no trace of it, in seconds: an hour.
const LATE_ARRIVAL: i64 = 3_600;

impl Payment {
    /// Something of it is open at the processor, so that somebody has to ask about it some day.
    pub fn is_open_at_processor(&self) -> bool {
        self.unresolved().next().is_some()
    }

    /// What is open at the processor: operations without a final answer, and voids that came to nothing and have to be
    /// asked for again.
    pub fn unresolved(&self) -> impl Iterator<Item = (&Attempt, OperationKind, &Operation)> {
        self.attempts.iter().flat_map(|attempt| {
            let repeated = attempt.void_to_repeat().map(|void| &void.key);
            attempt
                .operations()
                .filter(move |(_, operation)| {
                    operation.progress.is_open() || repeated == Some(&operation.key)
                })
                .map(move |(kind, operation)| (attempt, kind, operation))
        })
    }

    /// What the processor is to be asked about and when, each with the attempt that it belongs to, if the last round of
    /// questions was at `now` (or there was none yet): soon after an outcome has become unknown, then with pauses that grow.
    /// A call may be under way for up to `in_flight_seconds`.
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

    /// The earliest date of [`Payment::questions`].
    pub fn next_question_at(&self, now: Timestamp, in_flight_seconds: i64) -> Option<Timestamp> {
        let questions = self.questions(now, in_flight_seconds);
        questions.map(|(_, question)| question.due_at).min()
    }

    pub(crate) fn sync(&self, context: &Context) -> Step {
        let mut effects = Vec::new();
        for attempt in &self.attempts {
            let repeated = attempt.void_to_repeat();
            for (kind, operation) in attempt.operations() {
                // What is asked for once more needs no question.
                let is_repeated = repeated.is_some_and(|void| void.key == operation.key);
                let may_be_under_way = operation.progress == Progress::Started
                    && operation.started_at > context.calls_over_until;
                let ask =
                    awaits_an_answer(operation, context.now) && !is_repeated && !may_be_under_way;
                if ask {
                    effects.push(Effect::LookUp(ProcessorCall {
                        kind,
                        attempt: attempt.number,
                        key: operation.key.clone(),
                    }));
                }
            }
            if let Some(void) = repeated {
                effects.push(Effect::Call(ProcessorCall {
                    kind: OperationKind::Void,
                    attempt: attempt.number,
                    key: void.key.clone(),
                }));
            }
        }
        let mut payment = self.clone();
        effects.extend(payment.forget_credentials(context.now));
        Step {
            payment,
            effects,
            card: None,
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
        let repeated = self.void_to_repeat().map(|void| &void.key);
        let keeps_credentials = self.holds_for_nothing(now);
        let pause = pause_after(silence);
        let operations = self.operations().map(|(_, operation)| operation);
        operations.filter_map(move |operation| {
            let in_pause = |seconds: i64| now.plus_seconds(seconds).unwrap_or(now);
            let of_progress = match operation.progress {
                Progress::Started => {
                    let over = operation.started_at.plus_seconds(in_flight_seconds);
                    let over = over.unwrap_or(operation.started_at);
                    // Where that has passed, it was asked about and nobody knew.
                    let due_at = if over > now { over } else { in_pause(pause) };
                    Some((due_at, Why::Started))
                }
                Progress::Unknown => Some((in_pause(pause), Why::Unknown)),
                Progress::AwaitingCustomer => {
                    Some((in_pause(pause.max(PENDING_PAUSE)), Why::AwaitingCustomer))
                }
                Progress::Pending => Some((in_pause(pause.max(PENDING_PAUSE)), Why::Pending)),
                Progress::NeverHappened => Some((in_pause(pause), Why::MayStillArrive))
                    .filter(|_| may_still_arrive(operation, now)),
                Progress::Done | Progress::Declined => None,
            };
            let is_authorization = self
                .authorization
                .as_ref()
                .is_some_and(|authorization| authorization.key == operation.key);
            let (due_at, why) = if repeated == Some(&operation.key) {
                Some((in_pause(pause), Why::AskedForAgain))
            } else if keeps_credentials && is_authorization {
                // Nothing of the attempt is open then.
                Some((in_pause(pause), Why::KeepsCredentials))
            } else {
                of_progress
            }?;
            Some(Question {
                about: &operation.key,
                due_at,
                why,
            })
        })
    }

    /// Somebody will ask the processor about it, or ask once more for a void.
    pub(crate) fn is_asked_about(&self, now: Timestamp) -> bool {
        let mut operations = self.operations();
        self.void_to_repeat().is_some()
            || operations.any(|(_, operation)| awaits_an_answer(operation, now))
    }
}

/// The processor may still say something new about it.
fn awaits_an_answer(operation: &Operation, now: Timestamp) -> bool {
    match operation.progress {
        Progress::Started | Progress::AwaitingCustomer | Progress::Pending | Progress::Unknown => {
            true
        }
        Progress::NeverHappened => may_still_arrive(operation, now),
        Progress::Done | Progress::Declined => false,
    }
}

/// A processor that has no trace of a request may not have got it yet: what is slow on its way can arrive after the
/// question about it. So it is asked about for a while longer, and a late approval is found and undone.
fn may_still_arrive(operation: &Operation, now: Timestamp) -> bool {
    now.seconds_since(operation.started_at) < LATE_ARRIVAL
}

/// How long to wait with the next question when nothing new was heard for so long: the first pauses one after the other,
/// then as long again as the silence has lasted.
fn pause_after(silence: i64) -> i64 {
    let mut begins = 0;
    for pause in FIRST_PAUSES {
        begins += pause;
        if silence < begins {
            return pause;
        }
    }
    silence.min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_short_at_first_and_never_longer_than_a_day() {
        let mut silence = 0;
        let mut pauses = Vec::new();
        while pauses.last() != Some(&LONGEST_PAUSE) {
            let pause = pause_after(silence);
            pauses.push(pause);
            silence += pause;
        }
        assert_eq!(pauses[..7], [2, 5, 15, 60, 82, 164, 328]);
        assert!(pauses.windows(2).all(|two| two[0] <= two[1]), "{pauses:?}");
        assert_eq!(pauses.len(), 16);
        assert_eq!(pause_after(i64::MAX), LONGEST_PAUSE);
    }
}
