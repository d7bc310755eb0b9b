//! Operations that wait for a processor's answer, as the operator is shown them.

use std::fmt;

use multirail_domain::dispute::{Dispute, DisputeActionKind};
use multirail_domain::payment::{Operation, Payment};
use multirail_domain::refund::Refund;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{AttemptId, DisputeId, MerchantId, PaymentId, RefundId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{OperationKind, Recoveries, Recovery, WaitsFor};

use super::paging::page_size;
use super::{App, AppError};
use crate::ports::StoreFailure;
use crate::ports::open_operations::{OpenObject, UnresolvedOperation};

/// The request that a processor got.
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

/// One operation without a final answer, and what it belongs to.
#[derive(Clone, Debug)]
pub struct Unresolved {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    pub attempt_id: AttemptId,
    /// Set where it is a refund.
    pub refund_id: Option<RefundId>,
    /// Set where it is about a dispute.
    pub dispute_id: Option<DisputeId>,
    pub connector: String,
    pub kind: UnresolvedKind,
    pub currency: Currency,
    pub operation: Operation,
    pub waits_for: WaitsFor,
    pub next_question_at: Timestamp,
}

const LARGEST_PAGE: i64 = 100;

impl App {
    /// Operations of all merchants that have no final answer; the one that is asked about next comes first.
    ///
    /// # Errors
    /// A limit out of range.
    pub async fn unresolved_operations(
        &self,
        limit: Option<i64>,
        offset: Option<i64>,
    ) -> Result<Vec<Unresolved>, AppError> {
        let limit = page_size(limit.or(Some(LARGEST_PAGE)), LARGEST_PAGE)?;
        let found = self.store.unresolved_operations(limit, offset.unwrap_or(0));
        let mut unresolved = Vec::new();
        for one in found.await? {
            unresolved.extend(self.unresolved(one).await?);
        }
        Ok(unresolved)
    }

    /// Nothing where the processor's answer is stored by now, or the object can't be read.
    async fn unresolved(&self, found: UnresolvedOperation) -> Result<Option<Unresolved>, AppError> {
        let merchant_id = &found.merchant_id;
        let read = match &found.object {
            OpenObject::Payment(id) => {
                let payment = self.store.payment(merchant_id, id).await;
                payment.map(|payment| self.of_payment(&payment?, &found))
            }
            OpenObject::Refund(id) => {
                let refund = self.store.refund(merchant_id, id).await;
                refund.map(|refund| self.of_refund(refund?, &found))
            }
            OpenObject::Dispute(id) => {
                let dispute = self.store.dispute(merchant_id, id).await;
                dispute.map(|dispute| self.of_dispute(&dispute?, &found))
            }
        };
        match read {
            Ok(unresolved) => Ok(unresolved),
            // It hides no other, and who looks after the service is told by the log.
            Err(StoreFailure::Broken(why) | StoreFailure::Destroyed(why)) => {
                let key = &found.processor_key;
                tracing::error!(%merchant_id, %key, why, "an unresolved operation can't be shown");
                Ok(None)
            }
            Err(failure) => Err(failure.into()),
        }
    }

    fn of_payment(&self, payment: &Payment, found: &UnresolvedOperation) -> Option<Unresolved> {
        let mut unresolved = payment.unresolved();
        let (attempt, kind, operation) =
            unresolved.find(|(_, _, operation)| operation.key == found.processor_key)?;
        let connector = attempt.connector.clone().unwrap_or_default();
        Some(Unresolved {
            merchant_id: payment.merchant_id.clone(),
            payment_id: payment.payment_id.clone(),
            attempt_id: payment.attempt_id(attempt.number),
            refund_id: None,
            dispute_id: None,
            waits_for: self.waits_for(&connector, kind, operation),
            connector,
            kind: UnresolvedKind::Operation(kind),
            currency: payment.terms.currency,
            operation: operation.clone(),
            next_question_at: found.next_question_at,
        })
    }

    fn of_refund(&self, refund: Refund, found: &UnresolvedOperation) -> Option<Unresolved> {
        let kind = OperationKind::Refund;
        let waits_for = if refund.is_to_be_sent() {
            WaitsFor::Call
        } else {
            self.waits_for(&refund.charge.connector, kind, &refund.operation)
        };
        refund.is_open_at_processor().then(|| Unresolved {
            attempt_id: AttemptId::new(refund.payment_id.clone(), refund.charge.attempt),
            merchant_id: refund.merchant_id,
            payment_id: refund.payment_id,
            refund_id: Some(refund.refund_id),
            dispute_id: None,
            connector: refund.charge.connector,
            kind: UnresolvedKind::Operation(kind),
            currency: refund.currency,
            operation: refund.operation,
            waits_for,
            next_question_at: found.next_question_at,
        })
    }

    fn of_dispute(&self, dispute: &Dispute, found: &UnresolvedOperation) -> Option<Unresolved> {
        let action = dispute.action(&found.processor_key)?;
        if !action.operation.progress.is_open() {
            return None;
        }
        let connector = &dispute.charge.connector;
        // Of a connector that this version doesn't have, nobody here can ask.
        let description = self.processors.connectors.describe(connector);
        let recovery = description.and_then(|one| one.capabilities.disputes.recovery(action.kind));
        let recovery = recovery.unwrap_or(Recovery::Notice);
        let follow_up = action.operation.follow_up(recovery, true, self.now());
        Some(Unresolved {
            merchant_id: dispute.merchant_id.clone(),
            payment_id: dispute.payment_id.clone(),
            attempt_id: AttemptId::new(dispute.payment_id.clone(), dispute.charge.attempt),
            refund_id: None,
            dispute_id: Some(dispute.dispute_id.clone()),
            connector: connector.clone(),
            kind: UnresolvedKind::DisputeAction(action.kind),
            currency: dispute.currency,
            operation: action.operation.clone(),
            waits_for: action.operation.waits_after(follow_up),
            next_question_at: found.next_question_at,
        })
    }

    fn waits_for(&self, connector: &str, kind: OperationKind, operation: &Operation) -> WaitsFor {
        // Of a connector that this version doesn't have, nobody here can ask.
        let recoveries = self
            .processors
            .connectors
            .describe(connector)
            .map_or(Recoveries::all(Recovery::Notice), |description| {
                description.capabilities.recovery
            });
        operation.waits_for(kind, &recoveries, self.now())
    }
}
