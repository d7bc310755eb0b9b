//! A payment that is given to another customer: what told of the former one, or was his to pay with, is left behind.

use std::sync::Arc;

use multirail_kernel::ids::CustomerId;
use multirail_kernel::refusal::Refusal;

use crate::payments::payment::{Changes, Payment};

impl Changes {
    /// The customer who is named, at the top or inside `customer`.
    pub fn named_customer(&self) -> Option<&CustomerId> {
        let inside = self.payer.customer.as_deref();
        self.customer_id
            .as_ref()
            .or_else(|| inside.map(|customer| &customer.id))
    }

    /// The member that names him.
    fn naming_member(&self) -> &'static str {
        match self.customer_id {
            Some(_) => "customer_id",
            None => "customer.id",
        }
    }
}

impl Payment {
    /// Whether changes give it to another customer than the one that it has. A guest who becomes a customer stays the same payer.
    pub fn goes_to_another(&self, changes: &Changes) -> bool {
        let (own, named) = (self.terms.customer_id.as_ref(), changes.named_customer());
        own.is_some() && named.is_some() && own != named
    }

    /// Leaves out what told of the customer and what was his to pay with, where changes give it to another one. What they say of
    /// the next one is laid over it afterwards.
    ///
    /// # Errors
    /// A processor was asked in the former one's name: that attempt can't be another's.
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
        // A mandate that was to be changed is the former one's. The terms of one that is to be made are the merchant's wish, to which
        // the next one has to agree.
        let mandate = &mut Arc::make_mut(&mut self.particulars).mandate;
        mandate.take_if(|request| request.update_mandate_id.is_some());
        let attempt = self.active_mut();
        attempt.instrument = None;
        attempt.method = None;
        attempt.recurring = None;
        Ok(())
    }
}
