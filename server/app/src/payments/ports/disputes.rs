//! Disputes at rest.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::payments::dispute::{Dispute, FileBytes};
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::{ConnectorAccountId, DisputeId, FileId, MerchantId, PaymentId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;
use crate::platform::ports::replay::ObjectClass;

/// The class of disputes.
pub const DISPUTE: ObjectClass = ObjectClass::new("dispute");

/// A change of a dispute. The change of its payment stands beside it in the change-set.
#[derive(Debug)]
pub enum DisputeChange {
    /// A duplicate where the processor has told the same account of it before.
    Insert(Arc<Dispute>),
    /// A conflict where the version moved since `before` was read.
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

/// Which disputes, and which page of them. Every condition that is set has to hold; an empty list holds always.
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
    /// In the processor's very words.
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

    /// The dispute that the processor calls so to this account.
    async fn dispute_at_processor(
        &self,
        merchant_id: &MerchantId,
        account: &ConnectorAccountId,
        reference: &str,
    ) -> Result<Option<Dispute>, StoreFailure>;

    /// All disputes of one payment, the first that was heard of first.
    async fn disputes_of(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Vec<Dispute>, StoreFailure>;

    /// The bytes of a file of evidence, while they are kept.
    async fn evidence_file(
        &self,
        merchant_id: &MerchantId,
        file_id: &FileId,
    ) -> Result<Option<FileBytes>, StoreFailure>;

    /// At most so many disputes that have evidence, and that ended before this moment and have not changed since.
    async fn disputes_with_old_evidence(
        &self,
        ended_before: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(MerchantId, DisputeId)>, StoreFailure>;

    /// One page, the last changed first, each with its payment.
    async fn search_disputes(
        &self,
        merchant_id: &MerchantId,
        search: &DisputeSearch,
    ) -> Result<Vec<(Dispute, Payment)>, StoreFailure>;
}
