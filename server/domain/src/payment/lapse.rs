//! What waits for a confirm has its time: that of the client secret.

use crate::payment::status::Phase;
use crate::payment::{AttemptStatus, Context, Payment, Step};

impl Payment {
    /// Gives up the card and the credentials that waited for a confirm, once the client secret has lapsed. Without its
    /// card the payment is what it would be if none had been given; that credentials were brought is remembered, so that
    /// no other account is charged.
    pub(crate) fn lapse(&self, context: &Context) -> Step {
        let mut payment = self.clone();
        let mut effects = Vec::new();
        if context.now > self.expires_at {
            let had_card = payment.holds_card;
            effects.extend(payment.delete_card());
            match payment.active().status.phase() {
                Phase::NotSent => {
                    let active = payment.active_mut();
                    effects.extend(active.release_credentials());
                    if had_card {
                        active.instrument = None;
                        active.modified_at = context.now;
                        payment.modified_at = context.now;
                        payment.follow(AttemptStatus::PaymentMethodAwaited);
                    }
                }
                // The processor has the card already.
                Phase::Authorizing
                | Phase::InReview
                | Phase::Held
                | Phase::Taken
                | Phase::Standing
                | Phase::Unwanted
                | Phase::Conflicted => {}
            }
        }
        Step {
            payment,
            effects,
            data: None,
        }
    }
}
