//! Lists the items that customers can subscribe to, with their prices.

use multirail_app::AppError;
use multirail_billing_domain::item::{Item, ItemType};
use multirail_billing_domain::price::Price;
use multirail_kernel::ids::{MerchantId, ProductId, ProfileId};

use super::Catalogue;
use super::read::page;
use crate::ports::ItemSearch;

/// The request for a list of items, translated.
#[derive(Debug)]
pub struct ListItems {
    pub item_type: ItemType,
    pub product_id: Option<ProductId>,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
}

/// An offered item and its offered prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedItem {
    pub item: Item,
    /// The oldest first.
    pub prices: Vec<Price>,
}

impl Catalogue {
    /// Returns one page of offered items, the oldest first and without archived ones.
    ///
    /// # Errors
    /// The errors of [`BillingAccounts::account`](crate::ports::BillingAccounts::account); a limit out of range.
    pub async fn offered(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        request: ListItems,
    ) -> Result<Vec<OfferedItem>, AppError> {
        let of = self.of_profile(merchant_id, profile_id).await?;
        let (limit, offset) = page(request.limit, request.offset)?;
        let search = ItemSearch {
            item_type: request.item_type,
            product_id: request.product_id,
            limit,
            offset,
        };
        let items = self.store.offered_items(&of, &search).await?;
        let mut prices = self.store.offered_prices(&of, &search).await?;
        let offered = items.into_iter().map(|item| {
            let own = prices.extract_if(.., |price| price.item_id == item.item_id);
            let prices = own.collect();
            OfferedItem { item, prices }
        });
        Ok(offered.collect())
    }
}
