//! Decides a command again after a conflict.

use std::time::Duration;

use futures::future::BoxFuture;
use multirail_kernel::random::Random;
use multirail_kernel::refusal::{Object, Refusal};
use tokio::time::Instant;

use crate::AppError;
use crate::platform::ports::CommitError;

/// The longest time that a command waits for others that change the same object.
const PATIENCE: Duration = Duration::from_secs(180);
/// The upper limit of the first pause. Each further limit is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(4);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// The tries to store one command: each one loads, decides and commits.
///
/// Where several commands change one object at the same time, one is stored. The others conflict, pause and try
/// again. The length of a pause is random, so that the commands don't collide again.
pub struct Decisions {
    /// The time of the first conflict.
    waits_since: Option<Instant>,
    /// The upper limit of the next pause.
    longest: Duration,
    /// The object that is changed.
    of: Object,
}

impl Decisions {
    /// Begins with the first decision.
    pub fn begin(of: Object) -> Self {
        Decisions {
            waits_since: None,
            longest: FIRST_PAUSE,
            of,
        }
    }

    /// Pauses after a conflict, which means that the object changed since it was loaded. The caller then loads and
    /// decides again.
    ///
    /// # Errors
    /// [`Refusal::Busy`] where the time is over, and the result of `meaning` for any other failed commit.
    pub fn retry_on_conflict(
        &mut self,
        random: &dyn Random,
        error: CommitError,
        meaning: impl FnOnce(CommitError) -> AppError,
    ) -> BoxFuture<'static, Result<(), AppError>> {
        let pause = match error {
            CommitError::Conflict => self.next_pause(random),
            CommitError::Duplicate(_) | CommitError::Gone(_) | CommitError::Failed(_) => {
                Err(meaning(error))
            }
        };
        // Boxed: a command without a conflict needs no room for it.
        Box::pin(async move {
            tokio::time::sleep(pause?).await;
            Ok(())
        })
    }

    fn next_pause(&mut self, random: &dyn Random) -> Result<Duration, AppError> {
        let since = *self.waits_since.get_or_insert_with(Instant::now);
        if since.elapsed() >= PATIENCE {
            return Err(Refusal::busy(self.of).into());
        }
        let mut draw = [0; 2];
        random.fill(&mut draw);
        let share = f64::from(u16::from_le_bytes(draw)) / f64::from(u16::MAX);
        let pause = self.longest.mul_f64(share);
        self.longest = LONGEST_PAUSE.min(self.longest * 2);
        Ok(pause)
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::random::SeededRandom;

    use super::*;
    use crate::platform::ports::StoreFailure;

    /// Returns the waiting time of a command whose commits all fail with this error, and the caller's error.
    async fn waited(error: &CommitError) -> (Duration, String) {
        let random = SeededRandom::new(1);
        let mut decisions = Decisions::begin(Object::Customer);
        let began = Instant::now();
        loop {
            let again = decisions.retry_on_conflict(&random, error.clone(), AppError::of_commit);
            if let Err(error) = again.await {
                return (began.elapsed(), error.to_string());
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_command_waits_for_others_and_not_for_ever() {
        let (waited, told) = waited(&CommitError::Conflict).await;
        let busy = "refused: the customer is being changed by others at the same time, try again";
        assert_eq!(told, busy);
        let bound = PATIENCE + LONGEST_PAUSE;
        assert!((PATIENCE..=bound).contains(&waited), "{waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn any_other_failure_is_final() {
        let away = StoreFailure::Unavailable("restarting".to_owned());
        let told = (Duration::ZERO, "unavailable: restarting".to_owned());
        assert_eq!(waited(&CommitError::Failed(away)).await, told);
        let told = (Duration::ZERO, "broken: key_id collided".to_owned());
        assert_eq!(waited(&CommitError::Duplicate("key_id")).await, told);
    }
}
