//! The metrics of the engines, by name. `multirail_app::platform::ports::metric` lists them with all others.

/// Time from handing a change-set to the database to its answer; labels `engine`, `result`.
pub const COMMIT_SECONDS: &str = "multirail_store_commit_duration_seconds";
/// Change-sets in one transaction.
pub const COMMIT_BATCH: &str = "multirail_store_commit_batch_size";
/// Change-sets that wait for the writer.
pub const COMMIT_QUEUE: &str = "multirail_store_commit_queue";
