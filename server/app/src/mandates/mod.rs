//! What can be done with mandates. They are the merchant's, as their customers are: no profile narrows them. (Specification
//! 2.11; facts 3.15, 7.13)

pub mod announce;
mod find;
mod list;
mod revoke;

pub use list::ListMandates;

use multirail_domain::ids::{MandateId, MerchantId};
use multirail_domain::mandate::MandateView;
use multirail_domain::refusal::{Object, Refusal};

use super::{App, AppError};

impl App {
    /// A mandate of the merchant.
    ///
    /// # Errors
    /// An unknown mandate.
    pub async fn retrieve_mandate(
        &self,
        merchant_id: &MerchantId,
        mandate_id: &MandateId,
    ) -> Result<MandateView, AppError> {
        let found = self.store.mandate(merchant_id, mandate_id).await?;
        found.ok_or_else(|| Refusal::not_found(Object::Mandate).into())
    }
}
