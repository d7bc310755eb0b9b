//! The hook by which other subjects prevent the deletion of merchant accounts and customers.

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
    /// Returns changes that make the deletion's commit a conflict while a subject needs the object. They follow the
    /// deletion, which locks the object, so they see everything that was stored before.
    fn guards(&self, deleted: Deleted<'_>) -> Vec<Change>;

    /// Returns the refusal while a subject needs the object. The guards decide; this method words the message.
    async fn refusal(&self, deleted: Deleted<'_>) -> Result<Option<Refusal>, StoreFailure>;
}
