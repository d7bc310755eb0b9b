//! The payment of an invoice: made once, and read as what it means for the invoice.

use multirail_domain::billing::dunning::RetryAdvice;
use multirail_domain::payment::recurring::{FoundMethod, MitCategory};
use multirail_domain::payment::{
    Changes, InstrumentInput, Particulars, Payment, PaymentStatus, RecurringInput,
};
use multirail_domain::refusal::Refusal;
use multirail_domain::subscription::{Invoice, Outcome, Subscription, Try};
use multirail_domain::timestamp::Timestamp;

use super::super::payments::CallCredentials;
use super::super::payments::create::CreatePayment;
use super::super::{App, AppError, Origin};

impl App {
    /// Sees to the payment under way for an invoice: makes it if it isn't there. Answers it, if it is there now, and what it
    /// means for the invoice.
    ///
    /// # Errors
    /// A store that fails: nothing is known then, and whoever takes this up again finds what there is.
    pub(super) async fn see_to_payment(
        &self,
        origin: &Origin,
        subscription: &Subscription,
        invoice: &Invoice,
        current: &Try,
    ) -> Result<(Option<Payment>, Outcome), AppError> {
        let (merchant_id, payment_id) = (&subscription.merchant_id, &current.payment_id);
        if let Some(found) = self.store.payment(merchant_id, payment_id).await? {
            let outcome = outcome_of(&found, self.now());
            return Ok((Some(found), outcome));
        }
        // The first payment is made before its subscription, so there was one.
        if invoice.number == 1 {
            return Ok((None, Outcome::Untouched));
        }
        if self.has_paid_before(invoice).await? {
            return Ok((None, Outcome::NeedsReview));
        }
        let request = renewal(subscription, invoice, current);
        let made = Box::pin(self.create_payment(origin, request)).await;
        // Whatever came of the request, what is stored tells: another server may have been faster, and after its first commit
        // only the processor knows.
        let found = self.store.payment(merchant_id, payment_id).await?;
        match (found, made) {
            (Some(found), _) => {
                let outcome = outcome_of(&found, self.now());
                Ok((Some(found), outcome))
            }
            (None, Ok(_)) => Err(AppError::Broken(
                "a payment that was made is gone".to_owned(),
            )),
            (None, Err(AppError::Refused(refusal))) => Ok((None, refused(&refusal))),
            (None, Err(error)) => Err(error),
        }
    }

    /// A payment for it that had failed has succeeded since: a processor has corrected itself, and nobody is charged again.
    async fn has_paid_before(&self, invoice: &Invoice) -> Result<bool, AppError> {
        for former in invoice.tries.iter().filter(|one| one.failed.is_some()) {
            let found = self.store.payment(&invoice.merchant_id, &former.payment_id);
            let may_hold_money = |payment: Payment| match outcome_of(&payment, self.now()) {
                Outcome::Paid { .. } | Outcome::Pending | Outcome::NeedsReview => true,
                Outcome::Untouched | Outcome::Failed { .. } | Outcome::CustomerGone { .. } => false,
            };
            if found.await?.is_some_and(may_hold_money) {
                let (invoice_id, payment_id) = (&invoice.invoice_id, &former.payment_id);
                tracing::error!(%invoice_id, %payment_id, "a payment that had failed has taken money; the invoice is to be looked at");
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A charge without the payer.
fn renewal(subscription: &Subscription, invoice: &Invoice, current: &Try) -> CreatePayment {
    let method = subscription.payment_method_id.as_ref();
    let method = method.map_or_else(String::new, ToString::to_string);
    CreatePayment {
        merchant_id: subscription.merchant_id.clone(),
        payment_id: Some(current.payment_id.to_string()),
        profile_id: Some(subscription.profile_id.clone()),
        named_merchant_id: None,
        confirm: true,
        changes: Changes {
            amount: Some(invoice.amount),
            currency: Some(invoice.currency),
            customer_id: Some(subscription.customer_id.clone()),
            instrument: InstrumentInput {
                recurring: Some(RecurringInput::Method {
                    id: method,
                    found: FoundMethod::default(),
                }),
                ..InstrumentInput::default()
            },
            particulars: Particulars {
                off_session: Some(true),
                mit_category: Some(MitCategory::Recurring),
                order_reference: Some(invoice.invoice_id.to_string()),
                ..Particulars::default()
            },
            ..Changes::default()
        },
        credentials: CallCredentials::default(),
    }
}

/// What a refusal before the first commit means: there is no payment.
fn refused(refusal: &Refusal) -> Outcome {
    let why = refusal.to_string();
    if *refusal == Refusal::CustomerRedacted {
        return Outcome::CustomerGone { why };
    }
    let advice = RetryAdvice::MayRetry;
    Outcome::Failed { why, advice }
}

/// How a payment stands, as its invoice sees it.
pub(super) fn outcome_of(payment: &Payment, now: Timestamp) -> Outcome {
    match payment.status {
        PaymentStatus::Succeeded => Outcome::Paid {
            payment_method_id: payment.active().saved_method().cloned(),
        },
        PaymentStatus::Processing
        | PaymentStatus::RequiresCustomerAction
        | PaymentStatus::RequiresMerchantAction
        | PaymentStatus::RequiresCapture
        | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
        | PaymentStatus::PartiallyCapturedAndCapturable
        | PaymentStatus::PartiallyCapturedAndProcessing => Outcome::Pending,
        PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => {
            Outcome::Untouched
        }
        PaymentStatus::Failed => {
            let decline = payment.active().decline.as_ref();
            let advice = decline.map_or(RetryAdvice::MayRetry, |it| RetryAdvice::of(it, now));
            let why = decline.map_or_else(
                || payment.status.to_string(),
                |decline| format!("{}: {}", decline.code, decline.message),
            );
            Outcome::Failed { why, advice }
        }
        // Somebody didn't want it.
        PaymentStatus::Cancelled | PaymentStatus::CancelledPostCapture | PaymentStatus::Expired => {
            Outcome::Failed {
                why: payment.status.to_string(),
                advice: RetryAdvice::DoNotRetry,
            }
        }
        PaymentStatus::PartiallyCaptured | PaymentStatus::Conflicted => Outcome::NeedsReview,
    }
}
