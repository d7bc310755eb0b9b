//! Reads one subscription. (`GET /subscriptions/{subscription_id}`)

use multirail_app::AppError;

use super::{Named, SubscriptionView, Subscriptions, unknown};

impl Subscriptions {
    /// Reads a subscription with its newest invoice and that invoice's newest payment.
    ///
    /// # Errors
    /// An unknown subscription.
    pub async fn retrieve(&self, of: Named<'_>) -> Result<SubscriptionView, AppError> {
        let (merchant_id, id) = (of.merchant_id, of.subscription_id);
        let found = self
            .reads
            .store
            .subscription_with_last_invoice(merchant_id, id);
        let found = found.await?;
        let found = found.filter(|(subscription, _)| of.reaches(subscription));
        let (subscription, invoice) = found.ok_or_else(|| unknown(id))?;
        let payment = match invoice.as_ref().and_then(|it| it.last_payment()) {
            None => None,
            Some(payment_id) => self.payments.find(merchant_id, payment_id).await?,
        };
        let payment = payment.map(|payment| self.payments.view(payment));
        Ok(self.reads.view(&subscription, invoice, payment))
    }
}
