//! Ports of operations, as traits.

pub mod dispute_listener;
pub mod error_mappings;
pub mod notices;
pub mod open_operations;

pub use dispute_listener::DisputeListener;
pub use error_mappings::{ErrorMappingChange, ErrorMappingStore};
pub use notices::{NoticeSearch, NoticeStore};
pub use open_operations::OpenOperationStore;
