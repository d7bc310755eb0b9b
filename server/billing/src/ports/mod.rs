//! The ports of billing's use cases as traits: their store, and their ports to the core.

pub mod billing_accounts;
pub mod catalogue;
pub mod invoice_payments;
pub mod subscribers;
pub mod subscriptions;

pub use billing_accounts::BillingAccounts;
pub use catalogue::{CatalogueChange, CatalogueSearch, CatalogueStore, ItemSearch, StoredEntry};
pub use invoice_payments::InvoicePayments;
pub use subscribers::{ChargedMethods, Subscribers};
pub use subscriptions::{SubscriptionChange, SubscriptionSearch, SubscriptionStore};
