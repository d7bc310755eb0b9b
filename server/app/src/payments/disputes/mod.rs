//! The operations on disputes. (Specification 4.8, 4.9; facts 7.9)

pub mod accept;
mod act;
mod aggregate;
mod ask;
pub mod challenge;
pub mod content;
pub mod evidence;
pub mod fetch;
mod hear;
pub mod list;
mod operated;
pub mod retrieve;

use std::sync::Arc;

use multirail_domain::payments::dispute::Dispute;
use multirail_domain::payments::payment::Payment;
use multirail_kernel::ids::{DisputeId, MerchantId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};

use crate::AppError;
use crate::accounts::connector_accounts::ConnectorAccounts;
use crate::accounts::ports::ConnectorAccountStore;
use crate::customers::ports::CustomerStore;
use crate::operations::driver::Driver;
use crate::operations::ports::NoticeStore;
use crate::operations::processors::Processors;
use crate::operations::questions::Questions;
use crate::payments::ports::{DisputeStore, PaymentOwners, PaymentStore};
use crate::platform::base::Base;

pub(crate) use aggregate::DisputeOfPayment;

/// A dispute with the derived parts of its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct DisputeView {
    pub dispute: Dispute,
    /// True if refunds and lost disputes of the payment exceed the captured amount.
    pub is_already_refunded: bool,
}

impl DisputeView {
    pub fn new(dispute: Dispute, payment: &Payment) -> Self {
        DisputeView {
            dispute,
            is_already_refunded: payment.is_already_refunded(),
        }
    }
}

/// The use cases of disputes.
pub struct Disputes {
    pub base: Arc<Base>,
    pub driver: Arc<Driver>,
    pub processors: Arc<Processors>,
    pub store: Arc<dyn DisputeStore>,
    pub payments: Arc<dyn PaymentStore>,
    pub owners: Arc<dyn PaymentOwners>,
    pub customers: Arc<dyn CustomerStore>,
    pub connector_accounts: Arc<ConnectorAccounts>,
    pub accounts: Arc<dyn ConnectorAccountStore>,
    pub notices: Arc<dyn NoticeStore>,
    pub content: Arc<dyn content::DisputeContent>,
    pub questions: Arc<Questions>,
}

impl Disputes {
    /// Loads a dispute of the merchant. Disputes outside the call's scope are not found.
    async fn find(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        dispute_id: &DisputeId,
    ) -> Result<Dispute, AppError> {
        let dispute = self.store.dispute(merchant_id, dispute_id).await?;
        dispute
            .filter(|dispute| scope.is_none_or(|scope| dispute.profile_id == *scope))
            .ok_or_else(|| Refusal::not_found(Object::Dispute).into())
    }
}
