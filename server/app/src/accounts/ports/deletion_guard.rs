//! The hook by which other subjects prevent the deletion of merchant accounts and customers, and take part in it.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::refusal::Refusal;

use crate::platform::ports::change_set::Change;
use crate::platform::ports::failure::StoreFailure;

/// An object that is deleted although other subjects may need it.
#[derive(Clone, Copy, Debug)]
pub enum Deleted<'a> {
    Merchant(&'a MerchantId),
    Customer(&'a MerchantId, &'a CustomerId),
}

/// The answer of other subjects to a deletion.
#[async_trait]
pub trait DeletionGuard: Send + Sync {
    /// Returns changes that make the deletion's commit a conflict while a subject needs the object, and changes that
    /// delete what a subject stores for it. They follow the deletion, which locks the object, so they see everything that
    /// was stored before.
    fn guards(&self, deleted: Deleted<'_>) -> Vec<Change>;

    /// Returns the refusal while a subject needs the object. The guards decide; this method words the message.
    async fn refusal(&self, deleted: Deleted<'_>) -> Result<Option<Refusal>, StoreFailure>;
}

/// The guards of several subjects. The first refusal counts.
pub struct DeletionGuards(pub Vec<Arc<dyn DeletionGuard>>);

#[async_trait]
impl DeletionGuard for DeletionGuards {
    fn guards(&self, deleted: Deleted<'_>) -> Vec<Change> {
        let all = self.0.iter();
        all.flat_map(|guard| guard.guards(deleted)).collect()
    }

    async fn refusal(&self, deleted: Deleted<'_>) -> Result<Option<Refusal>, StoreFailure> {
        for guard in &self.0 {
            if let Some(refusal) = guard.refusal(deleted).await? {
                return Ok(Some(refusal));
            }
        }
        Ok(None)
    }
}
