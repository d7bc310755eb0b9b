//! Revokes a mandate. (`POST /mandates/revoke/{mandate_id}`)

use multirail_domain::customers::mandate::{MandateStatus, MandateView};
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{MandateId, MerchantId, PaymentMethodId};
use multirail_kernel::refusal::Object;

use super::Mandates;
use crate::customers::ports::{MandateChange, MandateSearch};
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};
use crate::platform::ports::{Change, EventRecord};
use crate::{AppError, Origin};

/// The deletion of a method announces at most this many mandates, which is more than a method has.
const MOST_TOLD: i64 = 100;

impl Mandates {
    /// Revokes a mandate: no new charge uses it, while charges under way continue. A worker has processors delete the
    /// method, unless another active mandate charges it.
    ///
    /// # Errors
    /// An unknown mandate, one that is revoked already.
    pub async fn revoke(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        mandate_id: &MandateId,
    ) -> Result<MandateView, AppError> {
        let mut decisions = Decisions::begin(Object::Mandate);
        loop {
            let before = self.retrieve(merchant_id, mandate_id).await?;
            let revoked = MandateView {
                mandate: before.mandate.revoke(self.base.now())?,
                ..before
            };
            let revoke = MandateChange::Revoke(Box::new(revoked.mandate.clone()));
            let changes = vec![self.store.change(revoke)];
            let mut events = Vec::new();
            let told = std::slice::from_ref(&revoked);
            self.record(EventType::MandateRevoked, told, &mut events)
                .await?;
            let for_key = ForKey::Whole {
                object_id: mandate_id.as_str(),
                made: Made::object(&revoked, Some(&revoked.mandate.customer_id)),
            };
            let mut change_set = self
                .base
                .change_set(origin, Some(merchant_id), for_key, changes);
            change_set.events = events;
            match self.announcer.commit(change_set).await {
                Ok(()) => return Ok(revoked),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Revokes the mandates that charge a deleted method. Returns the change and its events. Used-up mandates get no
    /// event: no payment could charge them anyway.
    pub(crate) async fn revoke_with_method(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<(Change, Vec<EventRecord>), AppError> {
        let search = MandateSearch {
            payment_method_id: Some(payment_method_id.clone()),
            status: Some(MandateStatus::Active),
            limit: MOST_TOLD,
            ..MandateSearch::default()
        };
        let active = self.search(merchant_id, &search).await?;
        let mut revoked = Vec::with_capacity(active.len());
        for view in active {
            revoked.push(MandateView {
                mandate: view.mandate.revoke(self.base.now())?,
                ..view
            });
        }
        let of_method = MandateChange::RevokeOfMethod {
            merchant_id: merchant_id.clone(),
            payment_method_id: payment_method_id.clone(),
        };
        let mut events = Vec::new();
        self.record(EventType::MandateRevoked, &revoked, &mut events)
            .await?;
        Ok((self.store.change(of_method), events))
    }
}
