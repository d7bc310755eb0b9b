//! Raises an authorization. (Specification 2.10)

use multirail_domain::payments::payment::{Command, Input, RaiseAuthorization, transition};
use multirail_kernel::ids::{IncrementId, MerchantId, PaymentId};
use multirail_kernel::refusal::Object;

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::counted::check_counted;
use super::{PaymentView, Payments};
use crate::operations::driver::Stage;
use crate::platform::decisions::Decisions;
use crate::platform::ports::CommitError;

impl Payments {
    /// Asks the processor to raise the authorized amount to a new total.
    ///
    /// # Errors
    /// An unknown payment, a state or an amount that doesn't allow it, a connector that doesn't support it.
    pub async fn raise_authorization(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        amount: i64,
        reason: Option<String>,
    ) -> Result<PaymentView<'static>, AppError> {
        let increment_id = IncrementId::generate(self.base.random.as_ref());
        let mut inputs = CallInputs::default();
        let mut decisions = Decisions::begin(Object::Payment);
        let stored = loop {
            let before = self.load(merchant_id, payment_id).await?;
            let mandate = self.charged_mandate(&before).await?;
            let (credentials, _) = self.at_hand(&before, &inputs.credentials).await?;
            let raise = RaiseAuthorization {
                amount,
                reason: reason.clone(),
                increment_id: increment_id.clone(),
                mandate,
                credentials,
            };
            let command = Command::RaiseAuthorization(Box::new(raise));
            let step = transition(&before, Input::Command(command), &self.base.context())?;
            check_counted(&self.processors, &before, "amount", amount)?;
            let read = before.clone();
            let committed = self.driver.commit_step(
                self,
                origin,
                Some(before),
                step,
                &mut inputs,
                Stage::FIRST,
            );
            match committed.await {
                Ok(stored) => break stored,
                Err(error) => {
                    if error == CommitError::Conflict {
                        // The mandate may no longer permit the charge.
                        self.check_charged_mandate(&read).await?;
                    }
                    let random = self.base.random.as_ref();
                    let again = decisions.retry_on_conflict(random, error, AppError::of_commit);
                    again.await?;
                }
            }
        };
        let carried_out = self.driver.carry_out(self, origin, stored, inputs).await?;
        Ok(self.answered(carried_out))
    }
}
