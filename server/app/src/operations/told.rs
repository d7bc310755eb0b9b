//! The part of a notice that concerns one object.

use async_trait::async_trait;
use multirail_domain::operations::received_notice::ToldOf;

use crate::operations::ports::open_operations::OpenObject;
use crate::{AppError, Origin};

/// A notice as it concerns one object.
pub struct Told {
    /// The object that has the operation: the given one, or one that belongs to it.
    pub object: OpenObject,
    pub told: ToldOf,
    /// Set where others made the change at the processor.
    pub by_others: Option<Box<dyn Adoption>>,
}

/// A change that others made to an object at its processor.
#[async_trait]
pub trait Adoption: Send + Sync {
    /// Records the change; returns the id of the changed object.
    async fn adopt(&self, origin: &Origin) -> Result<String, AppError>;
}
