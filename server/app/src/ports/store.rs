//! The store as a whole: one way to write, and plain reads by resource. See ARCHITECTURE.md, "A write".

use async_trait::async_trait;

use crate::accounts::ports::api_keys::ApiKeyStore;
use crate::accounts::ports::connector_accounts::ConnectorAccountStore;
use crate::accounts::ports::merchants::MerchantStore;
use crate::accounts::ports::organizations::OrganizationStore;
use crate::accounts::ports::profiles::ProfileStore;
use crate::customers::ports::CustomerStore;
use crate::customers::ports::connector_customers::ConnectorCustomerStore;
use crate::customers::ports::consents::ConsentStore;
use crate::customers::ports::mandates::MandateStore;
use crate::customers::ports::saved_methods::SavedMethodStore;
use crate::operations::ports::error_mappings::ErrorMappingStore;
use crate::operations::ports::notices::NoticeStore;
use crate::operations::ports::open_operations::OpenOperationStore;
use crate::payments::ports::PaymentStore;
use crate::payments::ports::disputes::DisputeStore;
use crate::payments::ports::held::HeldStore;
use crate::payments::ports::redactions::RedactionStore;
use crate::payments::ports::refunds::RefundStore;
use crate::platform::ports::audit::AuditStore;
use crate::platform::ports::business_clock::ClockStore;
use crate::platform::ports::change_set::ChangeSetStore;
use crate::platform::ports::failure::StoreFailure;
use crate::platform::ports::idempotency::IdempotencyStore;
use crate::platform::ports::tries::TryStore;
use crate::routing::ports::RoutingStore;
use crate::routing::ports::dynamic_routing::DynamicRoutingStore;

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

/// The stores of all resources but events, which have [`crate::webhooks::ports::events::EventStore`]. It is a sum without anything of its
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
