//! Reads, lists, voids and collects invoices.

use multirail_app::platform::decisions::Decisions;
use multirail_app::{AppError, Origin};
use multirail_billing_domain::subscription::{Command, Input, Invoice, transition};
use multirail_kernel::ids::InvoiceId;
use multirail_kernel::refusal::{Object, Refusal};

use super::{Invoices, Named, page};

impl Invoices {
    /// Reads an invoice of a subscription.
    ///
    /// # Errors
    /// An unknown subscription, an unknown invoice.
    pub async fn find(&self, of: Named<'_>, invoice_id: &InvoiceId) -> Result<Invoice, AppError> {
        self.reads.standing(of).await?;
        self.invoice_of(of, invoice_id).await
    }

    /// Returns one page of a subscription's invoices, the newest first.
    ///
    /// # Errors
    /// An unknown subscription, a limit outside 0 to 100.
    pub async fn list(
        &self,
        of: Named<'_>,
        limit: Option<i32>,
        offset: Option<i32>,
    ) -> Result<Vec<Invoice>, AppError> {
        self.reads.standing(of).await?;
        let page = page(limit, offset)?;
        let page = self
            .reads
            .store
            .invoices(of.merchant_id, of.subscription_id, page);
        Ok(page.await?)
    }

    async fn invoice_of(&self, of: Named<'_>, invoice_id: &InvoiceId) -> Result<Invoice, AppError> {
        let found = self.reads.store.invoice(of.merchant_id, invoice_id).await?;
        found
            .filter(|invoice| invoice.subscription_id == *of.subscription_id)
            .ok_or_else(|| Refusal::not_found(Object::Invoice).into())
    }

    /// Voids an open invoice.
    ///
    /// # Errors
    /// An unknown subscription, an unknown invoice, one that is paid or whose payment is under way.
    pub async fn void(
        &self,
        origin: &Origin,
        of: Named<'_>,
        invoice_id: &InvoiceId,
    ) -> Result<Invoice, AppError> {
        let command = Command::Void(invoice_id.clone());
        self.change(origin, of, invoice_id, command).await
    }

    /// Has an open invoice charged now.
    ///
    /// # Errors
    /// The same as [`Invoices::void`].
    pub async fn collect(
        &self,
        origin: &Origin,
        of: Named<'_>,
        invoice_id: &InvoiceId,
    ) -> Result<Invoice, AppError> {
        let command = Command::Collect(invoice_id.clone());
        self.change(origin, of, invoice_id, command).await
    }

    async fn change(
        &self,
        origin: &Origin,
        of: Named<'_>,
        invoice_id: &InvoiceId,
        command: Command,
    ) -> Result<Invoice, AppError> {
        let mut decisions = Decisions::begin(Object::Subscription);
        loop {
            let before = self.reads.standing(of).await?;
            // A settled invoice isn't among the open ones.
            let stored = self.invoice_of(of, invoice_id).await?;
            let mut open = before.open.iter();
            if !open.any(|invoice| invoice.invoice_id == *invoice_id) {
                return Err(Refusal::precondition(format!(
                    "nothing can be done with the invoice: it is {}",
                    stored.status
                ))
                .into());
            }
            let input = Input::Command(command.clone());
            let payments = self.decider.payments_for(&before, &input).await?;
            let step = transition(&before, input, &self.decider.context_with(&payments))?;
            let mut changed = step.invoices.iter();
            let changed = changed.find(|invoice| invoice.invoice_id == *invoice_id);
            let made = changed.cloned().unwrap_or(stored);
            let unchanged = payments.unchanged;
            let stored = self
                .decider
                .store_invoice(origin, &before, step, &made, unchanged);
            match stored.await {
                Ok(()) => return Ok(made),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }
}
