//! Ask the processor about everything of a payment that has no final answer.

use multirail_domain::ids::{MerchantId, PaymentId, ProcessorKey};
use multirail_domain::payment::{Command, Input, Payment, transition};

use super::super::driver::Stored;
use super::super::{App, AppError, Origin};
use super::calls::CallInputs;

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
        let mut inputs = CallInputs::default();
        let stored = self
            .begin_sync(origin, merchant_id, payment_id, &mut inputs)
            .await?;
        self.carry_out(origin, stored, inputs).await
    }

    /// Asks only about the operation of this key.
    pub(crate) async fn sync_operation(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        key: &ProcessorKey,
    ) -> Result<Payment, AppError> {
        let mut inputs = CallInputs::default();
        let mut stored = self
            .begin_sync(origin, merchant_id, payment_id, &mut inputs)
            .await?;
        stored.calls.retain(|due| due.key() == key);
        self.carry_out(origin, stored, inputs).await
    }

    async fn begin_sync(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        inputs: &mut CallInputs,
    ) -> Result<Stored<Payment>, AppError> {
        self.command(
            origin,
            merchant_id,
            payment_id,
            inputs,
            |payment, context, _| transition(payment, Input::Command(Command::Sync), context),
        )
        .await
    }
}
