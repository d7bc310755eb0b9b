//! Confirms a subscription with its first payment. (`POST /subscriptions/{subscription_id}/confirm`)

use std::sync::Arc;

use multirail_app::payments::confirm::ConfirmPayment;
use multirail_app::payments::ports::PaymentChange;
use multirail_app::payments::{CallCredentials, PaymentView};
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::Change;
use multirail_app::{AppError, Origin};
use multirail_billing_domain::subscription::{
    Command, Due, Input, Invoice, Outcome, Standing, Subscription, Told,
};
use multirail_domain::payments::payment::{Changes, Payment, PaymentStatus};
use multirail_kernel::ids::{MerchantId, PaymentId, PaymentToken, ProfileId, SubscriptionId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

use super::charge::outcome_of;
use super::decide::{Brings, With};
use super::{Decider, Named, SubscriptionView, Subscriptions};
use crate::ports::SubscriptionChange;

/// The request to confirm, translated.
#[derive(Debug)]
pub struct ConfirmSubscription {
    pub merchant_id: MerchantId,
    pub profile_id: ProfileId,
    pub subscription_id: SubscriptionId,
    /// The client secret of the subscription, if the request has it.
    pub client_secret: Option<String>,
    /// The payment details.
    pub changes: Changes,
}

/// The fate of a subscription whose payment was refused before a processor was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Otherwise {
    /// Keep it, so that it can be confirmed again.
    Keep,
    /// Delete it, because the same request created it.
    Delete,
}

impl Subscriptions {
    /// Confirms the first payment and with it the subscription. A decline is an answer, not an error.
    ///
    /// # Errors
    /// An unknown subscription, one that was confirmed or has ended, and the refusals of a payment's confirm. Nothing
    /// has changed then.
    pub async fn confirm(
        &self,
        origin: &Origin,
        request: ConfirmSubscription,
    ) -> Result<SubscriptionView, AppError> {
        let ConfirmSubscription {
            merchant_id,
            profile_id,
            subscription_id,
            client_secret,
            changes,
        } = request;
        let named = Named {
            merchant_id: &merchant_id,
            profile_id: Some(&profile_id),
            subscription_id: &subscription_id,
        };
        let standing = self.reads.standing(named).await?;
        if let Some(presented) = &client_secret {
            self.reads.check_secret(&standing.subscription, presented)?;
        }
        self.check_token_recurs(&merchant_id, &changes).await?;
        self.lapse(origin, &standing).await?;
        let begun = self.decider.decide(
            origin,
            &merchant_id,
            &subscription_id,
            Input::Command(Command::Confirm),
            With {
                brings: Brings::Claim,
                payment: None,
            },
        );
        let standing = begun.await?.standing;
        self.confirm_begun(origin, &standing, changes, Otherwise::Keep)
            .await
    }

    /// Releases the coupon of a subscription whose time to confirm is over, if no worker has done it yet. The confirm
    /// must then redeem the coupon again.
    pub(super) async fn lapse(&self, origin: &Origin, standing: &Standing) -> Result<(), AppError> {
        let is_due = |(at, what): (Timestamp, Due)| at <= self.base.now() && what == Due::Lapse;
        if !standing.due().is_some_and(is_due) {
            return Ok(());
        }
        let of = &standing.subscription;
        let (merchant_id, id) = (&of.merchant_id, &of.subscription_id);
        let step = origin.without_claim();
        self.decider
            .decide(&step, merchant_id, id, Input::Time, With::NOTHING)
            .await?;
        Ok(())
    }

    /// Confirms the payment of a subscription that is stored as being confirmed.
    pub(super) async fn confirm_begun(
        &self,
        origin: &Origin,
        standing: &Standing,
        changes: Changes,
        otherwise: Otherwise,
    ) -> Result<SubscriptionView, AppError> {
        let (invoice, payment_id) = first_payment(standing)?;
        let subscription = &standing.subscription;
        let merchant_id = &subscription.merchant_id;
        // The idempotency key belongs to the subscription's request. The payment is one step of it.
        let step = origin.without_claim();
        let request = ConfirmPayment {
            merchant_id: merchant_id.clone(),
            payment_id: payment_id.clone(),
            changes,
            credentials: CallCredentials::default(),
            by_owner: true,
        };
        let confirmed = self.payments.confirm(&step, request).await;
        let view = match confirmed {
            Ok(view) => view,
            Err(AppError::Refused(refusal)) => {
                let payment = self.payments.load(merchant_id, &payment_id).await?;
                let outcome = outcome_of(&payment, invoice, self.base.now());
                if outcome == Outcome::Untouched {
                    return self.take_back(origin, standing, refusal, otherwise).await;
                }
                let told = Told {
                    invoice_id: invoice.invoice_id.clone(),
                    payment_id,
                    outcome,
                };
                return self
                    .refuse_confirm(origin, standing, told, &payment, refusal)
                    .await;
            }
            Err(error) => return Err(error),
        };
        let told = Told {
            invoice_id: invoice.invoice_id.clone(),
            payment_id,
            outcome: outcome_of(&view.payment, invoice, self.base.now()),
        };
        self.report_and_answer(origin, standing, told, view).await
    }

