//! Implements the subscriptions' ports to the core with the core's use cases.

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::accounts::merchant_accounts::Merchants;
use multirail_app::customers::Customers;
use multirail_app::customers::ports::{CustomerStore, SavedMethodStore};
use multirail_app::operations::processors::Processors;
use multirail_app::payments::confirm::ConfirmPayment;
use multirail_app::payments::create::{CreatePayment, NewOfOwner};
use multirail_app::payments::ports::{PaymentChange, PaymentStore, RefundStore};
use multirail_app::payments::refunds::Refunds;
use multirail_app::payments::{CallCredentials, PaymentView, Payments, units_of};
use multirail_app::platform::base::Base;
use multirail_app::platform::ports::{Change, StoreFailure};
use multirail_app::{AppError, Origin};
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

/// The core's services that subscriptions use.
pub struct OfCore {
    pub base: Arc<Base>,
    pub merchants: Arc<Merchants>,
    pub customers: Arc<Customers>,
    pub payments: Arc<Payments>,
    pub refunds: Arc<Refunds>,
    pub processors: Arc<Processors>,
    pub stored_customers: Arc<dyn CustomerStore>,
    pub stored_payments: Arc<dyn PaymentStore>,
    pub stored_refunds: Arc<dyn RefundStore>,
    pub saved_methods: Arc<dyn SavedMethodStore>,
}

impl Changes<PaymentChange> for OfCore {
    fn change(&self, change: PaymentChange) -> Change {
        self.stored_payments.change(change)
    }
}

#[async_trait]
impl InvoicePayments for OfCore {
    async fn find(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Payment>, StoreFailure> {
        self.stored_payments.payment(merchant_id, payment_id).await
    }

    fn view(&self, payment: Payment) -> PaymentView<'static> {
        self.payments.view(Cow::Owned(payment))
    }

    async fn decide_first(
        &self,
        origin: &Origin,
        new: NewOfOwner<'_>,
    ) -> Result<(PaymentView<'static>, Vec<Change>), AppError> {
        self.payments.payment_of_owner(origin, new).await
    }

    async fn make(&self, origin: &Origin, request: CreatePayment) -> Result<(), AppError> {
        self.payments.create(origin, request).await.map(drop)
    }

    async fn confirm(
        &self,
        origin: &Origin,
        request: ConfirmPayment,
    ) -> Result<PaymentView<'static>, AppError> {
        self.payments.confirm(origin, request).await
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
            .payments
            .cancel(origin, merchant_id, payment_id, Some(reason), own);
        cancelled.await.map(drop)
    }

    fn refund_step(&self, payment: &Payment) -> i64 {
        units_of(&self.processors, payment).step(payment.terms.currency)
    }

    async fn find_refund(
        &self,
        merchant_id: &MerchantId,
        refund_id: &RefundId,
    ) -> Result<Option<Refund>, StoreFailure> {
        self.stored_refunds.refund(merchant_id, refund_id).await
    }

    fn refund(&self, payment: Payment, decided: Made) -> Vec<Change> {
        self.refunds.changes_of(payment, decided)
    }
}

#[async_trait]
impl Subscribers for OfCore {
    async fn check(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<(), AppError> {
        self.merchants.find(merchant_id).await?;
        self.check_customer(merchant_id, customer_id).await
    }

    async fn check_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<(), AppError> {
        let found = self.customers.retrieve(merchant_id, customer_id);
        found.await.map(drop)
    }

    async fn customer_status(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<Option<CustomerStatus>, StoreFailure> {
        self.stored_customers
            .customer_status(merchant_id, customer_id)
            .await
    }
}

#[async_trait]
impl ChargedMethods for OfCore {
    async fn saved(
        &self,
        merchant_id: &MerchantId,
        id: &PaymentMethodId,
    ) -> Result<Option<SavedMethod>, StoreFailure> {
        self.saved_methods.saved_method(merchant_id, id).await
    }

    async fn by_token(
        &self,
        merchant_id: &MerchantId,
        token: &PaymentToken,
    ) -> Result<Option<SavedMethod>, StoreFailure> {
        let found = self
            .saved_methods
            .method_of_token(merchant_id, token, self.base.now());
        Ok(found.await?.map(|found| found.method))
    }

    async fn charged(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
        id: &str,
    ) -> Result<FoundMethod, AppError> {
        self.payments
            .charged_method(merchant_id, customer_id, id)
            .await
    }
}
