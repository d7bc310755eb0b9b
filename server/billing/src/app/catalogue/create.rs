//! Creates and archives products, items, prices and coupons.

use multirail_app::platform::decisions::Decisions;
use multirail_app::platform::idempotency::{ForKey, Made};
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{Change, CommitError};
use multirail_app::{AppError, Origin};
use multirail_billing_domain::catalogue::{CatalogueEntry, Catalogued, MOST_PRICES};
use multirail_billing_domain::coupon::{Coupon, NewCoupon};
use multirail_billing_domain::item::{Item, ItemType};
use multirail_billing_domain::price::{NewPrice, Price};
use multirail_billing_domain::product::Product;
use multirail_kernel::ids::{ItemId, ItemPriceId, MerchantId, ProductId, ProfileId};
use multirail_kernel::refusal::Refusal;

use super::Catalogue;
use crate::ports::{CatalogueChange, StoredEntry};

/// The request to create a product, translated.
#[derive(Debug)]
pub struct CreateProduct {
    /// Chosen by the caller, or generated if unset.
    pub product_id: Option<ProductId>,
    pub name: String,
    pub description: Option<String>,
}

/// The request to create an item, translated.
#[derive(Debug)]
pub struct CreateItem {
    /// Chosen by the caller, or generated if unset.
    pub item_id: Option<ItemId>,
    pub product_id: ProductId,
    pub item_type: ItemType,
    pub name: String,
    pub description: Option<String>,
}

impl Catalogue {
    /// Creates a product.
    ///
    /// # Errors
    /// The errors of [`BillingAccounts::account`](crate::ports::BillingAccounts::account); an id that is taken; texts
    /// out of bounds.
    pub async fn create_product(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        request: CreateProduct,
    ) -> Result<Product, AppError> {
        let of = self.of_profile(merchant_id, profile_id).await?;
        let id = request.product_id;
        let product = Product::create(
            of.merchant_id,
            of.merchant_connector_id,
            id.unwrap_or_else(|| ProductId::generate(self.base.random.as_ref())),
            &request.name,
            request.description.as_deref(),
            self.base.now(),
        )?;
        self.insert(origin, product).await
    }

    /// Creates a plan or addon of a product.
    ///
    /// # Errors
    /// The errors of [`Catalogue::create_product`]; an unknown or archived product.
    pub async fn create_item(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        request: CreateItem,
    ) -> Result<Item, AppError> {
        let of = self.of_profile(merchant_id, profile_id).await?;
        let product: Product = self.catalogued(&of, request.product_id.as_str()).await?.0;
        let id = request.item_id;
        let item = Item::create(
            &product,
            id.unwrap_or_else(|| ItemId::generate(self.base.random.as_ref())),
            request.item_type,
            &request.name,
            request.description.as_deref(),
            self.base.now(),
        )?;
        self.insert(origin, item).await
    }

    /// Creates a price of an item. Without an `item_price_id` one is generated.
    ///
    /// # Errors
    /// The errors of [`Catalogue::create_product`]; an unknown or archived item; an item with the maximum number of
    /// prices.
    pub async fn create_price(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        item_id: &ItemId,
        item_price_id: Option<ItemPriceId>,
        new: NewPrice,
    ) -> Result<Price, AppError> {
        let of = self.of_profile(merchant_id, profile_id).await?;
        let item: Item = self.catalogued(&of, item_id.as_str()).await?.0;
        let made = || ItemPriceId::generate(self.base.random.as_ref());
        let price = Price::create(
            &item,
            item_price_id.unwrap_or_else(made),
            new,
            self.base.now(),
        )?;
        if self.store.count_prices(&of, item_id).await? >= MOST_PRICES {
            let message = format!("the item offers {MOST_PRICES} prices already: archive some");
            return Err(Refusal::precondition(message).into());
        }
        self.insert(origin, price).await
    }

    /// Creates a coupon.
    ///
    /// # Errors
    /// The errors of [`Catalogue::create_product`] and of [`Coupon::create`].
    pub async fn create_coupon(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        new: NewCoupon,
    ) -> Result<Coupon, AppError> {
        let of = self.of_profile(merchant_id, profile_id).await?;
        let coupon = Coupon::create(
            of.merchant_id,
            of.merchant_connector_id,
            new,
            self.base.now(),
        )?;
        self.insert(origin, coupon).await
    }

    /// Archives an entry and returns it with its redemptions. Existing subscriptions and redemptions continue.
    /// Archiving twice changes nothing.
    ///
    /// # Errors
    /// The errors of [`BillingAccounts::account`](crate::ports::BillingAccounts::account); an unknown entry.
    pub async fn archive<T: Catalogued + Clone>(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        entry_id: &str,
    ) -> Result<(T, u32), AppError> {
        let of = self.of_profile(merchant_id, profile_id).await?;
        let mut decisions = Decisions::begin(T::OBJECT);
        loop {
            let (entry, redemptions): (T, u32) = self.catalogued(&of, entry_id).await?;
            let archived = entry.archived(self.base.now());
            let made = archived.clone().entry();
            let changes = match entry.is_archived() {
                true => Vec::new(),
                false => {
                    let archive = CatalogueChange::Archive(Box::new(made.clone()));
                    vec![self.store.change(archive)]
                }
            };
            let stored = self.store_entry(origin, &made, redemptions, changes);
            match stored.await {
                Ok(()) => return Ok((archived, redemptions)),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    async fn insert<T: Catalogued + Clone>(&self, origin: &Origin, new: T) -> Result<T, AppError> {
        let entry: CatalogueEntry = new.clone().entry();
        let change = CatalogueChange::Insert(Box::new(entry.clone()));
        match self
            .store_entry(origin, &entry, 0, vec![self.store.change(change)])
            .await
        {
            Ok(()) => Ok(new),
            Err(CommitError::Duplicate(duplicate::CATALOGUE_ENTRY)) => Err(entry.taken().into()),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    async fn store_entry(
        &self,
        origin: &Origin,
        entry: &CatalogueEntry,
        redemptions: u32,
        changes: Vec<Change>,
    ) -> Result<(), CommitError> {
        let made = StoredEntry {
            entry: entry.clone(),
            redemptions,
        };
        let for_key = ForKey::Whole {
            object_id: entry.id(),
            made: Made::object(&made, None),
        };
        let of = entry.catalogue();
        let change_set = self
            .base
            .change_set(origin, Some(&of.merchant_id), for_key, changes);
        self.base.commit(change_set).await
    }
}
