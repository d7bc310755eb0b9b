//! Parts of this layer that every subject uses and none owns.

pub mod announcer;
pub mod audit;
pub mod base;
pub mod caller;
pub mod decisions;
pub mod ended_requests;
pub mod error;
pub mod idempotency;
pub mod keys;
pub mod lease;
pub mod paging;
pub mod ports;
pub mod replays;
pub mod request_log;
pub mod sandbox;
pub mod worker_health;
