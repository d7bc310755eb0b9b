//! Ports of accounts, as traits.

pub mod api_keys;
pub mod connector_accounts;
pub mod deletion_guard;
pub mod merchants;
pub mod notice_registrar;
pub mod open_payments;
pub mod organizations;
pub mod profiles;

pub use api_keys::{ApiKeyChange, ApiKeyStore};
pub use connector_accounts::{ConnectorAccountChange, ConnectorAccountStore};
pub use deletion_guard::{DeletionGuard, DeletionGuards};
pub use merchants::{MerchantChange, MerchantStore};
pub use notice_registrar::NoticeRegistrar;
pub use open_payments::OpenPayments;
pub use organizations::{OrganizationChange, OrganizationStore};
pub use profiles::{ProfileChange, ProfileStore};
