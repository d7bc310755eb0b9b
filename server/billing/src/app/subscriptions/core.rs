//! What subscriptions ask of the core, answered by its use cases.

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::customers::customer::CustomerStatus;
use multirail_domain::customers::saved_method::SavedMethod;
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::payment::recurring::FoundMethod;
use multirail_domain::payments::refund::{Refund, Step as Made};
use multirail_kernel::ids::{
    CustomerId, MerchantId, PaymentId, PaymentMethodId, PaymentToken, RefundId,
};
use multirail_platform::Changes;

use crate::ports::{ChargedMethods, InvoicePayments, Subscribers};
use multirail_app::payments::confirm::ConfirmPayment;
use multirail_app::payments::create::{CreatePayment, NewOfOwner};
use multirail_app::payments::ports::PaymentChange;
use multirail_app::payments::{CallCredentials, PaymentView, units_of};
use multirail_app::platform::ports::{Change, StoreFailure};
use multirail_app::{App, AppError, Origin};

/// The core as subscriptions see it.
pub struct OfCore(pub Arc<App>);

impl Changes<PaymentChange> for OfCore {
    fn change(&self, change: PaymentChange) -> Change {
        self.0.store.change(change)
    }
}

#[async_trait]
impl InvoicePayments for OfCore {
    async fn find(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Payment>, StoreFailure> {
        self.0.store.payment(merchant_id, payment_id).await
    }

    fn view(&self, payment: Payment) -> PaymentView<'static> {
        self.0.payments.view(Cow::Owned(payment))
    }

    async fn decide_first(
        &self,
        origin: &Origin,
        new: NewOfOwner<'_>,
    ) -> Result<(PaymentView<'static>, Vec<Change>), AppError> {
        self.0.payments.payment_of_owner(origin, new).await
    }

    async fn make(&self, origin: &Origin, request: CreatePayment) -> Result<(), AppError> {
        self.0.payments.create(origin, request).await.map(drop)
    }

    async fn confirm(
        &self,
        origin: &Origin,
        request: ConfirmPayment,
    ) -> Result<PaymentView<'static>, AppError> {
        self.0.payments.confirm(origin, request).await
    }

    async fn cancel(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        reason: String,
    ) -> Result<(), AppError> {
        let own = CallCredentials::default();
        let cancelled = self
            .0
            .payments
            .cancel(origin, merchant_id, payment_id, Some(reason), own);
        cancelled.await.map(drop)
    }

    fn refund_step(&self, payment: &Payment) -> i64 {
        units_of(&self.0.processors, payment).step(payment.terms.currency)
    }

    async fn find_refund(
        &self,
        merchant_id: &MerchantId,
        refund_id: &RefundId,
    ) -> Result<Option<Refund>, StoreFailure> {
        self.0.store.refund(merchant_id, refund_id).await
    }

    fn refund(&self, payment: Payment, decided: Made) -> Vec<Change> {
        self.0.refunds.changes_of(payment, decided)
    }
}

#[async_trait]
impl Subscribers for OfCore {
    async fn check(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<(), AppError> {
        self.0.merchants.find(merchant_id).await?;
        self.check_customer(merchant_id, customer_id).await
    }

    async fn check_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<(), AppError> {
        let found = self.0.customers.retrieve(merchant_id, customer_id);
        found.await.map(drop)
    }

    async fn customer_status(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<CustomerStatus>, StoreFailure> {
        self.0.store.customer_status(merchant_id, customer_id).await
    }
}

#[async_trait]
impl ChargedMethods for OfCore {
    async fn saved(
        &self,
        merchant_id: &MerchantId,
        id: &PaymentMethodId,
    ) -> Result<Option<SavedMethod>, StoreFailure> {
        self.0.store.saved_method(merchant_id, id).await
    }

    async fn of_token(
        &self,
        merchant_id: &MerchantId,
        token: &PaymentToken,
    ) -> Result<Option<SavedMethod>, StoreFailure> {
        let found = self
            .0
            .store
            .method_of_token(merchant_id, token, self.0.now());
        Ok(found.await?.map(|found| found.method))
    }

    async fn charged(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
        id: &str,
    ) -> Result<FoundMethod, AppError> {
        self.0
            .payments
            .charged_method(merchant_id, customer_id, id)
            .await
    }
}
