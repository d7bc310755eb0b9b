//! The stored catalogues of billing accounts.

use async_trait::async_trait;
use multirail_billing_domain::catalogue::{CatalogueEntry, CatalogueKind, CatalogueOf};
use multirail_billing_domain::item::{Item, ItemType};
use multirail_billing_domain::price::Price;
use multirail_kernel::ids::{CouponCode, ItemId, ProductId};
use multirail_platform::Changes;

use multirail_app::platform::ports::StoreFailure;

/// A change of a catalogue.
#[derive(Debug)]
pub enum CatalogueChange {
    Insert(Box<CatalogueEntry>),
    /// A conflict if the entry is archived already.
    Archive(Box<CatalogueEntry>),
    /// Counts one redemption more of a coupon. A conflict if it is archived or fully redeemed.
    Redeem {
        of: CatalogueOf,
        code: CouponCode,
    },
    /// Counts one redemption less, for a subscription that is deleted in the same change set.
    GiveBack {
        of: CatalogueOf,
        code: CouponCode,
    },
}

/// An entry with its number of redemptions, which only coupons have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    pub entry: CatalogueEntry,
    pub redemptions: u32,
}

/// The filter and page of a search for catalogue entries.
#[derive(Debug)]
pub struct CatalogueSearch {
    pub kind: CatalogueKind,
    /// The product of an item, or the item of a price.
    pub parent_id: Option<String>,
    pub limit: i64,
    pub offset: i64,
}

/// The filter and page of a search for offered items.
#[derive(Debug)]
pub struct ItemSearch {
    pub item_type: ItemType,
    pub product_id: Option<ProductId>,
    pub limit: i64,
    pub offset: i64,
}

#[async_trait]
pub trait CatalogueStore: Changes<CatalogueChange> {
    async fn catalogue_entry(
        &self,
        of: &CatalogueOf,
        kind: CatalogueKind,
        entry_id: &str,
    ) -> Result<Option<StoredEntry>, StoreFailure>;

    /// Returns one page, the newest first, including archived entries.
    async fn search_catalogue(
        &self,
        of: &CatalogueOf,
        search: &CatalogueSearch,
    ) -> Result<Vec<StoredEntry>, StoreFailure>;

    /// Returns one page of the offered items, the oldest first.
    async fn offered_items(
        &self,
        of: &CatalogueOf,
        search: &ItemSearch,
    ) -> Result<Vec<Item>, StoreFailure>;

    /// Returns the offered prices of such a page of items, the oldest first.
    async fn offered_prices(
        &self,
        of: &CatalogueOf,
        search: &ItemSearch,
    ) -> Result<Vec<Price>, StoreFailure>;

    /// Returns the number of offered prices of an item.
    async fn count_prices(&self, of: &CatalogueOf, item_id: &ItemId) -> Result<i64, StoreFailure>;
}
