//! Disputes, as operations and notices see them.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::operations::received_notice::Sender;
use multirail_kernel::ids::{AttemptId, DisputeId, MerchantId};
use multirail_sdk::connector::{DisputeNews, Recovery};

use super::{DisputeOfPayment, Disputes};
use crate::operations::operated::{Operated, OperatedObject};
use crate::operations::ports::DisputeListener;
use crate::operations::ports::open_operations::UnresolvedOperation;
use crate::operations::unresolved_operation::{Unresolved, UnresolvedKind};
use crate::{AppError, Origin};

impl Disputes {
    /// Returns disputes as a kind of object with operations at processors.
    pub fn operated(self: &Arc<Self>) -> Arc<dyn OperatedObject> {
        Arc::new(Operated::<DisputeOfPayment> {
            services: Arc::clone(self),
            driver: Arc::clone(&self.driver),
        })
    }

    /// Describes an action on a dispute, if it is open.
    pub(crate) async fn unresolved(
        &self,
        dispute_id: &DisputeId,
        found: &UnresolvedOperation,
    ) -> Result<Option<Unresolved>, AppError> {
        let dispute = self.store.dispute(&found.merchant_id, dispute_id).await?;
        let Some(dispute) = dispute else {
            return Ok(None);
        };
        let action = dispute.action(&found.processor_key);
        let Some(action) = action.filter(|action| action.operation.progress.is_open()) else {
            return Ok(None);
        };
        let connector = &dispute.charge.connector;
        // This server can't ask about an operation of a connector that it lacks.
        let description = self.processors.connectors.describe(connector);
        let recovery = description.and_then(|one| one.capabilities.disputes.recovery(action.kind));
        let recovery = recovery.unwrap_or(Recovery::Notice);
        let now = self.base.now();
        let follow_up = action.operation.follow_up(recovery, true, now);
        Ok(Some(Unresolved {
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
        }))
    }
}

#[async_trait]
impl DisputeListener for Disputes {
    async fn hear_of(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        sender: Sender<'_>,
        news: &DisputeNews,
    ) -> Result<Option<String>, AppError> {
        let heard = self.take_in(origin, merchant_id, sender, news).await?;
        Ok(heard.map(|dispute_id| dispute_id.to_string()))
    }
}
