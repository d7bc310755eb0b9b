//! Ports that payments by a guest's card don't need. A call to one panics with its name.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::accounts::organization::Organization;
use multirail_domain::customers::customer::{Customer, CustomerStatus};
use multirail_domain::customers::mandate::MandateView;
use multirail_domain::customers::saved_method::SavedMethod;
use multirail_domain::customers::saved_method::bank_account::BankAccount;
use multirail_domain::payments::dispute::{Dispute, FileBytes};
use multirail_domain::payments::payment::{Owner, Payment, SealedToken};
use multirail_domain::payments::refund::Refund;
use multirail_domain::payments::session::{OpenedWallet, UnreadablePart, WalletKey};
use multirail_domain::routing::elimination::{EliminationConfig, Full, Standing};
use multirail_domain::routing::success_based::SuccessBasedConfig;
use multirail_domain::routing::{PastPayment, RoutingRecord, success_based};
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, DisputeId, FileId, MandateId, MerchantId, OrganizationId,
    PaymentId, PaymentMethodId, PaymentToken, ProfileId, RefundId, RoutingId,
};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change, Changes};
use multirail_sdk::card::{CardFingerprint, CardNumber};
use multirail_sdk::connector::AccountMandate;
use multirail_sdk::instrument::PaymentMethodData;

use crate::accounts::ports::organizations::OrganizationStore;
use crate::accounts::ports::profiles::{EndpointHealth, Endpoints};
use crate::customers::ports::connector_customers::{ClaimedDeletion, ConnectorCustomerStore};
use crate::customers::ports::mandates::{MandateSearch, MandateStore};
use crate::customers::ports::saved_methods::{MethodEntry, SavedMethodStore};
use crate::customers::ports::vault::{Vault, VaultEntry};
use crate::customers::ports::{CustomerSearch, CustomerStore};
use crate::fixture::Noted;
use crate::payments::ports::disputes::{DisputeSearch, DisputeStore};
use crate::payments::ports::held::HeldStore;
use crate::payments::ports::payment_owners::{ChangedPayment, PaymentOwners};
use crate::payments::ports::refunds::{RefundSearch, RefundStore};
use crate::payments::ports::wallet_opener::{CannotOpen, WalletOpener};
use crate::platform::ports::event_record::Endpoint;
use crate::platform::ports::failure::StoreFailure;
use crate::routing::ports::dynamic_routing::DynamicRoutingStore;
use crate::routing::ports::{PastPaymentStore, RoutingSearch, RoutingStore};

/// Implements nothing but the output of changes.
pub struct Idle;

fn unneeded(name: &str) -> ! {
    panic!("{name} is asked, which no test here needs")
}

impl<C: std::fmt::Debug + Send + Sync + 'static> Changes<C> for Idle {
    fn change(&self, change: C) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl HeldStore for Idle {
    async fn held_data(
        &self,
        _: &MerchantId,
        _: &PaymentId,
        _: Timestamp,
    ) -> Result<Option<PaymentMethodData>, StoreFailure> {
        unneeded("held_data")
    }

    async fn held_credentials(
        &self,
        _: &MerchantId,
        _: &PaymentId,
        _: u32,
        _: Timestamp,
    ) -> Result<Option<SecretText>, StoreFailure> {
        unneeded("held_credentials")
    }

    async fn purge_wallet_tokens(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        unneeded("purge_wallet_tokens")
    }

    async fn lapsed(
        &self,
        _: Timestamp,
        _: i64,
    ) -> Result<Vec<(MerchantId, PaymentId)>, StoreFailure> {
        unneeded("lapsed")
    }
}

#[async_trait]
impl Vault for Idle {
    fn fingerprint(&self, _: &MerchantId, _: &CardNumber) -> CardFingerprint {
        unneeded("fingerprint")
    }

    fn account_hash(&self, _: &MerchantId, _: &BankAccount) -> String {
        unneeded("account_hash")
    }

    async fn seal(
        &self,
        _: &MerchantId,
        _: &CardNumber,
        _: Timestamp,
    ) -> Result<VaultEntry, StoreFailure> {
        unneeded("seal")
    }

    async fn open(&self, _: &MerchantId, _: &VaultEntry) -> Result<CardNumber, StoreFailure> {
        unneeded("open")
    }
}

impl WalletOpener for Idle {
    fn check(&self, _: &WalletKey) -> Result<(), UnreadablePart> {
        unneeded("check")
    }

    fn open(
        &self,
        _: &SealedToken,
        _: &WalletKey,
        _: Timestamp,
    ) -> Result<OpenedWallet, CannotOpen> {
        unneeded("open")
    }
}

