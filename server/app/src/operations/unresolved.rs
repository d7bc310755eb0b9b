//! Operations without a final answer, as operators see them.

use std::sync::Arc;

use super::operated::OperatedObjects;
use super::unresolved_operation::Unresolved;
use crate::AppError;
use crate::operations::ports::OpenOperationStore;
use crate::operations::ports::open_operations::UnresolvedOperation;
use crate::platform::paging::page_size;

const LARGEST_PAGE: i64 = 100;

/// Lists operations of every kind of object for operators.
pub struct UnresolvedOperations {
    pub store: Arc<dyn OpenOperationStore>,
    pub objects: Arc<OperatedObjects>,
}

impl UnresolvedOperations {
    /// Lists operations of all merchants without a final answer. The one with the soonest question comes first.
    ///
    /// # Errors
    /// A limit out of range.
    pub async fn list(
        &self,
        limit: Option<i64>,
        offset: Option<i64>,
    ) -> Result<Vec<Unresolved>, AppError> {
        let limit = page_size(limit.or(Some(LARGEST_PAGE)), LARGEST_PAGE)?;
        let found = self.store.unresolved_operations(limit, offset.unwrap_or(0));
        let mut unresolved = Vec::new();
        for one in found.await? {
            unresolved.extend(self.describe(one).await?);
        }
        Ok(unresolved)
    }

    /// Returns `None` where the answer is stored by now, or the object can't be read.
    async fn describe(&self, found: UnresolvedOperation) -> Result<Option<Unresolved>, AppError> {
        let object = self.objects.get(found.object.class)?;
        match object.unresolved(&found).await {
            Ok(unresolved) => Ok(unresolved),
            // One broken object hides no other; the log reports it to the operator.
            Err(AppError::Broken(why) | AppError::Destroyed(why)) => {
                let (merchant_id, key) = (&found.merchant_id, &found.processor_key);
                tracing::error!(%merchant_id, %key, why, "an unresolved operation can't be shown");
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }
}
