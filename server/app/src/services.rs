//! The services of the program: the list that HTTP and the workers are handed.

use std::ops::Deref;
use std::sync::Arc;

use super::App;
use super::merchant_deletion::MerchantDeletion;
use super::notices::Notices;
use super::operation_sync::OperationSync;
use super::payments::read::ReadPayments;
use super::replays::Replays;
use super::unresolved::UnresolvedOperations;
use crate::ports::Purge;

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
