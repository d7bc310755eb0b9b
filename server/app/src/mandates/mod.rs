//! What can be done with mandates. They are the merchant's, as their customers are: no profile narrows them. (Specification
//! 2.11; facts 3.15, 7.13)

pub mod announce;
mod list;
mod revoke;

pub use list::ListMandates;

use multirail_domain::ids::{MandateId, MerchantId};
use multirail_domain::mandate::MandateView;
use multirail_domain::refusal::{Object, Refusal};
use std::sync::Arc;

use super::AppError;
use super::customers::Customers;
use crate::ports::MandateStore;

/// The use cases of mandates.
pub struct Mandates {
    pub store: Arc<dyn MandateStore>,
    pub customers: Arc<Customers>,
}

impl Mandates {
    /// A mandate of the merchant.
    ///
    /// # Errors
    /// An unknown mandate.
    pub async fn retrieve(
        &self,
        merchant_id: &MerchantId,
        mandate_id: &MandateId,
    ) -> Result<MandateView, AppError> {
        let found = self.store.mandate(merchant_id, mandate_id).await?;
        found.ok_or_else(|| Refusal::not_found(Object::Mandate).into())
    }
}
