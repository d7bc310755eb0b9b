//! Changes a payment before its confirm. (`POST /payments/{payment_id}`)

use multirail_domain::payments::payment::{Changes, Command, Input, transition};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::refusal::Object;

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::confirm::ConfirmPayment;
use super::{CallCredentials, PaymentView, Payments};
use crate::operations::driver::Stage;
use crate::platform::decisions::Decisions;

/// The request, translated.
#[derive(Debug)]
pub struct UpdatePayment {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    /// True to confirm in the same call.
    pub confirm: bool,
    pub changes: Changes,
    pub credentials: CallCredentials,
}

impl Payments {
    /// Changes the members that are given.
    ///
    /// # Errors
    /// An unknown payment, one that is confirmed already, invalid members.
    pub async fn update(
        &self,
        origin: &Origin,
        request: UpdatePayment,
    ) -> Result<PaymentView<'static>, AppError> {
        let UpdatePayment {
            merchant_id,
            payment_id,
            confirm,
            changes,
            credentials,
        } = request;
        let update = |changes: Changes| Input::Command(Command::Update(Box::new(changes)));
        if confirm {
            // Checks the update without storing it: the confirm applies the same changes. A repeated request has passed
            // this check already.
            if self.resumed(origin).is_none() {
                let before = self.load(&merchant_id, &payment_id).await?;
                let mut changes = changes.clone();
                self.find_saved_again(&before, &mut changes).await?;
                transition(&before, update(changes), &self.base.context())?;
            }
            let request = ConfirmPayment {
                merchant_id,
                payment_id,
                changes,
                credentials,
                by_owner: false,
            };
            return Box::pin(self.confirm(origin, request)).await;
        }
        let mut decisions = Decisions::begin(Object::Payment);
        let (stored, mut inputs) = loop {
            let before = self.load(&merchant_id, &payment_id).await?;
            let mut changes = changes.clone();
            if let Some(address) = &changes.return_url {
                self.profile_of(&before).await?.check_return_url(address)?;
            }
            if !changes.instrument.is_empty() || changes.particulars.mandate.is_some() {
                self.find_saved_again(&before, &mut changes).await?;
            }
            let mut step = transition(&before, update(changes), &self.base.context())?;
            if let Some(data) = &step.data {
                data.check_may_rest()?;
            }
            let mut inputs = CallInputs {
                credentials: credentials.clone(),
                ..CallInputs::default()
            };
            self.look_up_customer(Some(&before), &mut step.payment, &mut inputs)
                .await?;
            let committed = self.driver.commit_step(
                self,
                origin,
                Some(before),
                step,
                &mut inputs,
                Stage::FIRST,
            );
            match committed.await {
                Ok(stored) => break (stored, inputs),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        };
        self.keep_code(&stored.object, inputs.data.take());
        let carried_out = self.driver.carry_out(self, origin, stored, inputs).await?;
        Ok(self.answered(carried_out))
    }
}
