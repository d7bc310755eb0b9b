//! Estimates what a change of the price would charge now.

use multirail_app::AppError;
use multirail_billing_domain::subscription::{Input, Invoice, Subscription, transition};

use super::begin::Wanted;
use super::{Change, Named, Subscriptions};

/// The result of an estimate: the subscription after the change, and the invoices that the change would make.
#[derive(Clone, Debug)]
pub struct UpdateEstimate {
    pub subscription: Subscription,
    pub invoices: Vec<Invoice>,
}

impl Subscriptions {
    /// Decides the change as [`Subscriptions::change`] does, and stores nothing.
    ///
    /// # Errors
    /// The same as those of the change, apart from conflicts with other calls.
    pub async fn estimate_update(
        &self,
        of: Named<'_>,
        wanted: Wanted,
    ) -> Result<UpdateEstimate, AppError> {
        let standing = self.reads.standing(of).await?;
        let change = Change::Update {
            wanted,
            payment_method_id: None,
        };
        let command = self.command_of(of, &standing.subscription, change).await?;
        let input = Input::Command(command);
        let payments = self.decider.payments_for(&standing, &input).await?;
        let step = transition(&standing, input, &self.decider.context_with(&payments))?;
        let before = standing.subscription.invoices;
        let mut invoices = step.invoices;
        invoices.retain(|invoice| invoice.number > before);
        Ok(UpdateEstimate {
            subscription: step.subscription,
            invoices,
        })
    }
}
