//! The store as a whole: one way to write, and plain reads by resource. See ARCHITECTURE.md, "A write".

use async_trait::async_trait;

use super::api_keys::ApiKeyStore;
use super::audit::AuditStore;
use super::business_clock::ClockStore;
use super::change_set::ChangeSetStore;
use super::connector_accounts::ConnectorAccountStore;
use super::connector_customers::ConnectorCustomerStore;
use super::consents::ConsentStore;
use super::customers::CustomerStore;
use super::disputes::DisputeStore;
use super::dynamic_routing::DynamicRoutingStore;
use super::error_mappings::ErrorMappingStore;
use super::failure::StoreFailure;
use super::held::HeldStore;
use super::idempotency::IdempotencyStore;
use super::mandates::MandateStore;
use super::merchants::MerchantStore;
use super::notices::NoticeStore;
use super::open_operations::OpenOperationStore;
use super::organizations::OrganizationStore;
use super::payments::PaymentStore;
use super::profiles::ProfileStore;
use super::redactions::RedactionStore;
use super::refunds::RefundStore;
use super::routing::RoutingStore;
use super::saved_methods::SavedMethodStore;
use super::tries::TryStore;

/// What is asked of the database as a whole.
#[async_trait]
pub trait Database: Send + Sync {
    /// Looks whether another server changed keys or accounts, so that what is kept in memory is read anew.
    async fn notice_changes(&self) -> Result<(), StoreFailure>;

    /// Whether something could be stored now.
    async fn check_writes(&self) -> Result<(), StoreFailure>;

    /// Damage of the database's file; nothing where it is whole, or where the database looks for it by itself. Takes seconds
    /// where the file is large.
    async fn file_faults(&self) -> Result<Vec<String>, StoreFailure>;

    /// Names of migrations that are not applied; empty when the store is ready.
    async fn pending_migrations(&self) -> Result<Vec<String>, StoreFailure>;
}

/// The stores of all resources but events, which have [`super::events::EventStore`]. It is a sum without anything of its
/// own: what needs one resource asks for the trait of that one, which a test can fake alone. Every look-up names its
/// merchant.
pub trait Store:
    ApiKeyStore
    + AuditStore
    + ChangeSetStore
    + ClockStore
    + ConnectorAccountStore
    + ConsentStore
    + CustomerStore
    + Database
    + DisputeStore
    + DynamicRoutingStore
    + ErrorMappingStore
    + HeldStore
    + IdempotencyStore
    + MandateStore
    + MerchantStore
    + NoticeStore
    + OrganizationStore
    + PaymentStore
    + ProfileStore
    + RedactionStore
    + RefundStore
    + RoutingStore
    + ConnectorCustomerStore
    + SavedMethodStore
    + OpenOperationStore
    + TryStore
{
}

impl<T> Store for T where
    T: ApiKeyStore
        + AuditStore
        + ChangeSetStore
        + ClockStore
        + ConnectorAccountStore
        + ConsentStore
        + CustomerStore
        + Database
        + DisputeStore
        + DynamicRoutingStore
        + ErrorMappingStore
        + HeldStore
        + IdempotencyStore
        + MandateStore
        + MerchantStore
        + NoticeStore
        + OrganizationStore
        + PaymentStore
        + ProfileStore
        + RedactionStore
        + RefundStore
        + RoutingStore
        + ConnectorCustomerStore
        + SavedMethodStore
        + OpenOperationStore
        + TryStore
{
}
