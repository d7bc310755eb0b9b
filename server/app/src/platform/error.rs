//! The failure of a use case: the domain refused it, or something broke.

use multirail_kernel::refusal::Refusal;

use crate::platform::ports::failure::{Gone, duplicate};
use crate::platform::ports::{CommitError, Standstill, StoreFailure};

/// Refusals are public. The texts of the other errors go to the log, never to a caller.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error("refused: {0}")]
    Refused(#[from] Refusal),
    /// A retry may soon succeed.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// A retry may succeed once the operator has removed the cause. Callers get the reason, not the text.
    #[error("nothing can be stored: {0}: {1}")]
    Standstill(Standstill, String),
    /// The key that sealed the object was destroyed, on purpose.
    #[error("destroyed: {0}")]
    Destroyed(String),
    #[error("broken: {0}")]
    Broken(String),
}

impl From<StoreFailure> for AppError {
    fn from(failure: StoreFailure) -> Self {
        match failure {
            StoreFailure::Unavailable(why) => AppError::Unavailable(why),
            StoreFailure::Standstill(standstill, why) => AppError::Standstill(standstill, why),
            StoreFailure::Destroyed(place) => AppError::Destroyed(place),
            StoreFailure::Broken(why) => AppError::Broken(why),
        }
    }
}

impl AppError {
    /// Returns the error for a failed commit where neither a conflict nor a duplicate is expected.
    pub fn of_commit(error: CommitError) -> Self {
        match error {
            CommitError::Conflict => AppError::Refused(Refusal::Busy { of: None }),
            CommitError::Duplicate(duplicate::IDEMPOTENCY_KEY) => {
                AppError::Refused(Refusal::KeyInUse)
            }
            CommitError::Duplicate(duplicate::WALLET_TOKEN) => {
                let why = "payment_method_data.wallet: another payment was confirmed with it, and it is good for one alone";
                AppError::Refused(Refusal::precondition(why))
            }
            CommitError::Duplicate(what) => AppError::Broken(format!("{what} collided")),
            CommitError::Gone(Gone::PaymentToken) => AppError::Refused(Refusal::TokenInvalid),
            CommitError::Gone(what @ Gone::Mandate) => AppError::Broken(format!("{what} is gone")),
            CommitError::Failed(failure) => failure.into(),
        }
    }
}
