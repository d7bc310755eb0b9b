//! The store as the program has it: reads by resource. See ARCHITECTURE.md, "What adding things costs".

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
use crate::platform::ports::database::Database;
use crate::platform::ports::idempotency::IdempotencyStore;
use crate::platform::ports::tries::TryStore;
use crate::routing::ports::RoutingStore;
use crate::routing::ports::dynamic_routing::DynamicRoutingStore;

/// The stores of all resources except events, which have [`crate::webhooks::ports::events::EventStore`]. It only sums
/// up traits: code that needs one resource asks for its trait, which a test can fake alone. Every look-up names its
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
