//! Reads a catalogue as its merchant sees it, including archived entries.

use multirail_app::AppError;
use multirail_app::platform::paging::page_size;
use multirail_billing_domain::catalogue::{CatalogueOf, Catalogued};
use multirail_kernel::ids::{MerchantId, ProfileId};
use multirail_kernel::refusal::Refusal;

use super::Catalogue;
use crate::ports::CatalogueSearch;

/// The maximum page size, and the default.
const LARGEST_PAGE: i64 = 100;
const PAGE: i64 = 20;

/// The request for a list of entries, translated.
#[derive(Debug, Default)]
pub struct ListCatalogue {
    /// Limits the list to this product or item.
    pub parent_id: Option<String>,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
}

/// An entry with the number of its redemptions, which only coupons have.
pub type Listed<T> = (T, u32);

impl Catalogue {
    /// Returns one entry.
    ///
    /// # Errors
    /// The errors of [`BillingAccounts::account`](crate::ports::BillingAccounts::account); an unknown entry.
    pub async fn find<T: Catalogued>(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        entry_id: &str,
    ) -> Result<Listed<T>, AppError> {
        let of = self.of_profile(merchant_id, profile_id).await?;
        self.catalogued(&of, entry_id).await
    }

    /// Returns one page, the newest first.
    ///
    /// # Errors
    /// The errors of [`BillingAccounts::account`](crate::ports::BillingAccounts::account); a limit out of range.
    pub async fn list<T: Catalogued>(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        request: ListCatalogue,
    ) -> Result<Vec<Listed<T>>, AppError> {
        let (limit, offset) = page(request.limit, request.offset)?;
        let of = self.of_profile(merchant_id, profile_id).await?;
        let search = CatalogueSearch {
            kind: T::KIND,
            parent_id: request.parent_id,
            limit,
            offset,
        };
        let found = self.store.search_catalogue(&of, &search).await?.into_iter();
        Ok(found
            .filter_map(|stored| Some((T::from_entry(stored.entry)?, stored.redemptions)))
            .collect())
    }

    /// Returns an entry of a catalogue.
    pub(super) async fn catalogued<T: Catalogued>(
        &self,
        of: &CatalogueOf,
        entry_id: &str,
    ) -> Result<Listed<T>, AppError> {
        let found = self.store.catalogue_entry(of, T::KIND, entry_id).await?;
        found
            .and_then(|stored| Some((T::from_entry(stored.entry)?, stored.redemptions)))
            .ok_or_else(|| Refusal::not_found(T::OBJECT).into())
    }
}

/// Checks limit and offset and fills in their defaults.
pub(super) fn page(limit: Option<i64>, offset: Option<i64>) -> Result<(i64, i64), Refusal> {
    let limit = page_size(limit.or(Some(PAGE)), LARGEST_PAGE)?;
    let offset = offset.unwrap_or(0);
    if offset < 0 {
        return Err(Refusal::invalid_value("offset can't be negative"));
    }
    Ok((limit, offset))
}
