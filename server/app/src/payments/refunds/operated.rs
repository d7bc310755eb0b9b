//! Refunds, as operations and notices see them.

use std::sync::Arc;

use multirail_domain::operations::received_notice::{Sender, ToldOf};
use multirail_domain::payments::refund::Refund;
use multirail_domain::payments::refund::notice::of_refunds;
use multirail_kernel::ids::{AttemptId, MerchantId, RefundId};
use multirail_sdk::connector::{About, OperationKind, Outcome, WaitsFor};

use super::{RefundOfPayment, Refunds};
use crate::AppError;
use crate::operations::operated::{Operated, OperatedObject};
use crate::operations::ports::open_operations::{OpenObject, UnresolvedOperation};
use crate::operations::told::Told;
use crate::operations::unresolved_operation::{Unresolved, UnresolvedKind};
use crate::payments::ports::refunds::REFUND;

impl Refunds {
    /// Returns refunds as a kind of object with operations at processors.
    pub fn operated(self: &Arc<Self>) -> Arc<dyn OperatedObject> {
        Arc::new(Operated::<RefundOfPayment> {
            services: Arc::clone(self),
            driver: Arc::clone(&self.driver),
        })
    }

    /// Describes the operation of a refund, if it is open.
    pub(crate) async fn unresolved(
        &self,
        refund_id: &RefundId,
        found: &UnresolvedOperation,
    ) -> Result<Option<Unresolved>, AppError> {
        let refund = self.store.refund(&found.merchant_id, refund_id).await?;
        let open = refund.filter(Refund::is_open_at_processor);
        let Some(refund) = open else {
            return Ok(None);
        };
        let kind = OperationKind::Refund;
        let (connector, operation) = (&refund.charge.connector, &refund.operation);
        Ok(Some(Unresolved {
            waits_for: if refund.is_to_be_sent() {
                WaitsFor::Call
            } else {
                self.processors.waits_for(connector, kind, operation)
            },
            attempt_id: AttemptId::new(refund.payment_id.clone(), refund.charge.attempt),
            merchant_id: refund.merchant_id,
            payment_id: refund.payment_id,
            refund_id: Some(refund.refund_id),
            dispute_id: None,
            connector: refund.charge.connector,
            kind: UnresolvedKind::Operation(kind),
            currency: refund.currency,
            operation: refund.operation,
            next_question_at: found.next_question_at,
        }))
    }

    /// Reads a notice about this refund.
    pub(crate) async fn read_notice(
        &self,
        merchant_id: &MerchantId,
        refund_id: &RefundId,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> Result<Told, AppError> {
        let refund = self.store.refund(merchant_id, refund_id).await?;
        let refunds: Vec<Refund> = refund.into_iter().collect();
        let told = of_refunds(&refunds, sender, about, outcome);
        Ok(Told {
            object: reported_refund(&refunds, &told)
                .unwrap_or_else(|| OpenObject::new(REFUND, refund_id.as_str())),
            told,
            by_others: None,
        })
    }
}

/// Returns the refund that a notice reports on.
pub(crate) fn reported_refund(refunds: &[Refund], told: &ToldOf) -> Option<OpenObject> {
    let key = match told {
        ToldOf::Fact(fact) => &fact.about,
        ToldOf::Hint(key) | ToldOf::HintOfBrought { key, .. } => key,
        ToldOf::NotAskedFor | ToldOf::AnotherAccount => return None,
    };
    let mut of_key = refunds.iter();
    let refund = of_key.find(|refund| refund.operation.key == *key)?;
    Some(OpenObject::new(REFUND, refund.refund_id.as_str()))
}
