//! Ask the processor about everything of a payment that has no final answer.

use multirail_domain::ids::{MerchantId, PaymentId};
use multirail_domain::payment::{Command, Input, Payment, transition};

use super::super::{App, AppError, Origin};
use super::carry_out::{CallInputs, Stored, sort_effects};
use crate::ports::Change;

impl App {
    /// Asks, and records what it is told through the same transition as any answer.
    ///
    /// # Errors
    /// Unknown payment, or a store that fails. A processor that doesn't know either is no error.
    pub async fn sync_payment(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Payment, AppError> {
        let payment = self.load(merchant_id, payment_id).await?;
        let step = transition(&payment, Input::Command(Command::Sync), &self.context())?;
        let calls = sort_effects(&payment, step.effects, &mut Vec::new()).calls;
        let stored = Stored {
            payment,
            calls,
            card: None,
        };
        self.carry_out(origin, stored, CallInputs::default()).await
    }

    /// Sets when the payment is asked about next, as if it were asked about now.
    ///
    /// # Errors
    /// Unknown payment, or a store that fails.
    pub async fn postpone_sync(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<(), AppError> {
        let payment = self.load(merchant_id, payment_id).await?;
        let now = self.now();
        let in_flight = self.settings.in_flight_seconds();
        let Some(until) = payment.next_question_at(now, in_flight) else {
            return Ok(());
        };
        let change = Change::PostponeSync {
            merchant_id: merchant_id.clone(),
            payment_id: payment_id.clone(),
            until,
        };
        let change_set = self.change_set(origin, Some(merchant_id), vec![change]);
        self.store
            .commit(change_set)
            .await
            .map_err(AppError::of_commit)
    }
}
