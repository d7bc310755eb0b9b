//! Where a refund stands. (Facts 3.10)

use multirail_kernel::words::words;

pub use multirail_kernel::statuses::RefundStatus;

words! {
    /// When the processor is asked.
    pub enum RefundType {
        /// In the request, which answers with what the processor says.
        Instant = "instant",
        /// Soon after the request, by a worker.
        Scheduled = "scheduled",
    }
}
