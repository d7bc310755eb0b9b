//! Confirms a payment. (Specification 4.12)

use std::sync::Arc;

use multirail_domain::accounts::profile::Profile;
use multirail_domain::payments::payment::confirm::Confirm;
use multirail_domain::payments::payment::{
    AutoRetry, Changes, Command, Input, Payment, PaymentMethodData, transition,
};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::refusal::{Object, Refusal};

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::credentials::check_kind;
use super::customer::check_not_redacted;
use super::{CallCredentials, PaymentView, Payments};
use crate::operations::driver::Stage;
use crate::platform::decisions::Decisions;
use crate::platform::ports::{Actor, CommitError};
use crate::routing::Routes;

/// The request, translated.
#[derive(Debug)]
pub struct ConfirmPayment {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    pub changes: Changes,
    pub credentials: CallCredentials,
    /// True if the payment's owner confirms it.
    pub by_owner: bool,
}

/// Inputs that an earlier request stored for the confirm.
#[derive(Clone, Copy, Default)]
pub(super) struct HeldInputs {
    pub card: bool,
    pub card_code: bool,
    /// True if it is a saved card that a processor stores.
    pub is_kept: bool,
    pub credentials: bool,
}

impl Payments {
    /// Sends a payment to a processor. A decline is an answer, not an error.
    ///
    /// # Errors
    /// An unknown payment, a state that can't be confirmed, an instrument that can't be used, no eligible account.
    pub async fn confirm(
        &self,
        origin: &Origin,
        request: ConfirmPayment,
    ) -> Result<PaymentView<'static>, AppError> {
        let ConfirmPayment {
            merchant_id,
            payment_id,
            changes,
            credentials,
            by_owner,
        } = request;
        let resumes = self.resumed(origin).is_some_and(|id| id == payment_id);
        let mut decisions = Decisions::begin(Object::Payment);
        let (stored, inputs) = loop {
            let before = self.load(&merchant_id, &payment_id).await?;
            let profile = self.profile_of(&before).await?;
            if let Some(address) = &changes.return_url {
                profile.check_return_url(address)?;
            }
            let mut held = self.held_data(&before).await?;
            // The commit that ends a payment deletes its card: then the payment has changed since it was loaded.
            let is_gone = before.holds_card && held.is_none();
            if is_gone && self.load(&merchant_id, &payment_id).await?.version != before.version {
                decisions
                    .retry_on_conflict(
                        self.base.random.as_ref(),
                        CommitError::Conflict,
                        AppError::of_commit,
                    )
                    .await?;
                continue;
            }
            let (at_hand, credentials) = self.at_hand(&before, &credentials).await?;
            // A held card has no code; only memory has it.
            if let Some(PaymentMethodData::Card(card)) = &mut held {
                card.code = self.codes.find(&merchant_id, &payment_id);
            }
            let kept = HeldInputs {
                card: held.is_some(),
                card_code: held.as_ref().is_some_and(|held| !held.lacks_code()),
                // A held card was typed by the payer.
                is_kept: false,
                credentials: at_hand.are_held,
            };
            let mut changes = changes.clone();
            self.find_saved_again(&before, &mut changes).await?;
            let confirm = self.confirm_input(&before, &profile, changes, kept).await?;
            let confirm = Confirm {
                by_client: origin.actor == Actor::Client,
                by_owner,
                resumes,
                ..confirm
            };
            let onward = further_attempts(&profile, &confirm);
            let input = Input::Command(Command::Confirm(Box::new(confirm)));
            let mut step = match transition(&before, input, &self.base.context()) {
                Ok(step) => step,
                Err(refusal) => {
                    // The card may have been deleted with its customer: then another card would be refused too.
                    if before.instrument().is_none() {
                        let customer_id = before.terms.customer_id.as_ref();
                        Box::pin(check_not_redacted(
                            &*self.customers,
                            &merchant_id,
                            customer_id,
                        ))
                        .await?;
                    }
                    return Err(refusal.into());
                }
            };
            check_kind(&self.processors, &step.payment, &credentials)?;
            // The payment data goes to the processor, not into the store.
            let given = step.data.take();
            let mut inputs = CallInputs {
                data: given.or(held),
                credentials,
                onward: onward.map(|onward| Arc::new(onward.after(&step.payment))),
                by_owner,
                ..CallInputs::default()
            };
            self.open_wallet(&step.payment, &mut inputs).await?;
            if step.payment.terms.customer_id.is_some() {
                let before = Some(&before);
                // Boxed, because guests don't need it.
                Box::pin(self.look_up_customer(before, &mut step.payment, &mut inputs)).await?;
                let CallInputs { data, to_save, .. } = &mut inputs;
                let held = self.hold_to_save(&mut step.payment, data.as_ref(), to_save);
                Box::pin(held).await?;
            }
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
        self.codes.take(&merchant_id, &payment_id);
        let carried_out = self.driver.carry_out(self, origin, stored, inputs).await?;
        Ok(self.answered(carried_out))
    }

    /// Collects the inputs of the domain for a confirm.
    pub(super) async fn confirm_input(
        &self,
        payment: &Payment,
        profile: &Profile,
        changes: Changes,
        kept: HeldInputs,
    ) -> Result<Confirm, AppError> {
        let Routes {
            candidates,
            active,
            three_ds,
            draw,
        } = self.routes(payment, profile).await?;
        Ok(Confirm {
            changes,
            candidates,
            connectors: Arc::clone(&self.routing.connectors),
            active,
            three_ds,
            dynamic: self
                .routing
                .dynamic_of(&payment.profile_id, profile)
                .await?,
            routing: self.routing.strategy,
            manual_retry_enabled: payment.is_manual_retry_enabled(profile.is_manual_retry_enabled),
            wishes: profile.wishes(),
            card_is_held: kept.card,
            card_code_is_held: kept.card_code,
            card_is_kept: kept.is_kept,
            credentials_are_held: kept.credentials,
            by_client: false,
            by_owner: false,
            resumes: false,
            draw,
        })
    }

    /// Returns the accounts and the configuration for routing. Profile, accounts and configuration are in memory: no
    /// statement runs, unless one of them is new to this server.
    pub(super) async fn routes(
        &self,
        payment: &Payment,
        profile: &Profile,
    ) -> Result<Routes, AppError> {
        self.routing.routes_of(&payment.merchant_id, profile).await
    }

    pub(super) async fn profile_of(&self, payment: &Payment) -> Result<Arc<Profile>, AppError> {
        self.profiles
            .profile(&payment.merchant_id, &payment.profile_id)
            .await?
            .ok_or_else(|| Refusal::not_found(Object::BusinessProfile).into())
    }

    async fn held_data(&self, payment: &Payment) -> Result<Option<PaymentMethodData>, AppError> {
        if !payment.holds_card {
            return Ok(None);
        }
        Ok(self
            .held
            .held_data(&payment.merchant_id, &payment.payment_id, self.base.now())
            .await?)
    }
}

/// Returns the options for automatic further attempts after a refused confirm, if the profile allows them.
pub(super) fn further_attempts(profile: &Profile, confirm: &Confirm) -> Option<AutoRetry> {
    let at_most = profile.auto_retries();
    (at_most > 0).then(|| AutoRetry {
        candidates: confirm.candidates.clone(),
        active: confirm.active.clone(),
        dynamic: confirm.dynamic.clone(),
        routing: confirm.routing,
        draw: confirm.draw,
        wishes: confirm.wishes.clone(),
        at_most,
        first_attempt: 0,
    })
}
