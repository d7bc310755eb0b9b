//! One operation without a final answer, as operators see it.

use std::fmt;

use multirail_domain::operations::operation::Operation;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{AttemptId, DisputeId, MerchantId, PaymentId, RefundId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{DisputeActionKind, OperationKind, WaitsFor};

/// The kind of request that the processor got.
#[derive(Clone, Copy, Debug)]
pub enum UnresolvedKind {
    Operation(OperationKind),
    DisputeAction(DisputeActionKind),
}

impl fmt::Display for UnresolvedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnresolvedKind::Operation(kind) => kind.fmt(f),
            UnresolvedKind::DisputeAction(kind) => kind.fmt(f),
        }
    }
}

/// One operation without a final answer, and its object.
#[derive(Clone, Debug)]
pub struct Unresolved {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    pub attempt_id: AttemptId,
    /// Set for a refund.
    pub refund_id: Option<RefundId>,
    /// Set for an operation on a dispute.
    pub dispute_id: Option<DisputeId>,
    pub connector: String,
    pub kind: UnresolvedKind,
    pub currency: Currency,
    pub operation: Operation,
    pub waits_for: WaitsFor,
    pub next_question_at: Timestamp,
}