#[async_trait]
impl CustomerStore for Idle {
    async fn customer(
        &self,
        _: &MerchantId,
        _: &CustomerId,
    ) -> Result<Option<Customer>, StoreFailure> {
        unneeded("customer")
    }

    async fn customer_status(
        &self,
        _: &MerchantId,
        _: &CustomerId,
    ) -> Result<Option<CustomerStatus>, StoreFailure> {
        unneeded("customer_status")
    }

    async fn search_customers(
        &self,
        _: &MerchantId,
        _: &CustomerSearch,
    ) -> Result<Vec<Customer>, StoreFailure> {
        unneeded("search_customers")
    }
}

#[async_trait]
impl ConnectorCustomerStore for Idle {
    async fn connector_customer(
        &self,
        _: &MerchantId,
        _: &CustomerId,
        _: &ConnectorAccountId,
    ) -> Result<Option<String>, StoreFailure> {
        unneeded("connector_customer")
    }

    async fn claim_connector_deletion(
        &self,
        _: Timestamp,
        _: Timestamp,
        _: Timestamp,
    ) -> Result<Option<ClaimedDeletion>, StoreFailure> {
        unneeded("claim_connector_deletion")
    }

    async fn put_off_connector_deletion(
        &self,
        _: &ClaimedDeletion,
        _: Timestamp,
    ) -> Result<(), StoreFailure> {
        unneeded("put_off_connector_deletion")
    }

    async fn end_connector_deletion(&self, _: &ClaimedDeletion) -> Result<(), StoreFailure> {
        unneeded("end_connector_deletion")
    }
}

#[async_trait]
impl SavedMethodStore for Idle {
    async fn saved_method(
        &self,
        _: &MerchantId,
        _: &PaymentMethodId,
    ) -> Result<Option<SavedMethod>, StoreFailure> {
        unneeded("saved_method")
    }

    async fn saved_methods_of(
        &self,
        _: &MerchantId,
        _: &CustomerId,
        _: i64,
    ) -> Result<Option<(CustomerStatus, Vec<SavedMethod>)>, StoreFailure> {
        unneeded("saved_methods_of")
    }

    async fn method_of_token(
        &self,
        _: &MerchantId,
        _: &PaymentToken,
        _: Timestamp,
    ) -> Result<Option<MethodEntry>, StoreFailure> {
        unneeded("method_of_token")
    }

    async fn method_with_card(
        &self,
        _: &MerchantId,
        _: &PaymentMethodId,
    ) -> Result<Option<MethodEntry>, StoreFailure> {
        unneeded("method_with_card")
    }

    async fn connector_mandates_of(
        &self,
        _: &MerchantId,
        _: &PaymentMethodId,
    ) -> Result<Vec<AccountMandate>, StoreFailure> {
        unneeded("connector_mandates_of")
    }

    async fn purge_methods_of_the_deleted(&self, _: i64) -> Result<u64, StoreFailure> {
        unneeded("purge_methods_of_the_deleted")
    }

    async fn purge_payment_tokens(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        unneeded("purge_payment_tokens")
    }

    async fn purge_cards_to_save(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        unneeded("purge_cards_to_save")
    }
}

#[async_trait]
impl MandateStore for Idle {
    async fn mandate(
        &self,
        _: &MerchantId,
        _: &MandateId,
    ) -> Result<Option<MandateView>, StoreFailure> {
        unneeded("mandate")
    }

    async fn search_mandates(
        &self,
        _: &MerchantId,
        _: &MandateSearch,
    ) -> Result<Vec<MandateView>, StoreFailure> {
        unneeded("search_mandates")
    }

    async fn has_active_mandate(
        &self,
        _: &MerchantId,
        _: &CustomerId,
        _: Timestamp,
    ) -> Result<bool, StoreFailure> {
        unneeded("has_active_mandate")
    }
}

#[async_trait]
impl RoutingStore for Idle {
    async fn routing_record(
        &self,
        _: &MerchantId,
        _: &RoutingId,
    ) -> Result<Option<Arc<RoutingRecord>>, StoreFailure> {
        unneeded("routing_record")
    }

    async fn search_routing(
        &self,
        _: &MerchantId,
        _: &RoutingSearch,
    ) -> Result<Vec<RoutingRecord>, StoreFailure> {
        unneeded("search_routing")
    }
}

#[async_trait]
impl PastPaymentStore for Idle {
    async fn past_payments(
        &self,
        _: &MerchantId,
        _: &ProfileId,
        _: u32,
    ) -> Result<Vec<Box<dyn PastPayment>>, StoreFailure> {
        unneeded("past_payments")
    }
}

