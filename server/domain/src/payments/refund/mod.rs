//! A refund: returns part or all of a payment's captured amount to the payer. (Specification 2.10; facts 3.10, 7.8)

mod create;
mod excess;
mod fact;
pub mod notice;
mod status;
mod sync;
mod transition;

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{
    ConnectorAccountId, MerchantId, PaymentId, ProcessorKey, ProfileId, RefundId,
};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::Decline;
use serde::{Deserialize, Serialize};

use crate::operations::operation::{Operation, Progress};
use crate::payments::payment::{Attempt, BroughtCredentials, Payment, RefundShare};

pub use create::{Create, REFUNDABLE_DAYS};
pub use multirail_kernel::notes::Metadata;
pub use status::{RefundStatus, RefundType};
pub use transition::{Command, Effect, Input, Step, transition};

/// The aggregate. The payment counts the refund's amount ([`Payment::refunds`](crate::payments::payment::Payment::refunds));
/// both change in one commit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refund {
    pub merchant_id: MerchantId,
    pub refund_id: RefundId,
    pub payment_id: PaymentId,
    pub profile_id: ProfileId,
    /// Number of stored changes; 0 until the record is stored. It has its own column.
    #[serde(skip)]
    pub version: i64,
    pub status: RefundStatus,
    pub refund_type: RefundType,
    /// The payment's currency.
    pub currency: Currency,
    pub reason: Option<String>,
    pub metadata: Option<Metadata>,
    pub charge: Charge,
    /// Time at which the worker began to send a scheduled refund. Stored before the call, so that the refund is sent once and
    /// asked about from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<Timestamp>,
    /// True if it returns what a transfer brought above its amount, and nothing of the captured amount.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_excess: bool,
    /// The operation at the processor; its amount is the refund's.
    pub operation: Operation,
    /// The reason for the review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<Decline>,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The parts of the captured attempt that a refund through the same account needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Charge {
    /// Number of the attempt.
    pub attempt: u32,
    pub connector: String,
    pub merchant_connector_id: Option<ConnectorAccountId>,
    /// Credentials of the request, used instead of the account's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brought: Option<BroughtCredentials>,
    pub authorization_key: ProcessorKey,
    pub authorization_reference: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Charge {
    /// Returns the account of an attempt; `None` for one that was never sent to a processor.
    fn new(attempt: &Attempt, brought: Option<BroughtCredentials>) -> Option<Self> {
        let authorization = attempt.authorization.as_ref()?;
        let account = attempt.merchant_connector_id.clone();
        Some(Charge {
            attempt: attempt.number,
            connector: attempt.connector.clone().unwrap_or_default(),
            // With credentials of the request, the chosen account only named the connector.
            merchant_connector_id: account.filter(|_| brought.is_none()),
            brought,
            authorization_key: authorization.key.clone(),
            authorization_reference: authorization.reference.clone(),
            unread: UnreadMembers::default(),
        })
    }
}

impl Refund {
    /// Returns a pending refund of captured money, which is sent at once.
    fn new(payment: &Payment, refund_id: RefundId, charge: Charge, operation: Operation) -> Self {
        Refund {
            merchant_id: payment.merchant_id.clone(),
            refund_id,
            payment_id: payment.payment_id.clone(),
            profile_id: payment.profile_id.clone(),
            version: 0,
            status: RefundStatus::Pending,
            refund_type: RefundType::Instant,
            currency: payment.terms.currency,
            reason: None,
            metadata: None,
            charge,
            sent_at: None,
            is_of_excess: false,
            created_at: operation.started_at,
            modified_at: operation.started_at,
            operation,
            conflict: None,
            unread: UnreadMembers::default(),
        }
    }

    /// Returns the step that creates the refund. The payment counts its amount in the same step.
    fn into_step(self, payment: &Payment, effects: Vec<Effect>) -> Step {
        let mut payment = payment.clone();
        payment.count_refund(self.share(), self.created_at);
        Step {
            payment,
            refund: self,
            effects,
        }
    }

    /// Returns the refunded amount, in minor units of the payment's currency.
    pub fn amount(&self) -> i64 {
        self.operation.amount
    }

    /// Returns why it failed or is in review.
    pub fn trouble(&self) -> Option<&Decline> {
        self.conflict.as_ref().or(self.operation.decline.as_ref())
    }

    /// Returns whether the refund failed without any trace at the processor: no money was or will be returned.
    pub fn never_happened(&self) -> bool {
        self.status == RefundStatus::Failed && self.operation.progress == Progress::NeverHappened
    }

    /// Returns whether its credentials from a request are still stored.
    pub fn holds_credentials(&self) -> bool {
        let brought = self.charge.brought.as_ref();
        brought.is_some_and(|brought| brought.are_held)
    }

    /// Returns the refund's data for its payment's count.
    pub fn share(&self) -> RefundShare {
        let asked = self.operation.amount;
        let amount = match self.status {
            RefundStatus::Pending | RefundStatus::Failed | RefundStatus::Succeeded => asked,
            RefundStatus::Review => asked.max(self.operation.amount_done()),
        };
        let above = amount.saturating_sub(asked);
        RefundShare {
            refund_id: self.refund_id.clone(),
            status: self.status,
            amount,
            is_open: self.is_open_at_processor(),
            is_of_excess: self.is_of_excess,
            above_excess: Some(above).filter(|above| self.is_of_excess && *above > 0),
            unread: UnreadMembers::default(),
        }
    }
}

impl Payment {
    /// Returns whether these are exactly the payment's refunds in their present state, so that both were read at the same
    /// moment.
    pub fn agrees_with(&self, refunds: &[Refund]) -> bool {
        let is_counted = |refund: &Refund| {
            let share = refund.share();
            self.refunds.iter().any(|counted| counted.says(&share))
        };
        self.refunds.len() == refunds.len() && refunds.iter().all(is_counted)
    }
}
