//! Reads one dispute. (`GET /disputes/{dispute_id}`)

use multirail_kernel::ids::{DisputeId, MerchantId, ProfileId};
use multirail_kernel::refusal::Object;

use super::{DisputeOfPayment, DisputeView, Disputes};
use crate::operations::driver::Aggregate;
use crate::operations::questions::{About, Asker};
use crate::{AppError, Origin};

impl Disputes {
    /// Reads a dispute. With `force_sync` it asks the processor first, where the connector supports it. `scope` is the
    /// profile that the call is narrowed to.
    ///
    /// # Errors
    /// An unknown dispute.
    pub async fn retrieve(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        dispute_id: &DisputeId,
        force_sync: bool,
    ) -> Result<DisputeView, AppError> {
        self.find(merchant_id, scope, dispute_id).await?;
        let question = match force_sync {
            true => {
                let about = About::new(Object::Dispute, merchant_id, dispute_id.as_str());
                self.questions
                    .turn(about, Asker::from_actor(&origin.actor))
                    .await
            }
            false => None,
        };
        let object: DisputeOfPayment = match question {
            Some(_question) => self.sync(origin, merchant_id, dispute_id).await?,
            None => DisputeOfPayment::load(self, merchant_id, dispute_id).await?,
        };
        Ok(object.view())
    }

    /// Asks for the outcome of an open action, and for the state of the dispute.
    async fn sync(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        dispute_id: &DisputeId,
    ) -> Result<DisputeOfPayment, AppError> {
        let object: DisputeOfPayment = self
            .driver
            .sync(self, origin, merchant_id, dispute_id)
            .await?;
        match self.ask_about(&object.dispute).await? {
            Ok(news) => self.move_by(origin, merchant_id, dispute_id, &news).await,
            // Without an answer the stored state stands.
            Err(_) => Ok(object),
        }
    }
}
