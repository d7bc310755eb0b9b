//! Replaces a payment's metadata. (`POST /payments/{payment_id}/update_metadata`)

use multirail_domain::payments::payment::{Command, Input, Payment, transition};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::notes::Metadata;

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::{PaymentView, Payments};

impl Payments {
    /// Replaces the metadata with the given one.
    ///
    /// # Errors
    /// An unknown payment, a state in which its metadata can't be replaced.
    pub async fn update_metadata(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        metadata: Metadata,
    ) -> Result<PaymentView<'static>, AppError> {
        let stored = self
            .driver
            .commit_decision(
                self,
                origin,
                merchant_id,
                payment_id,
                |payment: &Payment, context| {
                    let metadata = metadata.clone();
                    let command = Command::UpdateMetadata { metadata };
                    transition(payment, Input::Command(command), context)
                },
            )
            .await?;
        let carried_out = self
            .driver
            .carry_out(self, origin, stored, CallInputs::default())
            .await?;
        Ok(self.answered(carried_out))
    }
}
