//! The status of a dispute within its stage. (Facts 3.12)

pub use multirail_kernel::statuses::DisputeStatus;