    /// Refuses the confirm, because another request confirmed the first payment or the payment has ended. The
    /// instrument was sent to no processor.
    async fn refuse_confirm(
        &self,
        origin: &Origin,
        standing: &Standing,
        told: Told,
        payment: &Payment,
        refusal: Refusal,
    ) -> Result<SubscriptionView, AppError> {
        let subscription = &standing.subscription;
        let of = (&subscription.merchant_id, &subscription.subscription_id);
        let (step, read_at) = (origin.without_claim(), subscription.version);
        self.decider
            .tell(&step, of, told, read_at, With::NOTHING)
            .await?;
        self.free_key(origin, standing).await?;
        let is_over = matches!(
            payment.status,
            PaymentStatus::Cancelled | PaymentStatus::Expired
        );
        Err(match is_over {
            true => refusal,
            false => Refusal::SubscriptionConfirmed,
        }
        .into())
    }

    /// Reports the outcome of the first payment to the subscription, and returns the answer.
    async fn report_and_answer(
        &self,
        origin: &Origin,
        standing: &Standing,
        told: Told,
        payment: PaymentView<'static>,
    ) -> Result<SubscriptionView, AppError> {
        let subscription = &standing.subscription;
        let (merchant_id, id) = (&subscription.merchant_id, &subscription.subscription_id);
        let (of, read_at) = ((merchant_id, id), subscription.version);
        let with = With {
            brings: Brings::Answer,
            payment: Some(&payment),
        };
        let decided = self.decider.tell(origin, of, told, read_at, with);
        Ok(decided.await?.view)
    }

    /// Frees the key of a refused request, which the first commit had claimed.
    async fn free_key(&self, origin: &Origin, standing: &Standing) -> Result<(), AppError> {
        let merchant_id = Some(&standing.subscription.merchant_id);
        let change_set = self
            .base
            .change_set(origin, merchant_id, ForKey::Refused, Vec::new());
        if change_set.is_empty() {
            return Ok(());
        }
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)
    }

    /// Undoes the stored confirm of a payment that was refused.
    pub(super) async fn take_back(
        &self,
        origin: &Origin,
        standing: &Standing,
        refusal: Refusal,
        otherwise: Otherwise,
    ) -> Result<SubscriptionView, AppError> {
        let subscription = &standing.subscription;
        let merchant_id = &subscription.merchant_id;
        match otherwise {
            Otherwise::Delete => {
                let delete = SubscriptionChange::Delete(Box::new(subscription.clone()));
                let mut changes = vec![self.reads.store.change(delete)];
                // Nobody could confirm the payment without its subscription.
                let (_, payment_id) = first_payment(standing)?;
                let payment = self.payments.load(merchant_id, &payment_id).await?;
                let delete_payment = PaymentChange::Delete(Arc::new(payment));
                changes.push(self.payments.change(delete_payment));
                changes.extend(self.decider.redemption_back(subscription));
                let change_set =
                    self.base
                        .change_set(origin, Some(merchant_id), ForKey::Refused, changes);
                let committed = self.base.commit(change_set).await;
                committed.map_err(AppError::of_commit)?;
            }
            Otherwise::Keep => {
                let with = With {
                    brings: Brings::Refused,
                    payment: None,
                };
                let input = Input::Command(Command::Unconfirm);
                let id = &subscription.subscription_id;
                self.decider
                    .decide(origin, merchant_id, id, input, with)
                    .await?;
            }
        }
        Err(refusal.into())
    }

    /// Checks that a saved method that pays by its token may be charged later without the payer.
    pub(super) async fn check_token_recurs(
        &self,
        merchant_id: &MerchantId,
        changes: &Changes,
    ) -> Result<(), AppError> {
        let Some(token) = &changes.instrument.token else {
            return Ok(());
        };
        let Ok(token) = PaymentToken::parse(token.text.expose()) else {
            return Ok(());
        };
        let found = self.methods.by_token(merchant_id, &token);
        match found.await? {
            Some(method) if !method.is_agreed() => Err(Refusal::NotAgreed {
                why: "payment_token stands for a method whose payer did not consent to charges without him"
                    .to_owned(),
            }
            .into()),
            // The payment refuses an unknown token.
            Some(_) | None => Ok(()),
        }
    }
}

impl Decider {
    /// Returns the change that counts one redemption less of a subscription that never began, unless that is done
    /// already.
    pub(super) fn redemption_back(&self, subscription: &Subscription) -> Option<Change> {
        if subscription.is_coupon_back {
            return None;
        }
        let code = &subscription.coupon.as_ref()?.code;
        let account_id = &subscription.plan.price.merchant_connector_id;
        let merchant_id = &subscription.merchant_id;
        Some(
            self.catalogue
                .coupon_given_back(merchant_id, account_id, code),
        )
    }
}

/// Returns the first invoice and its payment.
pub(super) fn first_payment(standing: &Standing) -> Result<(&Invoice, PaymentId), AppError> {
    let first = standing.open.iter().find(|invoice| invoice.number == 1);
    first
        .and_then(|invoice| {
            let current = invoice.current_try()?;
            Some((invoice, current.payment_id.clone()))
        })
        .ok_or_else(|| AppError::Broken("a subscription has no first payment".to_owned()))
}
