//! The store of billing. Its traits are implemented in the files of their objects.

use std::sync::Arc;

use multirail_platform::{Change, Changes};
use multirail_store::Declared;
use multirail_store::SqlStore;

use super::subscriptions;
use crate::ports::{CatalogueChange, SubscriptionChange};

/// Runs billing's statements on the shared store.
pub struct SqlBilling {
    pub(super) sql: Arc<SqlStore>,
}

impl SqlBilling {
    /// Creates the store. The shared store must know [`DECLARED`].
    pub fn new(sql: Arc<SqlStore>) -> Self {
        SqlBilling { sql }
    }
}

/// Billing's tables, as the shared store must know them.
pub const DECLARED: Declared = Declared {
    records: &[
        "billing_catalogue.record",
        "invoices.record",
        "subscriptions.record",
    ],
    take_over: |_| vec![subscriptions::take_over()],
    ..Declared::NOTHING
};

impl Changes<CatalogueChange> for SqlBilling {
    fn change(&self, change: CatalogueChange) -> Box<dyn Change> {
        Box::new(change)
    }
}

impl Changes<SubscriptionChange> for SqlBilling {
    fn change(&self, change: SubscriptionChange) -> Box<dyn Change> {
        Box::new(change)
    }
}
