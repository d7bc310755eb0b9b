//! Stored disputes.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::payments::dispute::{Dispute, FileBytes};
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::{ConnectorAccountId, DisputeId, FileId, MerchantId, PaymentId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;
use crate::platform::ports::object_class::ObjectClass;

/// The class of disputes.
pub const DISPUTE: ObjectClass = ObjectClass::new("dispute");

/// A change of a dispute. The same change-set contains the change of its payment.
#[derive(Debug)]
pub enum DisputeChange {
    /// Fails as a duplicate where the account already has a dispute with the processor's reference.
    Insert(Arc<Dispute>),
    /// Conflicts where the version changed since `before` was read.
    Update {
        before: Arc<Dispute>,
        after: Arc<Dispute>,
    },
    /// The bytes of a file of evidence.
    KeepFile {
        merchant_id: MerchantId,
        file_id: FileId,
        bytes: FileBytes,
    },
    DeleteFile {
        merchant_id: MerchantId,
        file_id: FileId,
    },
}

/// The filter for a list of disputes, and the page. A dispute has to match every member that is set; an empty list
/// matches all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisputeSearch {
    pub dispute_id: Option<DisputeId>,
    pub payment_id: Option<PaymentId>,
    pub profile_id: Option<String>,
    pub merchant_connector_id: Option<String>,
    pub stages: Vec<String>,
    pub statuses: Vec<String>,
    pub currencies: Vec<String>,
    pub connectors: Vec<String>,
    /// In the processor's own words.
    pub reason: Option<String>,
    /// Inclusive.
    pub created_from: Option<Timestamp>,
    /// Inclusive.
    pub created_until: Option<Timestamp>,
    /// Exclusive.
    pub created_after: Option<Timestamp>,
    /// Exclusive.
    pub created_before: Option<Timestamp>,
    pub limit: i64,
    pub offset: i64,
}

#[async_trait]
pub trait DisputeStore: Changes<DisputeChange> + Send + Sync {
    async fn dispute(
        &self,
        merchant_id: &MerchantId,
        dispute_id: &DisputeId,
    ) -> Result<Option<Dispute>, StoreFailure>;

    /// Returns the dispute that has this reference of the processor in this account.
    async fn dispute_at_processor(
        &self,
        merchant_id: &MerchantId,
        account: &ConnectorAccountId,
        reference: &str,
    ) -> Result<Option<Dispute>, StoreFailure>;

    /// Returns all disputes of one payment, in the order of their first report.
    async fn disputes_of(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Vec<Dispute>, StoreFailure>;

    /// Returns the bytes of a file of evidence, while they are stored.
    async fn evidence_file(
        &self,
        merchant_id: &MerchantId,
        file_id: &FileId,
    ) -> Result<Option<FileBytes>, StoreFailure>;

    /// Returns at most `at_most` disputes with evidence that ended before this time and have not changed since.
    async fn disputes_with_old_evidence(
        &self,
        ended_before: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(MerchantId, DisputeId)>, StoreFailure>;

    /// Returns one page, last changed first, each dispute with its payment.
    async fn search_disputes(
        &self,
        merchant_id: &MerchantId,
        search: &DisputeSearch,
    ) -> Result<Vec<(Dispute, Payment)>, StoreFailure>;
}
