//! The move of a payment to another customer. Personal data and payment method of the former customer are removed.

use std::sync::Arc;

use multirail_kernel::ids::CustomerId;
use multirail_kernel::refusal::Refusal;

use crate::payments::payment::{Changes, Payment};

impl Changes {
    /// Returns the customer that the request names, at its top or inside `customer`.
    pub fn named_customer(&self) -> Option<&CustomerId> {
        let inside = self.payer.customer.as_deref();
        self.customer_id
            .as_ref()
            .or_else(|| inside.map(|customer| &customer.id))
    }

    /// Returns the member that names the customer.
    fn naming_member(&self) -> &'static str {
        match self.customer_id {
            Some(_) => "customer_id",
            None => "customer.id",
        }
    }
}

impl Payment {
    /// Returns whether the changes move the payment to another customer. A guest who becomes a customer is the same payer.
    pub fn goes_to_another(&self, changes: &Changes) -> bool {
        let (own, named) = (self.terms.customer_id.as_ref(), changes.named_customer());
        own.is_some() && named.is_some() && own != named
    }

    /// Removes the customer's personal data and payment method if the changes name another customer. The caller applies the
    /// other customer's data afterwards.
    ///
    /// # Errors
    /// A refusal if a processor was already asked in the former customer's name.
    pub(crate) fn leave_customer(&mut self, changes: &Changes) -> Result<(), Refusal> {
        if !self.goes_to_another(changes) {
            return Ok(());
        }
        let mut attempts = self.attempts.iter();
        if attempts.any(|attempt| attempt.authorization.is_some()) {
            return Err(Refusal::precondition(format!(
                "{} can't be another one than the payment's any more: a processor was asked for its customer",
                changes.naming_member()
            )));
        }
        self.payer = Arc::default();
        // A mandate that was to be changed belongs to the former customer. The terms of a new mandate are the merchant's wish;
        // the next customer has to agree to them.
        let mandate = &mut Arc::make_mut(&mut self.particulars).mandate;
        mandate.take_if(|request| request.update_mandate_id.is_some());
        let attempt = self.active_mut();
        attempt.instrument = None;
        attempt.method = None;
        attempt.recurring = None;
        Ok(())
    }
}
