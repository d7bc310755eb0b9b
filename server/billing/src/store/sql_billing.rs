//! The store of billing's statements. The traits that it fills in stand in the files of their objects.

use std::sync::Arc;

use multirail_platform::{Change, Changes};
use multirail_store::Declared;
use multirail_store::SqlStore;

use super::subscriptions;
use crate::ports::{CatalogueChange, SubscriptionChange};

/// The statements of billing, over the store.
pub struct SqlBilling {
    pub(super) sql: Arc<SqlStore>,
}

impl SqlBilling {
    /// The store has to know what [`DECLARED`] says.
    pub fn new(sql: Arc<SqlStore>) -> Self {
        SqlBilling { sql }
    }
}

/// Billing's tables, as the store has to know them.
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
