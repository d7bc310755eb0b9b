//! Reads one payment, and asks its processor first. (`GET /payments/{payment_id}`)

use std::sync::Arc;

use multirail_domain::operations::received_notice::Sender;
use multirail_domain::payments::payment::{Payment, PaymentStatus};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::refusal::Object;
use multirail_sdk::connector::{News, Notice, OperationKind, PaymentAt};

use super::super::{AppError, Origin};
use super::{PaymentView, Payments};
use crate::operations::driver::Aggregate;
use crate::operations::notices::Notices;
use crate::operations::processors::Processors;
use crate::operations::questions::{About, Asker};
use crate::payments::ports::RefundStore;

/// Reads one payment. It depends on notices, because a merchant's question also finds changes that others made at the
/// processor.
pub struct ReadPayments {
    pub payments: Arc<Payments>,
    pub notices: Arc<Notices>,
    pub processors: Arc<Processors>,
    pub refunds: Arc<dyn RefundStore>,
}

impl ReadPayments {
    /// Reads a payment. With `force_sync` it asks the processor first, where an operation is open and no other request
    /// has just asked.
    ///
    /// # Errors
    /// An unknown payment.
    pub async fn retrieve(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        force_sync: bool,
    ) -> Result<PaymentView<'static>, AppError> {
        let payment = self.payments.load(merchant_id, payment_id).await?;
        // The status doesn't show every open operation: a cancelled payment may have an open void.
        let asks = is_asked_about(payment.status) || payment.is_open_at_processor();
        let asker = Asker::from_actor(&origin.actor);
        // A payer needs no knowledge of changes in the processor's dashboard.
        let looks_over = asker == Asker::Merchant;
        let payment = if force_sync && (asks || looks_over) {
            let about = About::new(Object::Payment, merchant_id, payment_id.as_str());
            match self.payments.questions.turn(about, asker).await {
                Some(_question) => {
                    let payment = if asks {
                        let driver = &self.payments.driver;
                        driver
                            .sync::<Payment>(&self.payments, origin, merchant_id, payment_id)
                            .await?
                    } else {
                        payment
                    };
                    if looks_over {
                        self.look_over(origin, payment).await?
                    } else {
                        payment
                    }
                }
                None => self.payments.load(merchant_id, payment_id).await?,
            }
        } else {
            payment
        };
        self.payments.whole(payment).await
    }

    /// Asks the processor for all changes of a payment, whoever made them, records new ones, and returns the payment. A
    /// processor without an answer is no error.
    async fn look_over(&self, origin: &Origin, payment: Payment) -> Result<Payment, AppError> {
        let processors = &self.processors;
        let attempt = payment.active();
        let Some((account_id, reference)) = attempt.looked_over_by() else {
            return Ok(payment);
        };
        let name = attempt.connector.as_deref().unwrap_or_default();
        let connector = processors.connector(name)?;
        let Some(history) = connector.able(|able| able.looks_over) else {
            return Ok(payment);
        };
        let account = processors
            .accounts
            .ever(&payment.merchant_id, account_id)
            .await?;
        let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
        let refunds = self.refunds.refunds_of(merchant_id, payment_id).await?;
        let own = attempt.operations().map(|(_, operation)| operation);
        let own = own.chain(refunds.iter().map(|refund| &refund.operation));
        let asked = PaymentAt {
            access: account.access(),
            authorization_reference: reference.to_owned(),
            own_keys: own.map(|operation| operation.key.clone()).collect(),
            currency: payment.terms.currency,
        };
        let sender = Sender {
            account: account_id,
            profile: &account.profile_id,
            connector: name,
        };
        let Some(_place) = processors.place_to_ask(&asked.access).await else {
            return Ok(payment);
        };
        let patience = processors.base.leases.processor_deadline;
        let told = tokio::time::timeout(patience, history.look_over(asked)).await;
        let mut told = told.unwrap_or_default();
        // Refunds come after the captures that they refund.
        told.sort_by_key(|news| match news {
            News::Outcome { about, .. } => about.kind == OperationKind::Refund,
            News::Hint { .. } | News::Dispute(_) | News::Nothing | News::Unreadable => true,
        });
        let mut is_new = false;
        for news in told {
            if matches!(news, News::Outcome { .. }) {
                let notice = Notice {
                    id: String::new(),
                    kind: String::new(),
                    happened_at: None,
                    news,
                };
                self.notices
                    .apply(origin, merchant_id, sender, &notice)
                    .await?;
                is_new = true;
            }
        }
        if is_new {
            Payment::load(&self.payments, merchant_id, payment_id).await
        } else {
            Ok(payment)
        }
    }
}

/// Returns whether a forced sync calls the processor in this status.
fn is_asked_about(status: PaymentStatus) -> bool {
    match status {
        PaymentStatus::Processing
        | PaymentStatus::RequiresCustomerAction
        | PaymentStatus::RequiresMerchantAction
        | PaymentStatus::PartiallyCapturedAndCapturable
        | PaymentStatus::PartiallyCapturedAndProcessing
        | PaymentStatus::PartiallyAuthorizedAndRequiresCapture => true,
        PaymentStatus::RequiresPaymentMethod
        | PaymentStatus::RequiresConfirmation
        | PaymentStatus::RequiresCapture
        | PaymentStatus::Succeeded
        | PaymentStatus::PartiallyCaptured
        | PaymentStatus::Failed
        | PaymentStatus::Cancelled
        | PaymentStatus::CancelledPostCapture
        | PaymentStatus::Conflicted
        | PaymentStatus::Expired => false,
    }
}
