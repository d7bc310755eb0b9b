//! The services of the program: the list that HTTP and the workers are handed.

use std::ops::Deref;
use std::sync::Arc;

use super::App;
use super::payments::read::ReadPayments;
use crate::accounts::merchant_deletion::MerchantDeletion;
use crate::operations::notices::Notices;
use crate::operations::operation_sync::OperationSync;
use crate::operations::unresolved::UnresolvedOperations;
use crate::platform::ports::Purge;
use crate::platform::replays::Replays;

/// The use cases, a service for each object.
pub struct Services {
    pub app: Arc<App>,
    pub merchant_deletion: MerchantDeletion,
    pub notices: Arc<Notices>,
    pub operation_sync: Arc<OperationSync>,
    pub read_payments: ReadPayments,
    pub replays: Replays,
    pub unresolved_operations: UnresolvedOperations,
    /// The purges of satellites.
    pub purges: Vec<Arc<dyn Purge>>,
}

/// Until the last use cases have services, the others stand here.
impl Deref for Services {
    type Target = App;

    fn deref(&self) -> &App {
        &self.app
    }
}
