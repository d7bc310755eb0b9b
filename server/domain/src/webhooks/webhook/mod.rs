//! Delivery of an event to a merchant's endpoint: one attempt, the decision after it, and the time of the next one.
//! (Specification 4.1, 4.2; facts 5)

mod after_try;
pub mod event_body;
mod exchange;
mod pause;
mod retry_schedule;
pub mod signature;

pub use after_try::{AfterTry, after_try};
pub use exchange::Exchange;
pub use multirail_kernel::envelope::{
    DISPUTE_DETAILS, Envelope, MANDATE_DETAILS, PAYMENT_DETAILS, REFUND_DETAILS,
    SUBSCRIPTION_DETAILS,
};
pub use pause::is_to_be_paused;
pub use retry_schedule::{Jitter, RetrySchedule, UnreadableSchedule};

use multirail_kernel::words::words;

words! {
    /// The reason for a delivery attempt.
    pub enum DeliveryKind {
        InitialAttempt = "initial_attempt",
        AutomaticRetry = "automatic_retry",
        ManualRetry = "manual_retry",
    }
}
