//! Stored error mappings.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::operations::error_mapping::{ErrorMapping, ErrorMappings, MappingKey};
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;

/// A change of an error mapping.
#[derive(Debug)]
pub enum ErrorMappingChange {
    Insert(ErrorMapping),
    Update(ErrorMapping),
    Delete { key: MappingKey, version: i64 },
}

#[async_trait]
pub trait ErrorMappingStore: Changes<ErrorMappingChange> {
    /// Returns all stored mappings, from memory.
    async fn error_mappings(&self) -> Result<Arc<ErrorMappings>, StoreFailure>;

    /// Returns one mapping as it is stored now.
    async fn error_mapping(&self, key: &MappingKey) -> Result<Option<ErrorMapping>, StoreFailure>;
}
