//! Read one subscription. (`GET /subscriptions/{subscription_id}`)

use std::borrow::Cow;

use super::super::{App, AppError};
use super::{Named, SubscriptionView, unknown};

impl App {
    /// Reads a subscription with its newest invoice and that one's newest payment.
    ///
    /// # Errors
    /// Unknown subscription.
    pub async fn retrieve_subscription(&self, of: Named<'_>) -> Result<SubscriptionView, AppError> {
        let (merchant_id, id) = (of.merchant_id, of.subscription_id);
        let found = self
            .subscriptions
            .store
            .subscription_with_last_invoice(merchant_id, id);
        let found = found.await?;
        let found = found.filter(|(subscription, _)| subscription.profile_id == *of.profile_id);
        let (subscription, invoice) = found.ok_or_else(|| unknown(id))?;
        let payment = match invoice.as_ref().and_then(|it| it.last_payment()) {
            None => None,
            Some(payment_id) => self.store.payment(merchant_id, payment_id).await?,
        };
        let payment = payment.map(|payment| self.payments.view(Cow::Owned(payment)));
        Ok(self.subscriptions.view(&subscription, invoice, payment))
    }
}
