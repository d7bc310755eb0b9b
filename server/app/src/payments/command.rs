//! Commands of payments.

use multirail_domain::payments::payment::{AtHand, Payment, Step};
use multirail_kernel::context::Context;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::refusal::{Object, Refusal};

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::{PaymentView, Payments};
use crate::operations::driver::{Aggregate, Stage, Stored};
use crate::platform::decisions::Decisions;
use crate::platform::ports::CommitError;

impl Payments {
    /// Commits a command, and makes its calls to the processor.
    pub(super) async fn carry_out_command(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        mut inputs: CallInputs,
        decide: impl Fn(&Payment, &Context, AtHand) -> Result<Step, Refusal>,
    ) -> Result<PaymentView<'static>, AppError> {
        let stored = self
            .command(origin, merchant_id, payment_id, &mut inputs, decide)
            .await?;
        let carried_out = self.driver.carry_out(self, origin, stored, inputs).await?;
        Ok(self.answered(carried_out))
    }

    /// Loads, decides and commits a command; decides again where the payment changed meanwhile.
    pub(super) async fn command(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        inputs: &mut CallInputs,
        decide: impl Fn(&Payment, &Context, AtHand) -> Result<Step, Refusal>,
    ) -> Result<Stored<Payment>, AppError> {
        let mut decisions = Decisions::begin(Object::Payment);
        let mut gone = None;
        loop {
            let before = self.load(merchant_id, payment_id).await?;
            let (at_hand, _) = self.at_hand(&before, &inputs.credentials).await?;
            let mut step = decide(&before, &self.base.context(), at_hand)?;
            if let Some(what) = gone {
                step = Payment::without(step, what);
            }
            let committed =
                self.driver
                    .commit_step(self, origin, Some(before), step, inputs, Stage::FIRST);
            match committed.await {
                Ok(stored) => return Ok(stored),
                Err(CommitError::Gone(what)) if gone.is_none() => gone = Some(what),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }
}
