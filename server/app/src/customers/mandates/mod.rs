//! The operations on mandates. Mandates and customers belong to the merchant: no profile narrows them. (Specification
//! 2.11; facts 3.15, 7.13)

pub mod announce;
mod list;
mod revoke;

pub use list::ListMandates;

use std::sync::Arc;

use multirail_domain::customers::mandate::MandateView;
use multirail_kernel::ids::{MandateId, MerchantId, PaymentId};
use multirail_kernel::refusal::{Object, Refusal};

use crate::AppError;
use crate::customers::Customers;
use crate::customers::ports::{ConsentStore, MandateSearch, MandateStore};
use crate::platform::announcer::Announcer;
use crate::platform::base::Base;
use crate::platform::ports::StoreFailure;

/// The use cases of mandates.
pub struct Mandates {
    pub base: Arc<Base>,
    pub announcer: Arc<Announcer>,
    pub store: Arc<dyn MandateStore>,
    /// The consent with which payers gave them.
    pub consents: Arc<dyn ConsentStore>,
    pub customers: Arc<Customers>,
    pub content: Arc<dyn announce::MandateContent>,
}

impl Mandates {
    /// Returns a mandate of the merchant.
    ///
    /// # Errors
    /// An unknown mandate.
    pub async fn retrieve(
        &self,
        merchant_id: &MerchantId,
        mandate_id: &MandateId,
    ) -> Result<MandateView, AppError> {
        let found = self.store.mandate(merchant_id, mandate_id).await?;
        let mut found = found.ok_or_else(|| Refusal::not_found(Object::Mandate))?;
        let views = std::slice::from_mut(&mut found);
        self.add_consents(merchant_id, views).await?;
        Ok(found)
    }

    /// Returns a page of mandates, newest first, with the payers' consent.
    pub(crate) async fn search(
        &self,
        merchant_id: &MerchantId,
        search: &MandateSearch,
    ) -> Result<Vec<MandateView>, StoreFailure> {
        let mut found = self.store.search_mandates(merchant_id, search).await?;
        self.add_consents(merchant_id, &mut found).await?;
        Ok(found)
    }

    async fn add_consents(
        &self,
        merchant_id: &MerchantId,
        views: &mut [MandateView],
    ) -> Result<(), StoreFailure> {
        if views.is_empty() {
            return Ok(());
        }
        let payment_of = |view: &MandateView| view.mandate.payment_id.clone();
        let payments: Vec<PaymentId> = views.iter().map(payment_of).collect();
        let consents = self.consents.consents(merchant_id, &payments).await?;
        for view in views {
            view.consent = consents.get(&view.mandate.payment_id).cloned();
        }
        Ok(())
    }
}
