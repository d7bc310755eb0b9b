//! The payments of invoices, and the refunds of credit to them.

use async_trait::async_trait;
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::refund::{Refund, Step as Made};
use multirail_kernel::ids::{MerchantId, PaymentId, RefundId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_platform::{Change, Changes};

use multirail_app::payments::PaymentView;
use multirail_app::payments::confirm::ConfirmPayment;
use multirail_app::payments::create::{CreatePayment, NewOfOwner};
use multirail_app::payments::ports::PaymentChange;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::{AppError, Origin};

/// Makes, confirms, cancels and refunds payments for a subscription, which owns them.
#[async_trait]
pub trait InvoicePayments: Changes<PaymentChange> {
    async fn find(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Payment>, StoreFailure>;

    /// Builds a payment's answer.
    fn view(&self, payment: Payment) -> PaymentView<'static>;

    /// Decides a payment that waits to be confirmed. Its changes are stored in the commit of its subscription.
    async fn decide_first(
        &self,
        origin: &Origin,
        new: NewOfOwner<'_>,
    ) -> Result<(PaymentView<'static>, Vec<Box<dyn Change>>), AppError>;

    /// Makes a payment and confirms it.
    async fn make(&self, origin: &Origin, request: CreatePayment) -> Result<(), AppError>;

    async fn confirm(
        &self,
        origin: &Origin,
        request: ConfirmPayment,
    ) -> Result<PaymentView<'static>, AppError>;

    async fn cancel(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        reason: String,
    ) -> Result<(), AppError>;

    /// Returns the smallest step of refunds at the payment's processor, in minor units.
    fn refund_step(&self, payment: &Payment) -> i64;

    async fn find_refund(
        &self,
        merchant_id: &MerchantId,
        refund_id: &RefundId,
    ) -> Result<Option<Refund>, StoreFailure>;

    /// Returns the changes that store a refund decided on this payment.
    fn refund(&self, payment: Payment, decided: Made) -> Vec<Box<dyn Change>>;
}

impl dyn InvoicePayments {
    /// Loads an existing payment.
    ///
    /// # Errors
    /// An unknown payment, or a store that fails.
    pub async fn load(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Payment, AppError> {
        let found = self.find(merchant_id, payment_id).await?;
        found.ok_or_else(|| Refusal::not_found(Object::Payment).into())
    }
}
