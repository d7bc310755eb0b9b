//! Deciding a command again after a conflict.

use multirail_domain::refusal::{Object, Refusal};

use super::super::AppError;
use crate::ports::CommitError;

/// How often a command is decided while its object keeps changing.
const AT_MOST: usize = 8;

/// Counts how often one command was decided: each time it loads, decides and commits.
pub(crate) struct Decisions {
    made: usize,
    at_most: usize,
    /// What is changed.
    of: Object,
}

impl Decisions {
    /// Begins with the first decision.
    pub(crate) fn begin(of: Object) -> Self {
        Decisions::begin_at_most(AT_MOST, of)
    }

    /// The same, for a command that many others may conflict with.
    pub(crate) fn begin_at_most(at_most: usize, of: Object) -> Self {
        Decisions {
            made: 1,
            at_most,
            of,
        }
    }

    /// A decision was not stored. Where a conflict is the reason, what it was decided on has changed, and the command is to
    /// be loaded and decided again.
    ///
    /// # Errors
    /// [`Refusal::Busy`] after too many conflicts, and for any other failed commit what `meaning` makes of it.
    pub(crate) fn retry_on_conflict(
        &mut self,
        error: CommitError,
        meaning: impl FnOnce(CommitError) -> AppError,
    ) -> Result<(), AppError> {
        match error {
            CommitError::Conflict if self.made < self.at_most => {
                self.made += 1;
                Ok(())
            }
            CommitError::Conflict => Err(Refusal::busy(self.of).into()),
            CommitError::Duplicate(_) | CommitError::Gone(_) | CommitError::Failed(_) => {
                Err(meaning(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::StoreFailure;

    /// How often a command is decided when every commit fails with this error, and what the caller is told.
    fn decided(error: &CommitError) -> (usize, String) {
        let mut decisions = Decisions::begin(Object::Customer);
        let mut count = 1;
        loop {
            match decisions.retry_on_conflict(error.clone(), AppError::of_commit) {
                Ok(()) => count += 1,
                Err(error) => return (count, error.to_string()),
            }
        }
    }

    #[test]
    fn a_conflict_is_decided_again_and_not_for_ever() {
        let busy = "refused: the customer is being changed by others at the same time, try again";
        assert_eq!(decided(&CommitError::Conflict), (8, busy.to_owned()));
    }

    #[test]
    fn any_other_failure_is_final() {
        let away = StoreFailure::Unavailable("restarting".to_owned());
        let told = (1, "unavailable: restarting".to_owned());
        assert_eq!(decided(&CommitError::Failed(away)), told);
        let told = (1, "broken: key_id collided".to_owned());
        assert_eq!(decided(&CommitError::Duplicate("key_id")), told);
    }
}
