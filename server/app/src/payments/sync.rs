//! Ask the processor about everything of a payment that has no final answer.

use multirail_domain::ids::{MerchantId, PaymentId};
use multirail_domain::payment::{Command, Input, Payment, transition};

use super::super::lease::Leased;
use super::super::{App, AppError, Origin};
use super::calls::CallInputs;
use crate::ports::syncs::{ClaimedSync, SyncRoom};

impl App {
    /// Asks, and records what it is told through the same transition as any answer.
    ///
    /// # Errors
    /// Unknown payment, or a store that fails. A processor that doesn't know either is no error.
    pub async fn sync_payment(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Payment, AppError> {
        let mut inputs = CallInputs::default();
        let stored = self.command(
            origin,
            merchant_id,
            payment_id,
            &mut inputs,
            |payment, context, _| transition(payment, Input::Command(Command::Sync), context),
        );
        let stored = stored.await?;
        self.carry_out(origin, stored, inputs).await
    }

    /// Takes up payments whose next question is due, for as long as a call may be under way.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim_syncs(&self, room: SyncRoom) -> Result<Vec<ClaimedSync>, AppError> {
        let (now, wall) = (self.now(), self.clock.wall());
        let seconds = self.leases().seconds(Leased::Sync);
        Ok(self.store.claim_syncs(now, wall, seconds, room).await?)
    }

    /// Asks about a payment that was taken up, then says when it is asked about next. Only a question that was really put
    /// lengthens the pause to the next one: who is killed with a claim leaves it due when the lease ends. The pause begins
    /// with the end of the question, and how far the business clock is moved meanwhile counts towards it.
    ///
    /// # Errors
    /// As [`App::sync_payment`].
    pub async fn sync_claimed(
        &self,
        origin: &Origin,
        claimed: &ClaimedSync,
    ) -> Result<(), AppError> {
        let (merchant_id, payment_id) = (&claimed.merchant_id, &claimed.payment_id);
        let advanced_before = self.clock.advanced_seconds();
        let asked = self.sync_payment(origin, merchant_id, payment_id).await;
        let (payment, result) = match asked {
            Ok(payment) => (payment, Ok(())),
            // What can't be asked about comes up again no sooner than what could.
            Err(error) => (self.load(merchant_id, payment_id).await?, Err(error)),
        };
        let in_flight = self.leases().in_flight_seconds();
        let moved = self.clock.advanced_seconds() - advanced_before;
        let now = self.now();
        let unmoved = now.plus_seconds(-moved).unwrap_or(now);
        let next = payment.next_question_at(unmoved, in_flight);
        self.store.end_sync(claimed, next).await?;
        result
    }
}
