//! Operations without a final answer, as operators see them.

use std::fmt;
use std::sync::Arc;

use multirail_domain::operations::operation::Operation;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{AttemptId, DisputeId, MerchantId, PaymentId, RefundId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{DisputeActionKind, OperationKind, WaitsFor};

use super::operated::OperatedObjects;
use crate::AppError;
use crate::operations::ports::OpenOperationStore;
use crate::operations::ports::open_operations::UnresolvedOperation;
use crate::platform::paging::page_size;

/// The kind of request that the processor got.
#[derive(Clone, Copy, Debug)]
pub enum UnresolvedKind {
    Operation(OperationKind),
    DisputeAction(DisputeActionKind),
}

impl fmt::Display for UnresolvedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnresolvedKind::Operation(kind) => kind.fmt(f),
            UnresolvedKind::DisputeAction(kind) => kind.fmt(f),
        }
    }
}

/// One operation without a final answer, and its object.
#[derive(Clone, Debug)]
pub struct Unresolved {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    pub attempt_id: AttemptId,
    /// Set for a refund.
    pub refund_id: Option<RefundId>,
    /// Set for an operation on a dispute.
    pub dispute_id: Option<DisputeId>,
    pub connector: String,
    pub kind: UnresolvedKind,
    pub currency: Currency,
    pub operation: Operation,
    pub waits_for: WaitsFor,
    pub next_question_at: Timestamp,
}

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
