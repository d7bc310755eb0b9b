//! Read one subscription. (`GET /subscriptions/{subscription_id}`)

use std::borrow::Cow;

use super::super::{App, AppError};
use super::{Named, SubscriptionView};

impl App {
    /// Reads a subscription with its newest invoice and that one's newest payment.
    ///
    /// # Errors
    /// Unknown subscription.
    pub async fn retrieve_subscription(&self, of: Named<'_>) -> Result<SubscriptionView, AppError> {
        let standing = self.subscription_standing(of).await?;
        let (merchant_id, id) = (of.merchant_id, of.subscription_id);
        let invoice = self.store.last_invoice(merchant_id, id).await?;
        let payment = match invoice.as_ref().and_then(|it| it.last_payment()) {
            None => None,
            Some(payment_id) => self.store.payment(merchant_id, payment_id).await?,
        };
        let payment = payment.map(|payment| self.view(Cow::Owned(payment)));
        Ok(self.subscription_view(&standing.subscription, invoice, payment))
    }
}
