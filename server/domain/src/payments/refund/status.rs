//! The types of refunds. (Facts 3.10)

use multirail_kernel::words::words;

pub use multirail_kernel::statuses::RefundStatus;

words! {
    /// The time at which the processor is asked.
    pub enum RefundType {
        /// During the request, which answers with the processor's result.
        Instant = "instant",
        /// Soon after the request, by a worker.
        Scheduled = "scheduled",
    }
}