#[async_trait]
impl DynamicRoutingStore for Idle {
    async fn full_buckets(
        &self,
        _: &MerchantId,
        _: &ProfileId,
        _: &EliminationConfig,
        _: Timestamp,
    ) -> Result<Vec<Full>, StoreFailure> {
        unneeded("full_buckets")
    }

    async fn elimination_standing(
        &self,
        _: &MerchantId,
        _: &ProfileId,
        _: &EliminationConfig,
        _: Timestamp,
    ) -> Result<Standing, StoreFailure> {
        unneeded("elimination_standing")
    }

    async fn success_counts(
        &self,
        _: &MerchantId,
        _: &ProfileId,
        _: &SuccessBasedConfig,
        _: Timestamp,
    ) -> Result<Vec<success_based::Counted>, StoreFailure> {
        unneeded("success_counts")
    }

    async fn purge_dynamic_routing(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        unneeded("purge_dynamic_routing")
    }
}

#[async_trait]
impl RefundStore for Idle {
    async fn refund(&self, _: &MerchantId, _: &RefundId) -> Result<Option<Refund>, StoreFailure> {
        unneeded("refund")
    }

    async fn refunds_of(&self, _: &MerchantId, _: &PaymentId) -> Result<Vec<Refund>, StoreFailure> {
        unneeded("refunds_of")
    }

    async fn search_refunds(
        &self,
        _: &MerchantId,
        _: &RefundSearch,
    ) -> Result<Vec<Refund>, StoreFailure> {
        unneeded("search_refunds")
    }

    async fn count_refunds(
        &self,
        _: &MerchantId,
        _: &RefundSearch,
        _: i64,
    ) -> Result<i64, StoreFailure> {
        unneeded("count_refunds")
    }

    async fn refund_credentials(
        &self,
        _: &MerchantId,
        _: &RefundId,
    ) -> Result<Option<SecretText>, StoreFailure> {
        unneeded("refund_credentials")
    }
}

#[async_trait]
impl DisputeStore for Idle {
    async fn dispute(
        &self,
        _: &MerchantId,
        _: &DisputeId,
    ) -> Result<Option<Dispute>, StoreFailure> {
        unneeded("dispute")
    }

    async fn dispute_at_processor(
        &self,
        _: &MerchantId,
        _: &ConnectorAccountId,
        _: &str,
    ) -> Result<Option<Dispute>, StoreFailure> {
        unneeded("dispute_at_processor")
    }

    async fn disputes_of(
        &self,
        _: &MerchantId,
        _: &PaymentId,
    ) -> Result<Vec<Dispute>, StoreFailure> {
        unneeded("disputes_of")
    }

    async fn evidence_file(
        &self,
        _: &MerchantId,
        _: &FileId,
    ) -> Result<Option<FileBytes>, StoreFailure> {
        unneeded("evidence_file")
    }

    async fn disputes_with_old_evidence(
        &self,
        _: Timestamp,
        _: i64,
    ) -> Result<Vec<(MerchantId, DisputeId)>, StoreFailure> {
        unneeded("disputes_with_old_evidence")
    }

    async fn search_disputes(
        &self,
        _: &MerchantId,
        _: &DisputeSearch,
    ) -> Result<Vec<(Dispute, Payment)>, StoreFailure> {
        unneeded("search_disputes")
    }
}

#[async_trait]
impl OrganizationStore for Idle {
    async fn organization(&self, _: &OrganizationId) -> Result<Option<Organization>, StoreFailure> {
        unneeded("organization")
    }

    async fn organizations(&self, _: i64, _: i64) -> Result<Vec<Organization>, StoreFailure> {
        unneeded("organizations")
    }

    async fn accounts(
        &self,
        _: &str,
        _: i64,
        _: i64,
    ) -> Result<Vec<MerchantAccount>, StoreFailure> {
        unneeded("accounts")
    }

    async fn accounts_of_organization(
        &self,
        _: &OrganizationId,
        _: i64,
        _: i64,
    ) -> Result<Vec<MerchantAccount>, StoreFailure> {
        unneeded("accounts_of_organization")
    }
}

#[async_trait]
impl Endpoints for Idle {
    async fn health(&self, _: &Endpoint) -> Result<EndpointHealth, StoreFailure> {
        unneeded("health")
    }

    async fn resume(&self, _: &Endpoint, _: Timestamp) -> Result<(), StoreFailure> {
        unneeded("resume")
    }

    async fn make_due(&self, _: Endpoint, _: Timestamp) -> Result<(), StoreFailure> {
        unneeded("make_due")
    }
}

impl PaymentOwners for Idle {
    fn changes(&self, _: &Owner, _: ChangedPayment<'_>) -> Vec<Box<dyn Change>> {
        unneeded("changes")
    }
}
