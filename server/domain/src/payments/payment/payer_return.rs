//! The query with which a payer came back from the processor's page.
//!
//! Some processors tell the result only to a caller that sends this query. The payer comes back once, so the query is stored
//! and sent until the processor has answered.

use crate::payments::payment::{Attempt, Context, Payment, Progress, Step};

impl Payment {
    /// Stores the query of a payer's return, if the attempt still awaits the payer. A later return replaces an earlier one.
    pub(crate) fn note_return(&self, number: u32, query: String, context: &Context) -> Step {
        let mut payment = self.clone();
        let active = payment.active_mut();
        let is_new = active.returned_with.as_ref() != Some(&query);
        if active.number == number && active.awaits_payer() && is_new {
            active.returned_with = Some(query);
            active.modified_at = context.now;
            payment.modified_at = context.now;
        }
        Step {
            payment,
            effects: Vec::new(),
            data: None,
        }
    }
}

impl Attempt {
    fn awaits_payer(&self) -> bool {
        let authorization = self.authorization.as_ref();
        authorization.is_some_and(|one| one.progress == Progress::AwaitingCustomer)
    }

    /// Returns whether the payer has come back, so that the processor is asked with the query.
    pub(crate) fn is_asked_with_return(&self) -> bool {
        self.returned_with.is_some() && self.awaits_payer()
    }
}
