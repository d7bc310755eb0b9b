//! The deletion of card data that waits for a confirm: when the client secret expires, or when the customer is redacted.

use crate::payments::payment::status::Phase;
use crate::payments::payment::{AttemptStatus, Context, Effect, Payment, Step};

impl Payment {
    /// Deletes the card and the credentials that waited for a confirm, once the client secret has expired. Without its card the
    /// payment is as if none had been given. The name of the credentials stays, so that no other account is charged.
    pub(crate) fn lapse(&self, context: &Context) -> Step {
        let mut payment = self.clone();
        let mut effects = Vec::new();
        if context.now > self.expires_at {
            effects.extend(payment.give_up_card(context));
            if payment.is_not_sent() {
                effects.extend(payment.active_mut().release_credentials());
            }
        }
        Step {
            payment,
            effects,
            data: None,
        }
    }

    /// Deletes the card alone, because its customer was redacted and the confirm can't come any more.
    pub(crate) fn forget_card(&self, context: &Context) -> Step {
        let mut payment = self.clone();
        let effects = payment.give_up_card(context).into_iter().collect();
        Step {
            payment,
            effects,
            data: None,
        }
    }

    /// Deletes the card; the payment is then as if none had been given.
    fn give_up_card(&mut self, context: &Context) -> Option<Effect> {
        let deleted = self.delete_card()?;
        // Otherwise the processor has the card already.
        if self.is_not_sent() {
            let active = self.active_mut();
            active.instrument = None;
            active.modified_at = context.now;
            self.modified_at = context.now;
            self.follow(AttemptStatus::PaymentMethodAwaited);
        }
        Some(deleted)
    }

    fn is_not_sent(&self) -> bool {
        match self.active().status.phase() {
            Phase::NotSent => true,
            Phase::Authorizing
            | Phase::InReview
            | Phase::Held
            | Phase::Taken
            | Phase::Standing
            | Phase::Unwanted
            | Phase::Conflicted => false,
        }
    }
}
