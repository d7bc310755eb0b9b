//! What billing accounts offer, at rest.

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
    /// A conflict where it is archived already.
    Archive(Box<CatalogueEntry>),
    /// Counts one more redemption of a coupon; a conflict where it is archived or was redeemed as often as it may be.
    Redeem {
        of: CatalogueOf,
        code: CouponCode,
    },
    /// Counts one redemption less, of a subscription that is deleted in the same change-set.
    GiveBack {
        of: CatalogueOf,
        code: CouponCode,
    },
}

/// An entry, and for how many subscriptions it was redeemed, where it is a coupon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    pub entry: CatalogueEntry,
    pub redemptions: u32,
}

/// Which entries of a catalogue.
#[derive(Debug)]
pub struct CatalogueSearch {
    pub kind: CatalogueKind,
    /// An item's product, a price's item.
    pub parent_id: Option<String>,
    pub limit: i64,
    pub offset: i64,
}

/// Which items that are offered.
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

    /// One page, the newest first, archived ones included.
    async fn search_catalogue(
        &self,
        of: &CatalogueOf,
        search: &CatalogueSearch,
    ) -> Result<Vec<StoredEntry>, StoreFailure>;

    /// One page of the items that are offered, the oldest first.
    async fn offered_items(
        &self,
        of: &CatalogueOf,
        search: &ItemSearch,
    ) -> Result<Vec<Item>, StoreFailure>;

    /// The prices that are offered of such a page of items, the oldest first.
    async fn offered_prices(
        &self,
        of: &CatalogueOf,
        search: &ItemSearch,
    ) -> Result<Vec<Price>, StoreFailure>;

    /// How many prices of an item are offered.
    async fn count_prices(&self, of: &CatalogueOf, item_id: &ItemId) -> Result<i64, StoreFailure>;
}
