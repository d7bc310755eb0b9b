//! The query with which a payer came back from the processor's page.
//!
//! Some processors tell the outcome only to whoever hands that in. The payer comes once, so that it is kept, and handed in until the
//! processor has answered.

use crate::payments::payment::{Attempt, Context, Payment, Progress, Step};

impl Payment {
    /// Keeps the query of a payer's return, if the attempt still waits for that payer. A later return takes the place of an earlier.
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

    /// Returns whether the payer has come back, and the processor is asked with what came along.
    pub(crate) fn is_asked_with_return(&self) -> bool {
        self.returned_with.is_some() && self.awaits_payer()
    }
}
