//! The hook of what keeps merchant accounts and customers from being deleted.

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
    /// Returns the changes that make the commit of the deletion a conflict while something needs the object. They stand after the
    /// deletion, which locks the object: so they see all that was stored before.
    fn guards(&self, deleted: Deleted<'_>) -> Vec<Change>;

    /// Words the refusal while something needs the object. The guards decide; this is asked for the message.
    async fn refusal(&self, deleted: Deleted<'_>) -> Result<Option<Refusal>, StoreFailure>;
}
