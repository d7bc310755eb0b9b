//! Asking processors about operations that have no final answer.

use multirail_domain::payment::Payment;
use multirail_kernel::ids::{MerchantId, ProcessorKey};
use multirail_kernel::timestamp::Timestamp;

use super::disputes::DisputeOfPayment;
use super::driver::Aggregate;
use super::lease::Leased;
use super::refunds::RefundOfPayment;
use super::{App, AppError, Origin};
use crate::ports::open_operations::{ClaimedOperation, OpenObject, Room};

impl App {
    /// Takes up operations whose next question is due, for as long as a call may be under way.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim_operations(&self, room: Room) -> Result<Vec<ClaimedOperation>, AppError> {
        let (now, wall) = (self.now(), self.clock.wall());
        let seconds = self.leases.seconds(Leased::Sync);
        let claimed = self.store.claim_operations(now, wall, seconds, room);
        Ok(claimed.await?)
    }

    /// Asks about an operation that was taken up, then says when it is asked about next. Only a question that was really put
    /// lengthens the pause to the next one: a server that is killed with a claim leaves it due when the lease ends. The pause
    /// begins with the end of the question, and how far the business clock is moved meanwhile counts towards it.
    ///
    /// # Errors
    /// An object that can't be read, or a store that fails. A processor that doesn't know either is no error.
    pub async fn ask_about_claimed(
        &self,
        origin: &Origin,
        claimed: &ClaimedOperation,
    ) -> Result<(), AppError> {
        let advanced_before = self.clock.advanced_seconds();
        let (merchant_id, key) = (&claimed.merchant_id, &claimed.processor_key);
        let unmoved_now = || {
            let moved = self.clock.advanced_seconds() - advanced_before;
            let now = self.now();
            now.plus_seconds(-moved).unwrap_or(now)
        };
        let (next, result) = match &claimed.object {
            OpenObject::Payment(id) => {
                self.ask::<Payment>(self, origin, merchant_id, id, key, unmoved_now)
                    .await?
            }
            OpenObject::Refund(id) => {
                self.ask::<RefundOfPayment>(
                    &self.refunds,
                    origin,
                    merchant_id,
                    id,
                    key,
                    unmoved_now,
                )
                .await?
            }
            OpenObject::Dispute(id) => {
                self.ask::<DisputeOfPayment>(
                    &self.disputes,
                    origin,
                    merchant_id,
                    id,
                    key,
                    unmoved_now,
                )
                .await?
            }
        };
        self.store.end_claim(claimed, next).await?;
        result
    }

    /// Asks about one operation; answers when it is asked about next, and how this question ended.
    async fn ask<A: Aggregate>(
        &self,
        services: &A::Services,
        origin: &Origin,
        merchant_id: &MerchantId,
        id: &A::Id,
        key: &ProcessorKey,
        now: impl Fn() -> Timestamp,
    ) -> Result<(Option<Timestamp>, Result<(), AppError>), AppError> {
        let asked = self
            .driver
            .sync_operation::<A>(services, origin, merchant_id, id, key)
            .await;
        let (object, result) = match asked {
            Ok(object) => (object, Ok(())),
            // What can't be asked about comes up again no sooner than what could.
            Err(error) => (A::load(services, merchant_id, id).await?, Err(error)),
        };
        let in_flight = self.leases.in_flight_seconds();
        Ok((object.next_question_at(key, now(), in_flight), result))
    }
}
