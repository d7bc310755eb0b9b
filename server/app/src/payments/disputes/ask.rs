//! Asks a processor for the state of a dispute.

use multirail_domain::payments::dispute::Dispute;
use multirail_kernel::money::Money;
use multirail_sdk::connector::{Approval, DisputeAt, DisputeNews, Outcome};

use super::Disputes;
use crate::AppError;
use crate::operations::processors::NOBODY_ASKED;

impl Disputes {
    /// Returns the dispute's state at the processor. The error is the outcome of a question that found nothing.
    pub(crate) async fn ask_about(
        &self,
        dispute: &Dispute,
    ) -> Result<Result<DisputeNews, Outcome>, AppError> {
        let connector = self.processors.connector(&dispute.charge.connector)?;
        let Some(look_ups) = connector.able(|able| able.disputes.finds) else {
            return Ok(Err(NOBODY_ASKED));
        };
        let at = self.at_processor(dispute).await?;
        let mut found = None;
        let answer = async {
            let Some(_place) = self.processors.place_to_ask(&at.access).await else {
                return NOBODY_ASKED;
            };
            match look_ups.find_dispute(at).await {
                Ok(news) => {
                    found = Some(news);
                    Outcome::Done(Approval::default())
                }
                Err(reason) => Outcome::Unknown(reason),
            }
        };
        let name = &dispute.charge.connector;
        let outcome = self.processors.in_time(name, "find_dispute", answer).await;
        Ok(found.ok_or(outcome))
    }

    /// Returns the dispute's data for a question to its processor.
    pub(crate) async fn at_processor(&self, dispute: &Dispute) -> Result<DisputeAt, AppError> {
        let charge = &dispute.charge;
        let account = Some(&charge.merchant_connector_id);
        Ok(DisputeAt {
            access: self
                .processors
                .access(&dispute.merchant_id, account)
                .await?,
            reference: charge.reference.clone(),
            stage: dispute.stage,
            authorization_key: charge.authorization_key.clone(),
            authorization_reference: charge.authorization_reference.clone(),
            money: Money::new(dispute.amount, dispute.currency),
            reason: dispute.reason.clone(),
            reason_code: dispute.reason_code.clone(),
        })
    }
}
